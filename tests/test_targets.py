"""The facts in `targets/` are sound, have sources, agree with each other and with what was seen.

In: the shipped catalogue and the captures. Does not judge a fact that nothing can be compared with.
"""

from __future__ import annotations

import hashlib
import re
from itertools import pairwise
from pathlib import Path

import pytest
import yaml

from neuron_dra.catalog.consumer import version_key
from neuron_dra.catalog.document import KINDS
from neuron_dra.catalog.facts import Answer
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.spec.cluster import ClusterSpec

ROOT = Path(__file__).resolve().parents[1]
TARGETS = ROOT / "targets"
CAPTURES = ROOT / "tests/data/captures"
FILES = sorted(path.relative_to(TARGETS).as_posix() for path in TARGETS.glob("*/*"))
STAGES = ["alpha", "beta", "GA"]
BEGINNING = {"GA": 2, "beta": 1, "alpha": 0, "deprecated": 0}

# HBM in GiB and EFA bandwidth in Gbps of one instance: AWS Neuron documentation and EC2, 2026-10.
TOTALS = {
    "trn1.2xlarge": (32, 0),
    "trn1.32xlarge": (512, 800),
    "trn1n.32xlarge": (512, 1600),
    "trn2.3xlarge": (96, 200),
    "trn2.48xlarge": (1536, 3200),
    "trn2u.48xlarge": (1536, 3200),
    "inf2.xlarge": (32, 0),
    "inf2.8xlarge": (32, 0),
    "inf2.24xlarge": (192, 0),
    "inf2.48xlarge": (384, 0),
}


@pytest.fixture(scope="module")
def catalog():
    return open_catalog()


def read_yaml(name):
    return yaml.safe_load((TARGETS / name).read_text(encoding="utf-8"))


def read_capture(name):
    path = CAPTURES / "trn1.32xlarge" / name
    return list(yaml.safe_load_all(path.read_text(encoding="utf-8")))


def fact_groups(name):
    """Yield the place and the content of every group of facts in a file."""
    for key, value in read_yaml(name)["spec"].items():
        if key == "charts":
            yield from ((f"{key}.{version}", chart) for version, chart in value.items())
        elif key == "ways":
            yield from facts_of_ways(value)
        elif isinstance(value, dict) and key != "nodeLabels":
            yield key, value


def facts_of_ways(ways):
    """Yield the place and the content of every fact of a consumer about a part of a claim."""
    for way, content in ways.items():
        for index, release in enumerate(content["releases"]):
            parts = {**release.get("parts", {}), "rest": release.get("rest")}
            yield from (
                (f"ways.{way}[{index}].{name}", part) for name, part in parts.items() if part
            )


def instance_types(catalog):
    return [catalog.instance_type(name) for name in catalog.instance_type_names()]


def group_id(addresses):
    """Return the id that the device map library gives to a group of EFA interfaces."""
    return hashlib.sha256(",".join(sorted(set(addresses))).encode()).hexdigest()[:16]


def test_every_file_is_sound(catalog):
    """Every file decodes, every name that it refers to is there, and no file is left over."""
    ask = {
        "instances": catalog.instance_type,
        "chips": catalog.chip,
        "drivers": catalog.driver,
        "kubernetes": catalog.kubernetes,
        "device-maps": catalog.device_map,
        "consumers": catalog.consumer,
    }
    made = [ask[folder](file.removesuffix(".yaml")) for folder, file in map(split, FILES)]

    assert catalog.diagnostics == []
    assert None not in made
    assert {folder for folder, _ in map(split, FILES)} == set(KINDS)


def split(name):
    folder, _, file = name.partition("/")
    return folder, file


@pytest.mark.parametrize("name", FILES)
def test_every_group_has_a_source(name):
    """Every group of facts says where it is from and of which day."""
    groups = dict(fact_groups(name))

    assert groups
    for place, group in groups.items():
        assert len(group.get("source", "")) > 10, place
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", str(group.get("date"))), place


@pytest.mark.parametrize("name", FILES)
def test_files_are_small(name):
    """A file can be read in one sitting, and its lines do not hide a change."""
    lines = (TARGETS / name).read_text(encoding="utf-8").splitlines()

    assert len(lines) < 450
    assert max(map(len, lines)) < 250


