"""NetworkPolicies of tenants and workloads.

In: plans and the cluster's network groups. Out: a policy for the namespaces of an isolated tenant,
one for each workload with a `network`, and diagnostics. Default deny follows from the policy types:
in the directions that they name, what no rule names is refused. A tenant's policy names both, and a
workload's with `peers` too; any other names those whose key is written. DNS is always among the
destinations.
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
_DIRECTIONS = {"ingress": "from", "egress": "to"}


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
    rules = _Rules(network, profile.network_groups, f"{document} spec.network")
    peers = _tenant_peers(plan.tenant.spec, network.isolation)
    for key in _DIRECTIONS:
        rules.add_peers(key, peers, "isolation")
        rules.add_groups(key)
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
        "spec": {"podSelector": {}, **rules.spec()},
    }
    path = f"manifests/namespaces/{{namespace}}/{FOLDER}/{name}.yaml"
    return KubeObject(path, data, (document,), rules.fields)


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
    if network is None:
        return [], []
    problems = check_names(network, profile.network_groups)
    problems += _check_workload(plan, network)
    return [_workload_policy(plan, network, profile, pod_selector)], problems


def _workload_policy(
    plan: WorkloadPlan, network: WorkloadNetwork, profile: Profile, pod_selector: Mapping[str, Any]
) -> KubeObject:
    workload, document = plan.workload, plan.workload.places.origin.document
    name, namespace = workload.metadata.name, workload.metadata.namespace
    rules = _Rules(network, profile.network_groups, f"{document} spec.network")
    for key in _DIRECTIONS:
        if network.peers is not None:
            rules.add_peers(key, [{"podSelector": dict(pod_selector)}], "peers")
        if network.peers is not None or network.places.has(key):
            rules.add_groups(key)
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
        "spec": {"podSelector": dict(pod_selector), **rules.spec()},
    }
    path = f"manifests/namespaces/{namespace}/{FOLDER}/{policy}.yaml"
    return KubeObject(path, data, (document,), rules.fields)


class _Rules:
    """The rules of a policy while they are collected, and what caused each."""

    def __init__(self, network: Network, groups: Mapping[str, NetworkGroup], cause: str) -> None:
        self.network = network
        self.groups = groups
        self.cause = cause
        self.fields: dict[str, str] = {}
        self._made: dict[str, list[dict[str, Any]]] = {}

    def add_peers(self, key: str, peers: list[dict[str, Any]], cause: str) -> None:
        """Let the peers through in a direction, on all ports."""
        self._made.setdefault(key, []).append({_DIRECTIONS[key]: peers})
        self.fields[f"spec.{key}[0].{_DIRECTIONS[key]}"] = f"{self.cause}.{cause}"

    def add_groups(self, key: str) -> None:
        """Let the network groups through that a direction names; without any it is closed."""
        written: tuple[str, ...] = getattr(self.network, key)
        names = _with_dns(written) if key == "egress" else written
        rules = self._made.setdefault(key, [])
        for name, rule in named_rules(names, _DIRECTIONS[key], self.groups):
            if name in written:
                source = f"{self.cause}.{key}[{written.index(name)}]"
                self.fields[f"spec.{key}[{len(rules)}]"] = source
            rules.append(rule)

    def spec(self) -> dict[str, Any]:
        """Return the rules and policy types, as the API server keeps them."""
        rules = {key: rules for key, rules in self._made.items() if rules}
        return {**rules, "policyTypes": [key.capitalize() for key in self._made]}


def _with_dns(names: Sequence[str]) -> list[str]:
    """Put DNS first: whoever is isolated still has to resolve names."""
    return [DNS, *(name for name in names if name != DNS)]


def _check_workload(plan: WorkloadPlan, network: WorkloadNetwork) -> list[Diagnostic]:
    isolation = _tenant_isolation(plan)
    if isolation == "none":
        problems = [_cut_off(plan, network)] if network.peers is None else []
        if plan.partition.has_efa:
            subject = f"workload `{plan.workload.metadata.name}`"
            problems.append(_efa_note(network, "peers", subject))
        return [each for each in problems if each is not None]
    if network.peers is None or plan.tenant is None:
        return []
    return [_narrows_nothing(network, plan.tenant, isolation)]


def _cut_off(plan: WorkloadPlan, network: WorkloadNetwork) -> Diagnostic | None:
    """Warn of groups whose pods no rule lets to each other."""
    size = plan.workload.spec.size
    if size == 1:
        return None
    key = next(filter(network.places.has, _DIRECTIONS))
    return codes.PEERS_CUT_OFF.at(
        network.places.key(key),
        f"`{key}` without `peers` keeps the {size} pods of a group from each other",
        help="add `peers: workload`",
    )


def _narrows_nothing(network: WorkloadNetwork, plan: TenantPlan, isolation: str) -> Diagnostic:
    tenant = plan.tenant
    assert tenant.spec.network is not None
    return codes.NARROWS_NOTHING.at(
        network.places.key("peers"),
        f"`peers: {network.peers}` narrows nothing: `isolation: {isolation}` of tenant "
        f"`{tenant.metadata.name}` lets all its pods there reach each other",
        related=[Related(tenant.spec.network.places.value("isolation"), "policies only add")],
        help="remove `peers`, or set `isolation: none` and give every workload its own policy",
    )


def _tenant_isolation(plan: WorkloadPlan) -> str:
    network = plan.tenant.tenant.spec.network if plan.tenant else None
    return network.isolation if network else "none"


def _efa_note(network: Network, key: str, subject: str) -> Diagnostic:
    return codes.EFA_NOT_SEEN.at(
        network.places.value(key),
        f"a NetworkPolicy does not see EFA traffic of {subject}: EFA bypasses the pod's network",
        help="separate who must not talk over EFA by the security groups of their nodes",
    )
