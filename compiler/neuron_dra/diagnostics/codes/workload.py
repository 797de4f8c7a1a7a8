"""Codes of wired workloads: pod templates, controllers and what they cannot do together."""

from neuron_dra.diagnostics import Code, Severity

UNKNOWN_FIELD = Code(
    "ND4020",
    "template-unknown-field",
    Severity.ERROR,
    "A pod template has a field that Kubernetes does not know.",
)
WRONG_TYPE = Code(
    "ND4021",
    "template-wrong-type",
    Severity.ERROR,
    "A value of a pod template has another type than its field.",
)
CLAIM_CONTAINERS_NEEDED = Code(
    "ND4022",
    "claim-containers-needed",
    Severity.ERROR,
    "A pod has several containers and nothing says which of them use the devices.",
)
UNKNOWN_CLAIM_CONTAINER = Code(
    "ND4023",
    "unknown-claim-container",
    Severity.ERROR,
    "A container that shall use the devices is not in the pod template.",
)
MISSING_FIELD = Code(
    "ND4024",
    "template-missing-field",
    Severity.ERROR,
    "A pod template lacks a field that Kubernetes requires.",
)
CLAIM_CONFLICT = Code(
    "ND4025",
    "claim-wired-twice",
    Severity.ERROR,
    "A pod template wires claims itself, and not as the workload says.",
)
NODES_EXCLUDED = Code(
    "ND4026",
    "node-selector-excludes-pools",
    Severity.ERROR,
    "A pod template selects no node of the pools that serve the partition.",
)
LNC_DIFFERS = Code(
    "ND4027",
    "logical-neuron-core-differs",
    Severity.ERROR,
    "A variable sets another logical NeuronCore size than the claim.",
)
CONTROLLER_NOT_INSTALLED = Code(
    "ND4028",
    "controller-not-installed",
    Severity.ERROR,
    "A cluster does not have the controller that a workload needs.",
)
DERIVED_NAME = Code(
    "ND4029",
    "derived-name-invalid",
    Severity.ERROR,
    "A name that Kubernetes derives from the workload's name is not valid.",
)
ROOT_ADDRESS = Code(
    "ND4030",
    "root-address-too-long",
    Severity.ERROR,
    "The address of rank 0 is longer than the Neuron runtime accepts.",
)
GROUPS_NOT_POSSIBLE = Code(
    "ND4031",
    "groups-not-possible",
    Severity.ERROR,
    "A controller cannot make this many groups, or groups of this size.",
)
ULTRASERVER_GROUPS = Code(
    "ND4032",
    "ultraserver-groups",
    Severity.ERROR,
    "A controller cannot keep the pods of a group together in an UltraServer.",
)
LEADER_TEMPLATE_NEEDED = Code(
    "ND4033",
    "leader-template-needed",
    Severity.ERROR,
    "An MPIJob needs the pod template of its launcher.",
)
HOST_NETWORK = Code(
    "ND4034",
    "host-network-with-efa",
    Severity.ERROR,
    "A pod in the host's network cannot claim EFA interfaces.",
)
DEVICE_PLUGIN_RESOURCE = Code(
    "ND4035",
    "device-plugin-resource",
    Severity.ERROR,
    "A container asks for devices twice: by its claim, and from a device plugin.",
)
VISIBLE_CORES = Code(
    "ND4036",
    "visible-cores-set",
    Severity.WARNING,
    "A variable chooses NeuronCores by number inside what the claim allocates.",
)
BYPASSES_ALLOCATION = Code(
    "ND4037",
    "bypasses-allocation",
    Severity.ERROR,
    "A pod mounts devices of the host beside its claim.",
)
PRIVILEGED = Code(
    "ND4038",
    "privileged-container",
    Severity.WARNING,
    "A privileged container reaches the devices of other pods.",
)
SCHEDULER_NAME = Code(
    "ND4039",
    "device-plugin-scheduler",
    Severity.WARNING,
    "A pod names the scheduler of the Neuron device plugin.",
)
RESTART_POLICY = Code(
    "ND4040",
    "restart-policy-not-allowed",
    Severity.ERROR,
    "The restart policy of a pod template does not go with its controller.",
)
HUGEPAGES = Code(
    "ND4041",
    "hugepages-without-memory",
    Severity.ERROR,
    "A container asks for huge pages but for neither cpu nor memory.",
)
SHARED_MEMORY = Code(
    "ND4042",
    "shared-memory-above-limit",
    Severity.NOTE,
    "The shared memory of a pod may grow larger than a container's memory limit.",
)
POD_SECURITY = Code(
    "ND4043",
    "pod-security-refuses",
    Severity.ERROR,
    "The Pod Security Standard of a namespace refuses a pod.",
)
ROOT_PORT = Code(
    "ND4044",
    "root-port-unsafe",
    Severity.WARNING,
    "The port of rank 0 may already be in use when the runtime listens on it.",
)
RESERVED_LABEL = Code(
    "ND4045",
    "reserved-label",
    Severity.ERROR,
    "A pod template sets a label that the compiler sets itself.",
)
FIELD_NOT_ALLOWED = Code(
    "ND4047",
    "template-field-not-allowed",
    Severity.ERROR,
    "A pod template sets a field that the scheduler or the controller must set.",
)
ULTRASERVER_TYPE = Code(
    "ND4046",
    "ultraserver-type-ambiguous",
    Severity.ERROR,
    "The UltraServer operator needs one instance type, and several serve the partition.",
)
NO_OBJECTS = Code(
    "ND4100",
    "workload-without-objects",
    Severity.WARNING,
    "A workload compiles to nothing.",
)
POD_REFUSED = Code(
    "ND4101",
    "pod-refused",
    Severity.ERROR,
    "The API server refuses the pods of a template.",
)
UNKNOWN_REQUEST = Code(
    "ND4102",
    "unknown-claim-request",
    Severity.ERROR,
    "A container uses a request that the claim does not have, and would get no devices.",
)
TEMPLATE_NOT_MADE = Code(
    "ND4103",
    "claim-template-not-made",
    Severity.WARNING,
    "A pod claims a ResourceClaimTemplate that nothing here makes.",
)
ASKED_TWICE = Code(
    "ND4104",
    "devices-asked-twice",
    Severity.ERROR,
    "A container asks for devices by an extended resource beside the claim of its pod.",
)
EXCEEDS_HOST = Code(
    "ND4105",
    "requests-exceed-host",
    Severity.ERROR,
    "A pod requests more cpu or memory than any of its cluster nodes has.",
)
GROUP_ACROSS_ZONES = Code(
    "ND4106",
    "group-across-zones",
    Severity.WARNING,
    "The pods of a group may land in different zones, which EFA does not join.",
)
LNC_VARIES = Code(
    "ND4107",
    "logical-neuron-core-varies",
    Severity.WARNING,
    "The alternatives of a partition set different logical NeuronCores.",
)