def test_instance_types_say_whether_they_can_be_had(catalog):
    """Every shipped instance type says whether EC2 offers it and whether the driver runs there."""
    for made in instance_types(catalog):
        assert made.facts.offering is not None, made.name
        assert made.facts.served is not None, made.name
        offered = made.facts.offering.status == "available"
        assert offered == made.facts.offering.ec2_listed, made.name


def test_serving_agrees_with_the_charts(catalog):
    """The driver runs where some chart's node affinity has the type, and nowhere else for sure."""
    charts = catalog.driver("neuron").charts.values()
    for made in instance_types(catalog):
        listed = any(chart.runs_on(made.name) for chart in charts)
        assert listed == (made.served is Answer.YES), made.name


def test_names_of_charts_and_maps_are_there(catalog):
    """Every Trainium and Inferentia2 type that a chart lists has a file of its own."""
    listed = {
        name
        for chart in catalog.driver("neuron").charts.values()
        for name in chart.instance_types
        if not name.startswith(("ml.", "inf1."))
    }

    assert len(listed) > 10
    assert listed <= set(catalog.instance_type_names())


def test_efa_agrees_with_the_chart(catalog):
    """Where the EFA chart runs there are interfaces; device groups are only where it runs."""
    (chart,) = catalog.driver("efa").charts.values()
    for made in instance_types(catalog):
        if chart.runs_on(made.name):
            assert made.efa_interfaces, made.name
        if made.device_map:
            assert chart.runs_on(made.name), made.name


@pytest.mark.parametrize("name", TOTALS)
def test_totals(catalog, name):
    """HBM and EFA bandwidth are what the vendor prints for the whole instance."""
    made = catalog.instance_type(name)
    efa = made.facts.efa

    assert (made.hbm_gib, efa.interfaces * (efa.gbps_per_interface or 0)) == TOTALS[name]
    assert made.facts.devices.hbm_gib == made.hbm_gib


@pytest.mark.parametrize("name", sorted(path.stem for path in TARGETS.glob("device-maps/*.yaml")))
def test_group_ids_follow_the_rule(catalog, name):
    """The ids of device groups are the hash of their interfaces' addresses."""
    device_map = catalog.device_map(name)
    addresses = device_map.efa.addresses

    assert device_map.sizes == (1, 4, 8, 16)
    for size in device_map.sizes[1:]:
        groups = [addresses[start : start + size] for start in range(0, len(addresses), size)]
        assert list(device_map.groups.ids[str(size)]) == [group_id(group) for group in groups]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("trn1.32xlarge", [1, 2, 4, 8]),
        ("trn1n.32xlarge", [1, 4, 8, 16]),
        ("trn2.48xlarge", [1, 4, 8, 16]),
        ("trn2.3xlarge", [None] * 4),
    ],
)
def test_interfaces_of_connected_sets(catalog, name, expected):
    """On trn1.32xlarge two devices share an interface, elsewhere each has its own or none."""
    made = catalog.instance_type(name)

    assert [made.efa_for(size) for size in (1, 4, 8, 16)] == expected


def test_connected_sets_have_an_attribute(catalog):
    """Where several devices are claimed as a connected set and slices were seen, groups exist."""
    for made in instance_types(catalog):
        if made.is_observed and made.device_count > 1:
            for size in made.connected_sizes:
                assert made.group_attribute(size), (made.name, size)


def test_both_drivers_share_the_group_attributes(catalog):
    """A constraint across both drivers works because they publish the same attributes."""
    neuron, efa = catalog.driver("neuron"), catalog.driver("efa")

    assert neuron.group_attributes == efa.group_attributes
    assert sorted(neuron.group_attributes) == [1, 4, 8, 16]


@pytest.mark.parametrize("name", ["neuron", "efa"])
def test_vended_classes_select_their_driver(catalog, name):
    """The vended DeviceClass begins by asking for its own driver."""
    driver = catalog.driver(name)

    (selector,) = driver.device_class.selectors
    assert selector.startswith(f'device.driver == "{driver.driver.name}"')


def test_operator_is_in_the_charts_that_say_so(catalog):
    """The chart releases of the operator are those of the Neuron chart that have its values."""
    neuron, operator = catalog.driver("neuron"), catalog.driver("ultraserver-operator")
    with_operator = {
        version for version, chart in neuron.charts.items() if chart.ultra_server_operator
    }

    assert with_operator == set(operator.charts)
    for version, chart in neuron.charts.items():
        assert ("ultraserverOperator" in chart.values) == (version in with_operator)


