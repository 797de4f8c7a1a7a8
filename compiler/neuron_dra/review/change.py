"""The one model of changes: fields, objects, groups of equal changes, and the whole review.

In: what the comparison found. Out: values that every format is written from. It compares nothing
and words nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from neuron_dra.diagnostics import Diagnostic
from neuron_dra.review.tree import Identity


class ChangeKind(Enum):
    """What happened to an object, the gravest first; a field is added, removed or changed."""

    REPLACED = "replaced"  # it differs in a field that cannot be updated
    REMOVED = "removed"
    RENAMED = "renamed"  # it differs in nothing but its name
    CHANGED = "changed"
    ADDED = "added"

    @property
    def rank(self) -> int:
        return list(ChangeKind).index(self)


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A difference inside an object.

    Attributes:
        path: `spec.a.b[item]`; an item of a list is named by its key where it has one.
        old: plain data; None if the field was added.
        new: plain data; None if the field was removed.
    """

    path: str
    kind: ChangeKind
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """What happened to one object.

    Attributes:
        identity: on the new side, unless the object was removed.
        path: of its file, below the tree.
        fields: what differs, by path; empty if it was added, removed or renamed.
        immutable: whether a field differs that the API server refuses to update.
        old_name: of a renamed object, else empty.
        documents: `Kind/name` of the documents that its files name.
    """

    identity: Identity
    kind: ChangeKind
    path: str
    fields: tuple[FieldChange, ...] = ()
    immutable: bool = False
    old_name: str = ""
    documents: tuple[str, ...] = ()


class Place(NamedTuple):
    """Where a change is made: in every one of some namespaces of every one of some clusters.

    Attributes:
        clusters: sorted; empty if clusters share the object.
        namespaces: sorted; empty if the object has none.
        exceptions: further clusters of both sides that have the object without this change.
    """

    clusters: tuple[str, ...]
    namespaces: tuple[str, ...]
    exceptions: tuple[str, ...] = ()

    @property
    def objects(self) -> int:
        """How many objects changed here."""
        return max(1, len(self.clusters)) * max(1, len(self.namespaces))


@dataclass(frozen=True, slots=True)
class ChangeGroup:
    """The same change to an object of one kind and name, wherever it is made.

    Attributes:
        change: stands for all, without cluster and namespace; `{cluster}` in its texts is the name
            of each cluster.
        places: never empty; no two have the same clusters.
        whole_clusters: whether the clusters themselves were added or removed.
    """

    change: ObjectChange
    places: tuple[Place, ...]
    whole_clusters: bool = False

    @property
    def objects(self) -> int:
        """How many objects changed."""
        return sum(place.objects for place in self.places)

    @property
    def clusters(self) -> frozenset[str]:
        """The clusters of all places."""
        return frozenset(name for place in self.places for name in place.clusters)


class Count(NamedTuple):
    """How many groups of changes there are, and how many objects they are about."""

    groups: int
    objects: int


@dataclass(frozen=True, slots=True)
class Review:
    """Everything that two trees differ in.

    Attributes:
        groups: the gravest first.
        diagnostics: about files that could not be compared.
    """

    groups: tuple[ChangeGroup, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def counts(self) -> Mapping[ChangeKind, Count]:
        """The number of changes of every kind."""
        counts = dict.fromkeys(ChangeKind, Count(0, 0))
        for group in self.groups:
            groups, objects = counts[group.change.kind]
            counts[group.change.kind] = Count(groups + 1, objects + group.objects)
        return counts

    @property
    def clusters(self) -> tuple[str, ...]:
        """The clusters in which anything differs, sorted."""
        return tuple(sorted({name for group in self.groups for name in group.clusters}))
