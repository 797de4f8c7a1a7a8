"""Extra CEL selectors of a partition, judged before a scheduler sees them.

A selector that reads an attribute which a device in reach lacks aborts the scheduling of the pod on
every node, one that is never true leaves the pod Pending, and one that is always true says nothing.
What is said of devices is the work of `judgement`; here it gets its place in the spec.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from neuron_dra.catalog.catalog import NEURON, Catalog
from neuron_dra.catalog.instance_type import NEURON_DEVICE, NEURON_NODE, InstanceType
from neuron_dra.cel.environment import Compiled, environment
from neuron_dra.cel.problem import CompileError
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.drivers import NeuronDriver
from neuron_dra.plan.finding import Finding, find_refusals, refuse
from neuron_dra.plan.fit import AnyShape
from neuron_dra.plan.judgement import is_always_true, is_never_true, judge
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.plan.reach import Reach, find_reach


@dataclass(frozen=True, slots=True)
class SelectorPlanner:
    """Judges selectors on the devices that the class of a shape selects."""

    catalog: Catalog
    driver: NeuronDriver

    def check(
        self,
        shape: AnyShape,
        kinds: Sequence[InstanceType],
        possible: Iterable[str],
        profile: Profile,
    ) -> list[Diagnostic]:
        """Return what is wrong with the selectors of a shape.

        Args:
            kinds: the instance types of the profile that serve the shape.
            possible: the names of all that can; a selector may be there for any of them.
        """
        found: list[Diagnostic] = []
        if not shape.selectors:
            return found
        reaches = left = [self._reach(shape, kind) for kind in kinds]
        for index, expression in enumerate(shape.selectors):
            compiled = _compile(expression, profile)
            if isinstance(compiled, CompileError):
                findings = [refuse(compiled)]
            else:
                findings = find_refusals(compiled, profile.release.limits) or judge(
                    compiled, reaches, left
                )
                findings = [
                    each for each in findings if self._counts(each, shape, compiled, possible)
                ]
                left = [reach.left_by(compiled) for reach in left]
            found += [_locate(each, shape, index) for each in findings]
        return found

    def selected(
        self, shape: AnyShape, pools: tuple[Pool, ...], profile: Profile
    ) -> tuple[Pool, ...]:
        """Return the pools on which the selectors leave a device, as far as anybody knows."""
        left = tuple(
            pool
            for pool in pools
            if not any(
                is_never_true(compiled, self._reach(shape, pool.type))
                for compiled in _compiled(shape, profile)
            )
        )
        return left or pools

    def _counts(
        self, finding: Finding, shape: AnyShape, compiled: Compiled, possible: Iterable[str]
    ) -> bool:
        """Tell whether a finding stands; a selector is of use if it narrows any possible type."""
        if finding.code is not codes.SELECTOR_ALWAYS_TRUE:
            return True
        kinds = filter(None, map(self.catalog.instance_type, possible))
        return all(is_always_true(compiled, self._reach(shape, kind)) for kind in kinds)

    def _reach(self, shape: AnyShape, kind: InstanceType) -> Reach:
        """Return the devices that the class of a shape selects on an instance type."""
        facts = self.catalog.driver(NEURON)
        pin = shape.neuron_driver
        live = {f"{self.driver.name}/{self.driver.driver_version}": pin} if pin else {}
        reach = find_reach(kind, [facts] if facts else [], live)
        resource_type = NEURON_DEVICE if kind.serves_devices else NEURON_NODE
        name = f"{self.driver.name}/{self.driver.resource_type}"
        return reach.where(lambda each: each.device.attributes[name].value == resource_type)


def _compile(expression: str, profile: Profile) -> Compiled | CompileError:
    return environment(profile.minor, profile.release.default_gates).compile(expression)


def _compiled(shape: AnyShape, profile: Profile) -> Iterator[Compiled]:
    for expression in shape.selectors:
        compiled = _compile(expression, profile)
        if isinstance(compiled, Compiled):
            yield compiled


def _locate(finding: Finding, shape: AnyShape, index: int) -> Diagnostic:
    whole = (finding.column, finding.end) == (0, len(shape.selectors[index]))
    return finding.code.at(
        shape.places.item("selectors", index),
        finding.message,
        label="" if whole else f"at character {finding.column + 1} of the expression",
        related=finding.related,
        help=finding.help,
    )
