"""Differences inside an object: what is one, what is none, and how it is named."""

from __future__ import annotations

import pytest

from neuron_dra.review.fields import FieldComparer


def compare(old, new, **options):
    found = FieldComparer().compare(old, new, **options)
    return [(each.kind.value, each.path, each.old, each.new) for each in found]


def test_added_removed_changed():
    """A field is added, removed or changed, and the whole value of a lone one is told."""
    old = {"a": {"b": 1, "gone": {"x": [1]}}, "same": {"c": [1, 2]}}
    new = {"a": {"b": 2, "came": ["y"]}, "same": {"c": [1, 2]}}

    assert compare(old, new) == [
        ("changed", "a.b", 1, 2),
        ("added", "a.came", None, ["y"]),
        ("removed", "a.gone", {"x": [1]}, None),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"d": 3, "c": 2}, "a": 1}),
        ({"a": None, "b": [{"c": None}]}, {"b": [{}]}),
        ({"limits": {"memory": "1Gi"}}, {"limits": {"memory": "1024Mi"}}),
        ({"limits": {"cpu": 1}}, {"limits": {"cpu": "1000m"}}),
        ({"requests": {"cpu": "0.5"}}, {"requests": {"cpu": "500m"}}),
        ({"sizeLimit": "1Gi"}, {"sizeLimit": "1073741824"}),
        ({"hard": {"x/devices": "64"}}, {"hard": {"x/devices": 64}}),
        ({"a": 1}, {"a": 1.0}),
        (
            {"tolerations": [{"key": "a"}, {"key": "b"}]},
            {"tolerations": [{"key": "b"}, {"key": "a"}]},
        ),
        ({"env": [{"name": "A"}, {"name": "B"}]}, {"env": [{"name": "B"}, {"name": "A"}]}),
        ({"syncOptions": ["a", "b", "b"]}, {"syncOptions": ["b", "a", "b"]}),
        (
            {"matchExpressions": [{"values": ["a", "b"]}]},
            {"matchExpressions": [{"values": ["b", "a"]}]},
        ),
        (
            {"ingress": [{"from": [{"a": 1}, {"b": 1}]}, {"from": [{"c": 1}, {"d": 1}]}]},
            {"ingress": [{"from": [{"d": 1}, {"c": 1}]}, {"from": [{"b": 1}, {"a": 1}]}]},
        ),
        ({"requests": ["a", "b"]}, {"requests": ["b", "a"]}),
    ],
)
def test_noise(old, new):
    """Order where it says nothing, units, and nothing instead of null are no difference."""
    assert compare(old, new) == []
    assert compare(new, old) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": 1}, {"a": True}),
        ({"a": [1]}, {"a": [True]}),
        ({"a": [0, False]}, {"a": [False, 0]}),
        ({"a": "1"}, {"a": 1}),
        ({"a": {}}, {"a": []}),
        ({"a": {}}, {}),
        ({"a": ""}, {}),
        ({"__a": 1}, {"__a": 2}),
        ({"memory": "1Gi"}, {"memory": "1024Mi"}),
        ({"annotations": {"limits": "1"}}, {"annotations": {"limits": "1.0"}}),
        ({"args": ["a", "b"]}, {"args": ["b", "a"]}),
        ({"values": [{"a": 1}, {"b": 1}]}, {"values": [{"b": 1}, {"a": 1}]}),
        (
            {"firstAvailable": [{"name": "a"}, {"name": "b"}]},
            {"firstAvailable": [{"name": "b"}, {"name": "a"}]},
        ),
        ({"syncOptions": ["a", "b", "b"]}, {"syncOptions": ["a", "a", "b"]}),
        ({"limits": {"cpu": True}}, {"limits": {"cpu": 1}}),
        ({"limits": {"cpu": "one"}}, {"limits": {"cpu": "two"}}),
        ({"limits": {"cpu": "1"}}, {"limits": {"cpu": {}}}),
    ],
)
def test_no_noise(old, new):
    """What only looks like noise is a difference."""
    assert compare(old, new) != []
    assert compare(new, old) != []


def test_nulls_of_helm_values():
    """A `null` in Helm values removes a default of the chart, so it is told."""
    assert compare({"a": None}, {}) == []
    assert compare({"a": None}, {}, keep_nulls=True) == [("removed", "a", None, None)]


def test_items_are_named_by_their_keys():
    """An item of a list that is a map is compared with the item of its key."""
    old = {"requests": [{"name": "neurons", "exactly": {"count": 4}}, {"name": "efa"}]}
    new = {"requests": [{"name": "x"}, {"name": "neurons", "exactly": {"count": 8}}]}

    assert compare(old, new) == [
        ("removed", "requests[efa]", {"name": "efa"}, None),
        ("changed", "requests[neurons].exactly.count", 4, 8),
        ("added", "requests[x]", None, {"name": "x"}),
    ]