def test_charts_know_the_sdk(catalog):
    """Every Neuron chart came with an SDK whose kernel driver is known."""
    driver = catalog.driver("neuron")

    for chart in driver.charts.values():
        assert driver.neuron_driver(chart.sdk)


def test_gates_only_mature(catalog):
    """From one minor to the next no gate goes back a stage, unless it is deprecated."""
    releases = [catalog.kubernetes(minor) for minor in catalog.minors()]

    for older, newer in pairwise(releases):
        for name, gate in newer.gates.gates.items():
            before = older.gate(name)
            if before and gate.stage in STAGES:
                assert STAGES.index(gate.stage) >= BEGINNING[before.stage], (newer.minor, name)


def test_fields_are_lost_only_while_a_gate_is_off(catalog):
    """What the API server does to a field is said of gates that are off by default."""
    for minor in catalog.minors():
        for name, gate in catalog.kubernetes(minor).gates.gates.items():
            assert not (gate.fields and gate.default), (minor, name)


def test_kubernetes_that_drivers_need(catalog):
    """Kubelets that a driver does not work on are barred by the release too."""
    for name in catalog.driver_names():
        for version in catalog.driver(name).kubernetes.barred_nodes:
            patch = int(version.rpartition(".")[2])
            assert patch in catalog.kubernetes(version).barred_patches, (name, version)


# Who consumes claims.


def releases_of(catalog):
    """Yield every consumer with its ways and what is known of their versions."""
    for consumer in catalog.consumers():
        for name, way in consumer.ways.items():
            yield from ((consumer, name, release) for release in way.releases)


@pytest.mark.parametrize("name", sorted(path.stem for path in TARGETS.glob("consumers/*.yaml")))
def test_consumers_say_why_not(name):
    """Every part of a claim that a consumer cannot handle, or may not, has a reason."""
    for place, part in facts_of_ways(read_yaml(f"consumers/{name}.yaml")["spec"]["ways"]):
        assert part.get("usable") is True or part.get("reason"), place
        assert ("basis" in part) or "usable" not in part, place
        assert not part.get("usable") or not {"says", "rewrite"} & set(part), place


def test_versions_of_consumers_do_not_overlap(catalog):
    """A version is in one range of a way at most, and the ranges stand in order."""
    for consumer in catalog.consumers():
        for name, way in consumer.ways.items():
            for older, newer in pairwise(way.releases):
                assert not older.includes(newer.since or ""), (consumer.name, name)
                assert version_key(older.until or newer.since) < version_key(newer.since), (
                    consumer.name,
                    name,
                )


def test_one_default_of_a_version(catalog):
    """Ways that nobody configures agree on every claim, or there is one of them."""
    for consumer, name, release in releases_of(catalog):
        if release.default and not release.rest:
            others = [
                other
                for other, way in consumer.ways.items()
                for each in way.releases
                if other != name and each.default and each.includes(release.since)
            ]
            assert not others, (consumer.name, name, release.since)


def test_versions_come_from_keys_of_a_cluster(catalog):
    """What says the version of a consumer is a key of the spec language."""
    for consumer in catalog.consumers():
        model = ClusterSpec
        for key in (consumer.version_from or "").split(".") if consumer.version_from else ():
            reader = model.KEYS[key].reader
            reader = getattr(reader, "item", reader)
            model = getattr(reader, "cls", None)
        assert model in (ClusterSpec, None), consumer.name


def test_capacity_without_dra_is_what_the_chart_leaves_out(catalog):
    """The kinds of capacity that hand out no Neuron devices are excluded by the driver's chart."""
    charts = catalog.driver("neuron").charts.values()
    labels = {value for consumer in catalog.consumers() for value in consumer.node_labels.values()}

    assert labels
    for chart in charts:
        if chart.excluded_compute_types:
            assert labels <= set(chart.excluded_compute_types)


def test_kubelets_agree_with_the_releases(catalog):
    """A kubelet is barred here exactly where the release of Kubernetes bars it."""
    (way,) = catalog.consumer("kubelet").ways.values()
    for minor in catalog.minors():
        barred = catalog.kubernetes(minor).barred_patches
        for patch in range(6):
            fact = way.release(f"{minor}.{patch}").part("neuron")
            assert fact.usable == (patch not in barred), (minor, patch)


