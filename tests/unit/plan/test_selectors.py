"""Selectors of partitions, in the fleet that they are planned for."""

from __future__ import annotations

import pytest

from unit.plan.small_fleets import PARTITION, TENANT, plan

CLUSTER = """kind: Cluster
metadata: {name: c}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}}
  nodePools:
  - {name: big, instanceType: trn2.48xlarge, sdk: 2.32.0}
  - {name: small, instanceType: trn2.3xlarge, sdk: 2.32.0}
"""
GRANT = TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}")
A = 'device.attributes["neuron.aws.com"]'


def check(hardware, *selectors, cluster=CLUSTER):
    listed = "".join(f"\n  - '{each}'" for each in selectors)
    spec = "".join(f"\n  {key}: {value}" for key, value in hardware.items())
    fleet, problems = plan(
        cluster, PARTITION % ("p", f"{spec}\n  devices: 1\n  selectors:{listed}"), GRANT
    )
    return fleet, [slug for slug, _ in problems]


CHIP = {"chip": "trainium2"}
BIG = {"instanceType": "trn2.48xlarge"}
SMALL = {"instanceType": "trn2.3xlarge"}


@pytest.mark.parametrize(
    ("hardware", "selectors", "slugs"),
    [
        (BIG, [f"{A}.topology_x == 1"], []),
        (BIG, [f"{A}.topology_x == 4"], ["value-not-published"]),
        (BIG, [f"{A}.deviceId == 0 && {A}.deviceId == 1"], ["selector-never-true"]),
        (BIG, [f"{A}.deviceId >= 0"], ["selector-always-true"]),
        (BIG, [f'{A}.deviceId == "1"'], ["attribute-of-other-type"]),
        (BIG, [f"4 / {A}.deviceId > 0"], ["selector-invalid"]),
        (BIG, [f"{A}.deviceId > 0", f"4 / {A}.deviceId > 0"], []),
        (BIG, [f'{A}.networkNodeLayer1 == "x"'], []),
        (BIG, [f"{A}.topology_x == 1", f"{A}.topology_x == 2"], ["claim-never-allocated"]),
        (CHIP, [f"{A}.deviceId == 15"], []),
        (CHIP, [f'{A}.instanceType == "trn2.3xlarge"'], []),
        (CHIP, [f"{A}.deviceId == 16"], ["value-not-published"]),
        (CHIP, [f"{A}.deviceId < 16"], ["selector-always-true"]),
    ],
)
def test_findings(hardware, selectors, slugs):
    """Each problem gives one diagnostic, the most precise one."""
    assert check(hardware, *selectors)[1] == slugs


def test_a_selector_may_be_there_for_another_cluster():
    """What is true for every device here is of use where another instance type serves the chip."""
    alone = CLUSTER.replace("  - {name: big, instanceType: trn2.48xlarge, sdk: 2.32.0}\n", "")

    assert check(CHIP, f"{A}.deviceId == 0", cluster=alone)[1] == []
    assert check(SMALL, f"{A}.deviceId == 0", cluster=alone)[1] == ["selector-always-true"]


def test_pools_that_the_selectors_rule_out():
    """A pool on whose devices a selector is never true does not serve the partition."""
    fleet, _ = check(CHIP, f"{A}.deviceId == 15")

    (partition,) = fleet.clusters[0].tenants[0].partitions
    assert [pool.name for pool in partition.pools] == ["big"]


def test_pinned_driver():
    """A pinned driver version is a known value."""
    pinned = {**BIG, "neuronDriver": "2.30.2.0"}

    assert check(pinned, f'{A}.neuronDriverVersion == "2.29.0.0"')[1] == ["value-not-published"]
    assert check(BIG, f'{A}.neuronDriverVersion == "2.29.0.0"')[1] == []
