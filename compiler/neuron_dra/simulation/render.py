"""Verdicts as text and as JSON.

In: verdicts in order. Out: a text. The JSON is for programs and stays as it is within one
`schemaVersion`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from neuron_dra.simulation.verdict import ClaimVerdict, Results, Verdict

SCHEMA_VERSION = 1
NOT_MODELLED = "CPU, memory and other resources of pods are not modelled"


def render_json(verdicts: Iterable[ClaimVerdict]) -> str:
    """Return verdicts for programs."""
    claims = [_claim_data(each) for each in verdicts]
    return json.dumps({"schemaVersion": SCHEMA_VERSION, "claims": claims}, indent=2) + "\n"


def render_text(verdicts: Sequence[ClaimVerdict], nodes: int, minor: str) -> str:
    """Return a line for each claim, what is in its way below it, and a summary."""
    lines = [line for each in verdicts for line in _lines(each)]
    return "\n".join([*lines, _summary(verdicts, nodes, minor), ""])


def _claim_data(each: ClaimVerdict) -> dict[str, Any]:
    pod = {"pod": each.pod} if each.pod else {}
    return {
        "name": each.name,
        "namespace": each.namespace,
        **pod,
        "verdict": str(each.verdict),
        "node": each.node,
        "devices": [
            {"request": result.request, **result.device._asdict()} for result in each.results
        ],
        "reason": each.reason,
        "conflict": list(each.conflict),
    }


def _lines(each: ClaimVerdict) -> list[str]:
    name = f"{each.namespace}/{each.name}"
    if each.pod:
        name += f" of pod {each.pod}"
    line = f"{name}: {each.verdict}"
    if each.node:
        line += f" on {each.node}"
    if each.results:
        line += f": {_devices(each.results)}"
    if each.reason:
        line += f" ({each.reason})" if each.verdict is Verdict.ALLOCATED else f": {each.reason}"
    together = ["  these cannot be had together:"] if each.conflict else []
    return [line, *together, *(f"    {part}" for part in each.conflict)]


def _devices(results: Results) -> str:
    by_request: dict[str, list[str]] = {}
    for result in results:
        by_request.setdefault(result.request, []).append(result.device.device)
    return "; ".join(f"{name} = {', '.join(devices)}" for name, devices in by_request.items())


def _summary(verdicts: Sequence[ClaimVerdict], nodes: int, minor: str) -> str:
    counts = Counter(each.verdict for each in verdicts)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])
    where = f"{_count(nodes, 'node')}, Kubernetes {minor}"
    summary = f"{_count(len(verdicts), 'claim')} on {where}: {told or 'nothing is asked for'}"
    return f"{summary}\n{NOT_MODELLED}" if any(each.pod for each in verdicts) else summary


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
