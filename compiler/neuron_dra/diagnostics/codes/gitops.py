"""Codes of driver charts, their values, and Argo CD's objects."""

from neuron_dra.diagnostics import Code, Severity

UNKNOWN_CHART = Code(
    "ND4050",
    "unknown-chart-version",
    Severity.ERROR,
    "The catalogue does not know a version of a driver's chart.",
)
ASSUMED_CHART = Code(
    "ND4051",
    "assumed-chart-version",
    Severity.WARNING,
    "An unknown version of a chart is taken to be like a known one.",
)
UNKNOWN_VALUE = Code(
    "ND4052", "unknown-chart-value", Severity.ERROR, "A chart's values have no such key."
)
VALUE_TYPE = Code(
    "ND4053", "wrong-chart-value-type", Severity.ERROR, "A chart's value has another type."
)
OWNED_VALUE = Code(
    "ND4054",
    "owned-chart-value",
    Severity.ERROR,
    "A chart's value follows from the spec and cannot be set beside it.",
)
UNUSED_VALUES = Code(
    "ND4055",
    "unused-chart-values",
    Severity.WARNING,
    "Something is said of a chart that no release of the cluster installs.",
)
MISSING_CHART_VERSION = Code(
    "ND4056",
    "missing-chart-version",
    Severity.ERROR,
    "A driver is installed by Helm, and the chart's version is not given.",
)
EFA_NOT_SEPARABLE = Code(
    "ND4057",
    "efa-pools-not-separable",
    Severity.ERROR,
    "No node label keeps the EFA DRA driver away from the pools of the EFA device plugin.",
)
OPERATOR_NOT_INSTALLED = Code(
    "ND4058",
    "operator-not-installable",
    Severity.ERROR,
    "The UltraServer operator is enabled where nothing can install it.",
)
NEEDLESS_LIKE = Code(
    "ND4059",
    "needless-like",
    Severity.WARNING,
    "`like` stands beside a chart version that the catalogue knows.",
)
PROJECTS_DIFFER = Code(
    "ND8001",
    "app-projects-differ",
    Severity.ERROR,
    "Two clusters say different things of one AppProject.",
)
SHARED_DESTINATION = Code(
    "ND8002",
    "shared-destination",
    Severity.ERROR,
    "Two clusters are sent to one destination of Argo CD.",
)
NOTHING_TO_SYNC = Code(
    "ND8003",
    "nothing-to-sync",
    Severity.WARNING,
    "A cluster has a GitOps engine, and nothing is compiled for it.",
)
