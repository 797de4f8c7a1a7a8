"""The models of the catalogue document themselves."""

from __future__ import annotations

import re

import pytest

from neuron_dra.catalog.document import KINDS, Envelope
from neuron_dra.syntax.decode import Model


def nested(cls):
    """Yield a model and all models below it."""
    yield cls
    for declared in cls.KEYS.values():
        reader = declared.reader
        while hasattr(reader, "item") or hasattr(reader, "value"):
            reader = getattr(reader, "item", None) or reader.value
        inner = getattr(reader, "cls", None)
        if inner:
            yield from nested(inner)


MODELS = sorted(
    {model for kind in KINDS.values() for model in nested(kind.sheet)} | {*nested(Envelope)},
    key=lambda model: model.__name__,
)


def test_models_are_found():
    """The models below all kinds are many, and names tell them apart."""
    names = [model.__name__ for model in MODELS]

    assert len(names) > 35
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_keys_are_documented(model):
    """Every key has a sentence and a JSON Schema, and YAML names are in camel case."""
    assert issubclass(model, Model)
    assert model.__doc__.endswith(".")
    for name, declared in model.KEYS.items():
        assert declared.doc.endswith("."), name
        assert isinstance(declared.reader.schema(), dict), name
        assert re.fullmatch("[a-z][A-Za-z0-9]*", name), name
