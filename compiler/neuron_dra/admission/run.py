"""The verdict on every object of some files, with places and words for people.

In: manifests, a server, the catalogue, and the objects that are there already. Out: an `Outcome`
for each manifest: what becomes of it, how much was checked, and diagnostics at the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from neuron_dra.admission.builtin import Judged, judge_builtin
from neuron_dra.admission.cause import Cause
from neuron_dra.admission.gated import Dropped
from neuron_dra.admission.manifests import Manifest
from neuron_dra.admission.parameters import check_parameters
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.server import Server
from neuron_dra.admission.update import check_update
from neuron_dra.admission.verdict import Verdict, judge
from neuron_dra.admission.words import is_served, not_served, say_dropped
from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Code, Diagnostic, has_errors
from neuron_dra.diagnostics.codes import admission as codes
from neuron_dra.source import Span

ACCEPTED, REFUSED, DROPPED, UNCHECKED = "accepted", "refused", "dropped", "unchecked"
DEFAULT_NAMESPACE = "default"

# Group, kind, namespace and name.
Identity = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of one object.

    Attributes:
        word: `accepted`, `refused`, `dropped` or `unchecked`.
        in_full: whether every rule of the kind was applied.
        verdict: what the server says; empty for what is not read or not known.
        told: the same for people.
        beside: what the server does not judge: drivers, and versions that are off.
        served: whether the server has the object's apiVersion by default.
    """

    manifest: Manifest
    word: str
    in_full: bool
    verdict: Verdict
    told: tuple[Diagnostic, ...]
    beside: tuple[Diagnostic, ...] = ()
    served: bool = True

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return self.told + self.beside

    @property
    def is_bad(self) -> bool:
        """Tell whether somebody has to change the object before it works."""
        return self.word in (REFUSED, DROPPED) or has_errors(self.diagnostics)


class Judge:
    """Judges the objects of one run against one server."""

    def __init__(
        self,
        server: Server,
        catalog: Catalog,
        namespaces: Mapping[str, Mapping[str, str]],
        existing: Mapping[Identity, Mapping[str, Any]],
    ) -> None:
        self._server = server
        self._catalog = catalog
        self._namespaces = namespaces
        self._existing = existing

    def outcome(self, manifest: Manifest) -> Outcome:
        """Return what becomes of one object."""
        if manifest.problems:
            return Outcome(manifest, REFUSED, True, Verdict(), manifest.problems)
        if not manifest.api_version or not manifest.kind:
            verdict = Verdict((_no_object(manifest.data),))
            return Outcome(manifest, REFUSED, True, verdict, self._tell(manifest, verdict))
        judged = self._judge(manifest)
        if judged is None:
            return Outcome(
                manifest, UNCHECKED, False, Verdict(), (_unchecked(manifest, self._server),)
            )
        verdict = self._with_update(manifest, judged.verdict)
        return Outcome(
            manifest,
            _word_of(verdict),
            judged.in_full,
            verdict,
            self._tell(manifest, verdict),
            tuple(self._tell_beside(manifest)),
            is_served(manifest.data, self._server),
        )

    def _judge(self, manifest: Manifest) -> Judged | None:
        labels = self._namespaces.get(manifest.namespace or DEFAULT_NAMESPACE, {})
        verdict = judge(manifest.data, self._server, labels)
        if verdict is not None:
            return Judged(verdict, in_full=True)
        return judge_builtin(manifest.data, self._server)

    def _with_update(self, manifest: Manifest, verdict: Verdict) -> Verdict:
        """Add what an update may not change, where the object is there already."""
        old = self._existing.get(identity_of(manifest))
        if old is None or verdict.problems:
            return verdict
        found = check_update(manifest.data, old, self._server)
        return verdict._replace(causes=tuple(dict.fromkeys((*verdict.causes, *found))))

    def _tell(self, manifest: Manifest, verdict: Verdict) -> tuple[Diagnostic, ...]:
        subject = describe(manifest)
        lost = () if verdict.is_refused else verdict.dropped
        return (
            *(
                _at(codes.SCHEMA_VIOLATION, _place_of(manifest, each), each, subject)
                for each in verdict.problems
            ),
            *(
                _tell_cause(each, verdict.dropped, place_of_cause(manifest, each.field), subject)
                for each in verdict.causes
            ),
            *(
                codes.FIELD_DROPPED.at(
                    manifest.place(each.field), say_dropped(each, self._server), subject=subject
                )
                for each in lost
            ),
        )

    def _tell_beside(self, manifest: Manifest) -> Iterator[Diagnostic]:
        """Tell of what the server does not judge: drivers, and which versions are on."""
        subject = describe(manifest)
        found = check_parameters(manifest.data, self._catalog)
        for code, problems in (
            (codes.PARAMETERS_REFUSED, found.refused),
            (codes.PARAMETERS_DOUBTFUL, found.doubtful),
        ):
            yield from (_at(code, _place_of(manifest, each), each, subject) for each in problems)
        if not is_served(manifest.data, self._server):
            problem = not_served(manifest.data, self._server)
            yield _at(codes.NOT_SERVED, manifest.place("apiVersion"), problem, subject)


