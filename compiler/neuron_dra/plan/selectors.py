"""Extra CEL selectors of a partition, judged before a scheduler sees them.

A selector that reads an attribute which a device in reach lacks aborts the scheduling of the pod on
every node, so each attribute must be published on each instance type that the class selects, or be
guarded in the expression.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from neuron_dra.catalog.facts import Answer
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.diagnostics import Diagnostic, Related, closest
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.fit import AnyShape
from neuron_dra.plan.profile import Profile
from neuron_dra.source import Span

if TYPE_CHECKING:
    from neuron_dra.cel.environment import Compiled


def check_selectors(
    shape: AnyShape, kinds: Iterable[InstanceType], profile: Profile
) -> list[Diagnostic]:
    """Compile each selector and compare what it reads with what is published."""
    found: list[Diagnostic] = []
    for index, expression in enumerate(shape.selectors):
        found += _check_selector(shape, index, expression, tuple(kinds), profile)
    return found


def _check_selector(
    shape: AnyShape,
    index: int,
    expression: str,
    kinds: tuple[InstanceType, ...],
    profile: Profile,
) -> list[Diagnostic]:
    from neuron_dra.cel.environment import environment
    from neuron_dra.cel.problem import CompileError
    from neuron_dra.cel.reads import find_reads

    where = shape.places.item("selectors", index)
    compiled = environment(profile.minor, profile.release.default_gates).compile(expression)
    if isinstance(compiled, CompileError):
        return [
            codes.SELECTOR_INVALID.at(
                where,
                f"the selector does not compile: {compiled.message}",
                label=f"at character {compiled.column + 1} of the expression",
                help=compiled.help,
            )
        ]
    problems = _runtime_problems(where, compiled, profile)
    return problems or [
        _missing(shape, index, f"{read.domain}/{read.name}", kind)
        for read in find_reads(compiled)
        if not read.guarded
        for kind in kinds
        if kind.publishes(f"{read.domain}/{read.name}") is not Answer.YES
    ]


def _runtime_problems(where: Span, compiled: Compiled, profile: Profile) -> list[Diagnostic]:
    """Find what the API server refuses for its cost, and literals that fail on every device."""
    from neuron_dra.cel.cost import estimated_cost
    from neuron_dra.cel.literals import find_literal_problems

    cost, limit = estimated_cost(compiled), profile.release.limits.cel_cost
    if cost > limit:
        return [
            codes.SELECTOR_INVALID.at(
                where,
                f"the selector may cost {cost}, more than the limit of {limit}",
                related=[Related(profile.release.limits.places.value("celCost"), "the limit")],
                help="visit fewer attributes: name them instead of looping over them",
            )
        ]
    return [
        codes.SELECTOR_INVALID.at(
            where,
            f"the selector fails on every device: {problem.message}",
            label=f"at character {problem.column + 1} of the expression",
        )
        for problem in find_literal_problems(compiled.root, compiled.expression)
    ]


def _suggest(attribute: str, kind: InstanceType) -> str:
    domain, _, name = attribute.rpartition("/")
    published = kind.facts.published
    known = (*published.present, *published.unknown) if published else ()
    meant = closest(name, (each.rpartition("/")[2] for each in known if each != attribute))
    if meant and attribute not in known:
        return f"did you mean `{meant}`?"
    return f'guard it: `has(device.attributes["{domain}"].{name}) && ...`'


def _missing(shape: AnyShape, index: int, attribute: str, kind: InstanceType) -> Diagnostic:
    unknown = kind.publishes(attribute) is Answer.UNKNOWN
    fact, end = ("may lack", "may fail") if unknown else ("lack", "fails")
    return codes.ATTRIBUTE_NOT_PUBLISHED.at(
        shape.places.item("selectors", index),
        f"the selector reads `{attribute}`, which devices of `{kind.name}` {fact}: "
        f"its evaluation {end}, and the pod is then scheduled nowhere",
        related=[Related(kind.facts.places.key("published"), "what is published there")],
        help=_suggest(attribute, kind),
    )
