"""A user's values of a chart."""

import pytest

from neuron_dra.objects.drivers.neuron import plan_neuron
from neuron_dra.objects.drivers.values import merge_values
from unit.objects.small_plans import CLUSTER, make_plan, read_driver, told

POOLS = """
      nodePools:
      - {name: a, instanceType: a.large}
"""


def plan(values, pools=POOLS, further=""):
    """Return the releases and diagnostics of a cluster that gives values."""
    drivers = f"      drivers: {{neuron: {{chartVersion: 2.0.0, values: {values}}}{further}}}\n"
    return plan_neuron(make_plan(CLUSTER + drivers + pools).profile, read_driver("neuron"))


def test_values_lie_over_ours():
    """The user's values are merged into ours: maps by key, lists as a whole."""
    (release,), problems = plan("{draDriver: {resources: {limits: {cpu: 40m}}, image: {tag: x}}}")

    assert problems == []
    assert release.values["draDriver"] == {
        "enabled": True,
        "resources": {"limits": {"cpu": "40m"}},
        "image": {"tag": "x"},
    }
    field = "spec.drivers.neuron.values.draDriver.image.tag"
    assert release.fields["draDriver.image.tag"] == ("", field)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("{draDriver: {image: {tag: 1.10}}}", {"image": {"tag": "1.10"}}),
        ("{draDriver: {image: {tag: no}}}", {"image": {"tag": "no"}}),
        ("{draDriver: {resources: {a: no, b: 1.50}}}", {"resources": {"a": "no", "b": 1.5}}),
        ("{draDriver: {resources: {a: true, b: 0o17}}}", {"resources": {"a": True, "b": 15}}),
        ("{draDriver: {resources: {limits: null}}}", {"resources": {"limits": None}}),
        ("{draDriver: {resources: null}}", {"resources": None}),
    ],
)
def test_scalars(written, read):
    """A scalar is read by the type of its key, below a free key by YAML 1.2."""
    (release,), problems = plan(written)

    assert problems == []
    assert release.values["draDriver"] == {"enabled": True, **read}


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (
            "{draDriver: {resource: {}}}",
            ("ND4052", "resource", "the chart's values have no key `draDriver.resource`"),
        ),
        (
            "{draDrivers: {}}",
            ("ND4052", "draDrivers", "the chart's values have no key `draDrivers`"),
        ),
        (
            "{draDriver: {resources: 1}}",
            ("ND4053", "1", "expected a map, found `1`"),
        ),
        ("{draDriver: all}", ("ND4053", "all", "expected a map, found `all`")),
        ("{draDriver: null}", ("ND4053", "null", "expected a map, found nothing")),
        (
            "{draDriver: {image: {tag: [x]}}}",
            ("ND4053", "[x]", "expected a text, found a list"),
        ),
        (
            "{draDriver: {tolerations: [neuron]}}",
            ("ND4053", "neuron", "expected a map, found `neuron`"),
        ),
        (
            "{ultraserverOperator: {verbosity: high}}",
            ("ND4053", "high", "expected an integer, found `high`"),
        ),
    ],
)
def test_schema(written, expected):
    """A key that the chart's version does not have, and a value of another type, are refused."""
    further = ", ultraServerOperator: {enabled: true}"

    _, problems = plan(written, further=further)

    assert told(problems) == [expected]


def test_suggestion():
    """A misspelt key comes with the nearest known one, and the edit that repairs it."""
    _, (problem,) = plan("{draDriver: {resource: {}}}")

    assert problem.help == "did you mean `resources`?"
    assert [edit.replacement for edit in problem.edits] == ["resources"]


@pytest.mark.parametrize(
    ("written", "path", "cause"),
    [
        ("{neuronInstances: [x]}", "neuronInstances", "instance types"),
        ("{draDriver: {enabled: false}}", "draDriver.enabled", "mechanism"),
        ("{draDriver: {affinity: {}}}", "draDriver.affinity", "nodeSelector"),
        ("{draDriver: {nodeSelector: {}}}", "draDriver.nodeSelector", "nodeSelector"),
        ("{devicePlugin: {enabled: true}}", "devicePlugin.enabled", "mechanism"),
        ("{ultraserverOperator: {enabled: true}}", "ultraserverOperator.enabled", "drivers"),
    ],
)
def test_owned(written, path, cause):
    """A key that follows from the spec cannot be set beside it."""
    _, problems = plan(written)

    (message,) = [text for code, _, text in told(problems) if code == "ND4054"]
    assert message.startswith(f"`{path}` follows from")
    assert cause in message


def test_unused():
    """Values of what no release installs are told: they would do nothing."""
    values = "{npd: {enabled: true}, ultraserverOperator: {verbosity: 3}}"
    (release,), problems = plan(values)

    assert told(problems) == [
        (
            "ND4055",
            "npd",
            "the values of `npd` have no effect: no node pool uses the device plugin",
        ),
        (
            "ND4055",
            "ultraserverOperator",
            (
                "the values of `ultraserverOperator` have no effect: "
                "`drivers.ultraServerOperator` is not enabled"
            ),
        ),
    ]
    assert release.values["npd"] == {"enabled": False}
    assert "ultraserverOperator" not in release.values


def test_unused_defaults():
    """Values that defaults give to many clusters may be idle in one of them."""
    defaults = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: ClusterDefaults
    metadata: {name: prod}
    spec:
      drivers:
        neuron:
          chartVersion: 2.0.0
          repository: oci://mirror.example.com/neuron
          values: {npd: {enabled: false}}
    """
    for further in ("", "      drivers: {neuron: {install: external}}"):
        cluster = make_plan(f"{CLUSTER}      defaults: prod{POOLS}{further}", defaults)

        assert plan_neuron(cluster.profile, read_driver("neuron"))[1] == []


def test_values_of_several_layers():
    """A value of the defaults keeps their name; one of a Cluster belongs to whichever it is."""
    defaults = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: ClusterDefaults
    metadata: {name: prod}
    spec:
      drivers: {neuron: {chartVersion: 2.0.0, values: {draDriver: {resources: {}}}}}
    """
    cluster = make_plan(f"{CLUSTER}      defaults: prod{POOLS}", defaults)

    (release,), problems = plan_neuron(cluster.profile, read_driver("neuron"))

    assert problems == []
    assert release.fields["draDriver.resources"][0] == "ClusterDefaults/prod"


def test_merge():
    """Merging changes neither side."""
    lower, upper = {"a": {"b": 1, "c": [1]}}, {"a": {"c": [2]}, "d": None}

    assert merge_values(lower, upper) == {"a": {"b": 1, "c": [2]}, "d": None}
    assert lower == {"a": {"b": 1, "c": [1]}}
