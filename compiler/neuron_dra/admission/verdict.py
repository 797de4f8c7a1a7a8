"""The API server's verdict on one object that is created.

In: an object as plain data and a `Server`. Out: a `Verdict`: what the server would not read, why it
would refuse the object, or which fields it would drop without a word. The steps are those of the
server: decode, default, drop what is behind a gate that is off, validate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from neuron_dra.admission.cause import Cause
from neuron_dra.admission.decode import decode
from neuron_dra.admission.defaults import fill_claim
from neuron_dra.admission.gated import Dropped, drop_gated
from neuron_dra.admission.problem import Problem
from neuron_dra.admission.rules.claim import check_admin_access, check_devices
from neuron_dra.admission.rules.declarative import (
    declared_claim,
    declared_class,
    join_declared,
)
from neuron_dra.admission.rules.declared_slice import declared_slice
from neuron_dra.admission.rules.device_class import check_class_spec
from neuron_dra.admission.rules.meta import (
    NameRule,
    check_meta,
    check_path_segment,
    check_template_meta,
)
from neuron_dra.admission.rules.slice import check_slice_spec
from neuron_dra.admission.rules.taint_rule import check_taint_rule
from neuron_dra.admission.schemas import kinds_of
from neuron_dra.admission.server import Server
from neuron_dra.admission.shape import field_in, is_flat, unfold_claim, unfold_slice
from neuron_dra.admission.words import explain_unknown
from neuron_dra.kube.definitions import load_definitions
from neuron_dra.kube.reading import GROUP
from neuron_dra.syntax import formats


class Verdict(NamedTuple):
    """What becomes of an object.

    Attributes:
        problems: what the decoder does not read; then there are no causes.
        causes: why the object is refused.
        dropped: fields that the server does not store, before it looks for causes.
    """

    problems: tuple[Problem, ...] = ()
    causes: tuple[Cause, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    @property
    def is_refused(self) -> bool:
        return bool(self.problems or self.causes)


class Draft(NamedTuple):
    """A decoded object on its way through the server."""

    data: dict[str, Any]
    server: Server
    kind: str
    api_version: str
    namespace_labels: Mapping[str, str]

    @property
    def meta(self) -> dict[str, Any]:
        return self.data.get("metadata") or {}

    def rename(self, field: str) -> str:
        """Return a field as the object's own version names it."""
        return field_in(self.api_version, self.kind, field)

    def part(self, *path: str) -> dict[str, Any]:
        """Return a map inside the object, which the server always has."""
        data = self.data
        for name in path:
            data = data.setdefault(name, {})
        return data


_NAMESPACED = NameRule(formats.dns_subdomain, namespaced=True)
_CLUSTER = NameRule(formats.dns_subdomain, namespaced=False)

# What is dropped, then why it is refused.
Judge = Callable[[Draft], tuple[list[Dropped], Iterator[Cause]]]


def judge(
    data: Mapping[str, Any], server: Server, namespace_labels: Mapping[str, str] | None = None
) -> Verdict | None:
    """Return the verdict on an object, or None for a kind that is not known here.

    Args:
        namespace_labels: the labels of the namespace that the object goes into.
    """
    api_version, kind = str(data.get("apiVersion", "")), str(data.get("kind", ""))
    if not is_judged(data):
        return None
    definitions = load_definitions(server.minor)
    type_name = kinds_of(server.minor).name_of(api_version, kind)
    if not type_name:
        return Verdict((explain_unknown(api_version, kind, server),))
    decoded = decode(data, type_name, definitions)
    if decoded.problems:
        return Verdict(tuple(decoded.problems))
    return judge_decoded(decoded.data, server, namespace_labels or {})


def judge_decoded(
    data: dict[str, Any], server: Server, namespace_labels: Mapping[str, str]
) -> Verdict:
    """Return the verdict on an object of a known kind that is read already; it is changed."""
    draft = Draft(data, server, str(data["kind"]), str(data["apiVersion"]), namespace_labels)
    return _conclude(draft)


def is_judged(data: Mapping[str, Any]) -> bool:
    """Tell whether an object is of a kind whose rules are known here."""
    return data.get("kind") in _JUDGES and str(data.get("apiVersion")).startswith(f"{GROUP}/")


