"""NetworkPolicies of tenants and workloads.

In: plans and the cluster's network groups. Out: a policy for the namespaces of an isolated tenant,
one for each workload with a `network`, and diagnostics. Default deny follows from the policy types:
what no rule names is refused in both directions. DNS is always among the destinations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from neuron_dra.diagnostics import Diagnostic, Related
from neuron_dra.diagnostics.codes import network as codes
from neuron_dra.kube.hole import NAMESPACE
from neuron_dra.objects.network_groups import (
    DNS,
    NAMESPACE_NAME,
    check_names,
    named_rules,
)
from neuron_dra.objects.object import (
    TENANT_LABEL,
    WAVE_TEMPLATE,
    WORKLOAD_LABEL,
    KubeObject,
    metadata,
    wave,
)
from neuron_dra.plan.cluster import TenantPlan, WorkloadPlan
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.cluster import NetworkGroup
from neuron_dra.spec.tenant import TenantNetwork, TenantSpec
from neuron_dra.spec.workload import WorkloadNetwork

FOLDER = "networkpolicies"
Network = TenantNetwork | WorkloadNetwork


def tenant_policy_name(tenant: str) -> str:
    """Return the name of a tenant's policy."""
    return f"neuron-dra-{tenant}"


def workload_policy_name(workload: str) -> str:
    """Return the name of a workload's policy; no tenant's has a dot in it."""
    return f"neuron-dra.{workload}"


def render_tenant_policy(
    plan: TenantPlan, profile: Profile
) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return the policy of an isolated tenant, with a hole for each of its namespaces."""
    network = plan.tenant.spec.network
    if network is None or network.isolation == "none":
        return [], []
    problems = check_names(network, profile.network_groups)
    if any(partition.has_efa for partition in plan.partitions):
        problems.append(_efa_note(network, "isolation", f"tenant `{plan.tenant.metadata.name}`"))
    return [_tenant_policy(plan, network, profile)], problems


def _tenant_policy(plan: TenantPlan, network: TenantNetwork, profile: Profile) -> KubeObject:
    tenant, document = plan.tenant.metadata.name, plan.tenant.places.origin.document
    name = tenant_policy_name(tenant)
    peers = _tenant_peers(plan.tenant.spec, network.isolation)
    rules, fields = _rules(network, peers, profile.network_groups, document, "isolation")
    data = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(
            profile,
            name,
            namespace=NAMESPACE,
            labels={TENANT_LABEL: tenant},
            annotations=wave(WAVE_TEMPLATE),
        ),
        "spec": {"podSelector": {}, **rules},
    }
    return KubeObject(
        f"manifests/namespaces/{{namespace}}/{FOLDER}/{name}.yaml", data, (document,), fields
    )


def _tenant_peers(spec: TenantSpec, isolation: str) -> list[dict[str, Any]]:
    if isolation == "namespace":
        return [{"podSelector": {}}]
    namespaces = {
        "key": NAMESPACE_NAME,
        "operator": "In",
        "values": sorted(spec.namespaces),
    }
    return [{"namespaceSelector": {"matchExpressions": [namespaces]}}]


def render_workload_policy(
    plan: WorkloadPlan, profile: Profile, pod_selector: Mapping[str, Any]
) -> tuple[list[KubeObject], list[Diagnostic]]:
    """Return the policy of a workload that says something of its network.

    Args:
        pod_selector: the label selector of all pods of the workload.
    """
    network = plan.workload.spec.network
    if network is None or not (network.peers or network.ingress or network.egress):
        return [], []
    problems = check_names(network, profile.network_groups)
    problems += _check_workload(plan, network)
    return [_workload_policy(plan, network, profile, pod_selector)], problems


def _workload_policy(
    plan: WorkloadPlan, network: WorkloadNetwork, profile: Profile, pod_selector: Mapping[str, Any]
) -> KubeObject:
    workload, document = plan.workload, plan.workload.places.origin.document
    name, namespace = workload.metadata.name, workload.metadata.namespace
    peers = [{"podSelector": dict(pod_selector)}]
    rules, fields = _rules(network, peers, profile.network_groups, document, "peers")
    policy = workload_policy_name(name)
    labels = {**workload.metadata.labels, WORKLOAD_LABEL: name}
    if plan.tenant is not None:
        labels[TENANT_LABEL] = plan.tenant.tenant.metadata.name
    data = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "NetworkPolicy",
        "metadata": metadata(
            profile, policy, namespace=namespace, labels=labels, annotations=wave(WAVE_TEMPLATE)
        ),
        "spec": {"podSelector": dict(pod_selector), **rules},
    }
    return KubeObject(
        f"manifests/namespaces/{namespace}/{FOLDER}/{policy}.yaml", data, (document,), fields
    )


def _rules(
    network: Network,
    peers: list[dict[str, Any]],
    groups: Mapping[str, NetworkGroup],
    document: str,
    cause: str,
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return ingress, egress and policy types, and what caused each rule."""
    ingress = named_rules(network.ingress, "from", groups)
    egress = named_rules(_with_dns(network.egress), "to", groups)
    rules = {
        "ingress": [{"from": peers}, *(rule for _, rule in ingress)],
        "egress": [{"to": peers}, *(rule for _, rule in egress)],
        "policyTypes": ["Ingress", "Egress"],
    }
    fields = {"spec.ingress[0].from": f"{document} spec.network.{cause}"}
    fields["spec.egress[0].to"] = fields["spec.ingress[0].from"]
    for key, written, named in (
        ("ingress", network.ingress, ingress),
        ("egress", network.egress, egress),
    ):
        for position, (name, _) in enumerate(named, start=1):
            if name in written:
                source = f"{document} spec.network.{key}[{written.index(name)}]"
                fields[f"spec.{key}[{position}]"] = source
    return rules, fields


def _with_dns(names: Sequence[str]) -> list[str]:
    """Put DNS first: whoever is isolated still has to resolve names."""
    return [DNS, *(name for name in names if name != DNS)]


def _check_workload(plan: WorkloadPlan, network: WorkloadNetwork) -> list[Diagnostic]:
    isolation = _tenant_isolation(plan)
    if isolation == "none":
        subject = f"workload `{plan.workload.metadata.name}`"
        has_efa = plan.partition.has_efa
        return [_efa_note(network, "peers", subject)] if has_efa else []
    if network.peers is None or plan.tenant is None:
        return []
    tenant = plan.tenant.tenant
    assert tenant.spec.network is not None
    return [
        codes.NARROWS_NOTHING.at(
            network.places.key("peers"),
            f"`peers: {network.peers}` narrows nothing: `isolation: {isolation}` of tenant "
            f"`{tenant.metadata.name}` lets all its pods there reach each other",
            related=[Related(tenant.spec.network.places.value("isolation"), "policies only add")],
            help="remove `peers`, or set `isolation: none` and give every workload its own policy",
        )
    ]


def _tenant_isolation(plan: WorkloadPlan) -> str:
    network = plan.tenant.tenant.spec.network if plan.tenant else None
    return network.isolation if network else "none"


def _efa_note(network: Network, key: str, subject: str) -> Diagnostic:
    return codes.EFA_NOT_SEEN.at(
        network.places.value(key),
        f"a NetworkPolicy does not see EFA traffic of {subject}: EFA bypasses the pod's network",
        help="separate who must not talk over EFA by the security groups of their nodes",
    )
