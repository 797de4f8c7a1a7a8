"""Releases of the Neuron chart."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from neuron_dra.objects.drivers.neuron import plan_neuron
from neuron_dra.objects.drivers.release import render_values
from unit.objects.small_plans import CLUSTER, keep_disjoint, make_plan, read_driver, told

TYPE_LABEL = "node.kubernetes.io/instance-type"


def make_profile(pools, driver="{chartVersion: 2.0.0}", further=""):
    lines = "".join(f"      - {pool}\n" for pool in pools)
    body = f"      drivers: {{neuron: {driver}{further}}}\n"
    body += f"      nodePools:\n{lines}" if pools else ""
    return make_plan(CLUSTER + body).profile


def plan(*pools, **further):
    """Return the releases by name, and diagnostics, of a cluster with some pools."""
    releases, problems = plan_neuron(make_profile(pools, **further), read_driver("neuron"))
    return {release.name: release for release in releases}, problems


def pool(name, kind="a.large", *, neuron="dra", labels="{}", taints="[]"):
    return (
        f"{{name: {name}, instanceType: {kind}, nodeSelector: {labels}, taints: {taints}, "
        f"mechanism: {{neuron: {neuron}}}}}"
    )


def test_dra_only():
    """A cluster of DRA pools gets one release, with what goes against DRA switched off."""
    releases, problems = plan(pool("a"))

    assert problems == []
    assert list(releases) == ["neuron"]
    release = releases["neuron"]
    assert release.values == {
        "draDriver": {"enabled": True},
        "devicePlugin": {"enabled": False},
        "npd": {"enabled": False},
    }
    assert release.values_path == "helm/neuron/values.yaml"
    assert (release.version, release.namespace) == ("2.0.0", "dra-system")
    assert release.repository == "oci://charts.example.com/neuron"


def test_no_pools():
    """A cluster without pools gets the DRA driver as the chart installs it."""
    releases, problems = plan()

    assert (list(releases), problems) == (["neuron"], [])


def test_device_plugin_only():
    """A cluster of device plugin pools gets that release only, with node problem detection."""
    releases, problems = plan(pool("a", neuron="device-plugin"))

    assert problems == []
    assert {name: release.values for name, release in releases.items()} == {
        "neuron-device-plugin": {
            "draDriver": {"enabled": False},
            "devicePlugin": {"enabled": True},
            "npd": {"enabled": True},
        }
    }
    assert releases["neuron-device-plugin"].namespace == "npd-system"


def test_instance_types():
    """A type that the chart does not list is added, and the whole list is emitted."""
    releases, _ = plan(pool("b", "b.large"), pool("a"))

    release = releases["neuron"]
    assert release.values["neuronInstances"] == ["a.large", "old.large", "b.large"]
    assert release.fields["neuronInstances"] == ("", "spec.nodePools")


@pytest.mark.parametrize(
    ("taints", "added"),
    [
        ("[{key: neuron, effect: NoSchedule}]", []),
        ("[{key: neuron, value: x, effect: NoSchedule}]", []),
        ("[{key: other, effect: PreferNoSchedule}]", []),
        (
            "[{key: neuron, effect: NoExecute}]",
            [{"key": "neuron", "operator": "Exists", "effect": "NoExecute"}],
        ),
        (
            "[{key: team, value: ml, effect: NoSchedule}, {key: b, effect: NoSchedule}]",
            [
                {"key": "b", "operator": "Exists", "effect": "NoSchedule"},
                {"key": "team", "operator": "Equal", "value": "ml", "effect": "NoSchedule"},
            ],
        ),
    ],
)
def test_tolerations(taints, added):
    """The driver tolerates every taint of its pools that would keep it away."""
    releases, _ = plan(pool("a", taints=taints))

    default = [
        {"key": "CriticalAddonsOnly", "operator": "Exists"},
        {"key": "neuron", "operator": "Exists", "effect": "NoSchedule"},
    ]
    driver = releases["neuron"].values["draDriver"]
    assert driver.get("tolerations", default) == [*default, *added]
    assert ("tolerations" in driver) == bool(added)


@pytest.mark.parametrize(
    ("given", "result"),
    [
        ("[{operator: Exists}]", [{"operator": "Exists"}]),
        ("[{key: x}]", [{"key": "x"}]),
        (
            "[{key: x, value: y}]",
            [
                {"key": "x", "value": "y"},
                {"key": "x", "operator": "Exists", "effect": "NoSchedule"},
            ],
        ),
        ("[]", [{"key": "x", "operator": "Exists", "effect": "NoSchedule"}]),
        ("null", [{"key": "x", "operator": "Exists", "effect": "NoSchedule"}]),
    ],
)
def test_own_tolerations(given, result):
    """The user's tolerations are completed too, in place of the chart's."""
    driver = f"{{chartVersion: 2.0.0, values: {{draDriver: {{tolerations: {given}}}}}}}"

    releases, problems = plan(pool("a", taints="[{key: x, effect: NoSchedule}]"), driver=driver)

    assert problems == []
    assert releases["neuron"].values["draDriver"]["tolerations"] == result


def test_mixed():
    """Two mechanisms are two releases, each bound to the labels and types of its own pools."""
    releases, problems = plan(
        pool("a", labels="{group: dra}"),
        pool("p", labels="{group: plugin, zone: x}", neuron="device-plugin"),
        pool("b", "b.large", neuron="device-plugin"),
    )

    def term(kind, *labels):
        excluded = {
            "key": "eks.amazonaws.com/compute-type",
            "operator": "NotIn",
            "values": ["fargate", "auto"],
        }
        required = [(TYPE_LABEL, kind), *labels]
        return {
            "matchExpressions": [
                *({"key": key, "operator": "In", "values": [value]} for key, value in required),
                excluded,
            ]
        }

    dra, plugin = releases["neuron"].values, releases["neuron-device-plugin"].values
    assert problems == []
    assert terms(dra["draDriver"]) == [term("a.large", ("group", "dra"))]
    assert terms(plugin["devicePlugin"]) == [
        term("a.large", ("group", "plugin"), ("zone", "x")),
        term("b.large"),
    ]
    assert "neuronInstances" not in dra
    assert plugin["neuronInstances"] == ["a.large", "old.large", "b.large"]
    assert (dra["npd"], plugin["npd"]) == ({"enabled": False}, {"enabled": True})
    assert (dra["devicePlugin"], plugin["draDriver"]) == ({"enabled": False}, {"enabled": False})


def test_type_among_labels():
    """A pool that is found by its type alone is bound to it once."""
    labels = f"{{{TYPE_LABEL}: a.large}}"
    releases, _ = plan(pool("a", labels=labels), pool("b", "b.large", neuron="device-plugin"))

    (term,) = terms(releases["neuron"].values["draDriver"])
    assert [each["key"] for each in term["matchExpressions"]].count(TYPE_LABEL) == 1


def test_mixed_values():
    """Values go to the release that installs what they are for."""
    driver = (
        "{chartVersion: 2.0.0, values: {draDriver: {image: {tag: d}}, "
        "devicePlugin: {image: {tag: p}}, scheduler: {enabled: true}, npd: {enabled: false}}}"
    )
    releases, problems = plan(
        pool("a"), pool("b", "b.large", neuron="device-plugin"), driver=driver
    )

    dra, plugin = releases["neuron"], releases["neuron-device-plugin"]
    assert problems == []
    assert dra.values["draDriver"]["image"] == {"tag": "d"}
    assert "image" not in dra.values["devicePlugin"]
    assert "scheduler" not in dra.values
    assert plugin.values["devicePlugin"]["image"] == {"tag": "p"}
    assert plugin.values["scheduler"] == {"enabled": True}
    assert plugin.values["npd"] == {"enabled": False}
    assert plugin.namespace == "kube-system"
    assert "devicePlugin.image.tag" in plugin.fields
    assert "devicePlugin.image.tag" not in dra.fields


def terms(part):
    node = part["affinity"]["nodeAffinity"]
    return node["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]


def admits(part, labels):
    """Evaluate a node affinity as the scheduler does."""
    return any(
        all(
            (labels.get(each["key"]) in each["values"]) == (each["operator"] == "In")
            for each in term["matchExpressions"]
        )
        for term in terms(part)
    )


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
def test_releases_share_no_node(drawn):
    """Where pools of different mechanism are disjoint, no node of any pool gets both drivers."""
    written = [
        pool(f"p{index}", kind, neuron=neuron, labels=str(labels))
        for index, (kind, labels, neuron) in enumerate(drawn)
    ]
    kept = keep_disjoint(make_profile(written).pools, lambda each: each.neuron_by_dra)
    profile = make_profile([written[index] for index in kept])
    assume(len({each.neuron_by_dra for each in profile.pools}) == 2)
    releases, _ = plan_neuron(profile, read_driver("neuron"))
    dra, plugin = releases
    for each in profile.pools:
        for extra in ({}, {"x": "1"}, {"y": "2", "z": "1"}):
            labels = {**extra, **each.spec.node_selector, TYPE_LABEL: each.type.name}
            admitted = (
                admits(dra.values["draDriver"], labels),
                admits(plugin.values["devicePlugin"], labels),
            )
            assert admitted == (each.neuron_by_dra, not each.neuron_by_dra)


@pytest.mark.parametrize("pools", [[], [pool("a")]])
def test_operator(pools):
    """The UltraServer operator is switched on in the release of the DRA driver."""
    releases, problems = plan(*pools, further=", ultraServerOperator: {enabled: true}")

    release = releases["neuron"]
    assert problems == []
    assert release.values["ultraserverOperator"] == {"enabled": True}
    assert ("apiextensions.k8s.io", "CustomResourceDefinition") in release.cluster_kinds


@pytest.mark.parametrize(
    ("driver", "pools", "message"),
    [
        (
            "{chartVersion: 1.0.0}",
            [pool("a")],
            "the UltraServer operator is not part of version 1.0.0 of the chart",
        ),
        (
            "{chartVersion: 2.0.0}",
            [pool("a", neuron="device-plugin")],
            "the UltraServer operator needs the DRA driver, and no node pool uses DRA",
        ),
        (
            "null",
            [],
            "the UltraServer operator needs `drivers.neuron`, whose chart it is part of",
        ),
    ],
)
def test_operator_not_installable(driver, pools, message):
    """The operator is refused where the chart cannot bring it."""
    further = ", ultraServerOperator: {enabled: true}"
    if driver == "null":
        body = "      drivers: {ultraServerOperator: {enabled: true}}\n"
        _, problems = plan_neuron(make_plan(CLUSTER + body).profile, read_driver("neuron"))
    else:
        _, problems = plan(*pools, driver=driver, further=further)

    assert [(code, text) for code, _, text in told(problems)] == [("ND4058", message)]


def test_external():
    """A driver that others install gets no values, and what is said of its chart is told."""
    mirror = "repository: oci://mirror.example.com/neuron"
    releases, problems = plan(
        pool("a"),
        driver=f"{{install: external, chartVersion: 2.0.0, {mirror}, values: {{npd: {{}}}}}}",
    )

    assert releases == {}
    assert [(code, text) for code, text, _ in told(problems)] == [
        ("ND4055", "repository"),
        ("ND4055", "values"),
    ]


def test_dra_values_without_dra():
    """Values of the DRA driver are told where every pool has the device plugin."""
    driver = "{chartVersion: 2.0.0, values: {draDriver: {image: {tag: x}}}}"
    releases, problems = plan(pool("a", neuron="device-plugin"), driver=driver)

    assert "image" not in releases["neuron-device-plugin"].values["draDriver"]
    assert [(code, text) for code, text, _ in told(problems)] == [("ND4055", "draDriver")]


def test_external_is_still_checked():
    """An external driver's version is checked where it is given, and may be left out."""
    operator = ", ultraServerOperator: {enabled: true}"

    _, old = plan(pool("a"), driver="{install: external, chartVersion: 1.0.0}", further=operator)
    _, unsaid = plan(pool("a"), driver="{install: external}", further=operator)

    assert [code for code, _, _ in told(old)] == ["ND4058"]
    assert unsaid == []


