"""What is wrong with a selector on the devices that it is asked about.

In: a compiled selector and the devices in reach, by instance type. Out: findings with their place
in the expression; only the most precise kind of problem is told. A verdict that depends on what
only a live node knows proves nothing. A selector is wrong only if it is so on every instance type
in reach: one that is false on a whole type may be there to choose another.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from neuron_dra.cel.comparisons import Comparison, find_comparisons
from neuron_dra.cel.environment import Compiled
from neuron_dra.cel.reads import AttributeRead, find_reads
from neuron_dra.diagnostics import closest
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.kube.slice import Scalar
from neuron_dra.plan.comparing import (
    describe_literal,
    describe_type,
    describe_values,
    fits_type,
    holds,
)
from neuron_dra.plan.finding import Finding, facts, list_types, whole
from neuron_dra.plan.reach import Fate, Reach, ReachedDevice

_ARTICLES = {"bool": "a", "int": "an", "string": "a", "version": "a"}
_RELATIONS = {
    "==": "of",
    "in": "of",
    "!=": "other than",
    "<": "below",
    "<=": "of at most",
    ">": "above",
    ">=": "of at least",
}


def judge(
    compiled: Compiled, reaches: Sequence[Reach], left: Sequence[Reach] | None = None
) -> list[Finding]:
    """Return the problems of a selector, none when nothing is known to be published there.

    Args:
        left: the devices on which it is evaluated, when other selectors come first.
    """
    verdicts = [each.verdicts(compiled) for each in reaches]
    if not all(verdicts):
        return []
    fates = {verdict.fate for each in verdicts for verdict in each}
    return (
        _missing(compiled, reaches if left is None else left)
        or _other_types(compiled, reaches, fates)
        or _failures(compiled, reaches if left is None else left)
        or _one_verdict(compiled, reaches, fates)
    )


def is_never_true(compiled: Compiled, reach: Reach) -> bool:
    """Tell whether a selector surely matches no device of an instance type."""
    verdicts = reach.verdicts(compiled)
    return bool(verdicts) and all(each.fate is Fate.DIFFERS for each in verdicts)


def is_always_true(compiled: Compiled, reach: Reach) -> bool:
    """Tell whether a selector surely matches every device of an instance type."""
    verdicts = reach.verdicts(compiled)
    return bool(verdicts) and all(each.fate is Fate.MATCHES for each in verdicts)


def _missing(compiled: Compiled, reaches: Sequence[Reach]) -> list[Finding]:
    """Find reads that fail on a device in reach, which lacks or may lack the attribute."""
    found = []
    for read in find_reads(compiled):
        lacking = [each for reach in reaches if (each := _lacking(compiled, reach, read)).devices]
        if lacking and not read.guarded:
            found.append(_missing_on(read, lacking, reaches))
    return found


def _lacking(compiled: Compiled, reach: Reach, read: AttributeRead) -> Reach:
    """Return the devices without the attribute, but for those that something else decides."""
    undecided = (Fate.FAILS, Fate.DEPENDS)
    return reach.where(lambda each: _lacks(each, read) and each.verdict(compiled).fate in undecided)


def _lacks(device: ReachedDevice, read: AttributeRead) -> bool:
    name = f"{read.domain}/{read.name}"
    asked = read.driver in ("", device.driver)
    return asked and not device.has(name, capacity=read.capacity)


def _missing_on(read: AttributeRead, lacking: Sequence[Reach], reaches: Sequence[Reach]) -> Finding:
    name = f"{read.domain}/{read.name}"
    devices = [device for reach in lacking for device in reach.devices]
    unknown = not read.capacity and all(name in each.doubtful for each in devices)
    fact, end = ("may lack", "may fail") if unknown else ("lack", "fails")
    owner = (
        f"{devices[0].driver} on "
        if len(devices) < sum(len(each.devices) for each in reaches)
        else ""
    )
    return Finding(
        codes.ATTRIBUTE_NOT_PUBLISHED,
        f"the selector reads `{name}`, which devices of {owner}{list_types(lacking)} {fact}: "
        f"its evaluation {end}, and the pod is then scheduled nowhere",
        read.column,
        read.end,
        _suggest_attribute(read, reaches),
        facts(lacking),
    )


def _suggest_attribute(read: AttributeRead, reaches: Iterable[Reach]) -> str:
    name = f"{read.domain}/{read.name}"
    devices = [device for reach in reaches for device in reach.devices]
    owners = sorted({each.driver for each in devices if each.has(name, capacity=read.capacity)})
    if owners:
        return f'begin with `device.driver == "{owners[0]}" && ...`'
    known = {each for reach in reaches for each in reach.attribute_names()}
    meant = closest(read.name, (each.rpartition("/")[2] for each in sorted(known - {name})))
    if meant and name not in known:
        return f"did you mean `{meant}`?"
    part = "capacity" if read.capacity else "attributes"
    return f'guard it: `has(device.{part}["{read.domain}"].{read.name}) && ...`'


def _other_types(compiled: Compiled, reaches: Sequence[Reach], fates: set[Fate]) -> list[Finding]:
    """Find comparisons with another type than that of the attribute, where they decide."""
    decided = len(fates) == 1 or Fate.FAILS in fates
    return [
        found
        for each in _comparisons(compiled)
        if (each.required or decided) and (found := _other_type(each, reaches))
    ]


def _other_type(comparison: Comparison, reaches: Sequence[Reach]) -> Finding | None:
    name = f"{comparison.domain}/{comparison.name}"
    types = set().union(*(reach.attribute_types(name) for reach in reaches))
    if not types or any(
        fits_type(value, comparison.parser, kind) for value in comparison.values for kind in types
    ):
        return None
    published = " and ".join(f"{_ARTICLES[kind]} {kind}" for kind in sorted(types))
    compared = describe_type(comparison.values[0], comparison.parser)
    return Finding(
        codes.ATTRIBUTE_OF_OTHER_TYPE,
        f"`{name}` is published as {published}, but compared with {compared}",
        comparison.column,
        comparison.end,
        _suggest_type(comparison, types, reaches),
        facts(reaches),
    )


def _suggest_type(comparison: Comparison, types: set[str], reaches: Iterable[Reach]) -> str:
    if types == {"version"}:
        return 'compare it with a version: `== semver("1.2.3")`, or `.isGreaterThan(...)`'
    values = _known_values(comparison, reaches)
    return _list_values(comparison.name, values) if values else ""


def _failures(compiled: Compiled, reaches: Iterable[Reach]) -> list[Finding]:
    """Find the first device on which the evaluation fails."""
    for reach in reaches:
        for verdict in reach.verdicts(compiled):
            if verdict.fate is Fate.FAILS:
                message = (
                    f"the selector fails on `{verdict.device.name}` of `{reach.kind.name}` with "
                    f"`{verdict.reason}`, and the pod is then scheduled nowhere"
                )
                code = codes.SELECTOR_INVALID
                return [whole(code, compiled, message, related=facts([reach]))]
    return []


def _one_verdict(compiled: Compiled, reaches: Sequence[Reach], fates: set[Fate]) -> list[Finding]:
    """Find selectors that say the same of every device."""
    types = list_types(reaches)
    if fates == {Fate.MATCHES}:
        message = f"the selector is true for every device of {types}"
        return [
            whole(codes.SELECTOR_ALWAYS_TRUE, compiled, message, "leave it out", facts(reaches))
        ]
    if fates != {Fate.DIFFERS}:
        return []
    return list(_absent_values(compiled, reaches)) or [
        whole(
            codes.SELECTOR_NEVER_TRUE,
            compiled,
            f"the selector is true for no device of {types}",
            related=facts(reaches),
        )
    ]


def _absent_values(compiled: Compiled, reaches: Sequence[Reach]) -> Iterator[Finding]:
    """Yield what no device has, where that is why the selector is false."""
    comparisons = _comparisons(compiled)
    absent = [each for each in comparisons if _holds_nowhere(each, reaches)]
    required = [each for each in absent if each.required]
    if required:
        yield from (_absent_value([each], reaches) for each in required)
    elif absent and len(absent) == len(comparisons):
        yield _absent_value(absent, reaches)


def _holds_nowhere(comparison: Comparison, reaches: Iterable[Reach]) -> bool:
    values = _known_values(comparison, reaches)
    return bool(values) and not any(holds(comparison, value) for value in values)


def _absent_value(comparisons: Sequence[Comparison], reaches: Sequence[Reach]) -> Finding:
    """Say that each of some comparisons holds on no device."""
    first = comparisons[0]
    sought = " or ".join(_describe(each) for each in comparisons)
    hints = dict.fromkeys(
        _suggest_value(each, _known_values(each, reaches)) for each in comparisons
    )
    return Finding(
        codes.VALUE_NOT_PUBLISHED,
        f"no device of {list_types(reaches)} has {sought}",
        first.column,
        first.end,
        "; ".join(hints),
        facts(reaches),
    )


def _describe(comparison: Comparison) -> str:
    literals = " or ".join(describe_literal(each, comparison.parser) for each in comparison.values)
    name = f"{comparison.domain}/{comparison.name}"
    return f"a `{name}` {_RELATIONS[comparison.operator]} {literals}"


def _suggest_value(comparison: Comparison, values: set[Scalar]) -> str:
    texts = [each for each in values if isinstance(each, str)]
    meant = {closest(each, texts) for each in comparison.values if isinstance(each, str)} - {""}
    hint = f"did you mean {describe_values(meant)}? " if meant and len(values) > 1 else ""
    return hint + _list_values(comparison.name, values)


def _list_values(name: str, values: set[Scalar]) -> str:
    word = "value" if len(values) == 1 else "values"
    return f"known {word} of `{name}` there: {describe_values(values)}"


def _known_values(comparison: Comparison, reaches: Iterable[Reach]) -> set[Scalar]:
    """Return the values of an attribute; none when nobody knows all of them."""
    found: set[Scalar] = set()
    for reach in reaches:
        values = reach.values(f"{comparison.domain}/{comparison.name}")
        if values is None:
            return set()
        found |= values
    return found


def _comparisons(compiled: Compiled) -> list[Comparison]:
    return [each for each in find_comparisons(compiled) if not each.capacity]
