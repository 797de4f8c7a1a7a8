"""Which clusters are meant, and which folders of an output tree may go.

In: names and labels as users give them. Out: a `Selection`, and folders to prune. A selection or an
empty input can never remove a cluster: that takes its name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from neuron_dra.diagnostics import did_you_mean
from neuron_dra.source import FatalError
from neuron_dra.spec.cluster import Cluster
from neuron_dra.syntax import formats


@dataclass(frozen=True, slots=True)
class Selection:
    """Which clusters are meant; empty selects all.

    Attributes:
        clusters: names of clusters.
        labels: labels that a cluster must have.
    """

    clusters: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)

    @property
    def is_everything(self) -> bool:
        return not self.clusters and not self.labels

    def selects(self, name: str, labels: dict[str, str]) -> bool:
        """Tell whether a cluster is meant."""
        named = not self.clusters or name in self.clusters
        return named and all(labels.get(key) == value for key, value in self.labels.items())


EVERYTHING = Selection()


def select(clusters: Sequence[str], selector: str) -> Selection:
    """Return the selection of `--cluster` and `-l`.

    Raises:
        FatalError: the selector is not a list of `key=value`, or names a label twice.
    """
    labels: dict[str, str] = {}
    for term in selector.split(",") if selector else ():
        key, equals, value = term.partition("=")
        key, value = key.strip(), value.removeprefix("=").strip()
        if not equals or formats.label_key(key) or formats.label_value(value):
            raise FatalError(f"`{term}` in the selector is not `key=value`")
        if key in labels:
            raise FatalError(f"the selector names the label `{key}` twice")
        labels[key] = value
    return Selection(tuple(clusters), labels)


def check_selection(selection: Selection, clusters: Mapping[str, Cluster]) -> None:
    """Refuse a selection that misses what it names.

    Raises:
        FatalError: a name is no cluster of the specs, or no cluster is selected.
    """
    for name in selection.clusters:
        if name not in clusters:
            hint = did_you_mean(name, clusters)
            raise FatalError(f"there is no Cluster `{name}` in the specs{hint and f', {hint}'}")
    if selection.is_everything:
        return
    if not any(selection.selects(name, each.metadata.labels) for name, each in clusters.items()):
        labels = ",".join(f"{key}={value}" for key, value in selection.labels.items())
        among = "named" if selection.clusters else f"{len(clusters)}"
        raise FatalError(f"none of the {among} clusters has the labels `{labels}`")


def pruned_folders(current: Iterable[str], names: Sequence[str], output: str) -> list[str]:
    """Return the folders of clusters to remove; a cluster that is still in the specs is refused.

    Raises:
        FatalError: a name is in the specs, or has no folder.
    """
    kept = set(current)
    for name in names:
        if name in kept:
            raise FatalError(f"cluster `{name}` is in the specs and cannot be pruned")
        if name not in written_clusters(output):
            raise FatalError(f"{output} has no cluster `{name}` to prune")
    return [f"clusters/{name}" for name in names]


def orphaned_clusters(current: Iterable[str], pruned: Sequence[str], output: str) -> list[str]:
    """Return clusters that have a folder in the output but are no longer in the specs."""
    return sorted(set(written_clusters(output)) - {*current, *pruned})


def written_clusters(output: str) -> list[str]:
    """Return the clusters that have a folder in an output tree."""
    folder = os.path.join(output, "clusters")  # noqa: PTH118 -- keeps pathlib off the compile path
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    except FileNotFoundError:
        return []
