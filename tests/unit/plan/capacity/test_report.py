"""The capacity of pools of every instance type: numbers that were promised, proofs that replay."""

from __future__ import annotations

from functools import cache

import pytest

from neuron_dra.api import pipeline as api
from neuron_dra.api.capacity import measure_capacity
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.plan.capacity import report, worst
from neuron_dra.plan.demand import claims_per_node
from neuron_dra.source import Source
from unit.plan.capacity.small_rooms import ask, replay
from unit.plan.small_fleets import CLUSTER, HEAD, PARTITION, TENANT

SHAPES = {
    "one": "devices: 1",
    "one-efa": "devices: 1, efa: paired",
    "two": "devices: 2",
    "three": "devices: 3",
    "row": "devices: 4, connected: true",
    "row-efa": "devices: 4, connected: true, efa: paired",
    "half": "devices: 8, connected: true, efa: paired",
    "node": "devices: all, connected: true",
    "ultra": "ultraServerNodes: 1",
}
CATALOG = open_catalog()
TYPES = [
    name
    for name in CATALOG.instance_type_names()
    if (kind := CATALOG.instance_type(name)).serves_devices or 1 in kind.node_sizes
]


def analyse(kind, shapes, *, minor="1.36", drivers="sdk: 2.32.0", more=()):
    """Analyse a cluster with one pool and one tenant; `more` are further documents."""
    cluster = CLUSTER % "c"
    cluster = cluster.replace("trn2.48xlarge", kind).replace("1.36", minor)
    documents = [
        cluster.replace("sdk: 2.32.0", f"{drivers}, nodes: 4"),
        *(
            PARTITION % (name, f"{{instanceType: {kind}, {shape}}}")
            for name, shape in shapes.items()
        ),
        TENANT % ("t", f"{{clusters: [c], namespaces: [t], partitions: [{', '.join(shapes)}]}}"),
        *more,
    ]
    text = "---\n".join(HEAD + each for each in documents)
    return api.analyse([Source("x.yaml", text.encode())])


@cache
def possible_shapes(kind):
    """Return the shapes that an instance type can serve."""
    return {name: shape for name, shape in SHAPES.items() if analyse(kind, {name: shape}).is_sound}


@cache
def measure(kind, minor="1.36"):
    (found,) = measure_capacity(analyse(kind, possible_shapes(kind), minor=minor))
    return found.pools


@pytest.mark.parametrize("minor", ["1.34", "1.36"])
@pytest.mark.parametrize("kind", TYPES)
def test_counts(kind, minor):
    """An empty node holds as many claims as `plan.demand` counts."""
    for capacity in measure(kind, minor):
        assert capacity.grants
        for grant, count in zip(capacity.grants, capacity.counts, strict=True):
            assert count == claims_per_node(grant.shape, capacity.at.pool), grant.name


@pytest.mark.parametrize("minor", ["1.34", "1.36"])
@pytest.mark.parametrize("kind", TYPES)
def test_proofs(kind, minor):
    """Every worst case is led to by its events, blocks, and is not lower than its bound."""
    for capacity in measure(kind, minor):
        at = capacity.at
        guests = [grant.guest for grant in at.grants]
        for pair in capacity.pairs:
            assert pair.is_known, (pair.small.name, pair.big.name)
            found = pair.blockade
            if found is None:
                continue
            left = replay(at.room, guests, found.events)
            assert sorted(each for _, each in left) == sorted(found.placements)
            assert not ask(at.room, pair.big.guest, sum(found.placements))
            assert found.bound is None or found.bound <= len(found.placements) <= found.peak


@pytest.mark.parametrize("kind", TYPES)
def test_mixes(kind):
    """Each partition alone is within a maximal mix, and no mix has more of it."""
    named = [name for name in possible_shapes(kind) if not name.endswith("-efa")]
    (found,) = measure_capacity(analyse(kind, possible_shapes(kind)), partitions=named)
    (capacity,) = found.pools

    assert capacity.mixes
    for index, count in enumerate(capacity.counts):
        assert max(each[index] for each in capacity.mixes) == count


def test_many_partitions():
    """Mixes of many partitions are not listed."""
    (capacity,) = measure("trn2.48xlarge")

    assert len(capacity.grants) > 6
    assert capacity.mixes is None


