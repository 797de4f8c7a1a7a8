"""The consumers and versions that concern a cluster."""

from __future__ import annotations

import pytest

from neuron_dra.consumers.columns import columns_of, named_versions
from unit.consumers.small_facts import ORIGIN, read_consumer
from unit.plan.small_fleets import CLUSTER, plan

FACT = f"{{rest: {{usable: true, {ORIGIN}}}"
WAYS = f"""\
ways:
  first:
    releases:
    - {FACT}, until: "1.2"}}
    - {FACT}, since: "1.3", until: "1.3"}}
    - {FACT}, since: "1.4", until: "1.6"}}
    - {FACT}, since: "2.0"}}
  second:
    releases:
    - {FACT}}}
"""


def spec(more=""):
    fleet, _ = plan(CLUSTER % "c" + more)
    return fleet.clusters[0].spec


def test_all_versions():
    """Where nothing says the version, every range is a column, with its versions in words."""
    columns = columns_of(spec(), [read_consumer(WAYS)])

    assert [(each.way, each.title) for each in columns] == [
        ("first", "up to 1.2"),
        ("first", "1.3"),
        ("first", "1.4 to 1.6"),
        ("first", "2.0 and later"),
        ("second", ""),
    ]
    assert not any(each.named for each in columns)
    assert all(each.release.includes(each.version) for each in columns)


@pytest.mark.parametrize(
    ("version", "since"), [("1.3.9", "1.3"), ("1.6", "1.4"), ("1.7.0", None), ("2.1", "2.0")]
)
def test_named_version(version, since):
    """A version that the cluster names is the only column of a way, also when nothing is known."""
    consumer = read_consumer(f"versionFrom: consumers.kueue.version\n{WAYS}")
    first, second = columns_of(
        spec(f"  consumers: {{kueue: {{version: {version}}}}}\n"), [consumer]
    )

    assert (first.version, first.title, first.named) == (version, version, True)
    assert (first.release.since if first.release else None) == since
    assert second.version == version


@pytest.mark.parametrize(
    ("key", "versions"),
    [
        ("kubernetes", ["1.36"]),
        ("consumers.argocd.version", ["3.6.1"]),
        ("consumers.kueue.version", []),
        ("nodePools.nodeVersion", ["1.36.2", "1.35.1"]),
        ("nothing.here", []),
        ("region.name", []),
    ],
)
def test_keys(key, versions):
    """The version is read from any key of a cluster, from each item of a list, each once."""
    pools = "".join(
        f"  - {{name: p{index}, instanceType: trn2.48xlarge, sdk: 2.32.0{more}}}\n"
        for index, more in enumerate(
            [", nodeVersion: 1.36.2", ", nodeVersion: 1.35.1", ", nodeVersion: 1.36.2", ""]
        )
    )
    consumer = read_consumer(f"versionFrom: {key}\n{WAYS}")

    assert (
        named_versions(spec(f"{pools}  consumers: {{argocd: {{version: 3.6.1}}}}\n"), consumer)
        == versions
    )
