"""AWS's sample templates and what `specs/aws-samples/` compiles to mean the same.

Meaning is compared on the devices that the pools of that fleet publish: which of them a claim may
get, how many, what they must share, and which parameters the driver gets.
"""

from pathlib import Path

import pytest
import yaml

from neuron_dra.api import pipeline as api
from neuron_dra.catalog.instance_type import NEURON_DEVICE
from neuron_dra.cel.device import Device
from neuron_dra.cel.environment import environment
from neuron_dra.emit.cluster import build_files

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "tests/data/samples").glob("*.yaml"))
VENDED = {"neuron.aws.com": ['device.driver == "neuron.aws.com"']}


@pytest.fixture(scope="module")
def compiled():
    """The plan of the fleet, and its objects by kind and name."""
    build = api.build(api.load([str(ROOT / "specs/aws-samples")]))
    assert build.analysis.is_sound
    (unit,) = (each for each in build.units if each.folder == "clusters/aws-samples")
    files = build_files(unit.files.job)
    objects = [yaml.safe_load(text) for path, text in files.items() if path.endswith(".yaml")]
    by_name = {(each["kind"], each["metadata"]["name"]): each for each in objects if "kind" in each}
    return build.analysis.fleet.clusters[0], by_name


def published(plan):
    """Yield instance type, device id and device of every pool, as the driver would publish them."""
    for pool in plan.profile.pools:
        kind = pool.type
        node = not kind.serves_devices
        for number in range(1 if node else kind.device_count):
            attributes = {
                "instanceType": kind.name,
                "resourceType": kind.facts.published.resource_types[0],
                "neuronDriverVersion": pool.drivers[0],
                "deviceId": number,
            }
            yield kind, Device.of("neuron.aws.com", attributes, {})


def meaning(template, classes, plan):
    """Return what a template means on the fleet's devices."""
    devices = template["spec"]["spec"]["devices"]
    (request,) = devices["requests"]
    exact = request["exactly"]
    expressions = classes[exact["deviceClassName"]] + [
        each["cel"]["expression"] for each in exact.get("selectors", [])
    ]
    compiled = [environment("1.36", {}).compile(each) for each in expressions]
    selected = [
        kind for kind, device in published(plan) if all(each.matches(device) for each in compiled)
    ]
    names = {kind.name for kind in selected}
    (kind,) = {kind.name: kind for kind in selected}.values()
    count = exact["count"] if exact["allocationMode"] == "ExactCount" else kind.device_count
    whole = kind.facts.published.resource_types[0] == NEURON_DEVICE and count == kind.device_count
    return {
        "types": names,
        "selected": len(selected),
        "count": "whole" if whole else count,
        "shared": [each["matchAttribute"] for each in devices.get("constraints", [])],
        "parameters": sorted(
            str(each["opaque"]["parameters"]) for each in devices.get("config", [])
        ),
    }


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_a_sample_means_what_our_template_means(path, compiled):
    plan, objects = compiled
    sample = yaml.safe_load(path.read_text())
    ours = objects["ResourceClaimTemplate", sample["metadata"]["name"]]
    classes = {
        name: [each["cel"]["expression"] for each in data["spec"]["selectors"]]
        for (kind, name), data in objects.items()
        if kind == "DeviceClass"
    }

    assert meaning(ours, classes, plan) == meaning(sample, VENDED, plan)


def test_every_partition_of_the_fleet_has_its_sample():
    names = {yaml.safe_load(path.read_text())["metadata"]["name"] for path in SAMPLES}
    specs = api.analyse(api.load([str(ROOT / "specs/aws-samples")])).specs

    assert set(specs.partitions) == names
