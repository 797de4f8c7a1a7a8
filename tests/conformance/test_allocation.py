"""What is planned is allocated: on the devices that are predicted, as often as was promised.

Every claim of every example spec, read as every instance type, goes through our allocator until
the node is full, and through the scheduler's own one where the oracle is built.
"""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest
import yaml

import make_golden
from neuron_dra.allocator.allocator import Allocator
from neuron_dra.allocator.features import Features
from neuron_dra.allocator.nodes import Node
from neuron_dra.allocator.outcome import Allocated, Unsatisfiable
from neuron_dra.api import pipeline as api
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.cel.environment import environment
from neuron_dra.kube.allocation import AllocatedState
from neuron_dra.kube.claim import ResourceClaim
from neuron_dra.kube.slice_data import slice_data
from neuron_dra.objects.templates import render_claim
from neuron_dra.plan.demand import claims_per_node
from neuron_dra.plan.proof import only_alternative
from neuron_dra.slices.predict import predict_slices
from oracle.build import MINORS

ROOT = Path(__file__).resolve().parents[2]
CELLS = [(path.parent.name, path.stem) for path in make_golden.shape_files()]


SPECS = sorted(
    str(path.relative_to(ROOT / "specs"))
    for folder in (ROOT / "specs").iterdir()
    for path in (folder.iterdir() if folder.name == "shapes" else [folder])
)


@cache
def analyse_specs(instance_type, specs):
    return api.analyse(api.load([str(ROOT / "specs" / specs)]), instance_type=instance_type)


def analyse(instance_type, shape):
    return analyse_specs(instance_type, f"shapes/{shape}.yaml")


def list_claims(analysis):
    """Yield each planned partition with its cluster and each pool that serves it."""
    for cluster in analysis.fleet.clusters:
        for tenant in cluster.tenants:
            for partition in tenant.partitions:
                for pool in partition.pools:
                    yield cluster, partition, pool


def predict_node(analysis, partition, pool):
    """Predict the slices of an empty node of a pool, which runs the driver that is pinned."""
    pins = {shape.spec.neuron_driver for shape in partition.shapes} - {None}
    live = dict.fromkeys(["neuron.aws.com/neuronDriverVersion"], *pins) if pins else {}
    drivers = [analysis.catalog.driver(name) for name in ("neuron", "efa")]
    return predict_slices(pool.type, drivers, "node-a", live)


def fill_node(cluster, partition, slices):
    """Allocate claims of a partition one by one; return how many fit and the last outcome."""
    profile = cluster.profile
    gates = profile.release.default_gates
    allocator = Allocator(
        Features.of(profile.minor, gates),
        profile.minor,
        cluster.classes,
        slices,
        AllocatedState(),
        environment(profile.minor, gates),
    )
    state, number = AllocatedState(), 0
    while True:
        claim = ResourceClaim(f"{partition.name}-{number}", partition.claim)
        outcome = allocator.allocate(Node("node-a", {}), [claim], state)
        if not isinstance(outcome, Allocated):
            return number, outcome
        state, number = state.taking(outcome.results[0].results), number + 1


@pytest.mark.parametrize(("instance_type", "shape"), CELLS)
def test_a_node_holds_as_many_claims_as_promised(instance_type, shape):
    """An empty node takes as many claims as `plan.demand` counts, and then refuses one more."""
    analysis = analyse(instance_type, shape)

    claims = list(list_claims(analysis))
    assert claims
    for cluster, partition, pool in claims:
        shapes = [each for each in partition.shapes if pool.name in each.pools]
        promised = partition.held.get(
            pool.type.name, max(claims_per_node(each, pool) for each in shapes)
        )
        slices = predict_node(analysis, partition, pool)
        held, last = fill_node(cluster, partition, slices)

        assert isinstance(last, Unsatisfiable), last
        assert (partition.name, held) == (partition.name, promised)