def test_ports_are_named_by_protocol_and_number():
    """An item with a key of several parts is named by all of them."""
    old = {"ports": [{"protocol": "TCP", "port": 53}, {"protocol": "UDP", "port": 53}]}
    new = {"ports": [{"protocol": "TCP", "port": 53, "endPort": 60}]}

    assert compare(old, new) == [
        ("added", "ports[TCP/53].endPort", None, 60),
        ("removed", "ports[UDP/53]", {"protocol": "UDP", "port": 53}, None),
    ]


def test_items_with_one_name():
    """A list whose items do not have names of their own is compared as a set."""
    old = {"env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}
    new = {"env": [{"name": "A", "value": "2"}, {"name": "A", "value": "3"}]}

    assert compare(old, new) == [("changed", "env[1].value", "1", "3")]


def test_sets_are_compared_by_content():
    """An item of a set is found wherever it stands; the others are named by their place."""
    old = {"egress": [{"to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}, {"ports": [{"port": 1}]}]}
    new = {"egress": [{"ports": [{"port": 1}]}, {"to": [{"ipBlock": {"cidr": "10.0.0.0/9"}}]}]}

    assert compare(old, new) == [
        ("changed", "egress[1].to[0].ipBlock.cidr", "10.0.0.0/8", "10.0.0.0/9")
    ]


def test_items_of_sets_come_and_go():
    """An item that one side alone has is told whole, at its place on that side."""
    old = {"destinations": [{"name": "a"}, {"name": "b"}], "sourceRepos": ["x"]}
    new = {"destinations": [{"name": "b"}], "sourceRepos": ["x", "y", "z"]}

    assert compare(old, new) == [
        ("removed", "destinations[0]", {"name": "a"}, None),
        ("added", "sourceRepos[1]", None, "y"),
        ("added", "sourceRepos[2]", None, "z"),
    ]


def test_order_that_matters():
    """Alternatives are named, and their order is told beside them."""
    old = {"firstAvailable": [{"name": "a", "count": 4}, {"name": "b"}]}
    new = {"firstAvailable": [{"name": "b"}, {"name": "a", "count": 8}]}

    assert compare(old, new) == [
        ("changed", "firstAvailable (order)", "a, b", "b, a"),
        ("changed", "firstAvailable[a].count", 4, 8),
    ]


def test_sequences():
    """A text that is put into a sequence does not change what follows it."""
    old, new = {"args": ["--a", "--c"]}, {"args": ["--a", "--b", "--c"]}

    assert compare(old, new) == [("added", "args[1]", None, "--b")]


def test_paths():
    """A key that could be taken for several steps is quoted."""
    old = {"labels": {"a.b/c": "1", 'x"y': "1", "": "1", "plain-key": "1"}}
    new = {"labels": dict.fromkeys(old["labels"], "2")}

    assert [path for _, path, _, _ in compare(old, new)] == [
        "labels.plain-key",
        'labels[""]',
        'labels["a.b/c"]',
        'labels["x\\"y"]',
    ]


def test_maps_with_little_in_common():
    """A map is looked into however little of it is left."""
    old = {"a": {"keep": {"n": 1}, **dict.fromkeys("bcdef", 1)}}
    new = {"a": {"keep": {"n": 2}, **dict.fromkeys("ghijk", 1)}}

    assert ("changed", "a.keep.n", 1, 2) in compare(old, new)


def test_values_stay_whole():
    """What is told of an item holds also those of its parts that did not change."""
    old = {"containers": [{"name": "a", "env": [{"name": "X"}]}]}
    new = {"containers": [{"name": "b", "env": [{"name": "X"}]}]}

    assert compare(old, new) == [
        ("removed", "containers[a]", old["containers"][0], None),
        ("added", "containers[b]", None, new["containers"][0]),
    ]


def test_the_input_is_not_touched():
    """Comparing changes no value, since equal files share theirs."""
    old, new = {"env": [{"name": "A", "b": None}]}, {"env": [{"name": "A", "c": 1}]}
    compare(old, new)

    assert (old, new) == ({"env": [{"name": "A", "b": None}]}, {"env": [{"name": "A", "c": 1}]})


def test_lists_and_maps_of_one_look():
    """A memory of what was compared does not take a list of names for a map of them."""
    comparer = FieldComparer()
    listed = [{"requests": [{"name": "a", "x": number}]} for number in (1, 2)]
    mapped = [{"requests": {"a": {"name": "a", "x": number}}} for number in (1, 2)]

    assert [each.path for each in comparer.compare(*listed)] == ["requests[a].x"]
    assert [each.path for each in comparer.compare(*mapped)] == ["requests.a.x"]
