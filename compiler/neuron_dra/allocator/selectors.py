"""Selectors: whether a device is what a request asks for.

In: a request with its class, and a candidate. Out: a verdict; an expression that cannot be
evaluated raises `AbortError`, since the scheduler then gives the pod up. The class is asked before
the request, and the first selector that does not match ends it: later ones are not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable

from neuron_dra.allocator.features import Features, Variant
from neuron_dra.allocator.inventory import Candidate
from neuron_dra.allocator.nodes import Node, node_matches
from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.allocator.requests import RequestData, RequestKey
from neuron_dra.cel.environment import Compiled, Environment
from neuron_dra.cel.problem import CompileError
from neuron_dra.cel.value import EvaluationError, NoSuchKeyError
from neuron_dra.kube.claim import ResourceClaim

_HINT = (
    ". consider using CEL optional chaining (.? followed by orValue())"
    " or guarding the check with has() for optional fields"
)


class Expressions:
    """The expressions of one environment, each compiled once."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._compiled: dict[str, Compiled | CompileError] = {}

    def compile(self, expression: str) -> Compiled | CompileError:
        """Return an expression, compiled, or what is wrong with it."""
        if expression not in self._compiled:
            self._compiled[expression] = self._environment.compile(expression)
        return self._compiled[expression]


class Selectors:
    """What one allocation on one node knows of requests and devices."""

    def __init__(
        self, expressions: Expressions, features: Features, variant: Variant, node: Node
    ) -> None:
        self._expressions = expressions
        self._binding_conditions = features.binding_conditions
        self._variant = variant
        self._node = node
        self._verdicts: dict[RequestKey, dict[int, bool]] = {}

    def forget(self) -> None:
        """Forget the verdicts on requests, as the scheduler does before it searches."""
        self._verdicts.clear()

    def is_selectable(
        self, key: RequestKey, data: RequestData, candidate: Candidate, claim: ResourceClaim
    ) -> bool:
        """Tell whether a device satisfies the class and the request, and is for this node.

        Verdicts are remembered under the key, which is usually that of the request.
        """
        if candidate.device.binding_conditions and not self._binding_conditions:
            return False
        verdicts = self._verdicts.setdefault(key, {})
        verdict = verdicts.get(candidate.index)
        if verdict is None:
            verdict = self._judge(data, candidate, claim)
            verdicts[candidate.index] = verdict
        return verdict

    def _judge(self, data: RequestData, candidate: Candidate, claim: ResourceClaim) -> bool:
        device_class = data.device_class
        if not self.selectors_match(
            device_class.selectors, candidate, f"class {device_class.name}"
        ) or not self.selectors_match(data.request.selectors, candidate, f"claim {claim}"):
            return False
        device = candidate.device
        return not candidate.slice.per_device_node_selection or node_matches(
            self._node, device.node_name, device.all_nodes, device.node_selector
        )

    def selectors_match(self, selectors: Iterable[str], candidate: Candidate, owner: str) -> bool:
        """Tell whether all selectors of a class or a request match a device."""
        for index, expression in enumerate(selectors):
            verdict = candidate.verdicts.get(expression)
            if verdict is None:
                verdict = self._evaluate(expression, candidate, f"{owner}: selector #{index}")
                candidate.verdicts[expression] = verdict
            if isinstance(verdict, EvaluationError):
                raise AbortError(Cause.SELECTOR, self._describe(verdict, candidate, owner, index))
            if not verdict:
                return False
        return True

    def _evaluate(
        self, expression: str, candidate: Candidate, place: str
    ) -> bool | EvaluationError:
        compiled = self._expressions.compile(expression)
        if isinstance(compiled, CompileError):
            raise AbortError(Cause.SELECTOR, f"{place}: CEL compile error: {compiled.message}")
        try:
            device = candidate.selector_device(with_sharing=self._variant.knows_capacity)
            return compiled.matches(device)
        except EvaluationError as error:
            return error

    def _describe(
        self, error: EvaluationError, candidate: Candidate, owner: str, index: int
    ) -> str:
        """Return the event of a failed evaluation; 1.37 names the device and a remedy."""
        if self._variant.minor < 37:
            return f"{owner}: selector #{index}: CEL runtime error: {error}"
        message = f"{owner}: selector #{index} on device {candidate.id}: CEL runtime error: {error}"
        return message + (_HINT if isinstance(error, NoSuchKeyError) else "")
