"""`schema`: agreement with what the compiler reads."""

from __future__ import annotations

import json
from copy import deepcopy
from pathlib import Path

import jsonschema_rs
import pytest
from ruamel.yaml import YAML
from ruamel.yaml.constructor import SafeConstructor

from neuron_dra.catalog.document import KINDS as CATALOG_KINDS
from neuron_dra.catalog.document import open_envelope, read_sheet
from neuron_dra.cli import run
from neuron_dra.commands.schema_data import KINDS
from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents
from neuron_dra.syntax.parse import parse
from neuron_dra.syntax.schema import make_schema

ROOT = Path(__file__).resolve().parents[3]
SHIPPED = sorted([*ROOT.glob("specs/**/*.yaml"), *ROOT.glob("targets/instances/*.yaml")])
VALIDATOR = jsonschema_rs.Draft202012Validator(make_schema(KINDS.values()), validate_formats=True)
# Codes of what a schema can say; those of a model's own `check` it cannot.
SAID = {"ND2001", "ND2003"}

EXAMPLE = """
apiVersion: neuron-dra.dev/v1alpha1
kind: ClusterDefaults
metadata: {name: shared}
spec:
  kubernetes: 1.36
  region: us-west-2
  owner: infra
  resourceApiVersion: v1
  drivers:
    neuron: {chartVersion: 1.11.0, like: 1.10.0, install: helm, values: {a: {b: 1}}}
    efa: {chartVersion: 1.0.0, repository: oci://mirror.example.com/eks}
    ultraServerOperator: {enabled: false}
  consumers:
    argocd: {version: 3.1}
    jobSet: {version: 0.11.1}
    leaderWorkerSet: {version: 0.8.0}
    mpiOperator: {version: 0.8.0}
    kueue: {version: 0.17.0, quotaBy: pods}
  networkGroups:
    frontend: {namespaceSelector: {matchLabels: {role: frontend}}, podSelector: {}}
    storage: {cidrs: [10.9.0.0/24], ports: [443, 988]}
  gitops:
    argocd:
      repoURL: https://git.example.com/infra/clusters.git
      path: compiled
      targetRevision: stable
      namespace: argocd
      project: {name: trainium, create: true}
      syncPolicy: {automated: {prune: true, selfHeal: false}}
  rollout: rename
  extendedResources: {trn2.48xlarge: example.com/trn2}
  objectLabels: {team: infra, version: 2}
  objectAnnotations: {note: plain words}
  extraObjects:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}
  nodePools:
  - name: training
    instanceType: trn2.48xlarge
    nodes: {min: 0, max: 8}
    nodeSelector: {pool: training}
    zones: [usw2-az1]
    capacity:
      type: capacity-block
      capacityBlockId: cb-0a1b2c3d4e5f67890
      endDate: 2027-03-01T11:30:00Z
    nodeVersion: 1.36.1
    sdk: 2.32.0
    taints: [{key: example.com/neuron, value: "yes", effect: NoSchedule}]
    mechanism: {neuron: dra, efa: device-plugin}
  - {name: ultra, instanceType: trn2u.48xlarge, ultraServers: 2, neuronDrivers: [2.30.2.0]}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata: {name: west, labels: {env: prod}}
spec:
  kubernetes: 1.36.2
  gitops: none
  nodePools: []
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: row}
spec:
  description: Four chips in a row.
  owner: ml-infra
  instanceType: trn2.48xlarge
  devices: 4
  connected: true
  logicalNeuronCore: 1
  efa: paired
  neuronDriver: 2.30.2.0
  selectors: ["true"]
  tolerations:
  - {key: example.com/slow, operator: Exists, effect: NoExecute, tolerationSeconds: 60}
  rollout: fail
  lifecycle: {deprecated: true, replacedBy: row-two, removeAfter: 2027-06-30}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: either}
spec:
  firstAvailable:
  - {chip: trainium2, devices: all, efa: all}
  - {instanceType: trn1.32xlarge, devices: 16}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: ultra}
spec: {instanceType: trn2u.48xlarge, ultraServerNodes: 4, lifecycle: {frozenFrom: ultra-one}}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Tenant
metadata: {name: lab}
spec:
  owner: lab
  clusterSelector:
    matchLabels: {env: prod}
    matchExpressions: [{key: env, operator: NotIn, values: [dev]}]
  namespaces: [lab, lab-dev]
  createNamespaces: true
  namespaceLabels: {purpose: research}
  partitions:
  - row
  - {name: ultra, clusterSelector: {matchLabels: {ultra: "yes"}}}
  quota:
  - {instanceType: trn2.48xlarge, devices: 64, namespaces: {lab: 48, lab-dev: 16}}
  - {chip: trainium2, nodes: 8, namespaces: {lab: 8}}
  network: {isolation: tenant, ingress: [frontend], egress: [dns, storage]}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: train, namespace: lab, labels: {run: first}}
spec:
  cluster: west
  partition: ultra
  controller: LeaderWorkerSet
  replicas: 2
  size: 16
  claimContainers: [train]
  template: {spec: {containers: [{name: train, image: registry.example.com/train:1}]}}
  leaderTemplate: {spec: {containers: [{name: train, image: registry.example.com/lead:1}]}}
  network: {peers: workload, ingress: [frontend], egress: [dns]}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: NeuronWorkload
metadata: {name: ray, namespace: lab}
spec:
  clusterSelector: {matchLabels: {env: prod}}
  partition: row
  controller: external
  podSelector: {matchLabels: {app: ray}}
---
apiVersion: neuron-dra.dev/v1alpha1
kind: InstanceType
metadata: {name: lab2.24xlarge}
spec:
  chip: trainium2
  devices: {count: 8, hbmGiB: 768, source: a data sheet, date: 2026-11-20}
  efa: {interfaces: 8, source: a data sheet, date: 2026-11-20, basis: documented}
"""


