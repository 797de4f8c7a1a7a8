"""Claims in order on a cluster."""

from __future__ import annotations

import pytest

from neuron_dra.simulation.simulate import ALREADY
from neuron_dra.simulation.verdict import Verdict
from unit.simulation.small import (
    claim,
    device,
    device_class,
    node,
    node_slice,
    pod,
    request,
    serve,
    template,
    told,
)

CLASS = device_class()
TWO_NODES = [node_slice("node-b", 4), node_slice("node-a", 2), CLASS]


def test_each_takes_from_the_next():
    """Claims are served in order, on the first node by name that has devices."""
    asked = [claim(name, request(2)) for name in ("x", "y", "z", "w")]

    verdicts = serve(TWO_NODES, asked)

    assert told(verdicts) == [
        ("x", "allocated", "node-a", ["d0", "d1"]),
        ("y", "allocated", "node-b", ["d0", "d1"]),
        ("z", "allocated", "node-b", ["d2", "d3"]),
        ("w", "unsatisfiable", "", []),
    ]
    assert verdicts[3].conflict == ("requests[0] r: 1 device of class any",)


def test_held_devices():
    """Devices that claims of the dump hold are taken, unless the cluster is taken as free."""
    dumped = [*TWO_NODES, claim("old", request(2), holds=["d0", "d1"])]

    assert told(serve(dumped, [claim("x", request(2))])) == [
        ("x", "allocated", "node-b", ["d0", "d1"])
    ]
    assert told(serve(dumped, [claim("x", request(2))], free=True))[0][2] == "node-a"


def test_claim_that_is_allocated_already():
    """A claim that the dump has as allocated keeps what it holds."""
    old = claim("old", request(), holds=["d3"], node="node-b")

    (verdict,) = serve([*TWO_NODES, old], [old])

    assert told([verdict]) == [("old", "allocated", "node-b", ["d3"])]
    assert verdict.reason == ALREADY


def test_conflict():
    """A conflict names what cannot be had together, by its place in the claim."""
    asked = claim("x", request(1, "other"), request(3), row=True)
    asked["spec"]["devices"]["constraints"][0]["requests"] = ["r"]

    (verdict,) = serve(TWO_NODES, [asked])

    assert verdict.verdict is Verdict.UNSATISFIABLE
    assert verdict.conflict == (
        "requests[1] r: 3 devices of class any",
        "constraints[0] matchAttribute a.example/row of r",
    )


def test_missing_class():
    """A class that is missing is told in the scheduler's words, before anything else."""
    nested = {"name": "f", "firstAvailable": [{"name": "s", "deviceClassName": "gone"}]}

    verdicts = serve(TWO_NODES, [claim("x", request(device_class="none")), claim("y", nested)])

    assert [(each.verdict, each.reason, each.conflict) for each in verdicts] == [
        (Verdict.ERROR, "request r: device class none does not exist", ()),
        (Verdict.ERROR, "request f/s: device class gone does not exist", ()),
    ]


def test_fault_on_a_later_node():
    """A selector that fails on any node ends the claim, also where an earlier node has devices."""
    selector = 'device.attributes["a.example"].kind == 1'
    asked = claim("x", request(selectors=[{"cel": {"expression": selector}}]))
    good, bad = node_slice("node-a", device("d", kind=1)), node_slice("node-b", device("d"))

    (alone,) = serve([good, CLASS], [asked])
    (both,) = serve([good, bad, CLASS], [asked])

    assert alone.verdict is Verdict.ALLOCATED
    assert both.verdict is Verdict.ERROR
    assert "no such key: kind" in both.reason


@pytest.mark.parametrize(
    ("minor", "verdict"), [("1.34", "timeout"), ("1.35", "timeout"), ("1.36", "unsatisfiable")]
)
def test_timeout(minor, verdict):
    """Where the scheduler runs out of time, that is the verdict, with the same conflict."""
    (found,) = serve([node_slice("node-a", 16), CLASS], [claim("x", request(17))], minor=minor)

    assert found.verdict == verdict
    assert found.conflict == ("requests[0] r: 17 devices of class any",)


def test_another_node_than_the_one_that_times_out():
    """A node on which the scheduler runs out of time does not keep it from another."""
    dumped = [node_slice("node-a", 16), node_slice("node-b", 17), CLASS]

    (found,) = serve(dumped, [claim("x", request(17))], minor="1.34")

    assert (found.verdict, found.node) == (Verdict.ALLOCATED, "node-b")


def test_pods():
    """All claims of a pod go to one node; each is told by its pod."""
    asked = [
        template("t", request(2)),
        pod("p", "template:t", "template:t"),
        pod("q", "template:t"),
    ]

    verdicts = serve(TWO_NODES, asked, by_pods=True)

    assert told(verdicts) == [
        ("p-c0", "allocated", "node-b", ["d0", "d1"]),
        ("p-c1", "allocated", "node-b", ["d2", "d3"]),
        ("q-c0", "allocated", "node-a", ["d0", "d1"]),
    ]
    assert [each.pod for each in verdicts] == ["p", "p", "q"]


