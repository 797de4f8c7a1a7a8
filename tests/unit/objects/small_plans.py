"""Small plans for the tests of `objects`, read from specs as users write them."""

from __future__ import annotations

import textwrap
from types import SimpleNamespace

import kubernetes_validate

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.kube.hole import fill
from neuron_dra.plan.cluster import ClusterPlan, TenantPlan, WorkloadPlan
from neuron_dra.plan.pools import are_disjoint
from neuron_dra.plan.profile import Pool, Profile
from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents

# By instance type of the tests: how many EFA interfaces it has.
EFA_INTERFACES = {"a.large": 2, "b.large": 2, "plain.large": 0}

CLUSTER = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Cluster
    metadata: {name: east}
    spec:
      kubernetes: 1.36
"""

DRIVERS = {
    "neuron": """
        apiVersion: neuron-dra.dev/v1alpha1
        kind: Driver
        metadata: {name: neuron}
        spec:
          charts:
            1.0.0: &old
              chart: neuron-chart
              repository: oci://charts.example.com/neuron
              source: a test
              date: 2026-01-01
              namespaces: {draDriver: dra-system, devicePlugin: kube-system, npd: npd-system}
              instanceTypes: [a.large, old.large]
              excludedComputeTypes: [fargate, auto]
              tolerations:
              - {key: CriticalAddonsOnly, operator: Exists}
              - {key: neuron, operator: Exists, effect: NoSchedule}
              values: &values
                neuronInstances: strings
                draDriver: &part
                  enabled: boolean
                  namespaceOverride: string
                  image: {tag: string}
                  resources: map
                  nodeSelector: map
                  tolerations: list
                  affinity: map
                devicePlugin: *part
                scheduler: {enabled: boolean, replicaCount: integer, extraArgs: strings}
                npd: {enabled: boolean, namespaceOverride: string}
            2.0.0:
              <<: *old
              ultraServerOperator: true
              values:
                <<: *values
                ultraserverOperator: {enabled: boolean, verbosity: integer}
        """,
    "efa": """
        apiVersion: neuron-dra.dev/v1alpha1
        kind: Driver
        metadata: {name: efa}
        spec:
          charts:
            1.0.0:
              chart: efa-chart
              repository: https://charts.example.com/efa
              source: a test
              date: 2026-01-01
              instanceTypes: [a.large, old.large]
              excludedComputeTypes: [auto]
              fixedTolerations: [{key: CriticalAddonsOnly, operator: Exists}]
              values:
                tolerations: list
                supportedInstanceLabels: {keys: strings, values: strings}
                nodeSelector: map
                verbosity: integer
        """,
}


def read_driver(name):
    """Return a driver of a small catalogue."""
    text = textwrap.dedent(DRIVERS[name])
    catalog = Catalog(lambda path: Source(path, text.encode()), {"drivers": [name]})
    driver = catalog.driver(name)
    assert catalog.diagnostics == []
    return driver


def read_specs(*documents):
    """Return the specs of documents that are sound."""
    text = "\n---\n".join(textwrap.dedent(document) for document in documents)
    specs, diagnostics = read_documents([Source("specs/fleet.yaml", text.encode())])
    assert [str(each.message) for each in diagnostics] == []
    return specs


def make_profile(spec, *, gates=("DRAExtendedResource",)):
    """Return the profile of a cluster's body, without looking into a catalogue."""
    pools = tuple(
        Pool(
            spec=pool,
            type=SimpleNamespace(
                name=pool.instance_type, efa_interfaces=EFA_INTERFACES[pool.instance_type]
            ),
            drivers=(),
            least=0,
            most=None,
        )
        for pool in spec.node_pools
    )
    return Profile(
        minor=spec.kubernetes,
        release=SimpleNamespace(is_on=frozenset(gates).__contains__),
        resource_api_version=spec.resource_api_version,
        drivers=spec.drivers,
        consumers=spec.consumers,
        pools=pools,
        network_groups=spec.network_groups,
        rollout=spec.rollout,
        extended_resources=spec.extended_resources,
        label_names=tuple(sorted(spec.object_labels)),
        annotation_names=tuple(sorted(spec.object_annotations)),
    )


def make_plans(*documents, partitions=(), classes=(), quota=None):
    """Return the plans of all clusters by name; every tenant and workload is in each of them."""
    specs = read_specs(*documents)
    plans = {}
    for name, spec in specs.clusters.items():
        tenants = {
            tenant.metadata.name: TenantPlan(tenant, tuple(partitions), quota or {})
            for tenant in specs.tenants.values()
        }
        plans[name] = ClusterPlan(
            name=name,
            document=specs.cluster_documents[name],
            spec=spec,
            profile=make_profile(spec),
            classes=tuple(classes),
            tenants=tuple(tenants.values()),
            workloads=tuple(_workload(each, tenants, partitions) for each in specs.workloads),
        )
    return plans


def _workload(workload, tenants, partitions):
    owner = next(
        (
            each
            for each in tenants.values()
            if workload.metadata.namespace in each.tenant.spec.namespaces
        ),
        None,
    )
    return WorkloadPlan(
        workload=workload,
        tenant=owner,
        partition=partitions[0]
        if partitions
        else SimpleNamespace(has_efa=False, name="none", operator=False),
        pools=(),
    )


def make_plan(*documents, **further):
    """Return the plan of the one cluster of some documents."""
    (plan,) = make_plans(*documents, **further).values()
    return plan


def keep_disjoint(pools, by_dra):
    """Return the indexes of pools, without those off DRA that overlap with one by DRA."""
    return [
        index
        for index, each in enumerate(pools)
        if by_dra(each) or all(are_disjoint(each, other) for other in pools if by_dra(other))
    ]


def validate(rendered, minor="1.36", **holes):
    """Judge an object by Kubernetes' own closed schema; return it with its holes filled."""
    data = fill(rendered.data, {"namespace": "team-a", "tenant": "team", **holes})
    kubernetes_validate.validate(data, minor, strict=True)
    return data


def told(diagnostics):
    """Return what diagnostics say: code, the text they point at, and message."""
    return [(each.code.id, pointed_at(each.span), each.message) for each in diagnostics]


def pointed_at(span):
    """Return the text of a span that lies in one line."""
    return span.source.line(span.line)[span.column : span.end_column]
