"""Expressions with what the real API server makes of them for one device."""

import pytest


def judged(true, false, fails):
    """Give a test every expression, and whether it is `true`, `false` or `fails`."""
    groups = {"true": true, "false": false, "fails": fails}
    cases = [(each, expected) for expected, group in groups.items() for each in group]
    return pytest.mark.parametrize(("expression", "expected"), cases)


def describe(outcome):
    """Return the outcome of an evaluation in a word; a text is why it failed."""
    return "fails" if isinstance(outcome, str) else str(outcome).lower()