class DatesAreTexts(SafeConstructor):
    pass


DatesAreTexts.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)


def load_all(text):
    """Return the documents as an editor reads them: no dates, and keys are texts."""
    yaml = YAML(typ="safe", pure=True)
    yaml.Constructor = DatesAreTexts
    return [json.loads(json.dumps(each)) for each in yaml.load_all(text)]


def diagnose(data):
    """Return what the compiler tells of a document."""
    # JSON is YAML, but quotes make a text of the word that stands for a number.
    text = json.dumps(data).replace('"devices": "all"', '"devices": all')
    source = Source("a.yaml", text.encode())
    if data.get("kind") != "InstanceType":
        return read_documents([source])[1]
    kind = CATALOG_KINDS["instances"]
    envelope, found = open_envelope(parse(source)[0][0], kind)
    return read_sheet(envelope, kind)[1] if envelope else found


def list_paths(value, path=()):
    """Yield the path of every value inside a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in items:
        yield (*path, step)
        if isinstance(inner, dict | list):
            yield from list_paths(inner, (*path, step))


def change(data, path, value):
    """Return a copy with another value at a path, or another key where the value is callable."""
    changed = deepcopy(data)
    holder = changed
    for step in path[:-1]:
        holder = holder[step]
    if callable(value):
        holder[value(path[-1])] = holder.pop(path[-1])
    else:
        holder[path[-1]] = value
    return changed


EXAMPLES = load_all(EXAMPLE)
PATHS = [
    (data, path)
    for data in EXAMPLES
    for path in list_paths(data)
    if path[0] in ("metadata", "spec") and data["kind"] != "Cluster"
]


@pytest.mark.parametrize("data", EXAMPLES, ids=lambda data: data["metadata"]["name"])
def test_example(data):
    """Documents that use every key are accepted."""
    assert [each.message for each in VALIDATOR.iter_errors(data)] == []


def test_example_is_whole():
    """The example has every kind and the compiler has nothing against it."""
    assert {data["kind"] for data in EXAMPLES} == set(KINDS)
    found = read_documents([Source("a.yaml", EXAMPLE.encode())])[1]
    assert [each.message for each in found if each.severity == 0] == []


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped(path):
    """The example fleets and the instance types of the catalogue are accepted."""
    documents = load_all(path.read_text(encoding="utf-8"))

    assert documents
    assert [each.message for data in documents for each in VALIDATOR.iter_errors(data)] == []


@pytest.mark.parametrize("value", [str.upper, None, {}, [], "?", 1.36, True, 4], ids=repr)
def test_agrees_with_the_compiler(value):
    """What the compiler accepts is accepted; an unknown key or a wrong type is refused."""
    wrong = []
    for data, path in PATHS:
        if callable(value) and not isinstance(path[-1], str):
            continue
        if data["kind"] == "ClusterDefaults" and (path[0] == "metadata" or len(path) == 1):
            continue  # a layer may lack everything, but a document without a name is nothing
        changed = change(data, path, value)
        found = {each.code.id for each in diagnose(changed) if each.severity == 0}
        accepted = VALIDATOR.is_valid(changed)
        if (not found and not accepted) or (found & SAID and accepted):
            wrong.append((data["metadata"]["name"], path, found))

    assert PATHS
    assert wrong == []


def test_missing_keys():
    """A key that the compiler requires is required."""
    wrong = []
    for data, path in PATHS:
        if data["kind"] == "ClusterDefaults" or not isinstance(path[-1], str):
            continue
        changed = change(data, path, None)
        holder = changed
        for step in path[:-1]:
            holder = holder[step]
        del holder[path[-1]]
        missing = f"the key `{path[-1]}` is required here"
        required = missing in {each.message for each in diagnose(changed)}
        if required == VALIDATOR.is_valid(changed):
            wrong.append((data["metadata"]["name"], path, required))

    assert wrong == []


def test_all(capsys):
    """Without a name, one schema for all kinds is printed."""
    assert run(["schema"]) == 0

    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out) == make_schema(KINDS.values())


@pytest.mark.parametrize("name", sorted(KINDS))
def test_one(name, capsys):
    """With a name, the schema of that kind is printed, and it is a schema."""
    assert run(["schema", name]) == 0

    schema = json.loads(capsys.readouterr().out)
    jsonschema_rs.meta.validate(schema)
    validator = jsonschema_rs.Draft202012Validator(schema)
    assert [data["kind"] == name for data in EXAMPLES] == [
        validator.is_valid(data) for data in EXAMPLES
    ]


def test_unknown(capsys):
    """An unknown name gets a suggestion and exits 1."""
    assert run(["schema", "Partiton"]) == 1

    assert capsys.readouterr() == (
        "",
        "error: no such kind `Partiton`, did you mean `Partition`?\n",
    )
