"""What is wrong with a selector on some devices."""

from __future__ import annotations

import pytest

from neuron_dra.catalog.locate import open_catalog
from neuron_dra.cel.environment import environment
from neuron_dra.kube.slice import Device, DeviceAttribute, DeviceCapacity
from neuron_dra.plan.finding import find_refusals
from neuron_dra.plan.judgement import is_always_true, is_never_true, judge
from neuron_dra.plan.reach import Fate, Reach, ReachedDevice

CATALOG = open_catalog()
LIMITS = CATALOG.kubernetes("1.36").limits
A = 'device.attributes["d"]'
LIVE = DeviceAttribute("string", "live:d/live", live=True)


def device(name, driver="d", doubtful=(), **attributes):
    kinds = {int: "int", str: "string", bool: "bool"}
    made = {
        f"d/{key}": value
        if isinstance(value, DeviceAttribute)
        else DeviceAttribute(kinds[type(value)], value)
        for key, value in attributes.items()
    }
    capacity = {"d/memory": DeviceCapacity("1Gi")}
    return ReachedDevice(driver, Device(name, made, capacity), frozenset(doubtful))


def reach(name, *devices):
    return Reach(CATALOG.instance_type(name), devices)


def row(*numbers, **more):
    return [device(f"dev-{number}", row=number, live=LIVE, kind="a", **more) for number in numbers]


BIG = reach("trn2.48xlarge", *row(0, 1, 2, 3))
SMALL = reach("trn2.3xlarge", *row(0))


def compile_(expression):
    return environment("1.36").compile(expression)


def told(expression, *reaches, left=None):
    """Return what is found, as code and message, and the text that it points at."""
    return [
        (each.code.id, each.message, expression[each.column : each.end])
        for each in judge(compile_(expression), reaches or [BIG], left)
    ]


@pytest.mark.parametrize(
    "expression",
    [
        f"{A}.row == 1",
        f"{A}.row != 1",
        f"{A}.row in [3, 4]",
        f"{A}.row > 2 || {A}.row == 9",
        f'{A}.live == "x"',
        f'{A}.live == "x" && {A}.row == 1',
        f'{A}.live == "x" || {A}.row >= 0 && {A}.live != "y"',
        f"has({A}.none) || {A}.row == 1",
        f"{A}.row == 1 || {A}.kind == 7 && {A}.row == 2",
        'device.capacity["d"].memory.isGreaterThan(quantity("1Mi")) && ' + f"{A}.row == 1",
    ],
)
def test_sound(expression):
    """A selector that can tell devices apart, or depends on the node, has no problem."""
    assert told(expression) == []


@pytest.mark.parametrize(
    ("expression", "name", "kind", "literal"),
    [
        (f'{A}.row == "3"', "row", "an int", 'the string `"3"`'),
        (f'{A}.row in ["3"]', "row", "an int", 'the string `"3"`'),
        (f"{A}.kind == 3", "kind", "a string", "the number `3`"),
        (f"{A}.row", "row", "an int", "`true`"),
        (f'{A}.row < "3" || {A}.row == 9', "row", "an int", 'the string `"3"`'),
        (f"{A}.live == 3", "live", "a string", "the number `3`"),
        (f'{A}.row != "3"', "row", "an int", 'the string `"3"`'),
        (f'!({A}.row == "3")', "row", "an int", 'the string `"3"`'),
    ],
)
def test_other_type(expression, name, kind, literal):
    """A comparison with another type is told where it decides, also of live attributes."""
    message = f"`d/{name}` is published as {kind}, but compared with {literal}"

    assert told(expression) == [("ND3054", message, name)]


def test_types_that_differ_between_instance_types():
    """A literal that fits the attribute on one instance type is no mistake."""
    other = reach("trn2.3xlarge", device("a", row="x"))

    assert told(f'{A}.row == "x"', BIG, other) == []


