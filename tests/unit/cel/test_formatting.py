"""Arguments of `format`."""

from __future__ import annotations

import pytest

from neuron_dra.cel.environment import Compiled

FITS = [
    '"%s %s %s".format([device.driver, 1, [1.5]]) == ""',
    '"%d %o %b %x %X".format([1, 2u, true, "a", b"a"]) == ""',
    '"%f %.2f %e".format([1.5, "NaN", 2.0]) == ""',
    '"100%%".format([]) == ""',
    '"%s".format([{"a": [1]}]) == ""',
    '"%d".format([dyn(device.attributes["d"].x)]) == ""',
    'device.driver.format([device.attributes["d"].x]) == ""',
    '"%s".format([1] + [2]) == ""',
]
FITS_NOT = [
    ('"%s".format([1, 2]) == ""', "`format` has 2 arguments for 1 clauses"),
    ('"%s %s".format([1]) == ""', "`format` has 1 arguments for 2 clauses"),
    ('"%d".format([1.5]) == ""', "a value of type `double` cannot be formatted with `%d`"),
    (
        '"%s".format([device.attributes["d"].x]) == ""',
        "a value of type `any` cannot be formatted with `%s`",
    ),
    (
        '"%s".format([[device.attributes["d"].x]]) == ""',
        "a value of type `any` cannot be formatted with `%s`",
    ),
    (
        '"%s".format([{"a": optional.of(1)}]) == ""',
        "a value of type `optional_type(int)` cannot be formatted with `%s`",
    ),
    ('"%q".format([1]) == ""', "unknown format clause `%q`"),
    ('"%".format([1]) == ""', "unknown format clause `%`"),
]


@pytest.mark.parametrize("expression", FITS)
def test_fits(expression, env):
    """Arguments that fit their clauses, or are only known on a device, are accepted."""
    assert isinstance(env.compile(expression), Compiled)


@pytest.mark.parametrize(("expression", "message"), FITS_NOT)
def test_fits_not(expression, message, env):
    """Arguments that cannot fit are refused."""
    assert env.compile(expression).message == message
