"""Codes of what claims that share pools do to each other."""

from neuron_dra.diagnostics import Code, Severity

QUOTA_EXCEEDS_FLEET = Code(
    "ND3060",
    "quota-exceeds-fleet",
    Severity.WARNING,
    "A tenant may claim more than the pools of a cluster can ever hold.",
)
WORKLOADS_EXCEED_FLEET = Code(
    "ND3061",
    "workloads-exceed-fleet",
    Severity.ERROR,
    "Workloads that run at all times cannot run at once on their pools.",
)
WORKLOADS_CROWDED = Code(
    "ND3062",
    "workloads-crowded",
    Severity.WARNING,
    "The workloads of a cluster find no places on its pools at once.",
)
WORKLOAD_BLOCKED = Code(
    "ND3063",
    "workload-blocked-within-quota",
    Severity.WARNING,
    "Small claims, as many as quotas admit, can leave no room for a workload.",
)
WORKLOAD_BLOCKABLE = Code(
    "ND3064",
    "workload-blocked-without-quota",
    Severity.NOTE,
    "Small claims that no quota limits can leave no room for a workload.",
)
