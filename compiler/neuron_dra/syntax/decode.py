"""Nodes to typed values: models, and the readers of their keys.

A model is a frozen dataclass whose fields are made with `key(reader, doc)`. Reading is directed by
these types: a scalar's text means what its field's type says, so `1.30` is a version where a
version is wanted. Schemas are closed; every problem is collected in the `Context`, and a value
that is not sound becomes `INVALID` together with the model that holds it. Each model keeps the
`Places` of its keys, so that any later phase can point at the text. The same declarations give the
JSON Schema (`schema.py`). Does not know any kind of the spec language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field
from typing import Any, ClassVar, TypeVar, dataclass_transform

from neuron_dra.diagnostics import Diagnostic, Edit, Related, did_you_mean, has_errors, only_close
from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.source import Span
from neuron_dra.syntax.mappings import describe, is_null, pairs
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode
from neuron_dra.syntax.places import Context, Origin, Places

T = TypeVar("T")


class _Invalid:
    def __repr__(self) -> str:
        return "INVALID"


INVALID = _Invalid()
"""Stands for a value whose problem is already diagnosed."""


class Reader:
    """Reads a node as one type; `what` completes "expected ..."."""

    what = "a value"

    def read(self, node: Node, context: Context) -> Any:
        raise NotImplementedError

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the values that this reader accepts."""
        raise NotImplementedError

    def refuse(self, node: Node, context: Context) -> _Invalid:
        """Diagnose a node of another type."""
        context.add(
            codes.WRONG_TYPE.at(context.span(node), f"expected {self.what}, found {describe(node)}")
        )
        return INVALID


@dataclass(frozen=True, slots=True)
class Key:
    """The declaration of one key of a model."""

    name: str  # as written in YAML
    attribute: str
    reader: Reader
    doc: str
    required: bool


def key(reader: Reader, doc: str, *, default: Any = MISSING, name: str = "") -> Any:
    """Declare a key of a model; without a default it is required."""
    metadata = {"reader": reader, "doc": doc, "name": name, "required": default is MISSING}
    if default in ({}, []):
        return field(default_factory=type(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Model:
    """A value read from a mapping. `KEYS` declares its keys by their YAML names."""

    KEYS: ClassVar[Mapping[str, Key]] = {}

    places: Places

    @classmethod
    def field(cls, attribute: str) -> Any:
        """Return the declaration of a field, for another model that has the same key."""
        declared = next(each for each in cls.KEYS.values() if each.attribute == attribute)
        default = cls.__dataclass_fields__[attribute].default
        return key(declared.reader, declared.doc, default=default, name=declared.name)

    def check(self, context: Context) -> None:
        """Diagnose what the types of single keys cannot say; for subclasses."""


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(key, field))
def model(cls: type[T]) -> type[T]:
    """Make a class a model: a frozen dataclass with its keys declared."""
    made: Any = dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)(cls)
    made.KEYS = {
        declared.name: declared
        for name, fields in made.__dataclass_fields__.items()
        if "reader" in fields.metadata
        for declared in [_declare(name, fields.metadata)]
    }
    result: type[T] = made
    return result


def _declare(attribute: str, metadata: Mapping[str, Any]) -> Key:
    head, *tail = attribute.rstrip("_").split("_")
    name = metadata["name"] or head + "".join(word.capitalize() for word in tail)
    return Key(name, attribute, metadata["reader"], metadata["doc"], metadata["required"])


class ModelReader(Reader):
    """Reads a mapping as a model."""

    def __init__(
        self, cls: type[Model], what: str = "a map", *, judged: frozenset[str] = frozenset()
    ) -> None:
        self.cls = cls
        self.what = what
        self.judged = judged  # keys that somebody else reads

    def read(self, node: Node, context: Context) -> Any:
        if type(node) is not MappingNode:
            return self.refuse(node, context)
        keys = self.cls.KEYS
        entries: dict[str, tuple[Origin, Node, Node]] = {}
        values: dict[str, Any] = {}
        sound = True
        for name, key_node, value_node in pairs(node, context):
            declared = keys.get(name)
            if name in self.judged:
                continue
            if declared is None:
                sound = _unknown_key(key_node, node, keys, context)
                continue
            entries[name] = (context.origin, key_node, value_node)
            value = read_value(name, declared.reader, value_node, context)
            values[declared.attribute] = value
            sound = sound and value is not INVALID
        if context.layered:
            # Another layer may give what is missing: `finish` asks for it after the merge.
            for declared in keys.values():
                if declared.required:
                    values.setdefault(declared.attribute, None)
        else:
            sound = self._require(node, entries, context) and sound
        if not sound:
            return INVALID
        made = self.cls(places=Places(context.origin, node, entries), **values)
        return made if context.layered else check_model(made, context)

    def _require(self, node: Node, entries: Mapping[str, object], context: Context) -> bool:
        missing = [
            declared.name
            for declared in self.cls.KEYS.values()
            if declared.required and declared.name not in entries
        ]
        for name in missing:
            context.add(missing_key(context.span(node), name))
        return not missing

    def schema(self) -> dict[str, Any]:
        """Return a reference to the class itself; `schema.py` knows by which name it stands."""
        return {"$ref": self.cls}


