"""What `cel` answers: the type and the cost of an expression, and what becomes of each device.

In: an expression, a minor with its gates, and the devices to ask. Out: an `Answer`, and the same as
plain data. Judges as partitions are judged, in `plan.judgement`; words are the work of `cel_text`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from neuron_dra.cel.cost import estimated_cost
from neuron_dra.cel.environment import Compiled, environment
from neuron_dra.cel.problem import CompileError
from neuron_dra.commands.release import Target
from neuron_dra.diagnostics import Diagnostic, Severity, in_order
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.diagnostics.render.json import to_data
from neuron_dra.plan.finding import Finding, find_refusals, refuse
from neuron_dra.plan.judgement import judge
from neuron_dra.plan.reach import Reach, Verdict
from neuron_dra.source import Source, Span

SCHEMA_VERSION = 1
SHOWN_AS = "<expression>"

# An expression is false on these devices, and may be meant for others; in a partition that is an
# error, since there the devices are all that there are.
_NO_ERROR = {codes.VALUE_NOT_PUBLISHED, codes.SELECTOR_NEVER_TRUE}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of an expression.

    Attributes:
        type: what it evaluates to; empty when it does not compile.
        cost: the estimated worst case, None when it does not compile.
        reach: the devices that it was asked about, None without an instance type or where no
            device would be asked.
        verdicts: one for each of those devices, in their order.
    """

    expression: str
    target: Target
    type: str = ""
    cost: int | None = None
    reach: Reach | None = None
    verdicts: tuple[Verdict, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def cost_limit(self) -> int:
        return self.target.release.limits.cel_cost


def ask(expression: str, target: Target, reach: Reach | None) -> Answer:
    """Compile an expression and evaluate it on each device."""
    answer = Answer(expression, target)
    compiled = environment(target.minor, target.gates).compile(expression)
    if isinstance(compiled, CompileError):
        return replace(answer, diagnostics=_locate([refuse(compiled)], expression))
    refusals = find_refusals(compiled, target.release.limits)
    answer = replace(answer, type=str(compiled.root.type), cost=estimated_cost(compiled))
    if refusals or reach is None:
        return replace(answer, diagnostics=_locate(refusals, expression))
    return replace(
        answer,
        reach=reach,
        verdicts=reach.verdicts(compiled),
        diagnostics=_locate(_findings(compiled, reach), expression),
    )


def _findings(compiled: Compiled, reach: Reach) -> list[Finding]:
    return [
        replace(each, code=replace(each.code, severity=Severity.WARNING))
        if each.code in _NO_ERROR
        else each
        for each in judge(compiled, [reach])
    ]


def _locate(findings: list[Finding], expression: str) -> tuple[Diagnostic, ...]:
    source = Source(SHOWN_AS, expression.encode())
    return tuple(
        in_order(
            each.code.at(Span.of_range(source, each.column, each.end), each.message, help=each.help)
            for each in findings
        )
    )


def describe(answer: Answer, others: Iterable[Diagnostic] = ()) -> dict[str, Any]:
    """Return an answer as plain data for programs; every key is always there.

    Args:
        others: diagnostics that are not about the expression.
    """
    return {
        "schemaVersion": SCHEMA_VERSION,
        "expression": answer.expression,
        "kubernetes": answer.target.minor,
        "type": answer.type or None,
        "cost": answer.cost,
        "costLimit": answer.cost_limit,
        "instanceType": answer.reach.kind.name if answer.reach else None,
        "devices": [
            {
                "driver": each.device.driver,
                "device": each.device.name,
                "verdict": each.fate.name.lower(),
                "reason": each.reason,
            }
            for each in answer.verdicts
        ],
        **to_data([*others, *answer.diagnostics]),
    }