def test_extended_resources_agree_with_the_gate(catalog):
    """A pod can ask for an extended resource exactly in the minors whose gate is on."""
    (way,) = catalog.consumer("extended-resource").ways.values()
    for minor in catalog.minors():
        fact = way.release(minor).part("neuron")
        assert fact.usable == catalog.kubernetes(minor).is_on("DRAExtendedResource"), minor


# What is published: the capture of a real cluster.


def published_value(attribute, device, made):
    """Return what the catalogue says a device publishes, as the API writes it."""
    rows_columns = made.torus
    values = {
        "deviceId": device,
        "instanceType": made.name,
        "resourceType": "neuron_device",
        "row": device // rows_columns[1],
        "column": device % rows_columns[1],
        "quotient": device // (attribute.size or 1),
        "deviceGroup": made.device_map.group_id(attribute.size or 1, device),
        "constant": attribute.constant == "true"
        if attribute.type == "bool"
        else attribute.constant,
    }
    return values[attribute.value]


def qualified(name, driver):
    return name if "/" in name else f"{driver}/{name}"


def test_captured_neuron_devices(catalog):
    """A captured slice has exactly the attributes, types and values of the catalogue."""
    (published,) = read_capture("neuron-resourceslice.yaml")
    made = catalog.instance_type("trn1.32xlarge")
    driver = catalog.driver("neuron")
    devices = published["spec"]["devices"]

    assert published["spec"]["driver"] == driver.driver.name
    assert len(devices) == made.device_count
    for device in devices:
        attributes = {
            qualified(name, driver.driver.name): value
            for name, value in device["attributes"].items()
        }
        assert set(attributes) == set(made.facts.published.present)
        number = attributes[f"{driver.driver.name}/deviceId"]["int"]
        for name, value in attributes.items():
            fact = driver.attributes.names[name]
            assert list(value) == [fact.type], name
            if not fact.live:
                assert value[fact.type] == published_value(fact, number, made), name


def test_captured_groups(catalog):
    """The groups of captured devices are the connected sets of the catalogue."""
    (published,) = read_capture("neuron-resourceslice.yaml")
    made = catalog.instance_type("trn1.32xlarge")

    for size in (4, 8, 16):
        groups = {}
        for device in published["spec"]["devices"]:
            attributes = device["attributes"]
            group = attributes[made.group_attribute(size)]["string"]
            groups.setdefault(group, []).append(attributes["deviceId"]["int"])
        assert sorted(tuple(sorted(group)) for group in groups.values()) == list(
            made.connected_sets(size)
        )


def test_captured_efa_devices(catalog):
    """A captured EFA device has the attributes and the group ids that the catalogue says."""
    (published,) = read_capture("efa-resourceslice.yaml")
    made = catalog.instance_type("trn1.32xlarge")
    driver = catalog.driver("efa")
    names = driver.attributes.names
    device_name = names["dra.net/pciDevice"].constant
    devices = [
        device["attributes"]
        for device in published["spec"]["devices"]
        if device["attributes"]["dra.net/pciDevice"]["string"] == device_name
    ]

    assert published["spec"]["driver"] == driver.driver.name
    assert len(devices) == made.efa_interfaces
    for attributes in devices:
        address = attributes["dra.net/pciAddress"]["string"]
        neighbour = made.device_map.efa.addresses.index(address)
        assert set(attributes) == set(names)
        for name, value in attributes.items():
            fact = names[name]
            assert list(value) == [fact.type], name
            if not fact.live and fact.value != "pciAddress":
                assert value[fact.type] == published_value(fact, neighbour, made), name


def test_captured_claims_take_every_device(catalog):
    """The captured claims hold all devices and interfaces of a node, which is what it has."""
    made = catalog.instance_type("trn1.32xlarge")
    claims = read_capture("allocated-claims.yaml")

    assert len(claims) == 2
    for claim in claims:
        results = claim["status"]["allocation"]["devices"]["results"]
        drivers = [result["driver"] for result in results]
        assert drivers.count(catalog.driver("neuron").driver.name) == made.device_count
        assert drivers.count(catalog.driver("efa").driver.name) == made.efa_interfaces