@cache
def read_golden(instance_type, shape):
    """Return the classes and the templates of a golden file, as the API server gets them."""
    text = (ROOT / f"golden/{instance_type}/{shape}.yaml").read_text(encoding="utf-8")
    found = {}
    for each in filter(None, yaml.safe_load_all(text)):
        found.setdefault(each.get("kind"), []).append(each)
    return found["DeviceClass"], found.get("ResourceClaimTemplate", [])


@pytest.mark.oracle
@pytest.mark.parametrize("minor", MINORS)
def test_the_scheduler_allocates_what_is_written(oracle):
    """The allocator of Kubernetes serves every golden template on an empty predicted node."""
    refused, judged = [], 0
    for instance_type, shape in CELLS:
        analysis = analyse(instance_type, shape)
        classes, templates = read_golden(instance_type, shape)
        for _, partition, pool in list_claims(analysis):
            slices = [slice_data(each) for each in predict_node(analysis, partition, pool)]
            # The UltraServer operator writes the templates of its own pods.
            for template in templates:
                if template["metadata"]["name"] != partition.name:
                    continue
                answer = ask_for(oracle, template, classes, slices)
                judged += 1
                if not answer["allocated"]:
                    refused.append((instance_type, shape, answer["error"]))

    assert judged
    assert refused == []


@pytest.mark.oracle
@pytest.mark.parametrize("minor", MINORS)
def test_witnesses_are_what_the_scheduler_chooses(oracle):
    """Witnesses of every spec on every type hold the devices that Kubernetes gives, in order."""
    judged, differing = 0, []
    for instance_type, specs in itertools.product(open_catalog().instance_type_names(), SPECS):
        analysis = analyse_specs(instance_type, specs)
        for cluster, partition, pool in list_claims(analysis):
            classes = [write_class(each) for each in cluster.classes]
            slices = [slice_data(each) for each in predict_node(analysis, partition, pool)]
            for witness in partition.witnesses:
                if pool.name not in witness.pools:
                    continue
                claim = only_alternative(partition.claim, witness_index(partition, witness))
                template = {"spec": {"spec": render_claim(claim, "v1")}}
                answer = ask_for(oracle, template, classes, slices)
                judged += 1
                if chosen_devices(answer) != witness.devices:
                    differing.append((instance_type, specs, witness.devices, answer))

    assert judged
    assert differing == []


def write_class(device_class):
    selectors = [{"cel": {"expression": each}} for each in device_class.selectors]
    return {"metadata": {"name": device_class.name}, "spec": {"selectors": selectors}}


def witness_index(partition, witness):
    """Return which alternative of the claim a witness is about."""
    return next(
        index for index, shape in enumerate(partition.shapes) if shape.entry == witness.entry
    )


def chosen_devices(answer):
    """Return the names of devices by request, in the order of the answer."""
    chosen = {}
    for each in answer["results"][0]["devices"] if answer["allocated"] else ():
        chosen[each["request"]] = (*chosen.get(each["request"], ()), each["device"])
    return chosen


def ask_for(oracle, template, classes, slices):
    claim = {"metadata": {"name": "c", "namespace": "n"}, **template["spec"]}
    return oracle.ask(
        {
            "op": "allocate",
            "claims": [claim],
            "classes": classes,
            "slices": slices,
            "node": {"metadata": {"name": "node-a"}},
        }
    )


@pytest.mark.oracle
@pytest.mark.parametrize("minor", MINORS)
def test_predicted_slices_are_accepted(oracle):
    """The API server takes every predicted slice and stores it as it is."""
    catalog = open_catalog()
    drivers = [catalog.driver(name) for name in ("neuron", "efa")]
    predicted = [
        slice_data(each)
        for name in catalog.instance_type_names()
        for each in predict_slices(catalog.instance_type(name), drivers, "node-a")
        if each.devices
    ]

    assert predicted
    for sent in predicted:
        answer = oracle.ask({"op": "create", "object": sent})
        assert answer["accepted"], answer
        assert answer["stored"]["spec"]["devices"] == sent["spec"]["devices"]
