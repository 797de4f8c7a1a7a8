"""Codes of the plan phase: specs that are sound alone but not on this hardware or together."""

from neuron_dra.diagnostics import Code, Severity

CLAIM_EXCEEDS_DEVICES = Code(
    "ND3001",
    "claim-exceeds-devices",
    Severity.ERROR,
    "A claim wants more devices than an instance has.",
)
UNKNOWN_INSTANCE_TYPE = Code(
    "ND3002", "unknown-instance-type", Severity.ERROR, "An instance type is not in the catalogue."
)
UNKNOWN_CHIP = Code("ND3003", "unknown-chip", Severity.ERROR, "A chip is not in the catalogue.")
NOT_SERVED = Code(
    "ND3004",
    "instance-type-not-served",
    Severity.ERROR,
    "The Neuron DRA driver publishes nothing on an instance type.",
)
UNKNOWN_FACT = Code(
    "ND3005",
    "unknown-hardware-fact",
    Severity.ERROR,
    "A promise rests on a hardware fact that nobody has published.",
)
UNCONNECTED_SIZE = Code(
    "ND3006",
    "unconnected-size",
    Severity.ERROR,
    "Devices of this number are never a connected set.",
)
EFA_NOT_PAIRED = Code(
    "ND3007",
    "efa-not-paired",
    Severity.ERROR,
    "EFA interfaces cannot be paired with devices on an instance type.",
)
NO_EFA = Code("ND3008", "instance-type-without-efa", Severity.ERROR, "There are no EFA interfaces.")
LNC_NOT_ALLOWED = Code(
    "ND3009",
    "logical-neuron-core-not-allowed",
    Severity.ERROR,
    "A chip does not have this logical NeuronCore size.",
)
LNC_REFUSED = Code(
    "ND3010",
    "logical-neuron-core-refused",
    Severity.ERROR,
    "The driver refuses to set the logical NeuronCore on an instance type.",
)
LNC_UNPROVEN = Code(
    "ND3011",
    "logical-neuron-core-unproven",
    Severity.WARNING,
    "Nobody has reported that the driver sets the logical NeuronCore here.",
)
CLAIM_EXCEEDS_RESULTS = Code(
    "ND3012",
    "claim-exceeds-results",
    Severity.ERROR,
    "A claim wants more devices than the API can allocate to one claim.",
)
NODE_DEVICES_ONLY = Code(
    "ND3013",
    "devices-of-an-ultraserver",
    Severity.ERROR,
    "An UltraServer's instance type publishes whole nodes, not single devices.",
)
NOT_AN_ULTRASERVER = Code(
    "ND3014",
    "nodes-without-an-ultraserver",
    Severity.ERROR,
    "An instance type is not part of an UltraServer.",
)
ULTRASERVER_SIZE = Code(
    "ND3015",
    "ultraserver-size-not-allowed",
    Severity.ERROR,
    "An UltraServer is not used in sets of this many nodes.",
)
UNCONNECTED_DEVICES = Code(
    "ND3016",
    "unconnected-devices",
    Severity.WARNING,
    "Several devices without a common group may be scattered over the instance.",
)
UNSOUND_ALTERNATIVES = Code(
    "ND3017",
    "unsound-alternatives",
    Severity.ERROR,
    "Alternatives disagree on EFA, so the scheduler may mix them.",
)
ALTERNATIVES_DISAGREE = Code(
    "ND3018",
    "instance-types-disagree",
    Severity.ERROR,
    "The instance types of a chip cannot keep one promise.",
)
NO_POOL = Code(
    "ND3019", "no-pool-serves", Severity.ERROR, "No node pool of a cluster serves a partition."
)
DRIVER_PIN_UNMET = Code(
    "ND3020",
    "driver-pin-unmet",
    Severity.ERROR,
    "No node pool runs the Neuron driver version that a partition pins.",
)
DRIVER_PIN_PARTIAL = Code(
    "ND3021",
    "driver-pin-partial",
    Severity.WARNING,
    "Only some nodes run, or may run, the Neuron driver version that a partition pins.",
)
SELECTOR_INVALID = Code(
    "ND3022", "selector-invalid", Severity.ERROR, "A CEL selector does not compile, or it fails."
)
ATTRIBUTE_NOT_PUBLISHED = Code(
    "ND3023",
    "attribute-not-published",
    Severity.ERROR,
    "A selector reads an attribute that a device in reach lacks.",
)
FIELD_DROPPED = Code(
    "ND3024",
    "field-behind-disabled-gate",
    Severity.ERROR,
    "The API server of this version drops a field silently.",
)
UNKNOWN_MINOR = Code(
    "ND3025", "unknown-kubernetes-minor", Severity.ERROR, "A Kubernetes minor is not known."
)
BARRED_NODE_VERSION = Code(
    "ND3026",
    "barred-node-version",
    Severity.ERROR,
    "Nodes of this Kubernetes version cannot use DRA drivers, or not under this control plane.",
)
UNKNOWN_SDK = Code("ND3027", "unknown-sdk", Severity.ERROR, "A Neuron SDK version is not known.")
PARTIAL_ULTRASERVER = Code(
    "ND3028", "partial-ultraserver", Severity.ERROR, "A pool does not hold whole UltraServers."
)
UNANNOUNCED_TYPE = Code(
    "ND3029",
    "unannounced-instance-type",
    Severity.WARNING,
    "An instance type is known from software only; EC2 does not list it.",
)
DRIVER_MISSING = Code(
    "ND3030", "driver-missing", Severity.ERROR, "A cluster lacks the driver that is needed."
)
SELECTS_NOTHING = Code(
    "ND3031", "selector-matches-nothing", Severity.ERROR, "A selector matches no cluster."
)
NAMESPACE_OWNED_TWICE = Code(
    "ND3032",
    "namespace-owned-twice",
    Severity.ERROR,
    "Two tenants own one namespace in one cluster.",
)
WORKLOAD_DEFINED_TWICE = Code(
    "ND3033",
    "workload-defined-twice",
    Severity.ERROR,
    "Two workloads have one name in one namespace of one cluster.",
)
NOT_GRANTED = Code(
    "ND3034",
    "partition-not-granted",
    Severity.ERROR,
    "A workload uses a partition that its namespace is not granted.",
)
UNUSED_PARTITION = Code(
    "ND3035", "unused-partition", Severity.WARNING, "A partition is granted to nobody."
)
DEPRECATED_PARTITION = Code(
    "ND3036", "deprecated-partition", Severity.WARNING, "A deprecated partition is still used."
)
QUOTA_MISSES_CLASS = Code(
    "ND3037",
    "quota-misses-class",
    Severity.ERROR,
    "A tenant is granted a partition that its quota does not cover.",
)
QUOTA_UNUSED = Code(
    "ND3038",
    "quota-without-hardware",
    Severity.ERROR,
    "A quota counts hardware that no cluster of the tenant has.",
)
POOLS_OVERLAP = Code(
    "ND3039",
    "pools-overlap",
    Severity.ERROR,
    "Two pools of different mechanism can match one cluster node.",
)
QUOTA_UNIT = Code(
    "ND3040",
    "quota-in-wrong-unit",
    Severity.ERROR,
    "A quota counts devices where nodes are claimed, or the reverse.",
)
EFA_SHARED = Code(
    "ND3041",
    "efa-shared-by-devices",
    Severity.WARNING,
    "Several devices share one EFA interface, so fewer pods fit than devices.",
)
QUOTA_BY_NOT_COMPILED = Code(
    "ND3042",
    "quota-by-not-compiled",
    Severity.ERROR,
    "This compiler emits quota as ResourceQuota only.",
)
CLASS_NAME_TAKEN = Code(
    "ND3043",
    "device-class-name-taken",
    Severity.ERROR,
    "Two instance types give one DeviceClass name.",
)
OPERATOR_NAME_TAKEN = Code(
    "ND3044",
    "operator-template-name-taken",
    Severity.ERROR,
    "The UltraServer operator would create a template that exists already.",
)
EXTENDED_RESOURCE_UNUSED = Code(
    "ND3045",
    "extended-resource-without-class",
    Severity.ERROR,
    "An extended resource names an instance type that the cluster lacks.",
)
EXTENDED_RESOURCE_TWICE = Code(
    "ND3046",
    "extended-resource-twice",
    Severity.ERROR,
    "Two DeviceClasses have one extended resource name.",
)
QUOTA_BELOW_CLAIM = Code(
    "ND3049",
    "quota-below-claim",
    Severity.ERROR,
    "A quota is smaller than one claim of a partition that the tenant is granted.",
)
WORKLOAD_EXCEEDS_FLEET = Code(
    "ND3050",
    "workload-exceeds-fleet",
    Severity.ERROR,
    "A workload has more pods than its pools can ever hold.",
)
POOL_LABEL_CONTRADICTS = Code(
    "ND3051",
    "pool-label-contradicts",
    Severity.ERROR,
    "A pool is found by a label that its nodes cannot have.",
)
WORKLOAD_EXCEEDS_QUOTA = Code(
    "ND3053",
    "workload-exceeds-quota",
    Severity.ERROR,
    "A workload claims more devices than the quota of its namespace admits.",
)
CLAIM_NEVER_ALLOCATED = Code(
    "ND3052",
    "claim-never-allocated",
    Severity.ERROR,
    "An empty node that should serve a claim cannot take it.",
)
ATTRIBUTE_OF_OTHER_TYPE = Code(
    "ND3054",
    "attribute-of-other-type",
    Severity.ERROR,
    "A selector compares an attribute with a value of another type.",
)
VALUE_NOT_PUBLISHED = Code(
    "ND3055",
    "value-not-published",
    Severity.ERROR,
    "A selector asks for a value that no device in reach has.",
)
SELECTOR_NEVER_TRUE = Code(
    "ND3056",
    "selector-never-true",
    Severity.ERROR,
    "A selector matches no device in reach.",
)
SELECTOR_ALWAYS_TRUE = Code(
    "ND3057",
    "selector-always-true",
    Severity.WARNING,
    "A selector matches every device in reach.",
)
API_NOT_SERVED = Code(
    "ND3048",
    "api-version-not-served",
    Severity.WARNING,
    "A cluster does not serve the asked version of resource.k8s.io by default.",
)
DRIVER_UNPROVEN = Code(
    "ND3047",
    "driver-unproven",
    Severity.WARNING,
    "Nobody has seen the Neuron DRA driver serve an instance type.",
)