def worst_of(kind, small, big):
    (capacity,) = measure(kind)
    (pair,) = [p for p in capacity.pairs if (p.small.name, p.big.name) == (small, big)]
    return pair.blockade


@pytest.mark.parametrize(
    ("small", "big", "claims"),
    [("one", "row", 4), ("one-efa", "row-efa", 4), ("row", "half", 2), ("two", "row", 2)],
)
def test_torus_of_four_rows(small, big, claims):
    """One claim in each row blocks rows, one in each half blocks halves."""
    kind = next(
        name
        for name in TYPES
        if CATALOG.instance_type(name).torus == (4, 4) and "row-efa" in possible_shapes(name)
    )

    found = worst_of(kind, small, big)

    assert len(found.placements) == claims
    assert found.is_least


def test_pins_have_rooms_of_their_own():
    """Partitions that pin different driver versions are told apart; one without a pin is in all."""
    shapes = {
        "old": "devices: 1, neuronDriver: 2.25.4.0",
        "new": "devices: 4, neuronDriver: 2.26.5.0",
        "any": "devices: 8, connected: true",
    }
    drivers = "neuronDrivers: [2.25.4.0, 2.26.5.0]"

    (found,) = measure_capacity(analyse("trn2.48xlarge", shapes, drivers=drivers))

    rooms = found.pools
    assert [each.at.driver for each in rooms] == ["2.25.4.0", "2.26.5.0"]
    assert [[grant.name for grant in each.grants] for each in rooms] == [
        ["any", "old"],
        ["any", "new"],
    ]


def test_live_selectors_are_not_known():
    """A partition whose selector reads what only a live node knows is named, not counted."""
    live = (
        "devices: 1, selectors: "
        '[\'device.attributes["neuron.aws.com"].?networkNodeLayer1.orValue("") == "a"\']'
    )

    (found,) = measure_capacity(analyse("trn2.48xlarge", {"live": live, "one": "devices: 1"}))

    (capacity,) = found.pools
    assert capacity.at.unknown == ("live",)
    assert [grant.name for grant in capacity.grants] == ["one"]


def test_too_long(monkeypatch):
    """What is too long to search is not known, pair by pair."""
    monkeypatch.setattr(worst, "MOST_STATES", 0)
    monkeypatch.setattr(report.Mixer, "list_maximal", raise_unknown)
    shapes = {name: SHAPES[name] for name in ("one", "row")}

    (found,) = measure_capacity(analyse("trn2.48xlarge", shapes))

    (capacity,) = found.pools
    assert capacity.mixes is None
    assert [(pair.blockade, pair.is_known) for pair in capacity.pairs] == [(None, False)]


def raise_unknown(self):
    raise report.UnknownError(str(self))


@pytest.mark.parametrize(
    ("mix", "fits", "order", "nodes"),
    [
        ({"one": 6, "row": 2}, True, (0, 1), 1),
        ({"row": 2, "one": 6}, True, (0, 1), 1),
        ({"one": 4, "row": 4}, False, None, 2),
        ({"row": 16}, False, None, 4),
        ({"row": 17}, False, None, None),
    ],
)
def test_asked(mix, fits, order, nodes):
    """A mix is answered for one node and for the pool."""
    shapes = {name: SHAPES[name] for name in ("one", "row")}

    (found,) = measure_capacity(analyse("trn2.48xlarge", shapes), mix=mix)

    asked = found.pools[0].asked
    assert asked.is_known
    assert (asked.placements is not None, asked.order, asked.nodes) == (fits, order, nodes)
    assert asked.left == ({"row": 0, "one": 2} if fits else {})


def test_asked_elsewhere():
    """A mix with a partition that the pool does not serve is not answered there."""
    (found,) = measure_capacity(analyse("trn2.48xlarge", {"one": "devices: 1"}), mix={"row": 1})

    assert found.pools[0].asked is None


def test_only_some_partitions():
    """Only partitions that are named are counted and mixed, with what others can do to them."""
    shapes = {name: SHAPES[name] for name in ("one", "row", "half", "node")}

    (found,) = measure_capacity(analyse("trn2.48xlarge", shapes), partitions=["row"])

    (capacity,) = found.pools
    assert [grant.name for grant in capacity.grants] == ["row"]
    assert capacity.mixes == ((4,),)
    assert {(pair.small.name, pair.big.name) for pair in capacity.pairs} == {
        ("row", "node"),
        ("row", "half"),
        ("one", "row"),
    }
