"""Specs to plans on the shipped catalogue."""

import pytest

from unit.plan.small_fleets import CLUSTER, PARTITION, TENANT, plan


def plan_partition(spec, cluster=CLUSTER % "c"):
    fleet, problems = plan(
        cluster,
        PARTITION % ("p", spec),
        TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}"),
    )
    assert problems == []
    (made,) = fleet.clusters[0].tenants[0].partitions
    return made


def test_a_connected_set_shares_its_device_group():
    claim = plan_partition("{instanceType: trn2.48xlarge, devices: 4, connected: true}").claim

    assert [(each.name, each.exactly.count) for each in claim.requests] == [("neurons", 4)]
    assert [(each.requests, each.match_attribute) for each in claim.constraints] == [
        (("neurons",), "resource.aws.com/devicegroup4_id")
    ]


def test_a_whole_node_needs_no_constraint():
    claim = plan_partition("{instanceType: trn2.48xlarge, devices: all, efa: all}").claim

    assert [(each.name, each.exactly.count) for each in claim.requests] == [
        ("neurons", 16),
        ("efa", 16),
    ]
    assert claim.constraints == ()


def test_devices_that_are_paired_but_not_connected_become_pairs():
    claim = plan_partition("{instanceType: trn2.48xlarge, devices: 2, efa: paired}").claim

    assert [(each.name, each.exactly.count) for each in claim.requests] == [
        ("neurons-0", 1),
        ("efa-0", 1),
        ("neurons-1", 1),
        ("efa-1", 1),
    ]
    assert {each.match_attribute for each in claim.constraints} == {
        "resource.aws.com/devicegroup1_id"
    }


def test_two_devices_that_share_an_interface_become_one_pair():
    cluster = (CLUSTER % "c").replace("trn2.48xlarge", "trn1.32xlarge")
    claim = plan_partition("{instanceType: trn1.32xlarge, devices: 2, efa: paired}", cluster).claim

    assert [(each.name, each.exactly.count) for each in claim.requests] == [
        ("neurons", 2),
        ("efa", 1),
    ]


def test_every_field_of_a_claim_has_its_cause():
    made = plan_partition(
        "{instanceType: trn2.48xlarge, devices: 4, connected: true, logicalNeuronCore: 1,"
        " efa: paired, neuronDriver: 2.30.2.0}"
    )

    assert made.fields == {
        "devices.requests[0].exactly.deviceClassName": "instanceType",
        "devices.requests[0].exactly.count": "devices",
        "devices.requests[0].exactly.selectors[0]": "neuronDriver",
        "devices.requests[1].exactly.deviceClassName": "efa",
        "devices.requests[1].exactly.count": "efa",
        "devices.constraints[0].matchAttribute": "connected",
        "devices.config[0].opaque.parameters": "logicalNeuronCore",
    }


def test_alternatives_share_one_efa_request_and_constraint():
    cluster = (CLUSTER % "c") + "  - {name: other, instanceType: trn1n.32xlarge, sdk: 2.32.0}\n"
    made = plan_partition(
        "{firstAvailable: [{instanceType: trn2.48xlarge, devices: 8, connected: true, efa: paired},"
        " {instanceType: trn1n.32xlarge, devices: 8, connected: true, efa: paired}]}",
        cluster,
    )

    first, efa = made.claim.requests
    assert [each.name for each in first.first_available] == ["trn2-48xlarge-0", "trn1n-32xlarge-1"]
    assert efa.exactly.count == 8
    assert [each.requests for each in made.claim.constraints] == [("neurons", "efa")]
    assert [pool.name for pool in made.pools] == ["main", "other"]


def test_a_renamed_template_carries_a_hash_of_its_content():
    one = plan_partition("{instanceType: trn2.48xlarge, devices: 1, rollout: rename}")
    same = plan_partition("{rollout: rename, devices: 1, instanceType: trn2.48xlarge}")
    other = plan_partition("{instanceType: trn2.48xlarge, devices: 16, rollout: rename}")

    assert one.name == same.name != other.name
    assert one.name.startswith("p-")