@pytest.mark.parametrize(
    ("expression", "sought", "place"),
    [
        (f"{A}.row == 4", "a `d/row` of `4`", "row"),
        (f"{A}.row in [4, 5]", "a `d/row` of `4` or `5`", "row"),
        (f"{A}.row > 3", "a `d/row` above `3`", "row"),
        (f"{A}.row <= -1", "a `d/row` of at most `-1`", "row"),
        (f'{A}.kind != "a"', 'a `d/kind` other than `"a"`', "kind"),
        (f'{A}.row == 4 && {A}.live == "x"', "a `d/row` of `4`", "row"),
        (f"{A}.row < 0 || {A}.row == 7", "a `d/row` below `0` or a `d/row` of `7`", "row"),
        (f"{A}.row == 4 && {A}.row == 1", "a `d/row` of `4`", "row"),
    ],
)
def test_absent_value(expression, sought, place):
    """What no device has is told where it makes the selector false."""
    assert told(expression) == [("ND3055", f"no device of `trn2.48xlarge` has {sought}", place)]


def test_every_required_value_is_told():
    """Two values that no device has are two findings with places of their own."""
    found = told(f'{A}.row == 4 && {A}.kind == "b"')

    assert [(code, place) for code, _, place in found] == [("ND3055", "row"), ("ND3055", "kind")]


@pytest.mark.parametrize(
    ("expression", "help"),
    [
        (f"{A}.row == 4", "known values of `row` there: `0`, `1`, `2`, `3`"),
        (f'{A}.kind == "b"', 'known value of `kind` there: `"a"`'),
        (f'{A}.row == "3"', "known values of `row` there: `0`, `1`, `2`, `3`"),
        (f"{A}.live == 3", ""),
        (f"{A}.rwo == 3", "did you mean `row`?"),
        (
            'device.attributes["e"].port == 1 && ' + f"{A}.row == 1",
            'guard it: `has(device.attributes["e"].port) && ...`',
        ),
        (f"{A}.other == 3", f"guard it: `has({A}.other) && ...`"),
        (
            'device.capacity["d"].cores.isGreaterThan(quantity("1"))',
            'guard it: `has(device.capacity["d"].cores) && ...`',
        ),
    ],
)
def test_help(expression, help):
    """The help names the values that there are, or the attribute that was meant."""
    assert [each.help for each in judge(compile_(expression), [BIG])] == [help]


def test_meant_value():
    """A misspelt text is told with the one that was meant."""
    both = reach("trn2.48xlarge", device("a", kind="neuron_device"), device("b", kind="node"))

    (found,) = judge(compile_(f'{A}.kind == "neuron-device"'), [both])

    assert found.help == (
        'did you mean `"neuron_device"`? known values of `kind` there: `"neuron_device"`, `"node"`'
    )


def test_versions():
    """A version is compared with `semver`, which the help says."""
    version = DeviceAttribute("version", "0.0.0-live", live=True)
    versioned = reach("trn2.48xlarge", device("a", version=version))

    (found,) = judge(compile_(f'{A}.version == "1.0.0"'), [versioned])

    assert (found.code.id, "semver(" in found.help) == ("ND3054", True)
    assert told(f'{A}.version == semver("1.0.0")', versioned) == []


@pytest.mark.parametrize(
    "expression",
    [
        f"{A}.row == 0 && {A}.row == 1",
        f"has({A}.none)",
        f"{A}.row % 9 == 8",
        f"{A}.row == 9 || !({A}.row >= 0)",
        "false",
    ],
)
def test_never_true(expression):
    """A selector that matches no device for no single value is told as a whole."""
    message = "the selector is true for no device of `trn2.48xlarge`"

    assert told(expression) == [("ND3056", message, expression)]
    assert is_never_true(compile_(expression), BIG)


@pytest.mark.parametrize("expression", [f"{A}.row >= 0", f"has({A}.row)", "true"])
def test_always_true(expression):
    """A selector that matches every device is told as useless."""
    message = "the selector is true for every device of `trn2.48xlarge`"

    assert told(expression) == [("ND3057", message, expression)]
    assert is_always_true(compile_(expression), BIG)


