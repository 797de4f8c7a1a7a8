"""A Helm release, and what the drivers have in common: their chart, and their values as a file.

In: what the user wrote of a driver. Out: the chart's facts, and `Release` values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neuron_dra.catalog.chart import Chart
from neuron_dra.catalog.driver import Driver
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import gitops as codes
from neuron_dra.objects.object import KubeObject
from neuron_dra.plan.profile import Pool
from neuron_dra.spec.cluster import ChartDriver

GroupKind = tuple[str, str]  # API group, kind

RBAC: tuple[GroupKind, ...] = (
    ("rbac.authorization.k8s.io", "ClusterRole"),
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"),
)
SYSTEM_NAMESPACE = "kube-system"  # in every cluster; EKS user guide installs the EFA driver there
DEVICE_CLASS: GroupKind = ("resource.k8s.io", "DeviceClass")
NAMESPACE: GroupKind = ("", "Namespace")


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """A chart with values.

    Attributes:
        name: of the Helm release, and of its folder in the output.
        driver: the driver's name in the spec.
        role: the end of its Argo CD application's name.
        chart: the facts that hold for it; of another version when the spec says `like`.
        version: the chart's version.
        repository: where the chart lies, without the chart's name.
        namespace: of the release; Argo CD creates it unless every cluster has it.
        cluster_kinds: the kinds of its objects that have no namespace.
        values: ours with the user's.
        fields: path in the values -> the layer (empty: the Cluster itself) and the field there.
    """

    name: str
    driver: str
    role: str
    chart: Chart
    version: str
    repository: str
    namespace: str
    cluster_kinds: tuple[GroupKind, ...]
    values: dict[str, Any]
    fields: Mapping[str, tuple[str, str]]

    @property
    def values_path(self) -> str:
        """The file of its values, under the cluster's folder."""
        return f"helm/{self.name}/values.yaml"


def render_values(release: Release, cluster: str) -> KubeObject:
    """Return the values of a release as the file of one cluster.

    Args:
        cluster: the `Cluster/name` of the document.
    """
    fields = {
        path: f"{layer or cluster} {field}" for path, (layer, field) in release.fields.items()
    }
    layers = sorted({layer for layer, _ in release.fields.values() if layer})
    return KubeObject(release.values_path, release.values, (cluster, *layers), fields)


def cause_by_pools(paths: Iterable[str], pools: Sequence[Pool]) -> dict[str, tuple[str, str]]:
    """Return the cause of paths in the values that follow from the node pools."""
    layer = layer_of(pools[0].spec.places.origin.document) if pools else ""
    return dict.fromkeys(paths, (layer, "spec.nodePools"))


def layer_of(document: str) -> str:
    """Return the layer that a value came from; empty for the Cluster, whichever it is."""
    return "" if document.startswith("Cluster/") else document


def find_chart(
    written: ChartDriver, driver: Driver, name: str, found: list[Diagnostic]
) -> Chart | None:
    """Return the facts of the chart version that a cluster names, or of the one it is like."""
    version, like = written.chart_version, written.like
    if version is None:
        if written.install == "helm":
            found.append(_missing_version(written, driver, name))
        return None
    chart = driver.chart(version)
    if chart is not None:
        if like is not None:
            found.append(
                codes.NEEDLESS_LIKE.at(
                    written.places.key("like"),
                    f"`like: {like}` has no effect: version {version} of the chart is known",
                    help="remove the line",
                )
            )
        return chart
    return _similar_chart(written, driver, found)


def _missing_version(written: ChartDriver, driver: Driver, name: str) -> Diagnostic:
    known = ", ".join(f"`{each}`" for each in driver.charts)
    return codes.MISSING_CHART_VERSION.at(
        written.places.span,
        f"`drivers.{name}` needs `chartVersion`",
        help=f"known: {known}; `install: external` when others install the driver",
    )


def _similar_chart(written: ChartDriver, driver: Driver, found: list[Diagnostic]) -> Chart | None:
    key = "chartVersion" if written.like is None else "like"
    version = written.like or written.chart_version or ""
    chart = driver.chart(version)
    if chart is None:
        found.append(
            codes.UNKNOWN_CHART.at(
                written.places.value(key),
                f"version {version} of the chart is not known",
                help=driver.chart_help(version)
                + ("" if written.like else "; for a newer one add `like: VERSION`"),
            )
        )
        return None
    found.append(
        codes.ASSUMED_CHART.at(
            written.places.value("chartVersion"),
            f"version {written.chart_version} of the chart is not known: its values are checked "
            f"and completed as those of {version}",
        )
    )
    return chart


def check_external(written: ChartDriver | None) -> list[Diagnostic]:
    """Diagnose what a Cluster itself says of the chart of a driver that others install."""
    if written is None or written.install != "external":
        return []
    return [
        codes.UNUSED_VALUES.at(
            written.places.key(key),
            f"`{key}` has no effect with `install: external`",
            help="remove the key, or set `install: helm`",
        )
        for key in ("repository", "values")
        if written.places.has(key) and not layer_of(written.places.document(key))
    ]
