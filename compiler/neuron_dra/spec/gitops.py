"""How the output reaches a cluster: Argo CD's repository, project, destination and sync policy."""

from __future__ import annotations

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.addresses import API_SERVER, ARGOCD_NAME, FOLDER, GIT_REPOSITORY, REVISION
from neuron_dra.spec.names import LABEL_NAME
from neuron_dra.syntax.containers import ByShape
from neuron_dra.syntax.decode import Model, ModelReader, key, model, require_one
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import boolean, choice

ROLLOUT = choice("replace", "rename", "fail")
BUILT_IN_PROJECT = "default"  # Argo CD documentation, projects: it exists and cannot be deleted


@model
class Project(Model):
    """The AppProject of the applications."""

    name: str = key(LABEL_NAME, "The project's name.")
    create: bool = key(boolean(), "Whether the AppProject is emitted.", default=True)

    def check(self, context: Context) -> None:
        if self.create and self.name == BUILT_IN_PROJECT:
            context.add(
                codes.INVALID_VALUE.at(
                    self.places.value("name"),
                    f"the AppProject `{self.name}` is Argo CD's own and not to be created",
                    help="use another name, or add `create: false`",
                )
            )


@model
class Destination(Model):
    """The cluster as Argo CD knows it: by name or by server."""

    name: str | None = key(ARGOCD_NAME, "The name in Argo CD.", default=None)
    server: str | None = key(API_SERVER, "The URL of the API server, or an EKS ARN.", default=None)

    def check(self, context: Context) -> None:
        require_one(self, "name", "server", context)


@model
class Automated(Model):
    """Automated sync."""

    prune: bool = key(boolean(), "Delete what the output no longer holds.", default=True)
    self_heal: bool = key(boolean(), "Undo changes made in the cluster.", default=True)


@model
class SyncPolicy(Model):
    """When Argo CD syncs."""

    automated: Automated | None = key(
        ModelReader(Automated), "Sync without being asked.", default=None
    )


@model
class ArgoCD(Model):
    """Argo CD's repository and applications."""

    repo_url: str = key(GIT_REPOSITORY, "The repository that holds the output.", name="repoURL")
    path: str = key(FOLDER, "The output's folder in that repository.", default="out")
    target_revision: str = key(
        REVISION, "The branch or tag: the rollout stage of everything.", default="HEAD"
    )
    namespace: str = key(LABEL_NAME, "Argo CD's own namespace.", default="argocd")
    project: Project = key(ModelReader(Project), "The AppProject.")
    destination: Destination = key(ModelReader(Destination), "The cluster.")
    sync_policy: SyncPolicy | None = key(ModelReader(SyncPolicy), "When to sync.", default=None)


@model
class GitOps(Model):
    """The GitOps engine."""

    argocd: ArgoCD = key(ModelReader(ArgoCD), "Argo CD.")


GITOPS = ByShape("`none` or a map", scalar=choice("none"), mapping=ModelReader(GitOps))
