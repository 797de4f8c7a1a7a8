"""The kinds of documents that specs hold, as `schema` and the reference show them.

In: nothing. Out: `KINDS` by name, in the order of the language. Chooses no layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from neuron_dra.catalog.document import KINDS as CATALOG_KINDS
from neuron_dra.catalog.document import Metadata
from neuron_dra.spec.documents import API_VERSION, LAYERED
from neuron_dra.spec.documents import KINDS as SPEC_KINDS
from neuron_dra.syntax.decode import Model, ModelReader
from neuron_dra.syntax.schema import Kind, first_line


def _list_kinds() -> Iterator[Kind]:
    for name, cls in SPEC_KINDS.items():
        parts = _model_of(cls, "metadata"), _model_of(cls, "spec")
        yield Kind(name, API_VERSION, *parts, first_line(cls), name in LAYERED)
    name, sheet = CATALOG_KINDS["instances"]
    doc = "A machine that the catalogue does not have; the same schema as its files."
    yield Kind(name, API_VERSION, Metadata, sheet, doc)


def _model_of(cls: type[Model], key: str) -> type[Model]:
    reader = cls.KEYS[key].reader
    assert isinstance(reader, ModelReader)
    return reader.cls


KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _list_kinds()}
