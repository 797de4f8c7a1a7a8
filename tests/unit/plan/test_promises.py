"""What would stay Pending, or slip past a quota, is found before a merge."""

import pytest

from unit.plan.small_fleets import CLUSTER, PARTITION, TENANT, plan

GRANT = TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}")
WORKLOAD = """kind: NeuronWorkload
metadata: {name: w, namespace: n}
spec:
  cluster: c
  partition: p
  controller: external
  podSelector: {matchLabels: {app: w}}
  %s
"""
ULTRA = """kind: Cluster
metadata: {name: c}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, ultraServerOperator: {enabled: %s}}
  nodePools: [{name: ultra, instanceType: trn3.48xlarge, ultraServers: 2}]
"""


def slugs(*documents):
    return [slug for slug, _ in plan(*documents)[1]]


def nodes(number):
    """A cluster with that many nodes of sixteen chips."""
    return (CLUSTER % "c").replace("sdk: 2.32.0", f"sdk: 2.32.0, nodes: {number}")


@pytest.mark.parametrize("efa", ["none", "paired"])
@pytest.mark.parametrize(("devices", "room"), [(1, 32), (4, 8), (8, 4), (16, 2)])
def test_as_many_pods_as_the_nodes_hold_and_not_one_more(devices, room, efa):
    spec = f"{{instanceType: trn2.48xlarge, devices: {devices}, connected: true, efa: {efa}}}"
    rest = (nodes(2), PARTITION % ("p", spec), GRANT)

    assert slugs(*rest, WORKLOAD % f"replicas: {room}") == []
    assert slugs(*rest, WORKLOAD % f"replicas: {room + 1}") == ["workload-exceeds-fleet"]


def test_a_pool_that_does_not_say_its_size_refuses_no_workload():
    spec = "{instanceType: trn2.48xlarge, devices: 16}"

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), GRANT, WORKLOAD % "replicas: 99") == []


def test_an_autoscaler_counts_with_its_maximum():
    spec = "{instanceType: trn2.48xlarge, devices: all}"
    rest = (nodes("{min: 0, max: 3}"), PARTITION % ("p", spec), GRANT)

    assert slugs(*rest, WORKLOAD % "replicas: 3") == []
    assert slugs(*rest, WORKLOAD % "replicas: 4") == ["workload-exceeds-fleet"]


@pytest.mark.parametrize(("amount", "expected"), [(4, []), (3, ["quota-below-claim"])])
def test_a_quota_holds_at_least_one_claim(amount, expected):
    spec = "{instanceType: trn2.48xlarge, devices: 4, connected: true}"
    tenant = (
        "{clusters: [c], namespaces: [n], partitions: [p],"
        f" quota: [{{instanceType: trn2.48xlarge, devices: {amount}}}]}}"
    )

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), TENANT % ("t", tenant)) == expected


def test_a_quota_closes_a_class_that_others_own():
    cluster = (CLUSTER % "c") + (
        "  extraObjects:\n"
        "  - {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: vendor-chips},"
        " spec: {selectors: [{cel: {expression: 'device.driver == \"neuron.aws.com\"'}}]}}\n"
    )
    tenant = "{clusters: [c], namespaces: [n], quota: [{instanceType: trn2.48xlarge, devices: 8}]}"
    fleet, problems = plan(cluster, TENANT % ("t", tenant))

    assert problems == []
    assert fleet.clusters[0].tenants[0].quota["n"]["vendor-chips"] == 0


def test_the_operator_creates_the_template_that_the_compiler_leaves_out():
    partition = PARTITION % ("p", "{instanceType: trn3.48xlarge, ultraServerNodes: 4}")

    for enabled in (True, False):
        fleet, _ = plan(ULTRA % str(enabled).lower(), partition, GRANT)
        assert fleet.clusters[0].tenants[0].partitions[0].operator is enabled


def test_nodes_used_together_are_no_alternative():
    spec = (
        "{firstAvailable: [{instanceType: trn2u.48xlarge, ultraServerNodes: 4},"
        " {instanceType: trn2u.48xlarge, ultraServerNodes: 2}]}"
    )
    cluster = (CLUSTER % "c").replace("trn2.48xlarge", "trn2u.48xlarge")

    found = slugs(cluster, PARTITION % ("p", spec), GRANT)
    assert set(found) == {"unsound-alternatives"}


@pytest.mark.parametrize(("version", "expected"), [("1.34.2", []), ("1.34.1", True)])
def test_a_kubelet_older_than_the_driver_needs_is_barred(version, expected):
    cluster = (
        (CLUSTER % "c")
        .replace("kubernetes: 1.36", "kubernetes: 1.34")
        .replace("sdk: 2.32.0", f"sdk: 2.32.0, nodeVersion: {version}")
    )

    assert slugs(cluster) == (["barred-node-version"] if expected else [])


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ('device.attributes["neuron.aws.com"].deviceId < 4', []),
        ('device.attributes["neuron.aws.com"].deviceID < 4', ["attribute-not-published"]),
        ('device.attributes["neuron.aws.com"].deviceId <', ["selector-invalid"]),
        ('device.attributes["neuron.aws.com"].driverVersion == semver("2")', ["selector-invalid"]),
        ("device.attributes", ["selector-invalid"]),
    ],
)
def test_a_selector_is_judged_before_a_scheduler_sees_it(selector, expected):
    spec = f"{{instanceType: trn2.48xlarge, devices: 1, selectors: ['{selector}']}}"

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), GRANT) == expected


