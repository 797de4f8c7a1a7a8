"""How `cel` reads: type, cost, and the devices with equal verdicts on one line.

In: an `Answer`. Out: text. Decides nothing about expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

from neuron_dra.commands.cel_data import Answer
from neuron_dra.diagnostics.render.visible import show_words
from neuron_dra.plan.reach import Fate, Reach, Verdict

WIDTH = 100

_NUMBERED = re.compile(r"(.*?)([0-9]+)")
_SERVER_WORDS = "CEL runtime error: "  # the scheduler's event, between the selector and the reason


def draw(answer: Answer) -> str:
    """Return what is known of an expression that compiles."""
    lines = [
        f"type  {_type(answer.type)}",
        f"cost  at most {answer.cost}, Kubernetes {answer.target.minor} allows {answer.cost_limit}",
    ]
    if answer.reach and answer.verdicts:
        lines += ["", _title(answer.reach), *_rows(answer.verdicts)]
    return "".join(f"{show_words(line)}\n" for line in lines)


def _type(name: str) -> str:
    return name if name == "bool" else f"{name}: must be a bool when it is evaluated"


def _title(reach: Reach) -> str:
    """Say whose devices follow, and how they are known."""
    counts = dict.fromkeys((each.driver for each in reach.devices), 0)
    for each in reach.devices:
        counts[each.driver] += 1
    owners = " and ".join(f"{count} of {driver}" for driver, count in counts.items())
    published = reach.kind.facts.published
    basis = published.basis if published else ""
    return f"{reach.kind.name}, devices as predicted{f' ({basis})' if basis else ''}: {owners}"


def _rows(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Yield a line for each verdict and reason, with the devices below it where they are many."""
    groups: dict[tuple[Fate, str], list[str]] = {}
    for each in verdicts:
        groups.setdefault((each.fate, _reason(each)), []).append(each.device.name)
    width = max(len(fate.value) for fate, _ in groups)
    digits = max(len(str(len(names))) for names in groups.values())
    order = list(Fate)
    for (fate, reason), names in sorted(groups.items(), key=lambda item: order.index(item[0][0])):
        head = f"  {fate.value:{width}}  {len(names):{digits}}  "
        yield from wrap(
            ", ".join(name_devices(names)),
            WIDTH,
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_on_hyphens=False,
        )
        if reason:
            yield " " * len(head) + reason


def _reason(verdict: Verdict) -> str:
    if verdict.fate is Fate.FAILS:
        return f"{_SERVER_WORDS}{verdict.reason}"
    if verdict.reason in verdict.device.doubtful:
        return f"nobody knows whether {verdict.reason} is published"
    return f"only a live node knows {verdict.reason}" if verdict.reason else ""


def name_devices(names: Iterable[str]) -> Iterator[str]:
    """Yield names, those that differ by consecutive numbers at their end as one range."""
    run: list[int] = []
    prefix = ""
    for name in names:
        start, number = _split(name)
        if run and start == prefix and number == run[-1] + 1:
            run.append(number)
            continue
        yield from _name_run(prefix, run)
        if number < 0:
            yield name
        prefix, run = start, [number] if number >= 0 else []
    yield from _name_run(prefix, run)


def _split(name: str) -> tuple[str, int]:
    """Return a name without the number at its end, and the number; -1 for none."""
    match = _NUMBERED.fullmatch(name)
    if match is None or (match[2].startswith("0") and match[2] != "0"):
        return name, -1
    return match[1], int(match[2])


def _name_run(prefix: str, numbers: list[int]) -> Iterator[str]:
    if len(numbers) > 2:
        yield f"{prefix}{numbers[0]}..{numbers[-1]}"
    else:
        yield from (f"{prefix}{number}" for number in numbers)
