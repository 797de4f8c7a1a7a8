"""Bad input of any kind is answered by diagnostics: nothing is raised."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from neuron_dra.api.pipeline import analyse
from neuron_dra.catalog.locate import open_catalog
from neuron_dra.diagnostics import has_errors
from neuron_dra.diagnostics.render.text import render
from neuron_dra.simulation.asked import asked_claims, asked_pods
from neuron_dra.simulation.drift import render as drift_render
from neuron_dra.simulation.drift.compare import compare
from neuron_dra.simulation.dump import read_dump
from neuron_dra.simulation.render import render_json, render_text
from neuron_dra.simulation.simulate import simulate
from neuron_dra.simulation.state import state_of_dump
from neuron_dra.source import LongSource, Source
from unit.simulation.small import claim, device_class, node, pod, request, template

CAPTURE = Path(__file__).resolve().parents[2] / "data/captures/trn1.32xlarge"
SPECS = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {name: dev}
spec:
  kubernetes: 1.36
  drivers: {neuron: {chartVersion: 1.10.0}, efa: {chartVersion: 1.0.0}}
  nodePools:
  - {name: main, instanceType: trn1.32xlarge, nodes: 1, neuronDrivers: [2.26.10.0]}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: row}
spec: {instanceType: trn1.32xlarge, devices: 4, connected: true, efa: paired}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Tenant
metadata: {name: team}
spec: {clusters: [dev], namespaces: [team], partitions: [row]}
"""
CATALOG = open_catalog()
GATES = CATALOG.kubernetes("1.36").default_gates
MINIMUM = 'device.attributes["neuron.aws.com"].deviceId > 3'
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, -1, 7, 10**30, 1.5, "", "x", "1.2.3", [], {}, [1], {"a": 1}, [None]]),
)


def load(name):
    text = (CAPTURE / name).read_text(encoding="utf-8")
    return list(yaml.safe_load_all(text))


OBJECTS = [
    *load("neuron-resourceslice.yaml"),
    *load("efa-resourceslice.yaml"),
    device_class("any", 'device.driver == "neuron.aws.com"'),
    node("node-a", {"zone": "here"}, [{"key": "k", "effect": "NoSchedule"}]),
    template("rows", request(4)),
    claim("held", request(), holds=["neuron-device-6"]),
    claim("one", request(2, selectors=[{"cel": {"expression": MINIMUM}}]), request(2, "s")),
    pod("p", "template:rows", "claim:held", tolerations=[{"operator": "Exists"}]),
]


def places(value, path=()):
    """Yield the path of every value inside another."""
    children = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in children:
        yield (*path, key)
        if isinstance(child, dict | list):
            yield from places(child, (*path, key))


PLACES = [
    each for each in places(OBJECTS) if not {"devices", "attributes"} <= set(each) or each[3] < 2
]


MUTATION = st.tuples(st.sampled_from(PLACES), st.sampled_from(["drop", "replace", "repeat"]), ODD)


def mutate(owner, path, how, odd):
    *above, last = path
    try:
        for key in above:
            owner = owner[key]
        value = owner[last]
    except (KeyError, IndexError, TypeError):
        return  # an earlier mutation took it away
    if how == "drop":
        del owner[last]
    elif how == "repeat" and isinstance(owner, list):
        owner.append(copy.deepcopy(value))
    else:
        owner[last] = odd


def judge(data):
    """Do all that `simulate` and `drift` do with a file; return what was said of it."""
    dump, found = read_dump([LongSource("dump.yaml", data)])
    state = state_of_dump(dump, dump, None)
    by_claim, more = asked_claims(dump)
    by_pod, others = asked_pods(dump, dump, state.templates)
    found = [*found, *more, *others]
    assert bool(render(found)) == bool(found)
    if not has_errors(found):
        verdicts = simulate(state, "1.36", GATES, [*by_claim, *by_pod])
        assert len(json.loads(render_json(verdicts))["claims"]) == len(verdicts)
        assert render_text(verdicts, len(state.nodes), "1.36")
    return found, dump


@pytest.fixture(scope="module")
def planned():
    analysis = analyse([Source("specs.yaml", SPECS.encode())])
    assert analysis.is_sound
    return analysis


@settings(max_examples=150)
@given(mutations=st.lists(MUTATION, min_size=1, max_size=3))
def test_mutations(mutations, planned):
    """Whatever is dropped, replaced or repeated in a dump, it is read or diagnosed."""
    objects = copy.deepcopy(OBJECTS)
    for mutation in mutations:
        mutate(objects, *mutation)

    found, dump = judge("".join(f"---\n{json.dumps(each)}\n" for each in objects).encode())

    if not has_errors(found):
        drift = compare(dump, planned.fleet.clusters[0], planned.catalog)
        assert drift_render.render_text(drift)
        assert json.loads(drift_render.render_json(drift))["differences"] == drift.count


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes(data):
    """Any bytes at all give diagnostics, of which each lies in the file."""
    found, _ = judge(data)

    assert found
    assert all(each.span.line <= data.count(b"\n") + data.count(b"\r") + 2 for each in found)


@given(st.integers(0, 4000), st.booleans())
def test_truncated(size, as_list):
    """A dump that is cut off anywhere is read or diagnosed."""
    data = (
        yaml.safe_dump({"kind": "List", "items": OBJECTS})
        if as_list
        else yaml.safe_dump_all(OBJECTS)
    )

    judge(data.encode()[: len(data) - size])
