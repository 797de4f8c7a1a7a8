"""The definitions of Kubernetes' types, as kubernetes-validate carries them."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

import neuron_dra.kube.definitions as definitions_module
from neuron_dra.kube.definitions import POD_TEMPLATE, Definitions, load_definitions
from neuron_dra.source import FatalError


@pytest.mark.parametrize("minor", ["1.34", "1.36", "1.37"])
def test_types(minor):
    """Every minor knows the pod template and follows its references."""
    definitions = load_definitions(minor)
    name, template = definitions.resolve({"$ref": f"#/$defs/{POD_TEMPLATE}"})
    _, spec = definitions.resolve(template["properties"]["spec"])

    assert name == POD_TEMPLATE
    assert "resourceClaims" in spec["properties"]


def test_newer_minor():
    """A minor that is not known yet is read as the newest that is."""
    assert load_definitions("1.999").type(POD_TEMPLATE) == load_definitions("1.37").type(
        POD_TEMPLATE
    )


def test_unknown_type():
    """A type that a minor lacks accepts anything."""
    assert Definitions({}).resolve({"$ref": "#/$defs/io.example.Thing"}) == ("io.example.Thing", {})
    assert Definitions({}).resolve({"type": "string"}) == ("", {"type": "string"})


def test_kinds():
    """A kind is found by its apiVersion; others are not Kubernetes' own."""
    definitions = load_definitions("1.36")

    assert definitions.kind("batch/v1", "Job") == "io.k8s.api.batch.v1.Job"
    assert definitions.kind("v1", "Service") == "io.k8s.api.core.v1.Service"
    assert definitions.kind("batch/v2", "Job") == ""
    assert definitions.kind("jobset.x-k8s.io/v1alpha2", "JobSet") == ""


def test_old_minor():
    """A minor older than all that are known is read as the oldest."""
    assert load_definitions("1.1").kind("batch/v1", "Job")


def test_unreadable(monkeypatch, tmp_path):
    """Missing or broken files are the fault of the installation."""
    monkeypatch.setattr(definitions_module, "find_spec", lambda name: None)
    with pytest.raises(FatalError, match="not installed"):
        load_definitions.__wrapped__("1.36")

    place = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(definitions_module, "find_spec", lambda name: place)
    with pytest.raises(FatalError, match="no schemas"):
        load_definitions.__wrapped__("1.36")

    folder = tmp_path / "kubernetes-json-schema" / "v1.36.0-local-strict"
    folder.mkdir(parents=True)
    with pytest.raises(FatalError, match=r"cannot read .*_definitions\.json"):
        load_definitions.__wrapped__("1.36")


def test_import_is_spared():
    """Finding the files does not import the package, which is slow."""
    code = (
        "import sys; from neuron_dra.kube.definitions import load_definitions; "
        "load_definitions('1.36'); print('kubernetes_validate' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert done.stdout == "False\n"