class LayerReader(ModelReader):
    """Reads a mapping as one layer of a model: keys may be missing, and `null` removes.

    Args:
        lowest: whether nothing lies below, so that there is nothing to remove.
    """

    def __init__(self, cls: type[Model], *, lowest: bool = False) -> None:
        super().__init__(cls)
        self.lowest = lowest

    def read(self, node: Node, context: Context) -> Any:
        context.layered, context.lowest = True, self.lowest
        try:
            return super().read(node, context)
        finally:
            context.layered = context.lowest = False


def read_value(name: str, reader: Reader, node: Node, context: Context) -> Any:
    """Read the value of a key; None where a layer removes what a lower one gave."""
    if not context.layered or not is_null(node):
        return reader.read(node, context)
    if not context.lowest:
        return None
    context.add(
        codes.REMOVES_NOTHING.at(
            context.span(node),
            f"`{name}: null` removes nothing: no layer lies below this one",
            help="remove the line",
        )
    )
    return INVALID


def missing_key(span: Span, name: str) -> Diagnostic:
    """Return the diagnostic of a required key that nobody wrote."""
    return codes.MISSING_KEY.at(span, f"the key `{name}` is required here")


def check_model(made: Model, context: Context) -> Any:
    """Run a model's own check; INVALID if it finds an error."""
    before = len(context.diagnostics)
    made.check(context)
    return INVALID if has_errors(context.diagnostics[before:]) else made


def _unknown_key(
    node: Node, mapping: MappingNode, keys: Mapping[str, Key], context: Context
) -> bool:
    span, name = context.span(node), node.value
    edits = respell_key(node, mapping, keys, context)
    help = did_you_mean(name, keys)
    context.add(codes.UNKNOWN_KEY.at(span, f"unknown key `{name}`", help=help, edits=edits))
    return False


def respell_key(
    key: Node, mapping: MappingNode, keys: Iterable[str], context: Context
) -> list[Edit]:
    """Return the edit of a misspelt key, where it is sure which one of a mapping is meant.

    No key of that name stands in the mapping, and no other misspelt one is meant as it.
    """
    written = [node.value for node, _ in mapping.value if isinstance(node, ScalarNode)]
    free = [name for name in keys if name not in written]
    meant = only_close(key.value, free)
    rivals = [name for name in written if name not in keys and only_close(name, free) == meant]
    is_here = any(node is key for node, _ in mapping.value)
    return [Edit(context.span(key), meant)] if meant and is_here and len(rivals) == 1 else []


def respell(span: Span, word: str, known: Iterable[str]) -> list[Edit]:
    """Return the edit of a misspelt word, where it is sure which one is meant."""
    meant = only_close(word, known)
    return [Edit(span, meant)] if meant else []


class MisspeltError(ValueError):
    """A value that is wrong, but surely meant as another."""

    def __init__(self, message: str, meant: str) -> None:
        super().__init__(message)
        self.meant = meant  # empty where nobody knows


class Scalar(Reader):
    """Reads a scalar with a function from its text; a ValueError's text says what is wrong."""

    def __init__(
        self,
        what: str,
        convert: Callable[[str], Any],
        schema: Mapping[str, Any],
        *,
        quoted: bool | str,
    ) -> None:
        self.what = what
        self.convert = convert
        self.json_schema = dict(schema)
        self.quoted = quoted  # whether a quoted text is accepted, or the one that is

    def read(self, node: Node, context: Context) -> Any:
        if type(node) is not ScalarNode or node.tag is not None or is_null(node):
            return self.refuse(node, context)
        if node.style and self.quoted not in (True, node.value):
            context.add(
                codes.WRONG_TYPE.at(
                    context.span(node),
                    f'expected {self.what}, found the text "{node.value}"',
                    help="remove the quotes",
                    edits=[Edit(context.span(node), node.value)],
                )
            )
            return INVALID
        try:
            return self.convert(node.value)
        except ValueError as error:
            span, meant = context.span(node), getattr(error, "meant", "")
            edits = [Edit(span, meant)] if meant else []
            context.add(codes.INVALID_VALUE.at(span, str(error), edits=edits))
            return INVALID

    def schema(self) -> dict[str, Any]:
        return dict(self.json_schema)


def require_one(made: Model, first: str, second: str, context: Context) -> None:
    """Diagnose two keys of which exactly one must be written."""
    places = made.places
    if places.has(first) and places.has(second):
        context.add(
            codes.KEYS_EXCLUDE.at(
                places.key(second),
                f"`{second}` cannot stand beside `{first}`",
                related=[Related(places.key(first), "the other one")],
            )
        )
    elif not places.has(first) and not places.has(second):
        context.add(
            codes.MISSING_KEY.at(places.span, f"one of `{first}` and `{second}` is required here")
        )


def value_key(value: Any, skip: frozenset[str] = frozenset()) -> Any:
    """Return a hashable key of all that a value says, without its places.

    Args:
        skip: names of keys that are left out at the top.
    """
    if isinstance(value, Model):
        return tuple(
            value_key(getattr(value, declared.attribute))
            for name, declared in type(value).KEYS.items()
            if name not in skip
        )
    if isinstance(value, dict):
        return tuple(sorted((name, value_key(each)) for name, each in value.items()))
    if isinstance(value, tuple) and type(value) is tuple:
        return tuple([value_key(each) for each in value])
    return value