def test_a_frozen_partition_is_granted_with_the_one_it_comes_from():
    fleet, problems = plan(
        CLUSTER % "c",
        PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 16}"),
        PARTITION
        % ("old", "{instanceType: trn2.48xlarge, devices: 1, lifecycle: {frozenFrom: p}}"),
        TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}"),
    )

    assert problems == []
    assert [each.name for each in fleet.clusters[0].tenants[0].partitions] == ["old", "p"]


def test_equal_clusters_share_a_profile_and_its_plans():
    fleet, problems = plan(
        *(CLUSTER % name for name in "abc"),
        PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
        TENANT
        % ("t", "{clusterSelector: {matchLabels: {env: test}}, namespaces: [n], partitions: [p]}"),
    )

    assert problems == []
    assert (len(fleet.clusters), fleet.profiles, fleet.plans) == (3, 1, 1)
    assert len({id(each.tenants[0].partitions[0]) for each in fleet.clusters}) == 1


@pytest.mark.parametrize(
    ("old", "new", "shared"),
    [
        ("kubernetes: 1.36", "kubernetes: 1.37", False),
        ("chartVersion: 1.10.0", "chartVersion: 1.9.0", False),
        ("sdk: 2.32.0", "sdk: 2.31.0", False),
        ("  nodePools", "  rollout: rename\n  nodePools", False),
        ("  nodePools", "  resourceApiVersion: v1beta2\n  nodePools", False),
        ("  nodePools", "  objectLabels: {a: b}\n  nodePools", False),
        ("  nodePools", "  consumers: {argocd: {version: 3.1}}\n  nodePools", False),
        ("  nodePools", "  networkGroups: {a: {cidrs: [10.0.0.0/8]}}\n  nodePools", False),
        ("name: main", "name: other", False),
        ("sdk: 2.32.0}", "sdk: 2.32.0, nodeSelector: {a: b}}", False),
        ("sdk: 2.32.0}", "sdk: 2.32.0, mechanism: {efa: device-plugin}}", False),
        ("  nodePools", "  region: us-west-2\n  nodePools", True),
        ("  nodePools", "  owner: me\n  nodePools", True),
        ("  nodePools", "  gitops: none\n  nodePools", True),
    ],
)
def test_a_profile_is_shared_only_by_clusters_that_plan_alike(old, new, shared):
    one, other = CLUSTER % "a", (CLUSTER % "b").replace(old, new)

    fleet, _ = plan(one, other)

    assert old in one
    assert fleet.profiles == (1 if shared else 2)


def test_a_quota_closes_every_class_that_it_does_not_name():
    cluster = (CLUSTER % "c") + "  - {name: other, instanceType: trn1.32xlarge, sdk: 2.32.0}\n"
    fleet, problems = plan(
        cluster,
        PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
        TENANT
        % (
            "t",
            (
                "{clusters: [c], namespaces: [a, b], partitions: [p],"
                " quota: [{instanceType: trn2.48xlarge, devices: 8, namespaces: {a: 5, b: 3}}]}"
            ),
        ),
    )

    assert problems == []
    assert fleet.clusters[0].tenants[0].quota == {
        "a": {"neuron-trn1-32xlarge": 0, "neuron-trn2-48xlarge": 5, "neuron.aws.com": 0},
        "b": {"neuron-trn1-32xlarge": 0, "neuron-trn2-48xlarge": 3, "neuron.aws.com": 0},
    }


def test_classes_test_driver_and_type_before_anything_else():
    fleet, _ = plan(CLUSTER % "c")

    efa, neuron = fleet.clusters[0].classes
    assert efa.name == "neuron-efa"
    assert neuron.selectors == (
        (
            'device.driver == "neuron.aws.com"'
            ' && device.attributes["neuron.aws.com"].instanceType == "trn2.48xlarge"'
            ' && device.attributes["neuron.aws.com"].resourceType == "neuron_device"'
        ),
    )


def test_a_broken_cluster_hides_no_other():
    fleet, problems = plan(
        (CLUSTER % "a").replace("1.36", "1.12"),
        CLUSTER % "b",
        PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
        TENANT % ("t", "{clusterSelector: {}, namespaces: [n], partitions: [p]}"),
    )

    assert [slug for slug, _ in problems] == ["unknown-kubernetes-minor"]
    assert [each.name for each in fleet.clusters] == ["b"]


