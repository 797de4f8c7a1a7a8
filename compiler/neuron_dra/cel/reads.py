"""Which attributes a selector reads, and whether a missing one would be an error.

In: a compiled selector. Out: the reads, in the order of their columns.
A read is guarded when its error cannot reach the result: it only tests, it is optional, or it
counts only when a test of the same attribute has held. `&&` and `||` absorb errors on both
sides, so `a.x == 1 && has(a.x)` is as safe as the other order. A domain that is computed and an
attribute that a comprehension visits have no name here and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.places import Bindings, Place, bind, find_place, hide, name_range
from neuron_dra.cel.tree import Call, Comprehension, Constant, Ident, Node, Select, iter_children


@dataclass(frozen=True, slots=True)
class AttributeRead:
    """One place where an expression reads an attribute or a capacity.

    Attributes:
        domain: as in `device.attributes["domain"]`.
        name: the identifier, without the domain.
        guarded: a device that lacks it causes no error here.
        column: where the name stands, in code points.
        end: the first code point after the name and its quotes.
        capacity: whether it is read from `device.capacity`.
        driver: the driver that the device must have for this read to count, or an empty string.
    """

    domain: str
    name: str
    guarded: bool
    column: int
    end: int
    capacity: bool = False
    driver: str = ""


# Something that has held when a part of an expression counts:
# ("driver", its name) or ("attribute" or "capacity", domain, name).
Fact = tuple[str, ...]
Facts = frozenset[Fact]
_NOTHING: Facts = frozenset()


def find_reads(compiled: Compiled) -> tuple[AttributeRead, ...]:
    """Return what a selector reads, one entry for each place."""
    found: dict[int, AttributeRead] = {}
    for read in _reads(compiled.root, _NOTHING, {}, compiled.expression):
        known = found.get(read.column, read)
        found[read.column] = replace(
            read,
            guarded=read.guarded and known.guarded,
            driver=read.driver if read.driver == known.driver else "",
        )
    return tuple(found[column] for column in sorted(found))


def _reads(node: Node, facts: Facts, bound: Bindings, text: str) -> Iterator[AttributeRead]:
    place = find_place(node, bound)
    if place:
        yield _as_read(place, facts, text)
    match node:
        case Ident(name=name) if name in bound:
            value, scope = bound[name]
            yield from _reads(value, facts, scope, text)
        case Comprehension() if node.is_bind:
            yield from _reads(node.result, facts, bind(node, bound), text)
        case Comprehension():
            yield from _fold_reads(node, facts, bound, text)
        case Call():
            for part, also in _parts_with_facts(node, bound):
                yield from _reads(part, facts | also, bound, text)
        case _:
            for child in iter_children(node):
                yield from _reads(child, facts, bound, text)


def _fold_reads(
    node: Comprehension, facts: Facts, bound: Bindings, text: str
) -> Iterator[AttributeRead]:
    inside = hide(node, bound)
    for part in (node.range, node.start):
        yield from _reads(part, facts, bound, text)
    for part in (node.condition, node.step, node.result):
        yield from _reads(part, facts, inside, text)


def _parts_with_facts(node: Call, bound: Bindings) -> Iterator[tuple[Node, Facts]]:
    """Yield the operands with what must have held for an error in them to count."""
    if node.function in ("_&&_", "_||_"):
        left, right = node.args
        outcome = node.function == "_&&_"
        yield left, _facts_if(outcome, right, bound)
        yield right, _facts_if(outcome, left, bound)
    elif node.function == "_?_:_":
        condition, then, otherwise = node.args
        yield condition, _NOTHING
        yield then, _facts_if(True, condition, bound)
        yield otherwise, _facts_if(False, condition, bound)
    else:
        yield from ((operand, _NOTHING) for operand in node.operands)


def _facts_if(outcome: bool, node: Node, bound: Bindings) -> Facts:
    """Return what holds when a node has evaluated to an outcome."""
    match node:
        case Ident(name=name) if name in bound:
            return _facts_if(outcome, *bound[name])
        case Comprehension() if node.is_bind:
            return _facts_if(outcome, node.result, bind(node, bound))
        case Call(function="!_", args=(operand,)):
            return _facts_if(not outcome, operand, bound)
        case Call(function="_&&_" | "_||_", args=(left, right)):
            sides = _facts_if(outcome, left, bound), _facts_if(outcome, right, bound)
            both = outcome == (node.function == "_&&_")
            return sides[0] | sides[1] if both else sides[0] & sides[1]
        case Call(function="_==_", args=(left, right)) if outcome:
            return _driver_fact(left, right) | _driver_fact(right, left)
        case _:
            tested = _tested(node, bound) if outcome else None
            return frozenset({_fact(tested)}) if tested else _NOTHING


def _driver_fact(variable: Node, value: Node) -> Facts:
    match variable, value:
        case Ident(name="device.driver"), Constant(value=str() as driver):
            return frozenset({("driver", driver)})
        case _:
            return _NOTHING


def _tested(node: Node, bound: Bindings) -> Place | None:
    """Return the place of which a node tells whether it is there."""
    match node:
        case Select(test_only=True) | Call(function="@in"):
            return find_place(node, bound)
        case Call(function="hasValue", target=Node() as target):
            return find_place(target, bound)
        case _:
            return None


def _fact(place: Place) -> Fact:
    return ("capacity" if place.capacity else "attribute", place.domain, place.name)


def _as_read(place: Place, facts: Facts, text: str) -> AttributeRead:
    drivers = sorted(fact[1] for fact in facts if fact[0] == "driver")
    return AttributeRead(
        place.domain,
        place.name,
        place.optional or _fact(place) in facts,
        *name_range(place, text),
        place.capacity,
        drivers[0] if drivers else "",
    )
