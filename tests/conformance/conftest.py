"""What tests that compare with the outside world share."""

import contextlib
from functools import cache

import pytest

from oracle.client import Oracle, available


def pytest_configure(config):
    config.addinivalue_line("markers", "oracle: asks the code of Kubernetes itself (make oracle)")


@pytest.fixture(scope="session")
def oracle_of():
    """Return the oracle of a minor, started once."""
    with contextlib.ExitStack() as running:

        @cache
        def start(minor):
            return running.enter_context(Oracle(minor))

        def find(minor):
            if reason := available(minor):
                pytest.skip(reason)
            return start(minor)

        yield find


@pytest.fixture
def oracle(oracle_of, minor):
    return oracle_of(minor)