def test_the_types_of_a_chip_that_cannot_keep_one_promise_are_refused():
    cluster = (CLUSTER % "c").replace("trn2.48xlarge", "trn1.32xlarge") + (
        "  - {name: other, instanceType: trn1n.32xlarge, sdk: 2.32.0}\n"
    )
    _, problems = plan(
        cluster,
        PARTITION % ("p", "{chip: trainium1, devices: 4, connected: true, efa: paired}"),
        TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}"),
    )

    assert [slug for slug, _ in problems] == ["instance-types-disagree"]


def test_a_type_of_a_chip_that_cannot_take_the_claim_is_left_out():
    cluster = (CLUSTER % "c") + "  - {name: small, instanceType: trn2.3xlarge, sdk: 2.32.0}\n"
    made = plan_partition("{chip: trainium2, devices: 4, connected: true}", cluster)

    assert [kind.name for kind in made.shapes[0].types] == ["trn2.48xlarge"]
    assert made.shapes[0].class_name == "neuron-trainium2"


def test_a_row_with_all_interfaces_ties_only_its_devices_together():
    claim = plan_partition(
        "{instanceType: trn2.48xlarge, devices: 4, connected: true, efa: all}"
    ).claim

    assert [each.exactly.count for each in claim.requests] == [4, 16]
    assert [each.requests for each in claim.constraints] == [("neurons",)]


def test_a_chip_may_name_nodes_of_its_ultraservers():
    cluster = (CLUSTER % "c") + "  - {name: ultra, instanceType: trn2u.48xlarge, ultraServers: 1}\n"
    made = plan_partition("{chip: trainium2, ultraServerNodes: 4}", cluster)

    assert made.shapes[0].class_name == "neuron-trainium2-node"
    assert [kind.name for kind in made.shapes[0].types] == ["trn2u.48xlarge"]


@pytest.mark.parametrize(
    "documents",
    [
        # a misspelt grant
        (
            CLUSTER % "c",
            PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
            TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [q]}"),
            (
                "kind: NeuronWorkload\nmetadata: {name: w, namespace: n}\n"
                "spec: {cluster: c, partition: p, controller: Job}\n"
            ),
        ),
        # a misspelt cluster
        (
            CLUSTER % "c",
            PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
            TENANT % ("t", "{clusters: [d], namespaces: [n], partitions: [p]}"),
            (
                "kind: NeuronWorkload\nmetadata: {name: w, namespace: n}\n"
                "spec: {cluster: c, partition: p, controller: Job}\n"
            ),
        ),
        # a partition that is used and not granted
        (
            CLUSTER % "c",
            PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
            TENANT % ("t", "{clusters: [c], namespaces: [n]}"),
            (
                "kind: NeuronWorkload\nmetadata: {name: w, namespace: n}\n"
                "spec: {cluster: c, partition: p, controller: Job}\n"
            ),
        ),
        # a size that is never connected
        (
            (CLUSTER % "c").replace("trn2.48xlarge", "trn1.32xlarge"),
            PARTITION
            % ("p", "{instanceType: trn1.32xlarge, devices: 3, connected: true, efa: paired}"),
            TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}"),
        ),
        # a broken tenant
        (
            CLUSTER % "c",
            PARTITION % ("p", "{instanceType: trn2.48xlarge, devices: 1}"),
            TENANT % ("t", "{clusters: [c], namespaces: [n], partition: [p]}"),
            (
                "kind: NeuronWorkload\nmetadata: {name: w, namespace: n}\n"
                "spec: {cluster: c, partition: p, controller: Job}\n"
            ),
        ),
    ],
)
def test_one_problem_is_told_once(documents):
    _, problems = plan(*documents)

    assert len(problems) == 1


def test_two_tenants_are_told_of_each_namespace_they_share():
    _, problems = plan(
        CLUSTER % "c",
        TENANT % ("a", "{clusters: [c], namespaces: [m, n]}"),
        TENANT % ("b", "{clusters: [c], namespaces: [m, n]}"),
    )

    assert [slug for slug, _ in problems] == ["namespace-owned-twice"] * 2


def test_an_api_version_that_is_off_by_default_is_told():
    _, problems = plan(
        (CLUSTER % "c").replace("  nodePools", "  resourceApiVersion: v1beta1\n  nodePools")
    )

    assert [slug for slug, _ in problems] == ["api-version-not-served"]
