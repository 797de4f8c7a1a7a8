"""Drivers and their charts."""

from __future__ import annotations

import pytest

DRIVER = "drivers/neuron.yaml"
MORE = """\
  configs:
    strict: true
    kinds:
      NeuronConfig:
        apiVersion: neuron.example.com/v1
        fields:
          size: {type: integer, allowed: [1, 2], default: 2}
          plan: {type: string, allowed: [Fast, "true"], required: true}
    source: a test
    date: 2026-01-01
  sdks: {neuronDrivers: {2.1.0: 2.0.0.9}, source: a test, date: 2026-01-01}
  charts:
    1.2.0:
      chart: a-chart
      repository: oci://registry.example.com/charts
      instanceTypes: [a.large, b.large]
      droppedPrefixes: [b]
      values: &values
        enabled: boolean
        image: {tag: string, pull: {policy: string}}
        tolerations: list
      source: a test
      date: 2026-01-01
    1.10.0:
      chart: a-chart
      repository: oci://registry.example.com/charts
      values: {<<: *values, operator: map}
      source: a test
      date: 2026-01-01
"""


@pytest.fixture
def driver(files):
    files.files[DRIVER] += MORE
    catalog = files.open()
    made = catalog.driver("neuron")
    assert catalog.diagnostics == []
    return made


def test_group_attributes(driver):
    """The attribute of a device group is found by the size of the group."""
    assert driver.group_attributes == {
        2: "shared.example.com/group2",
        4: "shared.example.com/group4",
    }


def test_charts(driver):
    """A chart release is found by its version; an unknown one brings a suggestion."""
    assert driver.chart("1.2.0").chart == "a-chart"
    assert driver.chart("1.2") is None
    assert driver.chart_help("1.2") == "did you mean `1.2.0`?"


def test_runs_on(driver):
    """The node affinity is the list of instance types without the dropped ones."""
    chart = driver.chart("1.2.0")

    assert [chart.runs_on(name) for name in ("a.large", "b.large", "c.large")] == [
        True,
        False,
        False,
    ]
    assert not driver.chart("1.10.0").runs_on("a.large")


def test_values(driver):
    """The schema of values nests, and a later release can build on an earlier one."""
    assert driver.chart("1.2.0").values == {
        "enabled": "boolean",
        "image": {"tag": "string", "pull": {"policy": "string"}},
        "tolerations": "list",
    }
    assert set(driver.chart("1.10.0").values) == {"enabled", "image", "tolerations", "operator"}


def test_configs(driver):
    """The allowed values of a field are integers, booleans or texts as they are written."""
    fields = driver.configs.kinds["NeuronConfig"].fields

    assert fields["size"].allowed == (1, 2)
    assert fields["size"].default == 2
    assert fields["plan"].allowed == ("Fast", True)
    assert fields["plan"].required


def test_sdks(driver):
    """A Neuron SDK has one kernel driver; an unknown one has none."""
    assert driver.neuron_driver("2.1.0") == "2.0.0.9"
    assert driver.neuron_driver("2.2.0") is None


def test_a_driver_with_little(files):
    """Without attributes, charts and SDKs the answers are empty."""
    files.files[DRIVER] = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Driver
metadata: {name: neuron}
spec:
  charts: {}
"""
    driver = files.open().driver("neuron")

    assert driver.group_attributes == {}
    assert driver.neuron_driver("2.1.0") is None
    assert driver.chart("1.2.0") is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("enabled: boolean", "enabled: bool", "`bool` is not one of"),
        ("1.2.0:\n", "1.2:\n", "`1.2` is not a chart version, like `1.10.0`"),
        ("2.1.0: 2.0.0.9", "2.1.0: 2.0.0", "`2.0.0` is not a Neuron driver version"),
    ],
)
def test_wrong_values(files, old, new, message):
    """A type, a version or a key of another form is refused."""
    files.files[DRIVER] += MORE
    files.edit(DRIVER, old, new)
    catalog = files.open()

    assert catalog.driver("neuron") is None
    assert catalog.diagnostics[0].message.startswith(message)


def test_attribute_names_are_qualified(files):
    """An attribute without a domain is refused."""
    files.edit(DRIVER, "neuron.example.com/row", "row")
    catalog = files.open()

    assert catalog.driver("neuron") is None
    assert catalog.diagnostics[0].message == (
        "`row` is not a qualified name, like `neuron.aws.com/deviceId`"
    )