def test_pods_that_share_a_claim():
    """The second pod of a claim goes where the first one's devices are, or nowhere."""
    shared = [template("t", request(2)), claim("c", request(2))]
    pods = [pod("p", "claim:c"), pod("q", "claim:c"), pod("s", "claim:c", "template:t")]

    verdicts = serve(TWO_NODES, [*shared, *pods], by_pods=True)

    assert told(verdicts) == [
        ("c", "allocated", "node-a", ["d0", "d1"]),
        ("c", "allocated", "node-a", ["d0", "d1"]),
        ("c", "allocated", "node-a", ["d0", "d1"]),
        ("s-c1", "unsatisfiable", "", []),
    ]


def test_conflict_of_a_pod():
    """A claim that fits alone is in conflict beside the others of its pod; one that never fits is
    in conflict alone."""
    asked = [template("t", request(2)), template("u", request(3)), template("v", request(9))]

    both = serve(TWO_NODES, [*asked, pod("p", "template:t", "template:u")], by_pods=True)
    one = serve(TWO_NODES, [*asked, pod("p", "template:t", "template:v")], by_pods=True)

    assert [each.conflict for each in both] == [
        ("requests[0] r: 2 devices of class any",),
        ("requests[0] r: 3 devices of class any",),
    ]
    assert [each.conflict for each in one] == [(), ("requests[0] r: 5 devices of class any",)]


def test_nodes_that_a_pod_may_go_to():
    """Names, labels, affinity and taints decide; where none is left, it says why."""
    taint = {"key": "k", "effect": "NoSchedule"}
    nodes = [node("node-a", {"zone": "a"}, [taint]), node("node-b", {"zone": "b"})]
    term = {"matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    tolerant = {"tolerations": [{"operator": "Exists"}]}
    asked = [
        template("t", request()),
        pod("free", "template:t"),
        pod("tolerant", "template:t", **tolerant),
        pod("named", "template:t", nodeName="node-a"),
        pod("selected", "template:t", nodeSelector={"zone": "a"}),
        pod("affine", "template:t", affinity={"nodeAffinity": required}, **tolerant),
    ]

    verdicts = serve([*TWO_NODES, *nodes], asked, by_pods=True)

    assert [each.node for each in verdicts] == ["node-b", "node-a", "node-a", "", ""]
    assert verdicts[3].reason == (
        "no node may take the pod: 1 has no label `zone=a`; "
        "1 has the taint `k`, which the pod does not tolerate"
    )
    assert verdicts[4].reason == "cannot allocate all claims"


def test_affinity_that_makes_no_sense():
    """A term that the API server would refuse selects no node."""
    term = {"matchExpressions": [{"key": "zone", "operator": "Odd"}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}
    asked = [template("t", request()), pod("p", "template:t", affinity={"nodeAffinity": required})]

    (verdict,) = serve(TWO_NODES, asked, by_pods=True)

    assert verdict.reason == (
        "no node may take the pod: 2 have labels that the node affinity does not want"
    )


def test_no_nodes():
    """Slices of no node, without Node objects, can serve nothing."""
    everywhere = node_slice("node-a", 2)
    del everywhere["spec"]["nodeName"]
    everywhere["spec"]["allNodes"] = True
    asked = [template("t", request()), claim("c", request())]

    (_, claimed) = serve([everywhere, CLASS], asked)
    (by_pod,) = serve([everywhere, CLASS], [*asked, pod("p", "template:t")], by_pods=True)

    assert (claimed.reason, by_pod.reason) == ("there are no nodes", "there are no nodes")


def test_slices_for_all_nodes():
    """Devices that every node can reach are taken once, and a pod of them may go anywhere."""
    everywhere = node_slice("shared", 2)
    del everywhere["spec"]["nodeName"]
    everywhere["spec"]["allNodes"] = True
    dumped = [everywhere, CLASS, node("node-a"), node("node-b")]
    asked = [
        claim("c", request(2)),
        template("t", request()),
        pod("p", "claim:c"),
        pod("q", "template:t"),
        pod("r", "claim:c", nodeName="node-b"),
    ]

    verdicts = serve(dumped, asked, by_pods=True)

    assert told(verdicts) == [
        ("c", "allocated", "node-a", ["d0", "d1"]),
        ("q-c0", "unsatisfiable", "", []),
        ("c", "allocated", "node-b", ["d0", "d1"]),
    ]


def test_slices_for_selected_nodes():
    """Held devices of a slice with a node selector are where its nodes are."""
    selected = node_slice("shared", 1)
    del selected["spec"]["nodeName"]
    term = {"matchExpressions": [{"key": "zone", "operator": "Exists"}]}
    selected["spec"]["nodeSelector"] = {"nodeSelectorTerms": [term]}
    dumped = [selected, CLASS, node("node-a"), node("node-b", {"zone": "z"})]
    old = claim("old", request(), holds=["d0"], node="shared")

    (verdict,) = serve([*dumped, old], [pod("p", "claim:old")], by_pods=True)

    assert told([verdict]) == [("old", "allocated", "node-b", ["d0"])]


def test_nothing_is_taken_twice():
    """More pods than devices: as many are served as there are devices, no device twice."""
    pods = [pod(f"p{index}", "template:t") for index in range(8)]

    verdicts = serve(TWO_NODES, [template("t", request()), *pods], by_pods=True)
    devices = [(each.node, one.device) for each in verdicts for one in each.results]

    assert len(devices) == len(set(devices)) == 6
    assert [each.verdict for each in verdicts[6:]] == [Verdict.UNSATISFIABLE] * 2