def collect_namespaces(manifests: Iterable[Manifest]) -> dict[str, Mapping[str, str]]:
    """Return the labels of the namespaces among some objects, by name."""
    return {
        each.name: labels if isinstance(labels := _labels_of(each.data), dict) else {}
        for each in manifests
        if each.kind == "Namespace" and each.api_version == "v1"
    }


def _labels_of(data: Any) -> Any:
    metadata = data.get("metadata")
    return metadata.get("labels") if isinstance(metadata, dict) else None


def collect_existing(manifests: Iterable[Manifest]) -> dict[Identity, Mapping[str, Any]]:
    """Return objects by what identifies them."""
    return {
        identity_of(each): each.data
        for each in manifests
        if not each.problems and each.kind and each.name
    }


def identity_of(manifest: Manifest) -> Identity:
    """Return what makes an object of two files the same."""
    group = manifest.api_version.rpartition("/")[0]
    return group, manifest.kind, manifest.namespace or DEFAULT_NAMESPACE, manifest.name


def describe(manifest: Manifest) -> str:
    """Return `Kind namespace/name`, as far as the object says them."""
    name = "/".join(filter(None, (manifest.namespace, manifest.name)))
    return f"{manifest.kind or 'object'} {name}".rstrip()


def _tell_cause(cause: Cause, dropped: Sequence[Dropped], span: Span, subject: str) -> Diagnostic:
    parent = cause.field.rpartition(".")[0]
    gone = [each for each in dropped if each.field.startswith((f"{cause.field}.", f"{parent}."))]
    advice = f"`{gone[0].field}` is dropped first: {gone[0].reason}" if gone else ""
    message = f"`{cause.field}`: {cause.detail}"
    return codes.OBJECT_REFUSED.at(span, message, help=advice, subject=subject)


def place_of_cause(manifest: Manifest, field: str) -> Span:
    """Return the place of a cause; the server names one field of a template without its `spec`."""
    if manifest.kind == "ResourceClaimTemplate" and field.startswith("spec.devices."):
        field = f"spec.{field}"
    return manifest.place(field)


def _place_of(manifest: Manifest, problem: Problem) -> Span:
    return manifest.place(problem.field, at_key=problem.at_key)


def _at(code: Code, span: Span, problem: Problem, subject: str) -> Diagnostic:
    return code.at(span, problem.message, help=problem.help, subject=subject)


def _no_object(data: Any) -> Problem:
    if not isinstance(data, dict):
        return Problem("", "expected a Kubernetes object, which is a map")
    missing = [name for name in ("apiVersion", "kind") if not isinstance(data.get(name), str)]
    names = " and ".join(f"`{name}`" for name in missing or ("apiVersion",))
    return Problem("", f"a Kubernetes object needs {names}, as a text")


def _unchecked(manifest: Manifest, server: Server) -> Diagnostic:
    return codes.NOT_CHECKED.at(
        manifest.place("kind"),
        f"`{manifest.api_version}` `{manifest.kind}` is no kind of Kubernetes {server.minor} "
        "itself: it is not checked",
        subject=describe(manifest),
    )


def _word_of(verdict: Verdict) -> str:
    if verdict.is_refused:
        return REFUSED
    return DROPPED if verdict.dropped else ACCEPTED