def test_several_instance_types():
    """A selector is wrong only when it is so on every instance type in reach."""
    assert told(f"{A}.row == 3", BIG, SMALL) == []
    assert told(f"{A}.row == 0", SMALL) != []
    assert told(f"{A}.row == 0", BIG, SMALL) == []
    ((code, message, _),) = told(f"{A}.row == 4", BIG, SMALL)
    assert (code, message) == (
        "ND3055",
        "no device of `trn2.48xlarge` and `trn2.3xlarge` has a `d/row` of `4`",
    )


def test_nothing_is_known_to_be_published():
    """Where no device is predicted on an instance type, nothing is judged."""
    empty = reach("trn2.3xlarge")

    assert told(f"{A}.none == 4", BIG, empty) == []
    assert not is_never_true(compile_("false"), empty)
    assert not is_always_true(compile_("true"), empty)


def test_missing_on_one_driver():
    """A read that only devices of another driver answer names the driver that lacks it."""
    both = reach("trn2.48xlarge", *row(0), device("e", driver="other"))

    ((code, message, place),) = told(f"{A}.row == 0", both)

    assert (code, place) == ("ND3023", "row")
    assert "devices of other on `trn2.48xlarge` lack" in message
    (found,) = judge(compile_(f"{A}.row == 0"), [both])
    assert found.help == 'begin with `device.driver == "d" && ...`'
    assert told(f'device.driver == "d" && {A}.row == 0', both) == []


def test_missing_where_it_does_not_matter():
    """A read of what a device lacks is no mistake where something else decides of that device."""
    other = reach("trn2.3xlarge", device("a", kind="b"))

    assert told(f'{A}.kind == "b" || {A}.row == 1', BIG, other) == []
    assert told(f'{A}.kind == "a" && {A}.row == 1', BIG, other) == []
    ((code, message, _),) = told(f'{A}.kind == "a" || {A}.row == 1', BIG, other)
    assert (code, "devices of d on `trn2.3xlarge` lack" in message) == ("ND3023", True)


def test_doubtful():
    """An attribute of which nobody knows may be lacking, and guarded it proves nothing."""
    doubtful = reach("trn2.48xlarge", *row(0, 1, doubtful=["d/maybe"]))

    ((code, message, _),) = told(f"{A}.maybe == 1", doubtful)

    assert code == "ND3023"
    assert "may lack" in message
    assert told(f"has({A}.maybe) && {A}.maybe == 1", doubtful) == []


def test_failure():
    """An evaluation that fails on one device is told with the device and the error."""
    ((code, message, place),) = told(f"4 / {A}.row > 1")

    assert (code, place) == ("ND3022", f"4 / {A}.row > 1")
    assert message == (
        "the selector fails on `dev-0` of `trn2.48xlarge` with `divide by zero`, "
        "and the pod is then scheduled nowhere"
    )


def test_earlier_selectors():
    """A selector is evaluated only on what the selectors before it may match."""
    left = [BIG.left_by(compile_(f"{A}.row > 0"))]

    assert len(left[0].devices) == 3
    assert told(f"4 / {A}.row > 1", BIG, left=left) == []
    assert len(BIG.left_by(compile_(f'{A}.live == "x"')).devices) == 4


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        (
            f"{A}.all(a, {A}.all(b, {A}.all(c, {A}.all(d, {A}.all(e, a == b)))))",
            "the limit of 1000000",
        ),
        ('semver("1.2") == semver("1.2.0")', "fails on every device"),
    ],
)
def test_refusals(expression, message):
    """Cost and literals are judged without a device."""
    (found,) = find_refusals(compile_(expression), LIMITS)

    assert found.code.id == "ND3022"
    assert message in found.message


def test_verdicts():
    """Each device has one verdict, with the reason where there is one."""
    verdicts = BIG.verdicts(compile_(f'{A}.row > 1 ? {A}.live == "x" : 4 / {A}.row > 3'))

    assert [(each.device.name, each.fate, each.reason) for each in verdicts] == [
        ("dev-0", Fate.FAILS, "divide by zero"),
        ("dev-1", Fate.MATCHES, ""),
        ("dev-2", Fate.DEPENDS, "d/live"),
        ("dev-3", Fate.DEPENDS, "d/live"),
    ]
