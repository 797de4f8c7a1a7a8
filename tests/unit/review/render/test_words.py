"""Phrases that the formats for people share."""

from __future__ import annotations

import pytest

from neuron_dra.review.change import ChangeGroup, ChangeKind, ObjectChange, Place, Review
from neuron_dra.review.render.words import describe_places, list_names, summarize, to_text
from neuron_dra.review.tree import Identity

MANY = tuple(f"c{number:04}" for number in range(2000))


def make_group(*places, kind=ChangeKind.CHANGED, group=""):
    identity = Identity("", group, "Thing", "", "x")
    return ChangeGroup(ObjectChange(identity, kind, "p"), tuple(Place(*place) for place in places))


def describe(*places, **options):
    return describe_places(make_group(*places, **options), str)


@pytest.mark.parametrize(
    ("place", "phrase"),
    [
        ((("a",), ()), "in cluster a"),
        ((("a",), ("x", "y")), "in x, y of cluster a"),
        ((("a", "b"), ("x",)), "in x of 2 clusters: a, b"),
        ((MANY, ("x",)), "in x of 2,000 clusters"),
        ((MANY[:9], MANY[:9]), f"in {', '.join(MANY[:7])} and 2 more of 9 clusters"),
        (((), ("x",)), "in x, shared by clusters"),
        (((), ()), "shared by clusters"),
        ((("a", "b"), (), ("c",)), "in 2 clusters: a, b; not in c"),
        ((("a",), (), ("b", "c")), "in cluster a; not in 2 others"),
        ((("a",), (), ("b",)), "in cluster a; not in b"),
        ((MANY, (), MANY[:8]), f"in 2,000 clusters; not in {', '.join(MANY[:8])}"),
        ((MANY, (), MANY), "in 2,000 clusters; not in 2,000 others"),
    ],
)
def test_place(place, phrase):
    """A place is told in as few names as say it."""
    assert describe(place) == [phrase]


def test_objects_of_argo_cd():
    """An application is not in the cluster that it is for."""
    assert describe((("a",), ("argocd",)), group="argoproj.io") == ["in argocd for cluster a"]


def test_many_places():
    """Places beyond a few are counted."""
    found = describe(*(((name, f"{name}x"), ("n",)) for name in MANY[:20]))

    assert len(found) == 8
    assert found[-1] == "and in 13 more places (26 objects)"


@pytest.mark.parametrize(
    ("groups", "line"),
    [
        ([], "no changes"),
        (
            [make_group((("a",), ()), kind=ChangeKind.ADDED)],
            "1 added, 0 changed, 0 replaced, 0 removed in 1 cluster",
        ),
        (
            [
                make_group((MANY[:200], ("x", "y")), kind=ChangeKind.REPLACED),
                make_group((("a",), ()), kind=ChangeKind.RENAMED),
            ],
            "0 added, 0 changed, 1 replaced, 1 renamed, 0 removed in 201 clusters (401 objects)",
        ),
        ([make_group(((), ()))], "0 added, 1 changed, 0 replaced, 0 removed"),
    ],
)
def test_summary(groups, line):
    """The summary counts changes, and objects where they are more."""
    assert summarize(Review(tuple(groups))) == line


def test_list_of_names():
    """A list is never longer than a few names."""
    assert list_names(MANY[:8], str) == ", ".join(MANY[:8])
    assert list_names(MANY, str) == f"{', '.join(MANY[:7])} and 1,993 more"


def test_values():
    """A text is quoted, so that it is not taken for a number."""
    assert [to_text(value) for value in ("4", 4, True, None, "ü\n")] == [
        '"4"',
        "4",
        "true",
        "null",
        '"ü\\n"',
    ]
