"""Network groups: what a word in `ingress` and `egress` means as peers and ports.

In: a cluster's groups and the built-in ones. Out: rules of a NetworkPolicy, and diagnostics of
groups that cannot hold. Decides nothing about whose policy a rule stands in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Diagnostic, did_you_mean
from neuron_dra.diagnostics.codes import network as codes
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.cluster import NetworkGroup
from neuron_dra.spec.names import LabelSelector
from neuron_dra.spec.tenant import TenantNetwork
from neuron_dra.spec.workload import WorkloadNetwork

NAMESPACE_NAME = "kubernetes.io/metadata.name"  # set by the API server on every namespace
DNS, POD_IDENTITY = "dns", "pod-identity"
PORTS_MAX = 24  # EKS user guide, network policy considerations, 2026-12-01


class Group(NamedTuple):
    """Peers of which any may be reached, on any of the ports; no ports are all ports."""

    peers: tuple[dict[str, Any], ...]
    ports: tuple[dict[str, Any], ...]

    def rule(self, direction: str) -> dict[str, Any]:
        """Return a rule of a policy; `direction` is `from` or `to`."""
        ports = {"ports": list(self.ports)} if self.ports else {}
        return {**ports, direction: list(self.peers)}


# EKS user guide, CoreDNS add-on; kubernetes.io, NodeLocal DNSCache: its pods are on the host's
# network, so that only its address can be named.
_CLUSTER_DNS = {
    "podSelector": {"matchLabels": {"k8s-app": "kube-dns"}},
    "namespaceSelector": {"matchLabels": {NAMESPACE_NAME: "kube-system"}},
}
_NODE_LOCAL_DNS = {"ipBlock": {"cidr": "169.254.20.10/32"}}
_DNS_PORTS = ({"protocol": "UDP", "port": 53}, {"protocol": "TCP", "port": 53})
# Link-local addresses of the EKS Pod Identity agent: EKS user guide, Pod Identity.
_POD_IDENTITY_PEERS = (
    {"ipBlock": {"cidr": "169.254.170.23/32"}},
    {"ipBlock": {"cidr": "fd00:ec2::23/128"}},
)
BUILT_IN: Mapping[str, Group] = {
    DNS: Group((_CLUSTER_DNS, _NODE_LOCAL_DNS), _DNS_PORTS),
    POD_IDENTITY: Group(_POD_IDENTITY_PEERS, ({"protocol": "TCP", "port": 80},)),
}


def find_group(name: str, groups: Mapping[str, NetworkGroup]) -> Group | None:
    """Return what a word means in a cluster with these groups."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    return _group(groups[name]) if name in groups else None


def _group(written: NetworkGroup) -> Group:
    peers = [{"ipBlock": {"cidr": cidr}} for cidr in written.cidrs]
    # Both selectors in one peer are an AND; in two peers they would be an OR.
    selectors = {
        "podSelector": written.pod_selector,
        "namespaceSelector": written.namespace_selector,
    }
    peer = {key: render_selector(each) for key, each in selectors.items() if each is not None}
    if peer:
        peers.append(peer)
    ports = tuple({"protocol": "TCP", "port": port} for port in written.ports)
    return Group(tuple(peers), ports)


def render_selector(selector: LabelSelector) -> dict[str, Any]:
    """Return a label selector as Kubernetes writes it."""
    rendered: dict[str, Any] = {}
    if selector.match_labels:
        rendered["matchLabels"] = dict(sorted(selector.match_labels.items()))
    if selector.match_expressions:
        rendered["matchExpressions"] = [
            {"key": each.key_, "operator": each.operator}
            | ({"values": list(each.values)} if each.values else {})
            for each in selector.match_expressions
        ]
    return rendered


def check_groups(profile: Profile) -> list[Diagnostic]:
    """Judge a cluster's own groups, whoever uses them."""
    found = []
    for name, group in profile.network_groups.items():
        if name in BUILT_IN:
            found.append(
                codes.REDEFINED_GROUP.at(
                    group.places.span,
                    f"the network group `{name}` is built in and cannot be defined",
                    help="give this group another name",
                )
            )
        if len(group.ports) > PORTS_MAX:
            found.append(
                codes.TOO_MANY_PORTS.at(
                    group.places.value("ports"),
                    f"the network group `{name}` has {len(group.ports)} ports, the VPC CNI "
                    f"enforces at most {PORTS_MAX} in one rule",
                    help="leave `ports` out, which allows all of them, or make two groups",
                )
            )
    return found


def check_names(
    network: TenantNetwork | WorkloadNetwork, groups: Mapping[str, NetworkGroup]
) -> list[Diagnostic]:
    """Diagnose words of `ingress` and `egress` that mean nothing there."""
    return [
        problem
        for key, names in (("ingress", network.ingress), ("egress", network.egress))
        for index, name in enumerate(names)
        if (problem := _check_name(network, key, index, name, groups)) is not None
    ]


def _check_name(
    network: TenantNetwork | WorkloadNetwork,
    key: str,
    index: int,
    name: str,
    groups: Mapping[str, NetworkGroup],
) -> Diagnostic | None:
    where = network.places.item(key, index)
    if name not in BUILT_IN and name not in groups:
        return codes.UNKNOWN_GROUP.at(
            where,
            f"unknown network group `{name}`",
            help=did_you_mean(name, [*BUILT_IN, *groups]),
        )
    if key == "ingress" and name in BUILT_IN:
        return codes.EGRESS_ONLY.at(
            where,
            f"the network group `{name}` is a destination: it cannot stand in `ingress`",
            help="move it to `egress`",
        )
    return None


def named_rules(
    names: Sequence[str], direction: str, groups: Mapping[str, NetworkGroup]
) -> list[tuple[str, dict[str, Any]]]:
    """Return the rule of every known name, in order."""
    found = ((name, find_group(name, groups)) for name in names)
    return [(name, group.rule(direction)) for name, group in found if group is not None]
