"""Generated selectors, each with a device to look at.

In: the grammar and a source of chance. Out: a `Selector`, and simpler ones like it. Knows nothing
of what is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from conformance.judge.grammar import LEAVES, PRODUCTIONS
from conformance.judge.reduce import simplify

DRIVER, OTHER = "d.example", "o.example"
_DEPTHS = (0, 1, 1, 2, 2, 2, 3)
_DECLARES = re.compile(r"(\w+(?:, \w+)*): (.*)")
_HOLE = re.compile(rf"([$~](?:{'|'.join(LEAVES)})\b|[@#])")

# What each attribute may be, by name and kind; one that is None is missing.
_ATTRIBUTES = {
    ("s", "string"): ("x", "", "a-b", "1Gi", "1.2.3", "é", None, None),
    ("t", "string"): ("x", "abc", None),
    ("n", "int"): (1, 0, 3, -1, 2**63 - 1, -(2**63), None),
    ("m", "int"): (1, 2, None),
    ("b", "bool"): (True, False, None),
    ("c", "bool"): (True, False, None),
    ("v", "version"): ("1.2.3", "2.0.0-rc.1", "1.0.0+b", None),
    ("w", "version"): ("1.2.3", "0.0.1", None),
}
_LISTS = {
    ("ls", "strings"): (["x"], ["a", "x"], ["b", "a", "b"], None),
    ("ln", "ints"): ([1], [1, 2, 3], [2, 1, 2], None),
    ("lb", "bools"): ([True], [True, False], None),
    ("lv", "versions"): (["1.2.3"], ["1.2.3", "2.0.0"], None),
}
_CAPACITY = {
    ("mem", "value"): ("1Gi", "2", "500m", "1.5Ki", None),
    ("cores", "value"): ("2", "0", "1e3", None),
}
# In place of an attribute, one of another kind than expressions expect.
_SURPRISES = (
    {},
    {},
    {},
    {},
    {"s": {"int": 1}},
    {"n": {"string": "1"}},
    {"b": {"version": "1.0.0"}},
)
# What a device, an attribute and a capacity need to be one.
_KEPT = frozenset(("driver", "attributes", "capacity", "value", "bool", "int", "string", "version"))
_KEPT |= {kind for _, kind in _LISTS}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A part of an expression: texts and smaller phrases, in order."""

    kind: str
    parts: tuple[str | Phrase, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.parts))


@dataclass(frozen=True, slots=True)
class Selector:
    """An expression and a device."""

    phrase: Phrase
    device: dict

    def data(self):
        """Return what the oracle is asked."""
        return {"expression": str(self.phrase), "device": self.device}

    def simpler(self):
        """Yield selectors that are a little simpler."""
        for phrase in _simpler_phrases(self.phrase):
            yield replace(self, phrase=phrase)
        for device in simplify(self.device, _KEPT):
            yield replace(self, device=device)


def make_selector(chance, *, lists):
    """Make an expression and a device, which may have lists as attributes."""
    return Selector(_phrase(chance, "bool", chance.choice(_DEPTHS)), _device(chance, lists))


@cache
def _productions(kind, depth, variables):
    """Return what may stand for a type, cut at holes, with the types of what it declares."""
    own = tuple(name for name, declared in variables if declared == kind)
    # Without these weights few expressions would use what they declare, and most would end early.
    lines = own * 8 + LEAVES[kind] + PRODUCTIONS[kind] * (3 if depth else 0)
    return [_cut(line) for line in lines]


@cache
def _cut(line):
    declares = _DECLARES.match(line)
    kinds = tuple(declares[1].split(", ")) if declares else ()
    return kinds, tuple(filter(None, _HOLE.split(declares[2] if declares else line)))


def _phrase(chance, kind, depth, variables=()):
    """Make an expression of a type."""
    kinds, pieces = chance.choice(_productions(kind, depth, variables))
    names = {"@#"[number]: f"v{len(variables) + number}" for number in range(len(kinds))}
    inner = variables + tuple(zip(names.values(), kinds, strict=True))
    deeper = max(depth - 1, 0)
    parts = []
    for piece in pieces:
        if piece in names:
            parts.append(names[piece])
        elif _HOLE.fullmatch(piece):
            known = inner if piece[0] == "~" else variables
            parts.append(_phrase(chance, piece[1:], deeper, known))
        else:
            parts.append(piece)
    return Phrase(kind, tuple(parts))


def _simpler_phrases(phrase):
    """Yield phrases with one part less: it is replaced by a part of its own, or by a leaf."""
    yield from _inner_phrases(phrase, phrase.kind)
    leaf = Phrase(phrase.kind, (LEAVES[phrase.kind][0],))
    if any(isinstance(part, Phrase) for part in phrase.parts):
        yield leaf
    for number, part in enumerate(phrase.parts):
        if isinstance(part, Phrase):
            for smaller in _simpler_phrases(part):
                parts = (*phrase.parts[:number], smaller, *phrase.parts[number + 1 :])
                yield replace(phrase, parts=parts)


def _inner_phrases(phrase, kind):
    """Yield the phrases of a kind inside one."""
    for part in phrase.parts:
        if isinstance(part, Phrase):
            if part.kind == kind:
                yield part
            yield from _inner_phrases(part, kind)


def _device(chance, lists):
    driver = chance.choice((DRIVER, DRIVER, DRIVER, OTHER))
    # One attribute with its domain and one without would be two of one name: either may win.
    domains = ("", f"{OTHER}/") if driver == DRIVER else ("",)
    attributes = _ATTRIBUTES | _LISTS if lists else _ATTRIBUTES
    return {
        "driver": driver,
        "attributes": _values(chance, attributes, domains) | chance.choice(_SURPRISES),
        "capacity": _values(chance, _CAPACITY, domains),
        "allowMultipleAllocations": chance.choice((True, False)),
    }


def _values(chance, known, domains):
    """Make attributes or capacities without a domain, and such of another domain."""
    made = {
        domain + name: {kind: chance.choice(values)}
        for domain in domains
        for (name, kind), values in known.items()
    }
    return {name: each for name, each in made.items() if None not in each.values()}
