"""The Kubernetes that a verb is asked about."""

from __future__ import annotations

import click
import pytest

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.commands import options
from neuron_dra.commands.release import choose_target

CATALOG = open_catalog()


@options.verb(example="neuron-dra try")
@options.kubernetes
@options.feature_gates
def command(kubernetes, feature_gates):
    """Try the options."""
    SEEN.append(choose_target(CATALOG, kubernetes, feature_gates))
    return 0


SEEN = []


def ask(*arguments):
    SEEN.clear()
    with command.make_context("try", list(arguments)) as context:
        command.invoke(context)
    return SEEN[0]


def test_newest_minor_by_default():
    """Without options the newest known minor answers, with its own gates."""
    target = ask()

    assert target.minor == CATALOG.minors()[-1]
    assert target.gates == target.release.default_gates


@pytest.mark.parametrize("version", ["1.35", "1.35.4"])
def test_version(version):
    """A minor and a patch version of it mean the same."""
    assert ask("--kubernetes", version).minor == "1.35"


def test_gates():
    """Named gates are changed, all others keep their default."""
    target = ask(
        "--kubernetes", "1.34", "--feature-gates", "DRADeviceTaints=true,DRAAdminAccess=false"
    )

    assert target.gates == {
        **target.release.default_gates,
        "DRADeviceTaints": True,
        "DRAAdminAccess": False,
    }


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--kubernetes", "1.20"], "Kubernetes 1.20 is not known; known are 1.34"),
        (["--feature-gates", "DRADeviceTaint=true"], "did you mean `DRADeviceTaints`"),
        (["--feature-gates", "DRADeviceTaints"], "`DRADeviceTaints` is not like `Name=true`"),
        (["--feature-gates", "DRADeviceTaints=yes"], "is not like `Name=true`"),
        (
            ["--kubernetes", "1.35", "--feature-gates", "DynamicResourceAllocation=false"],
            "of Kubernetes 1.35 is locked: it is on",
        ),
    ],
)
def test_mistakes(arguments, problem):
    """What a minor does not have, and what cannot be read, is a mistake of usage."""
    with pytest.raises(click.BadParameter, match=problem):
        ask(*arguments)
