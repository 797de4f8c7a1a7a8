"""Groups whose pods may land in different zones."""

from __future__ import annotations

import pytest

POOL = "  - {name: main, instanceType: a.large, nodes: 8}\n"
SPEC = """
controller: JobSet
size: 2
template:
  metadata: {annotations: {ANNOTATIONS}}
  spec:
    containers: [{name: train, image: example.com/train:1}]
"""
TOPOLOGY = "kueue.x-k8s.io/podset-required-topology: topology.kubernetes.io/zone"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PEERS = f"affinity: {{podAffinity: {{{REQUIRED}: [{{topologyKey: topology.kubernetes.io/zone}}]}}}}"
TERMS = f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [TERM]}}}}}}"
ZONE = "{key: topology.kubernetes.io/zone, operator: In, values: [VALUES]}"

OTHER_TERM = "{matchExpressions: [{key: disk, operator: Exists}]}"


def spec_of(field="", annotations=""):
    return SPEC.replace("ANNOTATIONS", annotations) + (f"    {field}\n" if field else "")


def set_zones(fleet, *pools):
    lines = [
        f"  - {{name: p{index}, instanceType: a.large, nodes: 8, zones: [{zones}]}}\n"
        for index, zones in enumerate(pools)
    ]
    fleet.replace(POOL, "".join(lines))


@pytest.mark.parametrize(
    ("pools", "listed"),
    [
        (["us-west-2a, us-west-2b"], "`us-west-2a`, `us-west-2b`"),
        (["us-west-2a", "us-west-2b"], "`us-west-2a`, `us-west-2b`"),
        (["us-west-2a", "us-west-2a", "us-west-2b"], "`us-west-2a`, `us-west-2b`"),
        (["usw2-az1", "", "usw2-az2"], "`usw2-az1`, `usw2-az2`"),
        (["us-west-2a"], ""),
        (["us-west-2a", "us-west-2a"], ""),
        (["us-west-2a", "usw2-az1"], ""),
        (["", ""], ""),
    ],
)
def test_zones(fleet, pools, listed):
    """A group over EFA is told of zones that surely differ."""
    set_zones(fleet, *pools)
    _, diagnostics = fleet.render(spec_of())

    assert [each.code.slug for each in diagnostics] == ["group-across-zones"] * bool(listed)
    for each in diagnostics:
        assert f"the 2 pods of a group may land in different zones ({listed})" in each.message
        assert fleet.marked(each) == "2"
        assert [place.message for place in each.related] == [
            f"zones of pool `p{index}`"
            for index, zones in enumerate(pools)
            if zones and zones not in pools[:index]
        ]


@pytest.mark.parametrize(
    "spec",
    [
        spec_of("nodeSelector: {topology.kubernetes.io/zone: us-west-2a}"),
        spec_of("nodeSelector: {group: one, topology.k8s.aws/zone-id: usw2-az1}"),
        spec_of(PEERS),
        spec_of(
            TERMS.replace("TERM", f"{{matchExpressions: [{ZONE.replace('VALUES', 'us-west-2a')}]}}")
        ),
        spec_of(annotations=TOPOLOGY),
    ],
)
def test_kept_together(fleet, spec):
    """A template may keep its pods in a zone by itself."""
    set_zones(fleet, "us-west-2a, us-west-2b")

    assert fleet.codes(spec) == []


@pytest.mark.parametrize(
    "terms",
    [
        f"{{matchExpressions: [{ZONE.replace('VALUES', 'us-west-2a, us-west-2b')}]}}",
        f"{{matchExpressions: [{ZONE.replace('VALUES', 'us-west-2a').replace('In', 'NotIn')}]}}",
        f"{{matchExpressions: [{ZONE.replace('VALUES', 'us-west-2a')}]}}, {OTHER_TERM}",
    ],
)
def test_terms_that_leave_a_choice(fleet, terms):
    """A term of two zones is no choice, nor is one beside a term of any zone."""
    set_zones(fleet, "us-west-2a, us-west-2b, us-west-2c")
    spec = spec_of(TERMS.replace("TERM", terms))

    assert fleet.codes(spec) == ["group-across-zones"]


def test_without_efa(fleet):
    """Pods that do not talk over EFA may land anywhere."""
    fleet.efa = 0
    set_zones(fleet, "us-west-2a, us-west-2b")

    assert fleet.codes(spec_of()) == []


def test_single_pods(fleet):
    """A pod alone is in one zone."""
    set_zones(fleet, "us-west-2a, us-west-2b")

    assert fleet.codes(spec_of().replace("size: 2", "size: 1")) == []


@pytest.mark.parametrize(("size", "slugs"), [(2, []), (4, ["group-across-zones"])])
def test_ultraserver(fleet, size, slugs):
    """Pods of one UltraServer are in one zone."""
    fleet.nodes = 2
    fleet.kinds[0].server_id_label = {2: "server"}.get
    set_zones(fleet, "us-west-2a, us-west-2b")
    spec = spec_of().replace("JobSet", "LeaderWorkerSet").replace("size: 2", f"size: {size}")

    assert fleet.codes(spec) == slugs


def test_leader(fleet):
    """A group is told once, whatever templates it has."""
    set_zones(fleet, "us-west-2a, us-west-2b")
    spec = spec_of().replace("JobSet", "LeaderWorkerSet")
    spec += "leaderTemplate: {spec: {containers: [{name: lead, image: example.com/lead:1}]}}\n"

    assert fleet.codes(spec) == ["group-across-zones"]
