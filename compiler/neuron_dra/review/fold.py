"""Equal changes to one: the same change in many namespaces and clusters is one group.

In: changes of objects, and both trees. Out: groups with their places, the gravest first. Changes
are equal if they say the same, also where the only difference is that each names its own cluster.
Whether two added objects of one kind and name have the same content is not asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from neuron_dra.review.change import ChangeGroup, ChangeKind, ObjectChange, Place
from neuron_dra.review.tree import ObjectTree

# Stands for the name of each cluster of a group.
CLUSTER = "{cluster}"


class _Alike(NamedTuple):
    """Equal changes, each in another cluster or namespace, and one that stands for all.

    Every one of the namespaces has changed in every one of the clusters.
    """

    change: ObjectChange
    members: tuple[ObjectChange, ...]
    namespaces: tuple[str, ...]

    @classmethod
    def of(cls, parts: list[_Alike]) -> _Alike:
        """Return the parts, which are equal but for their places, as one."""
        members = tuple(each for part in parts for each in part.members)
        namespaces = sorted({name for part in parts for name in part.namespaces})
        return cls(parts[0].change, members, tuple(namespaces))

    @property
    def clusters(self) -> tuple[str, ...]:
        return tuple(sorted({each.identity.cluster for each in self.members} - {""}))


def fold(
    changes: Iterable[ObjectChange], old: ObjectTree, new: ObjectTree
) -> tuple[ChangeGroup, ...]:
    """Return the groups of some changes."""
    shared = old.clusters & new.clusters
    inside: list[ObjectChange] = []
    whole: list[ObjectChange] = []
    for change in changes:
        cluster = change.identity.cluster
        (whole if cluster and cluster not in shared else inside).append(change)
    exceptions = _Exceptions(old, new)
    groups = [*_group(inside, exceptions), *_group(whole, None)]
    return tuple(sorted(groups, key=_sort_key))


def _group(
    changes: Iterable[ObjectChange], exceptions: _Exceptions | None
) -> Iterator[ChangeGroup]:
    """Yield the groups of changes; those of whole clusters have no exceptions."""
    found: dict[Hashable, dict[tuple[str, ...], list[_Alike]]] = {}
    for alike in _join_clusters(changes):
        places = found.setdefault(_key(_without_namespace(alike.change)), {})
        places.setdefault(alike.clusters, []).append(alike)
    for places in found.values():
        joined = [_Alike.of(same) for same in places.values()]
        listed = [
            Place(each.clusters, each.namespaces, exceptions.find(each) if exceptions else ())
            for each in joined
        ]
        listed.sort(key=lambda place: (place.namespaces, place.clusters))
        yield ChangeGroup(_stand_in(_Alike.of(joined)), tuple(listed), exceptions is None)


def _join_clusters(changes: Iterable[ObjectChange]) -> Iterator[_Alike]:
    """Join changes of clusters: those that are equal, then those that differ in its name alone."""
    alone = []
    for alike in _join((change, change) for change in changes):
        if len(alike.members) == 1 and alike.clusters:
            alone.append((_open_cluster(alike.change), alike.change))
        else:
            yield alike
    for alike in _join(alone):
        yield alike if len(alike.members) > 1 else _alike(alike.members[0], alike.members)


def _join(pairs: Iterable[tuple[ObjectChange, ObjectChange]]) -> Iterator[_Alike]:
    """Join changes by what the change beside each says, in whatever cluster."""
    found: dict[Hashable, list[tuple[ObjectChange, ObjectChange]]] = {}
    for shown, change in pairs:
        found.setdefault(_key(shown), []).append((shown, change))
    for same in found.values():
        yield _alike(same[0][0], tuple(change for _, change in same))


def _alike(change: ObjectChange, members: tuple[ObjectChange, ...]) -> _Alike:
    namespace = change.identity.namespace
    return _Alike(change, members, (namespace,) if namespace else ())


def _without_namespace(change: ObjectChange) -> ObjectChange:
    """Return the change with nothing of its namespace left but whether it has one."""
    identity = change.identity
    return replace(change, identity=identity._replace(namespace="*" if identity.namespace else ""))


def _key(change: ObjectChange) -> Hashable:
    fields = [(each.path, each.kind.value, each.old, each.new) for each in change.fields]
    content = json.dumps(fields, sort_keys=True) if fields else ""
    return (change.kind, change.identity[1:], change.old_name, change.immutable, content)


def _stand_in(alike: _Alike) -> ObjectChange:
    """Return the change that stands for all: documents are those of all of them."""
    documents: dict[str, None] = {}
    for member in alike.members:
        for each in member.documents:
            opened = _open(each, _pattern(member)) if len(alike.clusters) > 1 else each
            documents[opened] = None
    identity = alike.change.identity._replace(cluster="", namespace="")
    return replace(alike.change, identity=identity, documents=tuple(documents))


def _open_cluster(change: ObjectChange) -> ObjectChange:
    """Return the change with the name of its cluster left open."""
    pattern = _pattern(change)
    identity = change.identity
    return replace(
        change,
        identity=identity._replace(
            namespace=_open(identity.namespace, pattern), name=_open(identity.name, pattern)
        ),
        old_name=_open(change.old_name, pattern),
        fields=tuple(
            replace(each, old=_open(each.old, pattern), new=_open(each.new, pattern))
            for each in change.fields
        ),
    )


def _pattern(change: ObjectChange) -> re.Pattern[str]:
    """Return what matches the name of the change's cluster where it is a word of its own."""
    name = re.escape(change.identity.cluster)
    return re.compile(rf"(?<![A-Za-z0-9]){name}(?![A-Za-z0-9])")


def _open(value: Any, pattern: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return pattern.sub(CLUSTER, value)
    if isinstance(value, dict):
        return {key: _open(each, pattern) for key, each in value.items()}
    return [_open(item, pattern) for item in value] if isinstance(value, list) else value


class _Exceptions:
    """Finds the clusters in which an object did not change in the way of others."""

    def __init__(self, old: ObjectTree, new: ObjectTree) -> None:
        self.files = old.files.keys() & new.files.keys()
        self.clusters = old.clusters & new.clusters

    def find(self, alike: _Alike) -> tuple[str, ...]:
        """Return the clusters where both sides have the file of the object without the change."""
        if alike.change.kind is ChangeKind.ADDED or not alike.clusters:
            return ()
        paths = {_open(each.path, _pattern(each)) for each in alike.members}
        return tuple(
            name
            for name in sorted(self.clusters.difference(alike.clusters))
            if any(path.replace(CLUSTER, name) in self.files for path in paths)
        )


def _sort_key(group: ChangeGroup) -> tuple[Any, ...]:
    change = group.change
    return (
        change.kind.rank,
        change.identity.kind,
        change.identity.name,
        change.identity.group,
        group.places,
    )
