"""The worst-case cost of a selector: every figure is what the real API server estimates."""

from __future__ import annotations

import pytest

from neuron_dra.cel.cost import COST_LIMIT, estimated_cost
from neuron_dra.cel.environment import environment

REFERENCE = [
    (4, 'device.attributes["d"].b'),
    (5, 'device.attributes["d"].n == 1'),
    (6, 'device.attributes["d"].v.isGreaterThan(semver("0.0.1"))'),
    (12, 'device.attributes["d"].b && device.attributes["d"].c && device.attributes["d"].e'),
    (3, 'device.driver == "d"'),
    (3, '"d" in device.attributes'),
    (132, 'device.attributes.exists_one(x, x == "d")'),
    (133, 'device.attributes["d"].exists_one(x, x == "s")'),
    (19, 'device.attributes["d"].s.split("").size() == 1'),
    (18, 'device.attributes["d"].s.matches("^a.c$")'),
    (3, "device.allowMultipleAllocations == true"),
    (3, 'quantity("1") == quantity("1")'),
    (15, 'cel.bind(a, device.attributes["d"], a.b)'),
    (163, 'device.attributes.all(d, m, d == "a")'),
    (191, "device.attributes.transformMap(k, v, k) == {}"),
    (6, 'device.capacity["d"].m.isGreaterThan(quantity("1"))'),
]
# Parts of every kind; costs near 2**64 stand for sizes that have no bound.
COSTS = [
    (
        18446744073709551615,
        'sets.equivalent(url("http://a").getQuery()["a"], url("http://a").getQuery()["b"])',
    ),
    (6, "dyn(device.attributes.foo.bar) == 1"),
    (41, "dyn(url(device.driver).getQuery()) == {}"),
    (51, "cel.bind(x, url(device.driver).getQuery(), x == {})"),
    (18446744073709551615, 'url("http://a").getQuery().all(k, v, v.all(w, w == k))'),
    (1844674407370955267, 'url("http://a").getQuery()["a"].join("x") == ""'),
    (18446744073709551615, 'url("http://a").getQuery()["a"].max() == ""'),
    (3689348814741910532, 'url("http://a").getQuery()["a"][0].replace("a", "bb") == ""'),
    (3689348814741910532, 'url("http://a").getQuery()["a"][0].replace("", "b") == ""'),
    (1844674407370955267, 'bytes(url("http://a").getHost()) == b"a"'),
    (1844674407370955266, 'strings.quote(url("http://a").getHost()) == "a"'),
    (99, "device.attributes.all(a,true)"),
    (19, 'device.attributes["d"].s.split("x").size() == 1'),
    (17, 'device.driver.split("").size()==1'),
    (751, "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, a==b))"),
    (18, 'device.attributes["d"].s.replace("a","bb") == "x"'),
    (16, 'device.driver.replace("a","bb") == "x"'),
    (16, 'device.driver.replace("","b") == "x"'),
    (29, 'device.driver.replace("aa","b").replace("b","cc") == "x"'),
    (18, 'device.driver.replace(device.driver,"bbb") == "x"'),
    (24, 'device.driver.lowerAscii().upperAscii().trim() == "x"'),
    (10, 'device.driver.substring(1) == "x"'),
    (1844674407370955275, '["a","b"].join("-") == "a"'),
    (1844674407370955275, '["a","b"].join() == "a"'),
    (1844674407370955280, 'device.driver.split(".").join("-") == "a"'),
    (1844674407370955280, 'device.driver.split(".", 2).join("-") == "a"'),
    (17, 'device.driver.split(".",-1).size()==1'),
    (1844674407370955694, 'device.attributes.map(k,k).join(",") == "x"'),
    (622, 'device.attributes.map(k, k).exists(x, x == "a")'),
    (18446744073709551615, 'device.attributes["d"].map(k, k).isSorted()'),
    (164, 'device.attributes["d"].all(k, k.startsWith("x"))'),
    (452, 'device.attributes["d"].exists(k, v, k > device.driver)'),
    (868, 'device.attributes["d"].exists(k, v, k + k == k)'),
    (10403, f'device.attributes.all(d, m, m.all(k, v, k == "{"a" * 40}" || v == "b"))'),
    (419, "device.attributes.exists(k, v, k == k)"),
    (228, 'device.attributes["d"].all(k, v, k == "x" && v == 1)'),
    (7331, 'device.attributes.all(d, m, m.all(k, v, k == "a" || v == "b"))'),
    (431, "device.attributes.transformList(k, v, k).size() == 2"),
    (163, 'device.attributes.transformMap(k, v, k)["d"] == "x"'),
    (1155, 'device.attributes.transformMapEntry(k, v, {k: v.size()})["d"] == 1'),
    (687, 'device.attributes.filter(k, k.contains("a")).size() == 1'),
    (5379, 'device.capacity.all(d, device.capacity[d].all(k, k == "m"))'),
    (1844674407370955269, 'device.capacity["d"].m != quantity("1")'),
    (9, 'device.capacity["d"]["m"].add(quantity("1")).compareTo(quantity("1")) > 0'),
    (6, 'device.capacity["d"].m.asApproximateFloat() > 1'),
    (18, 'device.attributes["d"].s.matches("^[a-z]+$")'),
    (18, 'matches(device.attributes["d"].s, "^[a-z]+$")'),
    (16, 'matches(device.driver, "^[a-z]+$")'),
    (116, "device.driver.matches(device.driver)"),
    (10, 'device.driver.find("a+") == "a"'),
    (11, 'device.driver.findAll("a+").size() == 1'),
    (11, 'device.driver.findAll("a+", 2)[0] == "a"'),
    (10, 'device.driver + "x" == "dx"'),
    (20, 'device.driver + device.attributes["d"].s == "dx"'),
    (10, '("a" + device.driver).startsWith("a")'),
    (34, '[device.driver] + ["a"] == ["d","a"]'),
    (34, '([device.driver] + ["a"]).all(x, x == "a")'),
    (18, '(true ? [device.driver] : ["a"]).all(x, x == "a")'),
    (3, '(true ? device.driver : "abcdefghijkl") == "a"'),
    (164, '(true ? device.attributes["d"] : device.attributes["e"]).all(x, x == "a")'),
    (38, '{"a": device.driver}.all(k, v, v == "x")'),
    (38, '{device.driver: "a"}.all(k, k == "x")'),
    (34, '{"a": device.driver}["a"] == "x"'),
    (32, '{"a": "bcdefghijklmnop"}.a == "x"'),
    (14, '[device.driver, "a"][0] == "x"'),
    (16, 'cel.bind(x, device.driver, x == "a" && x.startsWith("b"))'),
    (29, 'cel.bind(x, [device.driver], x.all(y, y == "a"))'),
    (5358, 'cel.bind(x, device.attributes, x.all(d, x[d].all(i, i == "a")))'),
    (36, 'cel.bind(x, "abc" + device.driver, x + x == "a")'),
    (4, 'dyn(device.driver) == "a"'),
    (19, 'dyn([device.driver]).all(x, x == "a")'),
    (10, 'bytes(device.driver) == b"x"'),
    (2, 'string(b"abc") == "x"'),
    (36, 'string(bytes(device.driver)) == "x"'),
    (10, 'strings.quote(device.driver) == "x"'),
    (14, '"%s-%d".format([device.driver, 1]) == "x"'),
    (20, 'device.driver.format([]) == "x"'),
    (3, 'device.driver < "a"'),
    (13, 'device.driver >= device.attributes["d"].s'),
    (1, 'b"a" < b"b"'),
    (15, 'device.attributes["d"].s < device.attributes["e"].s'),
    (15, 'device.attributes["d"].s == device.attributes["e"].s'),
    (15, 'device.attributes["d"].s != device.attributes["e"].s'),
    (10, 'device.attributes["d"] == device.attributes["e"]'),
    (32, "device.attributes == {}"),
    (17, 'device.attributes["d"].s in ["a","b","c"]'),
    (4, '"a" in device.attributes["d"]'),
    (8, 'device.attributes["d"].s in device.attributes["d"]'),
    (31, '"a" in {"a":1}'),
    (11, 'device.attributes["d"].s.contains("abc")'),
    (53, "device.driver.contains(device.driver)"),
    (1, '"abc".contains("b")'),
    (4, 'device.driver.charAt(1) == "a"'),
    (10, 'device.driver.indexOf("a") == 1'),
    (10, 'device.driver.lastIndexOf("a", 3) == 1'),
    (13, "[1,2].indexOf(1) == 1"),
    (3689348814741910541, '["a","b"].indexOf("a") == 1'),
    (3689348814741910541, '["a","b"].min() == "a"'),
    (13, "[1,2].sum() == 1"),
    (18446744073709551615, 'device.driver.split("x").indexOf("a") == 1'),
    (18446744073709551615, 'device.driver.split("x").max() == "a"'),
    (4, "device.driver.size() == 1"),
    (4, "size(device.attributes) == 1"),
    (4, 'device.driver.endsWith("abcdefghijklmnop")'),
    (11, "device.driver.startsWith(device.driver)"),
    (11, 'ip(device.driver) == ip("1.1.1.1")'),
    (9, "isIP(device.driver)"),
    (15, "ip.isCanonical(device.driver)"),
    (22, "cidr(device.driver).containsIP(device.driver)"),
    (17, 'cidr("10.0.0.0/8").containsCIDR(device.driver)'),
    (9, 'cidr("10.0.0.0/8").containsCIDR(cidr("10.0.0.0/8"))'),
    (3, 'string(ip("1.1.1.1")) == "1.1.1.1"'),
    (11, 'url(device.driver) == url("http://a")'),
    (17, 'url("http://a") == url(device.driver)'),
    (11, 'url(device.driver).getHost() == "a"'),
    (3, "isURL(device.driver)"),
    (228, "format.dns1123Label().validate(device.driver).hasValue()"),
    (9, "format.dns1123Label() == format.dns1123Label()"),
    (4, "format.named(device.driver).hasValue()"),
    (11, 'semver(device.driver).isGreaterThan(semver("1.0.0"))'),
    (9, "isSemver(device.driver, true)"),
    (5, 'optional.of(device.driver).orValue("x") == "a"'),
    (6, 'device.attributes[?"d"].?s.orValue("abc") == "x"'),
    (6, 'device.attributes[?"d"]["s"].orValue("abc") == "x"'),
    (19, "optional.of(1).optMap(x, x + 1).orValue(2) == 3"),
    (37, "optional.of([1]).optFlatMap(x, x.first()).hasValue()"),
    (24, 'device.attributes["d"].?s.optMap(x, x == "a").orValue(false)'),
    (23, "sets.contains([1,2],[1])"),
    (152, 'sets.equivalent(device.driver.split("."),["a"])'),
    (22, 'sets.intersects(["a"],["a"])'),
    (3, 'timestamp("2024-01-01T00:00:00Z").getHours() == 0'),
    (3, 'duration("1h") > duration("2h")'),
    (6, "1 + 2 * 3 - 4 / 5 % 6 == 7"),
    (6, '-device.attributes["d"].n == 1'),
    (5, '!device.attributes["d"].b'),
    (22, 'device.attributes["d"].n + device.attributes["d"].n == 2'),
    (6, 'device.attributes["d"].n * 2 > 3'),
    (6, 'int(device.attributes["d"].n) == 3'),
    (4, "int(device.driver) == 3"),
    (4, "double(device.driver) == 3.0"),
    (3, "bool(device.driver)"),
    (4, "uint(device.driver) == 3u"),
    (1844674407370955268, "type(device.driver) == string"),
    (61, "[[1,2],[3]].all(x, x.all(y, y > 0))"),
    (80, "[[1,2],[3]].map(x, x.size()).all(y, y > 0)"),
    (80, "[1,2].map(x, [x]).all(y, y[0] > 0)"),
    (24, "[1,2,3].exists_one(x, x == 1)"),
    (24, "[1,2,3].existsOne(i, x, x == 1)"),
    (68, "[1,2,3].filter(x, x > 1).size() == 2"),
    (71, "[1,2,3].map(x, x > 1, x * 2).size() == 2"),
    (132, 'device.attributes.exists_one(d, d == "a")'),
    (133, 'device.attributes["d"].exists_one(d, d == "a")'),
    (5, "device.attributes.foo.bar == 1"),
    (18446744073709551615, 'device.attributes.foo.all(x, x == "a")'),
    (18446744073709551615, 'device.capacity.foo.all(x, x == "a")'),
    (1844674407370955270, "device.attributes.foo == device.attributes.bar"),
    (4, 'has(device.attributes["d"].s.t)'),
    (5, 'device.attributes["d"].s.t.u == 1'),
    (6, 'device.attributes["d"].s["t"] == 1'),
    (6, 'device.attributes["d"].s[0] == "a"'),
    (6, 'device.attributes["d"].s.size() == 1'),
    (20, '[device.attributes["d"].s].all(x, x == "abc")'),
    (3, 'true || false || device.driver == "x"'),
    (11, "[].all(x, true)"),
    (31, "{}.all(x, true)"),
    (60, "{} == {}"),
    (20, "[] == []"),
    (4, '"a" == "a" ? true : device.driver == "b"'),
    (15, 'device.driver.trim().size() > 0 ? device.attributes["d"].b : device.attributes["d"].c'),
    (12, "[1,2,3][1] == 2"),
    (32, "{1:2}[1] == 2"),
    (23, "[optional.of(1)].unwrapOpt() == [1]"),
    (23, "optional.unwrap([optional.of(1)]) == [1]"),
    (13, "[1].first().orValue(2) == 1"),
    (18, 'device.driver.split(".").first().orValue("x") == "a"'),
    (17, 'device.driver.split(".").last().hasValue()'),
    (5, 'optional.of("a").or(optional.of("bc")).value() == "x"'),
    (2, 'optional.ofNonZeroValue("").hasValue()'),
    (19, '[?optional.of(device.driver)].all(x, x == "a")'),
    (39, '{?"a": optional.of(device.driver)}.all(k, v, v == "a")'),
    (18446744073709551615, 'url("http://a").getQuery()["a"].distinct().size() == 1'),
    (18446744073709551615, 'url("http://a").getQuery()["a"].sort().size() == 1'),
    (37, "[1,2,3].slice(1, device.driver.size()) == [1]"),
    (37, "[1,2,3].slice(device.driver.size(), 2) == [1]"),
    (31, "[1,2,3].slice(-1, -2) == [1]"),
    (18446744073709551615, "[[1]].flatten(device.driver.size()) == [1]"),
    (35, '[b"a"].sort() == [b"a"]'),
    (34, "[1,2,3].slice(0,2) == [1,2]"),
    (39, 'device.driver.split("a").slice(1,3).all(x, x == "a")'),
    (40, "[3,1].sort() == [1,3]"),
    (41, '["b","a"].sort() == ["a","b"]'),
    (28207, 'device.driver.split("").sort().all(x, x == "a")'),
    (28715, 'device.driver.split("").sortBy(x, x.size()).all(x, x == "a")'),
    (91, "[3,1].sortBy(x, -x) == [1,3]"),
    (90, '["a","b"].sortBy(x, x) == ["a"]'),
    (40, "[1,1].distinct() == [1]"),
    (7966, 'device.driver.split("").distinct().size() == 1'),
    (32, "lists.range(10) == [1]"),
    (18446744073709551615, "lists.range(device.driver.size()) == [1]"),
    (54, "[[1],[2]].flatten() == [1,2]"),
    (54, "[[[1]]].flatten(2) == [1]"),
    (34, "[1,2].reverse() == [2,1]"),
    (1844674407370955354, 'device.driver.split("").reverse().join() == "x"'),
    (19872, 'device.driver.split("").distinct().all(x, true)'),
]
# The same text costs less up to 1.36, whose cel-go counts `matches` as a method only.
OLDER = [
    (5, 'matches(device.attributes["d"].s, "^[a-z]+$")'),
    (3, 'matches(device.driver, "^[a-z]+$")'),
]


