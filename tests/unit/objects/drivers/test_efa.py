"""The release of the EFA chart."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from neuron_dra.objects.drivers.efa import plan_efa
from unit.objects.small_plans import CLUSTER, keep_disjoint, make_plan, read_driver, told


def plan(*pools, driver="{chartVersion: 1.0.0}"):
    """Return the releases and diagnostics of a cluster with some pools."""
    return plan_efa(make_profile(*pools, driver=driver), read_driver("efa"))


def make_profile(*pools, driver="{chartVersion: 1.0.0}"):
    lines = "".join(f"      - {pool}\n" for pool in pools)
    body = f"      drivers: {{efa: {driver}}}\n      nodePools:\n{lines}"
    return make_plan(CLUSTER + body).profile


def pool(name, kind="a.large", *, efa="dra", labels="{}", taints="[]"):
    return (
        f"{{name: {name}, instanceType: {kind}, nodeSelector: {labels}, taints: {taints}, "
        f"mechanism: {{efa: {efa}}}}}"
    )


def test_plain():
    """Without taints and other mechanisms the chart's defaults do."""
    (release,), problems = plan(pool("a"))

    assert problems == []
    assert release.values == {}
    assert (release.name, release.role, release.namespace) == ("efa", "efa-driver", "kube-system")


@pytest.mark.parametrize("pools", [[pool("a", "plain.large")], [pool("a", efa="device-plugin")]])
def test_not_needed(pools):
    """Without a pool that has EFA interfaces by DRA there is no release."""
    assert plan(*pools) == ([], [])


def test_not_wanted():
    """Without `drivers.efa` there is no release."""
    profile = make_plan(f"{CLUSTER}      nodePools: [{pool('a')}]\n").profile

    assert plan_efa(profile, read_driver("efa")) == ([], [])


def test_values_without_release():
    """Values of a driver that no pool needs are told."""
    releases, problems = plan(
        pool("a", "plain.large"), driver="{chartVersion: 1.0.0, values: {verbosity: 2}}"
    )

    assert releases == []
    assert [(code, text) for code, text, _ in told(problems)] == [("ND4055", "verbosity")]


def test_tolerations():
    """The driver tolerates the taints of its own pools, of which it knows none by default."""
    neuron = "[{key: neuron, effect: NoSchedule}]"
    (release,), _ = plan(
        pool("a", taints=neuron),
        pool("b", taints="[{key: CriticalAddonsOnly, effect: NoSchedule}]"),
        pool("c", "plain.large", taints="[{key: other, effect: NoSchedule}]"),
    )

    assert release.values == {
        "tolerations": [{"key": "neuron", "operator": "Exists", "effect": "NoSchedule"}]
    }
    assert release.fields == {"tolerations": ("", "spec.nodePools")}


def test_own_tolerations():
    """The user's tolerations stay, and are completed."""
    (release,), _ = plan(
        pool("a", taints="[{key: neuron, effect: NoSchedule}]"),
        driver="{chartVersion: 1.0.0, values: {tolerations: [{key: x, operator: Exists}]}}",
    )

    assert release.values["tolerations"] == [
        {"key": "x", "operator": "Exists"},
        {"key": "neuron", "operator": "Exists", "effect": "NoSchedule"},
    ]


def test_instance_types():
    """A type that the chart does not list is added to the whole list."""
    (release,), _ = plan(pool("a", "b.large"))

    assert release.values == {
        "supportedInstanceLabels": {"values": ["a.large", "old.large", "b.large"]}
    }


def test_mixed_by_type():
    """Beside the device plugin the driver is bound to the types of its own pools."""
    (release,), problems = plan(pool("a"), pool("b", "b.large", efa="device-plugin"))

    assert problems == []
    assert release.values == {"supportedInstanceLabels": {"values": ["a.large"]}}


def test_mixed_by_label():
    """Where both mechanisms have one type, a label of all DRA pools tells them apart."""
    (release,), problems = plan(
        pool("a", labels="{group: x, efa: dra, only: a}"),
        pool("b", "b.large", labels="{group: x, efa: dra}"),
        pool("c", labels="{group: x, efa: plugin}", efa="device-plugin"),
    )

    assert problems == []
    assert release.values == {
        "supportedInstanceLabels": {"values": ["a.large", "b.large"]},
        "nodeSelector": {"efa": "dra"},
    }


def test_mixed_by_two_labels():
    """Two labels together may tell what neither does."""
    (release,), problems = plan(
        pool("a", labels="{x: '1', y: '1'}"),
        pool("b", labels="{x: '2'}", efa="device-plugin"),
        pool("c", labels="{y: '2'}", efa="device-plugin"),
    )

    assert problems == []
    assert release.values["nodeSelector"] == {"x": "1", "y": "1"}


@pytest.mark.parametrize("labels", ["{group: b}", "{other: y}"])
def test_not_separable(labels):
    """Pools that only differ pair by pair cannot be kept apart by one node selector."""
    _, problems = plan(
        pool("a", labels="{group: a, other: x}"),
        pool("c", labels="{group: c, other: z}"),
        pool("b", labels=labels, efa="device-plugin"),
    )

    ((code, text, message),) = told(problems)
    assert (code, text) == ("ND4057", labels)
    assert "pool `b`" in message
    assert "pool `a`" in message


POOLS = st.lists(
    st.tuples(
        st.sampled_from(["a.large", "b.large"]),
        st.dictionaries(st.sampled_from("xyz"), st.sampled_from("12"), max_size=3),
        st.sampled_from(["dra", "device-plugin"]),
    ),
    min_size=2,
    max_size=5,
)


@settings(max_examples=60, deadline=None)
@given(POOLS)
def test_driver_shares_no_node(drawn):
    """Unless told otherwise, the driver runs on the nodes of its own pools and on no others."""
    written = [
        pool(f"p{index}", kind, efa=efa, labels=str(labels))
        for index, (kind, labels, efa) in enumerate(drawn)
    ]
    kept = keep_disjoint(make_profile(*written).pools, lambda each: each.efa_by_dra)
    profile = make_profile(*(written[index] for index in kept))
    assume(len({each.efa_by_dra for each in profile.pools}) == 2)
    (release,), problems = plan_efa(profile, read_driver("efa"))
    assume(not problems)
    types = release.values["supportedInstanceLabels"]["values"]
    selector = release.values.get("nodeSelector", {})
    for each in profile.pools:
        for extra in ({}, {"x": "1"}, {"y": "2", "z": "1"}):
            labels = {**extra, **each.spec.node_selector}
            matches = all(labels.get(key) == value for key, value in selector.items())
            assert (each.type.name in types and matches) == each.efa_by_dra


def test_overlapping_pools():
    """Pools that may share a node are the plan's finding, and told once."""
    _, problems = plan(pool("a"), pool("b", efa="device-plugin"))

    assert problems == []


@pytest.mark.parametrize("key", ["supportedInstanceLabels: {}", "nodeSelector: {}"])
def test_owned(key):
    """What binds the driver to its nodes cannot be set beside the pools."""
    _, problems = plan(pool("a"), driver=f"{{chartVersion: 1.0.0, values: {{{key}}}}}")

    assert [code for code, _, _ in told(problems)] == ["ND4054"]


def test_external():
    """A driver that others install gets no release."""
    assert plan(pool("a"), driver="{install: external}") == ([], [])
