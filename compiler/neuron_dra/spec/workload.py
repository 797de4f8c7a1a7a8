"""NeuronWorkloads: use of a partition by a controller, with its pods wired."""

from __future__ import annotations

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.names import LABEL_NAME, SELECTOR, LabelSelector, WorkloadMetadata
from neuron_dra.spec.tenant import GROUP_NAMES
from neuron_dra.syntax.containers import ListOf, Raw, RawReader
from neuron_dra.syntax.decode import Model, ModelReader, key, model, require_one
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import INT32_MAX, choice, integer

CONTROLLERS = ("Job", "JobSet", "LeaderWorkerSet", "MPIJob", "Deployment", "external")


@model
class WorkloadNetwork(Model):
    """Who may talk to the workload's pods."""

    peers: str | None = key(
        choice("workload"), "`workload`: the pods reach each other on all ports.", default=None
    )
    ingress: tuple[str, ...] = key(
        GROUP_NAMES,
        "Network groups that may reach them; without the key and `peers` everybody may.",
        default=(),
    )
    egress: tuple[str, ...] = key(
        GROUP_NAMES,
        "Network groups that they may reach; without the key and `peers` everything.",
        default=(),
    )

    def check(self, context: Context) -> None:
        if not any(map(self.places.has, ("peers", "ingress", "egress"))):
            context.add(
                codes.MISSING_KEY.at(
                    self.places.span, "one of `peers`, `ingress` and `egress` is required here"
                )
            )


@model
class WorkloadSpec(Model):
    """The body of a NeuronWorkload."""

    cluster: str | None = key(LABEL_NAME, "The cluster.", default=None)
    cluster_selector: LabelSelector | None = key(
        SELECTOR, "The clusters, by their labels.", default=None
    )
    partition: str = key(LABEL_NAME, "The partition that each pod claims.")
    controller: str = key(choice(*CONTROLLERS), "What makes the pods.")
    replicas: int = key(integer(least=0, most=INT32_MAX), "Groups of pods.", default=1)
    size: int = key(integer(least=1, most=INT32_MAX), "Pods in a group.", default=1)
    claim_containers: tuple[str, ...] = key(
        ListOf(LABEL_NAME, unique=True),
        "The containers that use the devices; needed when a pod has several.",
        default=(),
    )
    template: Raw | None = key(
        RawReader(), "The pod template; without it only policy is emitted.", default=None
    )
    leader_template: Raw | None = key(
        RawReader(),
        "The template of a LeaderWorkerSet's leader or an MPIJob's launcher.",
        default=None,
    )
    pod_selector: LabelSelector | None = key(
        SELECTOR, "The pods of an `external` controller.", default=None
    )
    network: WorkloadNetwork | None = key(
        ModelReader(WorkloadNetwork), "Who may talk to the pods.", default=None
    )

    @property
    def pods(self) -> int:
        """How many pods claim the partition at once."""
        return self.replicas * self.size

    def check(self, context: Context) -> None:
        require_one(self, "cluster", "clusterSelector", context)
        self._check_external(context)
        self._check_leader(context)
        if self.places.has("claimContainers") and self.template is None:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("claimContainers"), "`claimContainers` needs `template`"
                )
            )

    def _check_external(self, context: Context) -> None:
        external = self.controller == "external"
        if external and self.template is not None:
            context.add(
                codes.KEYS_EXCLUDE.at(
                    self.places.key("template"),
                    "`template` cannot stand beside `controller: external`",
                )
            )
        if not external and self.pod_selector is not None:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("podSelector"), "`podSelector` needs `controller: external`"
                )
            )

    def _check_leader(self, context: Context) -> None:
        if self.leader_template is None:
            return
        if self.template is None:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("leaderTemplate"), "`leaderTemplate` needs `template`"
                )
            )
        if self.controller not in ("LeaderWorkerSet", "MPIJob"):
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.key("leaderTemplate"),
                    "`leaderTemplate` needs `controller: LeaderWorkerSet` or `MPIJob`",
                )
            )


@model
class NeuronWorkload(Model):
    """Pods of a controller that claim a partition."""

    metadata: WorkloadMetadata = key(ModelReader(WorkloadMetadata), "Name and namespace.")
    spec: WorkloadSpec = key(ModelReader(WorkloadSpec), "The workload.")
