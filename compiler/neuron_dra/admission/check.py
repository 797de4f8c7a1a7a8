"""The verdict on objects of the output: all concerns asked, diagnostics made of their problems.

In: objects and the Kubernetes minor that they go to. Out: diagnostics at the document that caused
the object, or at the key where that is known. Every concern is a module with a function from plain
data to `Problem`s. What is no Kubernetes object, the values of a chart, is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from neuron_dra.admission.metadata import check_metadata
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.schemas import Unchecked, check_object
from neuron_dra.admission.scope import Scope, scope_of
from neuron_dra.diagnostics import Code, Diagnostic
from neuron_dra.diagnostics.codes import admission as codes
from neuron_dra.source import Span

# `Kind/name` of a document and the field that caused an object, empty where none is known.
Place = Callable[[str, str], Span]

_CHART_VALUES = "helm/"


class Checkable(Protocol):
    """What is read of an object: a `KubeObject`, which this room does not know."""

    @property
    def path(self) -> str: ...
    @property
    def data(self) -> dict[str, Any]: ...
    @property
    def documents(self) -> tuple[str, ...]: ...
    @property
    def fields(self) -> Mapping[str, str]: ...
    def locate(self, path: str) -> Span | None: ...


def check_objects(objects: Iterable[Checkable], minor: str, place: Place) -> list[Diagnostic]:
    """Return what the API server of a minor would refuse, in order of the objects."""
    return [
        diagnostic
        for each in objects
        if not each.path.startswith(_CHART_VALUES)
        for diagnostic in _check(each, minor, place)
    ]


def _check(made: Checkable, minor: str, place: Place) -> Iterator[Diagnostic]:
    verdict = check_object(made.data, minor)
    if isinstance(verdict, Unchecked):
        yield from _tell_unchecked(verdict, made, minor, place)
        verdict = []
    for problem in verdict:
        yield _diagnose(codes.SCHEMA_VIOLATION, problem, made, place)
    told = {problem.field for problem in verdict}
    for problem in check_metadata(made.data):
        if problem.field not in told:
            yield _diagnose(codes.INVALID_METADATA, problem, made, place)


def _tell_unchecked(
    verdict: Unchecked, made: Checkable, minor: str, place: Place
) -> Iterator[Diagnostic]:
    """Tell of a kind that nothing knows; those that the compiler emits are judged by consumers."""
    group = verdict.api_version.rpartition("/")[0]
    if scope_of(group, verdict.kind) is Scope.UNKNOWN:
        problem = Problem(
            "",
            f"`{verdict.api_version}` `{verdict.kind}` is no kind of Kubernetes {minor} itself: "
            "only its metadata is checked",
        )
        yield _diagnose(codes.NOT_CHECKED, problem, made, place)


def _diagnose(code: Code, problem: Problem, made: Checkable, place: Place) -> Diagnostic:
    document, field = _find_cause(problem.field, made)
    return code.at(
        made.locate(problem.field) or place(document, field),
        problem.message,
        help=problem.help,
        subject=f"{_describe(made)} {problem.field}".rstrip(),
    )


def _find_cause(field: str, made: Checkable) -> tuple[str, str]:
    """Return document and key that gave a field, or the nearest one around it that has a cause."""
    around = [each for each in made.fields if _is_inside(field, each)]
    if around:
        document, _, cause = made.fields[max(around, key=len)].partition(" ")
        return document, cause
    return (made.documents[0] if made.documents else ""), ""


def _is_inside(field: str, outer: str) -> bool:
    rest = field.removeprefix(outer)
    return not outer or field == outer or (rest != field and rest[0] in ".[")


def _describe(made: Checkable) -> str:
    """Return `Kind namespace/name`, as far as the object says them."""
    metadata = made.data.get("metadata")
    names = metadata if isinstance(metadata, dict) else {}
    name = "/".join(str(names[key]) for key in ("namespace", "name") if names.get(key))
    return f"{made.data.get('kind', 'object')} {name}".rstrip()
