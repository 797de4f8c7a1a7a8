"""The environment in which a Kubernetes minor compiles device selectors.

In: a minor, feature gates, the text of an expression. Out: `Compiled` with a typed tree, or the
`CompileError` for which the API server would refuse the expression. Cost, attribute names and
literals inside calls are judged by the modules beside this one, on the tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from neuron_dra.cel.declarations import LIST_ATTRIBUTES_MINOR, OLDEST_MINOR
from neuron_dra.cel.presence import WHOLE, separate_tests
from neuron_dra.cel.problem import CompileError
from neuron_dra.cel.value import EvaluationError

if TYPE_CHECKING:
    from neuron_dra.cel.device import Device
    from neuron_dra.cel.tree import Node

# CELSelectorExpressionMaxLength in k8s.io/api/resource/v1/types.go, in bytes.
MAX_EXPRESSION_LENGTH = 10 * 1024

REMEMBERED = 256  # expressions of an environment that stay compiled

CONSUMABLE_CAPACITY_GATE = "DRAConsumableCapacity"
LIST_ATTRIBUTES_GATE = "DRAListTypeAttributes"
# From here on a device with a list attribute can be read whatever the gate says.
LIST_VALUES_MINOR = 37


class Environment:
    """What selectors may say in one minor with one set of feature gates.

    A gate that is not in the mapping is off; which are on by default is not known here.
    """

    def __init__(self, minor: str, gates: Mapping[str, bool]) -> None:
        number = minor_number(minor)
        self.minor = number
        self.multiple_allocations = gates.get(CONSUMABLE_CAPACITY_GATE, False)
        self.list_attributes = (
            gates.get(LIST_ATTRIBUTES_GATE, False) and number >= LIST_ATTRIBUTES_MINOR
        )
        self.reads_lists = self.list_attributes or number >= LIST_VALUES_MINOR
        self._known: dict[str, Compiled | CompileError] = {}

    @cached_property
    def _env(self) -> Any:
        from neuron_dra.cel.runtime import new_env

        return new_env(
            self.minor,
            multiple_allocations=self.multiple_allocations,
            list_attributes=self.list_attributes,
        )

    def compile(self, expression: str) -> Compiled | CompileError:
        """Parse and check a selector as the API server does for a new object.

        What was compiled lately is the same object again.
        """
        known = self._known.get(expression)
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._known[expression] = self._compile(expression)
        return known

    def _compile(self, expression: str) -> Compiled | CompileError:
        size = len(expression.encode())
        if size > MAX_EXPRESSION_LENGTH:
            message = f"the expression has {size} bytes, the limit is {MAX_EXPRESSION_LENGTH}"
            return CompileError(message, 0, len(expression))
        place = expression.find(WHOLE)
        if place >= 0:
            return CompileError(f"undeclared reference to `{WHOLE}`", place, place + len(WHOLE))
        separated = separate_tests(expression, multiple_allocations=self.multiple_allocations)
        try:
            data = self._env.compile(separated).serialize()
        except RuntimeError as error:
            from neuron_dra.cel.report import read_report

            return read_report(expression, str(error))
        return self._check(expression, data)

    def _check(self, expression: str, data: bytes) -> Compiled | CompileError:
        from neuron_dra.cel.checked import UnsupportedExpressionError, decode_checked
        from neuron_dra.cel.literals import find_invalid_literal

        try:
            root = decode_checked(data)
        except UnsupportedExpressionError as error:
            return CompileError(str(error), error.column, len(expression))
        if root.type.name not in ("bool", "dyn" if self.list_attributes else "any"):
            from neuron_dra.cel.report import result_error

            return result_error(expression, str(root.type))
        return find_invalid_literal(root, expression) or Compiled(expression, root, self)


class Compiled:
    """A selector that the API server accepts, unless it costs too much."""

    def __init__(self, expression: str, root: Node, environment: Environment) -> None:
        self.expression = expression
        self.root = root
        self.environment = environment

    def __repr__(self) -> str:
        return f"Compiled({self.expression!r})"

    @cached_property
    def _program(self) -> Any:
        from neuron_dra.cel.program import plan

        return plan(self.root)

    def matches(self, device: Device) -> bool:
        """Tell whether a device is selected; raises `EvaluationError` as the scheduler would.

        Where that depends on what nobody knows of the device, it is an `UnknownValueError`.
        """
        from neuron_dra.cel.program import run

        if device.lists and not self.environment.reads_lists:
            raise EvaluationError(f"attribute {device.lists[0]}: unsupported attribute value")
        return run(self._program, device)


def minor_number(minor: str) -> int:
    """Return 36 for `1.36`."""
    major, _, number = minor.partition(".")
    if major != "1" or not number.isdecimal() or int(number) < OLDEST_MINOR:
        raise ValueError(f"no device selectors for Kubernetes {minor}")
    return int(number)


def environment(minor: str, gates: Mapping[str, bool] | None = None) -> Environment:
    """Return the environment of a minor, the same object for the same arguments."""
    enabled = {gate for gate, on in (gates or {}).items() if on}
    return _environment(minor, CONSUMABLE_CAPACITY_GATE in enabled, LIST_ATTRIBUTES_GATE in enabled)


@cache
def _environment(minor: str, consumable_capacity: bool, list_attributes: bool) -> Environment:
    gates = {
        CONSUMABLE_CAPACITY_GATE: consumable_capacity,
        LIST_ATTRIBUTES_GATE: list_attributes,
    }
    return Environment(minor, gates)
