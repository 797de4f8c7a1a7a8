"""`cel`: what a device selector means, costs, and makes of the devices of an instance type."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence

import click

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.cel_data import Answer, ask, describe
from neuron_dra.commands.cel_text import draw
from neuron_dra.commands.drivers import choose_driver, known_drivers
from neuron_dra.commands.output import decide_exit, report, tell, write
from neuron_dra.commands.release import choose_target
from neuron_dra.diagnostics import Diagnostic, did_you_mean
from neuron_dra.plan.reach import Reach, find_reach


def _read_expression(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    if value != "-":
        return value
    try:
        return sys.stdin.buffer.read().decode().rstrip("\n")
    except UnicodeDecodeError:
        raise click.BadParameter("standard input is not UTF-8") from None


@options.verb(example="neuron-dra cel 'device.driver == \"neuron.aws.com\"' --instance-type TYPE")
@click.argument("expression", metavar="EXPR", callback=_read_expression)
@click.option(
    "--instance-type",
    "name",
    default="",
    metavar="TYPE",
    help="Evaluate it on the devices that a node of this instance type is predicted to publish.",
)
@choose_driver("neuron", "Whose devices to ask.")
@options.kubernetes
@options.feature_gates
@options.catalog
@options.choose_format("text", "json")
@options.color
def command(
    expression: str,
    name: str,
    driver: str,
    kubernetes: str,
    feature_gates: Mapping[str, bool],
    catalog: tuple[str, ...],
    format_name: str,
    color: str,
) -> int:
    """Show what a device selector makes of the devices of an instance type.

    EXPR is a CEL expression, or `-` to read it from standard input. It is compiled as the API
    server compiles the selector of a new object, and evaluated as the scheduler does. Exits 1 when
    it does not compile, costs too much, compares an attribute with another type, or fails on a
    device.
    """
    facts = open_catalog(catalog)
    target = choose_target(facts, kubernetes, feature_gates)
    _check_type(facts, name)
    reach = _find_reach(facts, name, driver) if name else None
    answer = ask(expression, target, reach)
    found = (*facts.diagnostics, *answer.diagnostics)
    if format_name == "json":
        write(json.dumps(describe(answer, facts.diagnostics), indent=2) + "\n")
    else:
        _show(answer, found, color)
    if reach and not reach.devices:
        tell(f"error: nothing is known to be published on `{name}` by this driver\n")
        return 1
    return decide_exit(found)


def _show(answer: Answer, found: Sequence[Diagnostic], color: str) -> None:
    """Write the answer to stdout, and what is wrong to stderr."""
    if answer.type:
        write(draw(answer))
    if answer.type and found:
        tell("\n")
    report(found, color=color)


def _check_type(facts: Catalog, name: str) -> None:
    if name and name not in facts.instance_type_names():
        hint = did_you_mean(name, facts.instance_type_names())
        raise click.BadParameter(
            f"no such instance type `{name}`, {hint}", param_hint="'--instance-type'"
        )


def _find_reach(facts: Catalog, name: str, driver: str) -> Reach | None:
    kind = facts.instance_type(name)
    return find_reach(kind, known_drivers(facts, driver)) if kind else None
