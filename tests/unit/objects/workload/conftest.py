"""Workloads as a test writes them, in a cluster with one kind of hardware made up here."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace

import kubernetes_validate
import pytest

from neuron_dra.kube.claim import DeviceClaim, DeviceRequest, ExactDeviceRequest
from neuron_dra.kube.definitions import load_definitions
from neuron_dra.objects.workload.render import render_workload
from neuron_dra.plan.cluster import TenantPlan, WorkloadPlan
from neuron_dra.plan.partition import PlannedPartition, PlannedShape
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.source import Source, Span
from neuron_dra.spec.documents import read_documents

MINOR = "1.36"
GROUP = "apiVersion: neuron-dra.dev/v1alpha1"

CLUSTER = f"""
{GROUP}
kind: Cluster
metadata: {{name: prod}}
spec:
  kubernetes: {MINOR}
  consumers:
    jobSet: {{version: 0.11.1}}
    leaderWorkerSet: {{version: 0.8.0}}
    mpiOperator: {{version: 0.8.0}}
  nodePools:
  - {{name: main, instanceType: a.large, nodes: 8}}
---
{GROUP}
kind: Partition
metadata: {{name: row}}
spec: {{instanceType: a.large, devices: 4, connected: true, efa: paired}}
---
{GROUP}
kind: Tenant
metadata: {{name: research}}
spec: {{clusters: [prod], namespaces: [research], partitions: [row]}}
"""

WORKLOAD = f"""
{GROUP}
kind: NeuronWorkload
metadata: {{name: train, namespace: research}}
spec:
  cluster: prod
  partition: row
"""


def make_type(name="a.large", **changes):
    """Return an instance type of 16 devices with two NeuronCores each, and no UltraServer."""
    answers = {"devices": 16, "memory": 512, "vcpu": 128, "labels": {}, "lnc": 1} | changes
    labels = answers["labels"]

    def logical_cores(size, devices=None):
        return (devices or answers["devices"]) * 2 // size

    return SimpleNamespace(
        name=name,
        chip=SimpleNamespace(logical_neuron_core=SimpleNamespace(default=answers["lnc"])),
        device_count=answers["devices"],
        facts=SimpleNamespace(host=make_host(answers["vcpu"], answers["memory"])),
        logical_cores=logical_cores,
        server_id_label=labels.get,
    )


def make_host(vcpu, memory):
    """Return a host whose facts stand in no file."""
    place = Span.of_file(Source("a.large.yaml", b""))
    return SimpleNamespace(
        vcpu=vcpu,
        memory_gib=memory,
        cpu_architecture="amd64",
        places=SimpleNamespace(value=lambda key: place),
    )


def make_claim():
    """Return a claim with two requests."""
    names = {"neurons": "neuron-a", "efa": "neuron-efa"}
    requests = (DeviceRequest(name, ExactDeviceRequest(each, 1)) for name, each in names.items())
    return DeviceClaim(tuple(requests))


class Fleet:
    """The parts of a plan that a test may change before it renders."""

    def __init__(self):
        self.text = CLUSTER
        self.kinds = [make_type()]
        self.devices = 4
        self.efa = 2
        self.lnc = None
        self.other_lnc = ()  # of further alternatives
        self.nodes = None
        self.operator = False
        self.labels = ()
        self.others = ()  # names of further partitions of the tenant
        self.further = ()  # templates of extra objects

    def replace(self, old, new):
        """Change the documents beside the workload."""
        assert old in self.text
        self.text = self.text.replace(old, new)

    def render(self, spec, workload=WORKLOAD):
        """Return the objects of a workload with these lines in its spec, and the diagnostics."""
        written = workload + textwrap.indent(textwrap.dedent(spec), "  ")
        self.written = written
        documents = Source("specs/fleet.yaml", self.text.encode())
        specs, problems = read_documents([Source("specs/train.yaml", written.encode()), documents])
        assert problems == []
        plan, profile = self._plan(specs)
        return render_workload(plan, profile, load_definitions(MINOR), self.further)

    def _plan(self, specs):
        by_name = {kind.name: kind for kind in self.kinds}
        pools = tuple(
            Pool(spec, by_name[spec.instance_type], (), 8, 8)
            for spec in specs.clusters["prod"].node_pools
        )
        partition = specs.partitions["row"]
        shapes = tuple(self._shape(partition.spec, lnc) for lnc in (self.lnc, *self.other_lnc))
        planned, *others = (
            PlannedPartition(
                name, partition, shapes, make_claim(), {}, "replace", pools, self.operator
            )
            for name in ("row", *self.others)
        )
        tenant = TenantPlan(specs.tenants["research"], (planned, *others), {})
        (workload,) = specs.workloads
        plan = WorkloadPlan(workload, tenant, planned, pools)
        return plan, self._profile(specs.clusters["prod"], pools)

    def _shape(self, spec, lnc):
        kinds = tuple(self.kinds)
        return PlannedShape(
            spec, "", kinds, "neuron-a", self.devices, self.efa, "", lnc, self.nodes, ()
        )

    def _profile(self, cluster, pools):
        return Profile(
            minor=MINOR,
            release=SimpleNamespace(),
            resource_api_version="v1",
            drivers=cluster.drivers,
            consumers=cluster.consumers,
            pools=pools,
            network_groups={},
            rollout="replace",
            extended_resources=cluster.extended_resources,
            label_names=tuple(self.labels),
            annotation_names=(),
        )

    def objects(self, spec, **options):
        """Return the objects by kind; the workload is sound."""
        made, diagnostics = self.render(spec, **options)
        assert [each.message for each in diagnostics] == []
        return {each.data["kind"]: each for each in made}

    def codes(self, spec, **options):
        """Return the slug of each diagnostic."""
        return [each.code.slug for each in self.render(spec, **options)[1]]

    def only(self, spec, **options):
        """Return the one diagnostic of a workload."""
        (diagnostic,) = self.render(spec, **options)[1]
        return diagnostic

    def marked(self, diagnostic):
        """Return the text of the workload's document that a diagnostic points at."""
        span = diagnostic.span
        line = self.written.split("\n")[span.line]
        end = span.end_column if span.end_line == span.line else None
        return line[span.column : end]


@pytest.fixture
def fleet():
    return Fleet()


@pytest.fixture
def validate():
    """Check an object as the API server's schema does."""

    def check(data):
        kubernetes_validate.validate(data, MINOR, strict=True)

    return check
