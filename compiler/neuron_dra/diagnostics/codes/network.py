"""Codes of network policies, quotas and namespaces."""

from neuron_dra.diagnostics import Code, Severity

UNKNOWN_GROUP = Code(
    "ND4001",
    "unknown-network-group",
    Severity.ERROR,
    "A name in `ingress` or `egress` is no network group of the cluster.",
)
EFA_NOT_SEEN = Code(
    "ND4002",
    "efa-outside-network-policy",
    Severity.NOTE,
    "A NetworkPolicy selects pods whose EFA traffic no NetworkPolicy can see.",
)
NARROWS_NOTHING = Code(
    "ND4003",
    "policy-narrows-nothing",
    Severity.WARNING,
    "A workload's policy allows what the tenant's policy allows already.",
)
EGRESS_ONLY = Code(
    "ND4004",
    "egress-group-in-ingress",
    Severity.ERROR,
    "A built-in group of destinations stands in `ingress`.",
)
TOO_MANY_PORTS = Code(
    "ND4005",
    "too-many-ports",
    Severity.WARNING,
    "A network group has more ports than the VPC CNI enforces in one rule.",
)
REDEFINED_GROUP = Code(
    "ND4006",
    "redefined-network-group",
    Severity.ERROR,
    "A network group has the name of a built-in one.",
)
PEERS_CUT_OFF = Code(
    "ND4007",
    "peers-cut-off",
    Severity.WARNING,
    "A policy keeps the pods of a group from each other.",
)
NOT_CREATED = Code(
    "ND4010",
    "namespace-not-created",
    Severity.NOTE,
    "The namespaces of a tenant are not emitted and must exist.",
)
