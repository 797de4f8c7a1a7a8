"""The explain pages: the wrong example gives its code and nothing else, the right one is sound."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import yaml

from neuron_dra.admission.check import check_objects
from neuron_dra.admission.server import Server
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.diagnostics import Code
from neuron_dra.diagnostics.codes import admission as codes
from neuron_dra.diagnostics.pages import examples, load_page
from neuron_dra.source import Source, Span
from neuron_dra.spec.documents import read_documents

CATALOG = open_catalog(())
CODES = [code for code in vars(codes).values() if isinstance(code, Code)]


def diagnose(text):
    """Check the extra objects of a spec as the API server of its version would."""
    assert read_documents([Source("a.yaml", text)])[1] == []
    spec = yaml.safe_load(text)["spec"]
    objects = [
        SimpleNamespace(
            path="", data=data, documents=("Cluster/a",), fields={}, locate=lambda path: None
        )
        for data in spec["extraObjects"]
    ]
    place = Span.of_file(Source("a.yaml", text))
    release = CATALOG.kubernetes(str(spec["kubernetes"]))
    server = Server(release, release.default_gates)
    return check_objects(objects, server, CATALOG, lambda *_: place)


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.id)
def test_examples(code):
    """The wrong spec gives its code once and no other, the right spec none."""
    wrong, right = examples(load_page(code.id))

    assert [found.code for found in diagnose(wrong)] == [code]
    assert diagnose(right) == []
