"""Capacities of devices, and in which amounts a shared device gives them away.

In: a capacity. Out: causes. Amounts are computed in billionths; the steps of a range are computed
in whole numbers, rounded away from zero as the server rounds, or in thousandths where the gate for
fractions is on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.cause import Cause, forbidden, internal, invalid, required
from neuron_dra.admission.rules.lists import unique
from neuron_dra.admission.server import Server
from neuron_dra.kube.amount import billionths

NANO = 10**9
MILLI = 10**6
# CapacityRequestPolicyDiscreteMaxOptions, pkg/apis/resource/types.go, v1.34 to v1.37.
VALUES_MAX = 10
_INT64_MAX = 2**63 - 1
_FRACTIONAL = "DRAFractionalCapacityRange"


def amount(quantity: Any) -> int:
    """Return a decoded quantity in billionths."""
    return billionths(str(quantity).strip())


def check_shared_capacity(capacity: dict[str, Any], field: str, server: Server) -> Iterator[Cause]:
    """Check a capacity of a device that several claims can have at once."""
    policy = capacity.get("requestPolicy")
    if policy is None:
        return
    place, most = f"{field}.requestPolicy", amount(capacity.get("value", "0"))
    values, bounds, default = (policy.get(x) for x in ("validValues", "validRange", "default"))
    if values and bounds is not None:
        yield forbidden(place, "may not have both `validValues` and `validRange`")
    elif (values or bounds is not None) and default is None:
        yield required(f"{place}.default")
    elif values:
        yield from _check_values(values, amount(default), most, f"{place}.validValues", server)
    elif bounds is not None:
        yield from _Range(bounds, default, most, f"{place}.validRange", server).check()


def check_lone_capacity(capacity: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check a capacity of a device that one claim has for itself."""
    if capacity.get("requestPolicy") is not None:
        yield forbidden(f"{field}.requestPolicy", "needs `allowMultipleAllocations: true`")


def _check_values(
    values: list[Any], default: int, most: int, field: str, server: Server
) -> Iterator[Cause]:
    amounts = [amount(each) for each in values]
    for index in range(1, len(amounts)):
        if amounts[index - 1] > amounts[index]:
            yield invalid(f"{field}[{index}]", "must be in ascending order")

    def check(value: int, place: str) -> Iterator[Cause]:
        if value > most:
            yield invalid(place, "is more than the capacity")

    dialect = server.dialect
    yield from unique(amounts, field, VALUES_MAX, check, dialect, by=_key_of(server))
    looked_at = len(amounts) <= VALUES_MAX or dialect.looks_into_long_lists
    if default not in amounts or not looked_at:
        yield invalid(field, "must hold the default")


def _key_of(server: Server) -> Any:
    return (lambda value: value) if server.is_on(_FRACTIONAL) else whole


def whole(nano: int) -> int:
    """Return an amount in whole numbers, rounded away from zero."""
    units = -(-abs(nano) // NANO)
    return units if nano >= 0 else -units


class _Range:
    """The range of amounts that a claim can ask for, by its bounds."""

    def __init__(
        self, bounds: dict[str, Any], default: Any, most: int, field: str, server: Server
    ) -> None:
        written = {name: bounds.get(name) for name in ("min", "max", "step")}
        self._bounds: Mapping[str, int] = {
            name: amount(value)
            for name, value in {"default": default, **written}.items()
            if value is not None
        }
        self._most = most
        self._field = field
        self._server = server

    def check(self) -> Iterator[Cause]:
        if "min" not in self._bounds:
            yield required(f"{self._field}.min")
            return
        yield from self._check_order()
        if self._counts_fractions and (unsafe := list(self._find_fine())):
            yield from unsafe
        elif "step" in self._bounds:
            yield from self._check_step()

    @property
    def _counts_fractions(self) -> bool:
        return self._server.is_on(_FRACTIONAL) and any(
            value % NANO for value in self._bounds.values()
        )

    def _invalid(self, name: str, detail: str) -> Cause:
        return invalid(f"{self._field}.{name}", detail)

    def _check_order(self) -> Iterator[Cause]:
        bounds, named = self._bounds, self._server.dialect.checks_steps
        least, default = bounds["min"], bounds["default"]
        if least > self._most:
            yield self._invalid("min", "is more than the capacity")
        if default < least:
            yield self._invalid("default" if named else "min", "the default is less than `min`")
        if "max" in bounds:
            if least > bounds["max"]:
                yield self._invalid("max", "is less than `min`")
            if bounds["max"] > self._most:
                yield self._invalid("max", "is more than the capacity")
            if default > bounds["max"]:
                yield self._invalid("default" if named else "max", "the default is more than `max`")

    def _find_fine(self) -> Iterator[Cause]:
        for name, value in self._bounds.items():
            if value % MILLI:
                yield self._invalid(name, "is finer than a thousandth")

    def _check_step(self) -> Iterator[Cause]:
        step, checked = self._bounds["step"], self._server.dialect.checks_steps
        if checked and step <= 0:
            yield self._invalid("step", "must be greater than zero")
            return
        if self._bounds["min"] + step > self._most:
            yield self._invalid("step", "one step leads beyond the capacity")
        unsafe = list(self._find_unsafe()) if checked and not self._counts_fractions else []
        yield from unsafe or self._check_multiples()

    def _find_unsafe(self) -> Iterator[Cause]:
        for name, value in self._bounds.items():
            if not 0 <= value <= _INT64_MAX * NANO:
                yield self._invalid(name, f"must be between 0 and {_INT64_MAX}")

    def _check_multiples(self) -> Iterator[Cause]:
        count = (lambda nano: nano // MILLI) if self._counts_fractions else whole
        counted = {name: count(value) for name, value in self._bounds.items()}
        if counted["step"] == 0:
            yield internal(f"{self._field}.step", "the server fails when it divides by this step")
            return
        for name in ("default", "max"):
            if name in counted and (counted[name] - counted["min"]) % counted["step"]:
                yield self._invalid("step", f"`{name}` is not some steps from `min`")