def _conclude(draft: Draft) -> Verdict:
    dropped, found = _JUDGES[draft.kind](draft)
    causes = tuple(dict.fromkeys(found)) or tuple(check_path_segment(draft.meta))
    named = (each._replace(field=draft.rename(each.field)) for each in dropped)
    return Verdict(causes=causes, dropped=tuple(named))


def _judge_claim(draft: Draft) -> tuple[list[Dropped], Iterator[Cause]]:
    dropped, causes = _judge_devices(draft, "spec")
    return _reset_status(draft) + dropped, causes


def _judge_template(draft: Draft) -> tuple[list[Dropped], Iterator[Cause]]:
    dropped, causes = _judge_devices(draft, "spec", "spec")
    template = check_template_meta(draft.part("spec").get("metadata") or {}, "spec.metadata")
    return dropped, _chain(template, causes)


def _judge_devices(draft: Draft, *path: str) -> tuple[list[Dropped], Iterator[Cause]]:
    devices, field = draft.part(*path, "devices"), ".".join((*path, "devices"))
    flat = is_flat(draft.api_version)
    if flat:
        unfold_claim(devices)
    fill_claim(devices, flat=flat)
    dropped = drop_gated(devices, draft.kind, field, draft.server)
    causes = _chain(
        check_admin_access(devices, draft.namespace_labels),
        check_meta(draft.meta, _NAMESPACED, draft.server.dialect),
        check_devices(devices, field, draft.server),
    )
    declared = partial(declared_claim, devices, field, draft.server)
    return dropped, join_declared(causes, declared, draft.server, draft.rename)


def _judge_class(draft: Draft) -> tuple[list[Dropped], Iterator[Cause]]:
    spec = draft.part("spec")
    dropped = _cleared_namespace(draft) + drop_gated(spec, draft.kind, "spec", draft.server)
    dialect = draft.server.dialect
    rule = _CLUSTER._replace(judges_generate_name=not dialect.generate_name_free)
    meta = check_meta(draft.meta, rule, dialect)
    causes = _chain(meta, check_class_spec(spec, "spec", draft.server))
    declared = partial(declared_class, spec, "spec", draft.server)
    return dropped, join_declared(causes, declared, draft.server, draft.rename)


def _judge_slice(draft: Draft) -> tuple[list[Dropped], Iterator[Cause]]:
    spec = draft.part("spec")
    if is_flat(draft.api_version):
        unfold_slice(spec)
    dropped = _cleared_namespace(draft) + drop_gated(spec, draft.kind, "spec", draft.server)
    causes = _chain(
        check_meta(draft.meta, _CLUSTER, draft.server.dialect),
        check_slice_spec(spec, "spec", draft.server),
    )
    declared = partial(declared_slice, spec, "spec", draft.server)
    return dropped, join_declared(causes, declared, draft.server, draft.rename)


def _judge_taint_rule(draft: Draft) -> tuple[list[Dropped], Iterator[Cause]]:
    spec = draft.part("spec")
    dropped = _cleared_namespace(draft) + _reset_status(draft)
    causes = _chain(
        check_meta(draft.meta, _CLUSTER, draft.server.dialect),
        check_taint_rule(spec, "spec", draft.server),
    )
    return dropped, causes


def _reset_status(draft: Draft) -> list[Dropped]:
    """Return the fields of a status that a user wrote: whoever creates an object has none."""
    status = draft.data.pop("status", None) or {}
    reason = "a new object has no status"
    return [Dropped(f"status.{name}", reason) for name, value in status.items() if value]


def _cleared_namespace(draft: Draft) -> list[Dropped]:
    """Return the namespace of an object that has none."""
    dropped = Dropped("metadata.namespace", f"the kind `{draft.kind}` has no namespaces")
    return [dropped] if draft.meta.get("namespace") else []


def _chain(*parts: Iterator[Cause]) -> Iterator[Cause]:
    for part in parts:
        yield from part


_JUDGES: Mapping[str, Judge] = {
    "ResourceClaim": _judge_claim,
    "ResourceClaimTemplate": _judge_template,
    "DeviceClass": _judge_class,
    "ResourceSlice": _judge_slice,
    "DeviceTaintRule": _judge_taint_rule,
}