@pytest.mark.parametrize(
    ("driver", "expected"),
    [
        ("{}", [("ND4056", "{}")]),
        ("{chartVersion: 3.0.0}", [("ND4050", "3.0.0")]),
        ("{chartVersion: 3.0.0, like: 4.0.0}", [("ND4050", "4.0.0")]),
        ("{chartVersion: 3.0.0, like: 2.0.0}", [("ND4051", "3.0.0")]),
        ("{chartVersion: 2.0.0, like: 1.0.0}", [("ND4059", "like")]),
    ],
)
def test_chart_version(driver, expected):
    """A chart version is known, or is like a known one."""
    _, problems = plan(pool("a"), driver=driver)

    assert [(code, text) for code, text, _ in told(problems)] == expected


def test_unknown_version_names_the_known():
    """An unknown version comes with the versions that are known."""
    _, (problem,) = plan(pool("a"), driver="{chartVersion: 30.5.7}")

    assert "`1.0.0`, `2.0.0`" in problem.help
    assert "like" in problem.help


def test_like():
    """An unknown version is installed with the facts of the one it is like."""
    releases, _ = plan(pool("a"), driver="{chartVersion: 3.0.0, like: 2.0.0}")

    assert releases["neuron"].version == "3.0.0"


def test_mirror():
    """A chart may come from elsewhere."""
    driver = "{chartVersion: 2.0.0, repository: oci://mirror.example.com/neuron}"
    releases, _ = plan(pool("a"), driver=driver)

    assert releases["neuron"].repository == "oci://mirror.example.com/neuron"


def test_namespace_override():
    """The release goes to the namespace that the values move the driver to."""
    driver = "{chartVersion: 2.0.0, values: {draDriver: {namespaceOverride: dra}}}"
    releases, _ = plan(pool("a"), driver=driver)

    assert releases["neuron"].namespace == "dra"


def test_values_file():
    """The values of a release are a file of the cluster, whoever gave them."""
    driver = "{chartVersion: 2.0.0, values: {draDriver: {image: {tag: x}}}}"
    releases, _ = plan(pool("a"), driver=driver)

    made = render_values(releases["neuron"], "Cluster/west")

    assert made.path == "helm/neuron/values.yaml"
    assert made.data == releases["neuron"].values
    assert made.documents == ("Cluster/west",)
    assert made.fields == {
        "draDriver.image.tag": "Cluster/west spec.drivers.neuron.values.draDriver.image.tag"
    }
