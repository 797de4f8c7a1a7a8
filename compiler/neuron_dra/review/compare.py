"""Two trees to a review: which objects came, went, changed, were renamed or must be replaced.

In: an `ObjectTree` of each side. Out: a `Review` with equal changes folded. A file that is equal on
both sides byte for byte is not read, so only what differs costs time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from neuron_dra.review.change import ChangeKind, ObjectChange, Review
from neuron_dra.review.fields import FieldComparer
from neuron_dra.review.fold import fold
from neuron_dra.review.mutability import must_replace
from neuron_dra.review.tree import HELM_VALUES, Contents, Identity, ObjectTree, TreeObject

Objects = Mapping[Identity, TreeObject]

# A namespace with another name is empty: what was in it is gone.
_NEVER_RENAMED = frozenset({("", "Namespace")})


def compare(old: ObjectTree, new: ObjectTree) -> Review:
    """Return everything that differs between two trees."""
    paths = {path for path, data in old.files.items() if new.files.get(path) != data}
    paths |= new.files.keys() - old.files.keys()
    contents: Contents = {}
    before = old.read(paths & old.files.keys(), contents)
    after = new.read(paths & new.files.keys(), contents)
    broken = before.broken | after.broken
    changes = _find_changes(_sound(before.objects, broken), _sound(after.objects, broken))
    return Review(fold(changes, old, new), (*before.diagnostics, *after.diagnostics))


def _sound(objects: Objects, broken: set[str]) -> Objects:
    """Leave out what stands in a file that one side cannot read, or it would seem to be gone."""
    return {identity: each for identity, each in objects.items() if each.path not in broken}


def _find_changes(old: Objects, new: Objects) -> list[ObjectChange]:
    renamed = _find_renamed(
        [each for identity, each in old.items() if identity not in new],
        [each for identity, each in new.items() if identity not in old],
    )
    moved = {each.identity for pair in renamed for each in pair}
    return [
        *_compare_shared(old, new),
        *(_rename(before, after) for before, after in renamed),
        *_list(old, new, moved, ChangeKind.REMOVED),
        *_list(new, old, moved, ChangeKind.ADDED),
    ]


def _list(
    objects: Objects, others: Objects, moved: set[Identity], kind: ChangeKind
) -> Iterator[ObjectChange]:
    """Yield the objects that the other side does not have."""
    for identity, each in objects.items():
        if identity not in others and identity not in moved:
            yield ObjectChange(identity, kind, each.path, documents=each.documents)


def _compare_shared(old: Objects, new: Objects) -> Iterator[ObjectChange]:
    """Yield the objects that both sides have and that differ."""
    comparer = FieldComparer()
    for identity, before in old.items():
        after = new.get(identity)
        if after is None or before.data is after.data:
            continue
        keep_nulls = identity.kind == HELM_VALUES
        fields = comparer.compare(before.data, after.data, keep_nulls=keep_nulls)
        if fields:
            immutable = must_replace(identity, (each.path for each in fields))
            kind = ChangeKind.REPLACED if immutable else ChangeKind.CHANGED
            documents = _join_documents(before, after)
            yield ObjectChange(identity, kind, after.path, fields, immutable, "", documents)


def _find_renamed(
    removed: Iterable[TreeObject], added: Iterable[TreeObject]
) -> list[tuple[TreeObject, TreeObject]]:
    """Pair objects of one kind, namespace and cluster that are equal but for their names."""
    gone: dict[tuple[Any, ...], list[TreeObject]] = {}
    for each in sorted(removed, key=lambda each: each.identity):
        gone.setdefault(_nameless(each), []).append(each)
    pairs = []
    for each in sorted(added, key=lambda each: each.identity) if gone else ():
        candidates = gone.get(_nameless(each))
        if candidates and (each.identity.group, each.identity.kind) not in _NEVER_RENAMED:
            pairs.append((candidates.pop(0), each))
    return pairs


def _nameless(each: TreeObject) -> tuple[Any, ...]:
    """Return what two objects must have in common for one to be the other under a new name."""
    name = each.identity.name
    data = json.dumps(_replace_text(each.data, name), sort_keys=True)
    return (*each.identity[:4], data)


def _replace_text(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {key: _replace_text(each, text) for key, each in value.items()}
    if isinstance(value, list):
        return [_replace_text(item, text) for item in value]
    return None if value == text else value


def _rename(old: TreeObject, new: TreeObject) -> ObjectChange:
    return ObjectChange(
        new.identity,
        ChangeKind.RENAMED,
        new.path,
        old_name=old.identity.name,
        documents=_join_documents(old, new),
    )


def _join_documents(old: TreeObject, new: TreeObject) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*new.documents, *old.documents)))