COLUMN = 'device.attributes["neuron.aws.com"].topology_y == 1'
ROW = 'device.attributes["neuron.aws.com"].topology_x == 1'


@pytest.mark.parametrize(
    ("devices", "selectors", "expected"),
    [
        (1, [COLUMN], []),
        (4, [ROW], []),
        (4, [COLUMN], ["claim-never-allocated"]),  # four chips, but of four rows
        (1, [ROW, COLUMN], []),
        (8, [ROW], ["claim-never-allocated"]),
    ],
)
def test_a_claim_is_tried_on_an_empty_node(devices, selectors, expected):
    spec = (
        f"{{instanceType: trn2.48xlarge, devices: {devices}, connected: true,"
        f" selectors: {selectors!r}}}"
    )

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), GRANT) == expected


def test_selectors_narrow_how_many_pods_a_node_holds():
    spec = f"{{instanceType: trn2.48xlarge, devices: 1, selectors: ['{COLUMN}']}}"
    rest = (nodes(2), PARTITION % ("p", spec), GRANT)

    assert slugs(*rest, WORKLOAD % "replicas: 8") == []
    assert slugs(*rest, WORKLOAD % "replicas: 9") == ["workload-exceeds-fleet"]


def test_nothing_is_said_of_what_only_a_live_node_knows():
    selector = 'device.attributes["neuron.aws.com"].draDriverVersion.isGreaterThan(semver("1.0.0"))'
    spec = f"{{instanceType: trn2.48xlarge, devices: 1, selectors: ['{selector}']}}"

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), GRANT) == []


def test_every_claim_takes_the_first_alternative_that_is_left():
    """Two claims of eight fill a node, though four of four would fit."""
    spec = (
        "{firstAvailable: [{instanceType: trn2.48xlarge, devices: 8, connected: true},"
        " {instanceType: trn2.48xlarge, devices: 4, connected: true}]}"
    )
    rest = (nodes(1), PARTITION % ("p", spec), GRANT)

    assert slugs(*rest, WORKLOAD % "replicas: 2") == []
    assert slugs(*rest, WORKLOAD % "replicas: 3") == ["workload-exceeds-fleet"]


def test_an_alternative_that_only_a_live_node_decides_is_not_refused():
    live = 'device.attributes["neuron.aws.com"].networkNodeLayer1 == "nn-1"'
    spec = (
        f"{{firstAvailable: [{{instanceType: trn2.48xlarge, devices: 4, connected: true,"
        f" selectors: ['{ROW}']}},"
        f" {{instanceType: trn2.48xlarge, devices: 1, selectors: ['{live}']}}]}}"
    )

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), GRANT) == []


def test_an_alternative_that_nobody_can_get_is_refused():
    """Another alternative may serve every pod, but this one means nothing."""
    spec = (
        f"{{firstAvailable: [{{instanceType: trn2.48xlarge, devices: 4, connected: true,"
        f" selectors: ['{COLUMN}']}}, {{instanceType: trn2.48xlarge, devices: 1}}]}}"
    )

    assert slugs(CLUSTER % "c", PARTITION % ("p", spec), GRANT) == ["claim-never-allocated"]


@pytest.mark.parametrize(
    ("share", "replicas", "expected"),
    [
        (8, 2, []),
        (8, 3, ["workload-exceeds-quota"]),
        (2, 1, ["workload-exceeds-quota"]),  # other namespaces may claim one
    ],
)
def test_a_workload_stays_within_the_quota_of_its_namespace(share, replicas, expected):
    spec = "{instanceType: trn2.48xlarge, devices: 4, connected: true}"
    tenant = (
        "{clusters: [c], namespaces: [n, m], partitions: [p], quota: [{instanceType:"
        f" trn2.48xlarge, devices: 80, namespaces: {{n: {share}, m: {80 - share}}}}}]}}"
    )
    rest = (CLUSTER % "c", PARTITION % ("p", spec), TENANT % ("t", tenant))

    assert slugs(*rest, WORKLOAD % f"replicas: {replicas}") == expected


def test_of_alternatives_a_quota_counts_the_most():
    spec = (
        "{firstAvailable: [{instanceType: trn2.48xlarge, devices: 8, connected: true},"
        " {instanceType: trn2.48xlarge, devices: 4, connected: true}]}"
    )
    tenant = (
        "{clusters: [c], namespaces: [n], partitions: [p],"
        " quota: [{instanceType: trn2.48xlarge, devices: 12}]}"
    )
    rest = (CLUSTER % "c", PARTITION % ("p", spec), TENANT % ("t", tenant))

    assert slugs(*rest, WORKLOAD % "replicas: 1") == []
    assert slugs(*rest, WORKLOAD % "replicas: 2") == ["workload-exceeds-quota"]
