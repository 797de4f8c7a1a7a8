"""What a cluster says of consumers that cannot work."""

from __future__ import annotations

import pytest

from neuron_dra.consumers.check import check_consumers
from unit.consumers.small_facts import ORIGIN, read_consumer
from unit.plan.small_fleets import CLUSTER, PARTITION, TENANT, plan

LABEL = "gate.example.com/queue"
HATES = f"{{usable: false, reason: it hates them, {ORIGIN}}}"
TAKES = f"{{rest: {{usable: true, {ORIGIN}}}"
REFUSES = f"{TAKES}, parts: {{selectors: {HATES}}}"
GATE = f"""\
versionFrom: consumers.kueue.version
workloadLabel: {LABEL}
ways:
  strict:
    releases:
    - {REFUSES}, default: true, until: "2.0"}}
    - {REFUSES}, since: "2.1", until: "2.9"}}
  open: {{title: leave it open, releases: [{TAKES}, needs: a key}}]}}
"""
WORKLOAD = """kind: NeuronWorkload
metadata: {name: w, namespace: n}
spec:
  cluster: c
  partition: %s
  controller: LeaderWorkerSet
  template: {metadata: {labels: {%s}}, spec: {containers: [{name: a, image: "a:1"}]}}
"""
PLAIN = "{instanceType: trn2.48xlarge, devices: 1}"
SELECTOR = 'device.attributes["neuron.aws.com"].deviceId == 1'
SELECTS = f"{{instanceType: trn2.48xlarge, devices: 1, selectors: ['{SELECTOR}']}}"


def check(consumer, version="1.0", labels=f"{LABEL}: q", spec=SELECTS, more="", workload=WORKLOAD):
    named = f", kueue: {{version: {version}}}" if version else ""
    cluster = CLUSTER % "c" + f"  consumers: {{leaderWorkerSet: {{version: 0.8.0}}{named}}}\n{more}"
    fleet, found = plan(
        cluster,
        PARTITION % ("p", spec),
        TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [p]}"),
        workload % ("p", labels),
    )
    assert fleet.clusters[0].workloads, found
    return check_consumers(fleet.clusters, [read_consumer(consumer)])


def test_refused_claim():
    """A workload under a consumer that refuses its claim by default is told, with what works."""
    (found,) = check(GATE)

    assert found.code.slug == "consumer-refuses-claim"
    assert "1.0 does not admit" in found.message
    assert found.message.endswith("it hates them")
    assert found.help == "what works: leave it open (a key)"
    assert len(found.related) == 2


@pytest.mark.parametrize(
    "case",
    [
        {"version": ""},
        {"version": "2.5"},
        {"version": "3.0"},
        {"labels": "other: q"},
        {"labels": ""},
        {"spec": PLAIN},
    ],
    ids=str,
)
def test_nothing_to_say(case):
    """A consumer that is not named, not the workload's, configured or able is not complained of."""
    assert check(GATE, **case) == []


def test_label_of_the_cluster():
    """The label of every object puts the workload under the consumer too."""
    (found,) = check(GATE, labels="", more=f"  objectLabels: {{{LABEL}: q}}\n")

    assert "x.yaml" in str(found.related[0].span)


def test_label_of_the_leader():
    """The label may stand in the leader's template alone."""
    pod = f"metadata: {{labels: {{{LABEL}: q}}}}, spec: {{containers: [{{name: a, image: 'a:1'}}]}}"

    assert len(check(GATE, labels="", workload=f"{WORKLOAD}  leaderTemplate: {{{pod}}}\n")) == 1


def test_no_metadata():
    """A template without metadata has no label."""
    bare = WORKLOAD.replace("metadata: {labels: {%s}}, ", "") + "# %s\n"

    assert check(GATE, workload=bare) == []


def test_rewrite_is_the_help():
    """Where no other way takes the claim, the rewrite is what helps."""
    alone = f"""\
versionFrom: consumers.kueue.version
workloadLabel: {LABEL}
ways:
  strict:
    releases:
    - default: true
      parts: {{selectors: {{usable: false, reason: no, rewrite: leave them out, {ORIGIN}}}}}
      rest: {{usable: true, {ORIGIN}}}
"""
    (found,) = check(alone)

    assert found.help == "leave them out"


def test_once_for_equal_clusters():
    """The same workload in several clusters is told once."""
    consumers = "  consumers: {leaderWorkerSet: {version: 0.8.0}, kueue: {version: 1.0}}\n"
    fleet, _ = plan(
        CLUSTER % "c" + consumers,
        CLUSTER % "d" + consumers,
        PARTITION % ("p", SELECTS),
        TENANT % ("t", "{clusters: [c, d], namespaces: [n], partitions: [p]}"),
        (WORKLOAD % ("p", f"{LABEL}: q")).replace(
            "cluster: c", "clusterSelector: {matchLabels: {env: test}}"
        ),
    )

    assert [len(each.workloads) for each in fleet.clusters] == [1, 1]
    assert len(check_consumers(fleet.clusters, [read_consumer(GATE)])) == 1


POOL = "  - {name: own, instanceType: trn2.48xlarge, sdk: 2.32.0, nodeSelector: {%s}%s}\n"
NO_DRA = f"{{parts: {{neuron: {{usable: false, reason: never, {ORIGIN}}}}}}}"
NODES = "nodeLabels: {example.com/kind: own, example.com/size: big}\n"


def pool_findings(labels, facts=NO_DRA, more="", nodes=NODES):
    fleet, _ = plan(CLUSTER % "c" + POOL % (labels, more))
    consumer = read_consumer(f"{nodes}ways: {{nodes: {{releases: [{facts}]}}}}\n")
    return check_consumers(fleet.clusters, [consumer])


OWN = "example.com/kind: own, example.com/size: big, other: x"


def test_pool_without_dra():
    """A pool whose labels are those of a consumer without Neuron devices is refused."""
    (found,) = pool_findings(OWN)

    assert found.code.slug == "pool-without-dra"
    assert "pool `own` is of Gate" in found.message
    assert found.message.endswith("never")


@pytest.mark.parametrize(
    "case",
    [
        {"labels": "example.com/kind: own"},
        {"labels": "example.com/kind: own, example.com/size: small"},
        {"labels": OWN, "more": ", mechanism: {neuron: device-plugin}"},
        {"labels": OWN, "facts": TAKES + "}"},
        {"labels": OWN, "facts": f"{NO_DRA}, {TAKES}, since: '2'}}"},
        {"labels": OWN, "facts": f"{{parts: {{efa: {{usable: true, {ORIGIN}}}}}}}"},
        {"labels": OWN, "nodes": ""},
    ],
    ids=str,
)
def test_pools_that_may_work(case):
    """A pool of other nodes, of the device plugin, or where some version has DRA is let through."""
    assert pool_findings(**case) == []