@pytest.mark.parametrize(("cost", "expression"), REFERENCE + COSTS)
def test_cost(cost, expression, env):
    """The estimate is the one of Kubernetes 1.37."""
    assert estimated_cost(env.compile(expression)) == cost


@pytest.mark.parametrize(("cost", "expression"), OLDER)
@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36"])
def test_older_cost(cost, expression, minor):
    """Where the estimate of older minors differs, theirs is given."""
    assert estimated_cost(environment(minor).compile(expression)) == cost


def test_nested_comprehensions(env):
    """Seven nested comprehensions over ten elements exceed the limit."""
    ten = "[1,2,3,4,5,6,7,8,9,10]"
    text = 'int("1".find("[0-9]*")) < 100'
    for level in range(7):
        text = f"{ten}.all(x{level}, {text})"

    assert estimated_cost(env.compile(text)) == 85555551 > COST_LIMIT


def test_lists_as_attributes(list_env):
    """An attribute that may be a list is visited as if it had the most values."""
    cost = {
        text: estimated_cost(list_env.compile(f'device.attributes["d"].x{text}'))
        for text in (".exists(y, y == 1)", ".includes(1)", ".all(i, y, y == 1)", "[0] == 1")
    }

    assert cost == {
        ".exists(y, y == 1)": 389,
        ".includes(1)": 68,
        ".all(i, y, y == 1)": 325,
        "[0] == 1": 6,
    }


def test_search_in_a_list_of_1_36():
    """1.36 takes any attribute that is searched for the longest list."""
    lists = environment("1.36", {"DRAListTypeAttributes": True})

    assert estimated_cost(lists.compile('device.attributes["d"].x.includes(1)')) == 52
