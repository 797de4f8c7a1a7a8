"""Requests of a claim: exactly one, or the first available of several.

In: a request. Out: causes. Whether the class exists and devices suffice is for others to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, invalid, required, unsupported
from neuron_dra.admission.rules import derived, names
from neuron_dra.admission.rules.lists import each, unique
from neuron_dra.admission.rules.selectors import check_selectors
from neuron_dra.admission.rules.taints import check_toleration
from neuron_dra.admission.server import Server

MODES = ("All", "ExactCount")


def check_request(
    request: dict[str, Any], field: str, server: Server, budget: derived.Budget
) -> Iterator[Cause]:
    """Check a request of a claim."""
    yield from names.label(request.get("name", ""), f"{field}.name")
    exactly, alternatives = request.get("exactly"), request.get("firstAvailable") or []
    yield from _check_choice(field, exactly is not None, bool(alternatives))
    if exactly is not None and alternatives and not server.dialect.judges_both_choices:
        return
    name = request.get("name", "")
    if alternatives:
        yield from _check_alternatives(alternatives, field, server, budget.of(name))
    if exactly is not None:
        yield from _check_asked(exactly, f"{field}.exactly", server)
        yield from budget.check(exactly, f"{field}.exactly", name, server.dialect)


def _check_choice(field: str, has_exactly: bool, has_alternatives: bool) -> Iterator[Cause]:
    if has_exactly and has_alternatives:
        yield invalid(field, "may not have both `exactly` and `firstAvailable`")
    elif not has_exactly and not has_alternatives:
        yield required(field, "needs `exactly` or `firstAvailable`")


def _check_alternatives(
    alternatives: list[Any], field: str, server: Server, budget: derived.Budget
) -> Iterator[Cause]:
    def check(alternative: dict[str, Any], place: str) -> Iterator[Cause]:
        name = alternative.get("name", "")
        yield from names.label(name, f"{place}.name")
        yield from _check_asked(alternative, place, server)
        yield from budget.check(alternative, place, name, server.dialect)

    yield from unique(
        alternatives,
        f"{field}.firstAvailable",
        server.limits.first_available,
        check,
        server.dialect,
        "name",
    )


def _check_asked(asked: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check what `exactly` and a subrequest have in common."""
    yield from names.class_name(asked.get("deviceClassName", ""), f"{field}.deviceClassName")
    yield from check_selectors(asked.get("selectors") or [], f"{field}.selectors", server)
    yield from _check_mode(asked.get("allocationMode", ""), asked.get("count", 0), field)
    yield from each(
        asked.get("tolerations") or [],
        f"{field}.tolerations",
        lambda toleration, place: check_toleration(toleration, place, server),
    )


def _check_mode(mode: str, count: int, field: str) -> Iterator[Cause]:
    if mode not in MODES:
        yield unsupported(f"{field}.allocationMode", mode, MODES)
    elif mode == "All" and count:
        yield invalid(f"{field}.count", "may not be set where `allocationMode` is `All`")
    elif mode == "ExactCount" and count <= 0:
        yield invalid(f"{field}.count", f"is {count}, must be greater than zero")
