"""The verdict on objects of the output: all concerns asked, diagnostics made of their problems.

In: objects and the API server that they go to. Out: diagnostics at the document that caused the
object, or at the key where that is known. Schema and metadata are judged first, with holes in the
object; what passes is judged by the rules of its kind. What is no Kubernetes object, the values of
a chart, is passed over, and so is whether a namespace allows admin access.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from neuron_dra.admission.builtin import check_claims, check_rules
from neuron_dra.admission.cause import Cause
from neuron_dra.admission.metadata import check_metadata
from neuron_dra.admission.parameters import check_parameters
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.rules.claim import ADMIN_LABEL
from neuron_dra.admission.schemas import Unchecked, check_object, fill_with_names
from neuron_dra.admission.scope import Scope, scope_of
from neuron_dra.admission.server import Server
from neuron_dra.admission.verdict import Verdict, is_judged, judge_decoded
from neuron_dra.admission.words import is_served, not_served, say_dropped
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Code, Diagnostic
from neuron_dra.diagnostics.codes import admission as codes
from neuron_dra.source import Span

# `Kind/name` of a document and the field that caused an object, empty where none is known.
Place = Callable[[str, str], Span]

_CHART_VALUES = "helm/"
_METADATA = "metadata."  # judged before, with holes
_GRANTED = {ADMIN_LABEL: "true"}


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


def check_objects(
    objects: Iterable[Checkable], server: Server, catalog: Catalog, place: Place
) -> list[Diagnostic]:
    """Return what a server would refuse or drop, or a driver fail on, in order of the objects."""
    return [
        diagnostic
        for each in objects
        if not each.path.startswith(_CHART_VALUES)
        for diagnostic in _check(each, server, catalog, place)
    ]


def _check(made: Checkable, server: Server, catalog: Catalog, place: Place) -> Iterator[Diagnostic]:
    verdict = check_object(made.data, server.minor)
    if isinstance(verdict, Unchecked):
        yield from _tell_unchecked(verdict, made, server.minor, place)
        verdict = []
    elif not verdict:
        yield from _check_rules(made, server, place)
        yield from _check_parameters(made, catalog, place)
    for problem in verdict:
        yield _diagnose(codes.SCHEMA_VIOLATION, problem, made, place)
    told = {problem.field for problem in verdict}
    for problem in check_metadata(made.data):
        if problem.field not in told:
            yield _diagnose(codes.INVALID_METADATA, problem, made, place)


def _check_rules(made: Checkable, server: Server, place: Place) -> Iterator[Diagnostic]:
    """Apply the rules of a kind that has some; the schema has read the object."""
    if is_judged(made.data):
        verdict = judge_decoded(fill_with_names(made.data), server, _GRANTED)
    else:
        verdict = Verdict(causes=tuple(_check_builtin(made)))
    for cause in verdict.causes:
        if not cause.field.startswith(_METADATA):
            problem = Problem(cause.field, f"`{cause.field}`: {cause.detail}")
            yield _diagnose(codes.OBJECT_REFUSED, problem, made, place)
    for dropped in () if verdict.is_refused else verdict.dropped:
        if not dropped.field.startswith(_METADATA):
            problem = Problem(dropped.field, say_dropped(dropped, server))
            yield _diagnose(codes.FIELD_DROPPED, problem, made, place)
    if not is_served(made.data, server):
        yield _diagnose(codes.NOT_SERVED, not_served(made.data, server), made, place)


def _check_builtin(made: Checkable) -> Iterator[Cause]:
    """Check another kind of Kubernetes; claims of workloads that the compiler made are its own."""
    group, kind = made.data["apiVersion"].rpartition("/")[0], made.data["kind"]
    yield from check_rules(made.data, group, kind)
    if made.locate("") is not None:
        yield from check_claims(made.data, group, kind)


def _check_parameters(made: Checkable, catalog: Catalog, place: Place) -> Iterator[Diagnostic]:
    """Check what the server leaves to drivers."""
    found = check_parameters(made.data, catalog)
    for problem in found.refused:
        yield _diagnose(codes.PARAMETERS_REFUSED, problem, made, place)
    for problem in found.doubtful:
        yield _diagnose(codes.PARAMETERS_DOUBTFUL, problem, made, place)


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
