"""A small device and the environment of the newest minor, for every test of selectors."""

from __future__ import annotations

import pytest

from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import environment
from neuron_dra.cel.value import EvaluationError
from neuron_dra.cel.version import Semver


@pytest.fixture(scope="session")
def env():
    """Return the environment of 1.37 with its default gates."""
    return environment("1.37", {"DRAConsumableCapacity": True})


@pytest.fixture(scope="session")
def list_env():
    """Return the environment of 1.37 in which attributes may be lists."""
    return environment("1.37", {"DRAConsumableCapacity": True, "DRAListTypeAttributes": True})


@pytest.fixture(scope="session")
def device():
    """Return a device of driver `d` with an attribute of each type and one of another domain."""
    return Device.of(
        "d",
        {
            "s": "x",
            "n": 3,
            "b": True,
            "v": Semver("1.2.3"),
            "list": [1, 2],
            "o.x/q": "z",
        },
        {"m": "1Gi"},
    )


@pytest.fixture
def outcome(env, device):
    """Return a function that gives the result of a selector, or the text of its error."""

    def evaluate(expression, environment=env):
        try:
            return environment.compile(expression).matches(device)
        except EvaluationError as error:
            return str(error)

    return evaluate
