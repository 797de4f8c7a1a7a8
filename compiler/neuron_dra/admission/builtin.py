"""The verdict on Kubernetes' own kinds beyond resource.k8s.io, as far as their schema tells.

In: an object as plain data and a `Server`. Out: a `Verdict`, and whether all rules of the kind were
applied or only its schema and metadata. Of pods and what holds their templates, the claims are
judged too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from neuron_dra.admission.cause import Cause, required
from neuron_dra.admission.decode import decode
from neuron_dra.admission.metadata import name_check_of
from neuron_dra.admission.problem import inner_field, item_field
from neuron_dra.admission.rules.meta import NameRule, check_meta
from neuron_dra.admission.rules.network_policy import check_network_policy
from neuron_dra.admission.rules.pod import check_pod_claims
from neuron_dra.admission.rules.quota import check_quota
from neuron_dra.admission.schemas import kinds_of
from neuron_dra.admission.scope import Scope, scope_of
from neuron_dra.admission.server import Server
from neuron_dra.admission.verdict import Verdict
from neuron_dra.admission.words import explain_unknown
from neuron_dra.kube.definitions import Definitions, Schema, load_definitions

# Where a kind keeps the spec of its pods.
_POD_SPECS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("", "Pod"): ("spec",),
    ("", "PodTemplate"): ("template", "spec"),
    ("", "ReplicationController"): ("spec", "template", "spec"),
    **{
        ("apps", kind): ("spec", "template", "spec")
        for kind in ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")
    },
    ("batch", "Job"): ("spec", "template", "spec"),
    ("batch", "CronJob"): ("spec", "jobTemplate", "spec", "template", "spec"),
}
_RULES: Mapping[tuple[str, str], Callable[[dict[str, Any], str], Iterator[Cause]]] = {
    ("", "ResourceQuota"): check_quota,
    ("networking.k8s.io", "NetworkPolicy"): check_network_policy,
    ("", "Namespace"): lambda _spec, _field: iter(()),
}


class Judged(NamedTuple):
    """A verdict, and how much it says.

    Attributes:
        in_full: whether the rules of the kind were applied, not its schema alone.
    """

    verdict: Verdict
    in_full: bool


def check_rules(data: Mapping[str, Any], group: str, kind: str) -> Iterator[Cause]:
    """Apply the rules of a kind to an object that is read already, but for its metadata.

    Of most kinds none are known here, and then nothing is found.
    """
    if check := _RULES.get((group, kind)):
        yield from check(data.get("spec") or {}, "spec")


def check_claims(data: Mapping[str, Any], group: str, kind: str) -> Iterator[Cause]:
    """Check the claims in the spec of pods that an object holds, if it holds one."""
    if path := _POD_SPECS.get((group, kind)):
        spec: Any = data
        for name in path:
            spec = spec.get(name) or {}
        yield from check_pod_claims(spec, ".".join(path))


def judge_builtin(data: Mapping[str, Any], server: Server) -> Judged | None:
    """Return the verdict on an object, or None where no schema is known of its kind."""
    api_version, kind = str(data.get("apiVersion", "")), str(data.get("kind", ""))
    group = api_version.rpartition("/")[0]
    kinds = kinds_of(server.minor)
    if group not in kinds.groups:
        return None
    type_name = kinds.name_of(api_version, kind)
    if not type_name:
        return Judged(Verdict((explain_unknown(api_version, kind, server),)), in_full=True)
    definitions = load_definitions(server.minor)
    decoded = decode(data, type_name, definitions)
    in_full = (group, kind) in _RULES
    if decoded.problems:
        return Judged(Verdict(tuple(decoded.problems)), in_full)
    causes = [*_check(decoded.data, group, kind, server)]
    if not in_full:
        causes += _find_missing(decoded.data, definitions.type(type_name), definitions, "")
    return Judged(Verdict(causes=tuple(dict.fromkeys(causes))), in_full)


def _check(data: dict[str, Any], group: str, kind: str, server: Server) -> Iterator[Cause]:
    namespaced = scope_of(group, kind) is Scope.NAMESPACED
    rule = NameRule(name_check_of(group, kind), namespaced)
    yield from check_meta(data.get("metadata") or {}, rule, server.dialect)
    yield from check_rules(data, group, kind)
    yield from check_claims(data, group, kind)


def _find_missing(
    data: Any, schema: Schema, definitions: Definitions, field: str
) -> Iterator[Cause]:
    """Yield the fields that a type requires and that have no value."""
    if isinstance(data, list):
        _, items = definitions.resolve(schema.get("items", {}))
        for index, item in enumerate(data):
            yield from _find_missing(item, items, definitions, item_field(field, index))
    if not isinstance(data, dict):
        return
    fields = schema.get("properties", {})
    for name in schema.get("required", ()):
        if data.get(name) is None:
            yield required(inner_field(field, name))
    for name, value in data.items():
        _, inner = definitions.resolve(fields.get(name, schema.get("additionalProperties") or {}))
        place = inner_field(field, name) if name in fields else item_field(field, name)
        yield from _find_missing(value, inner, definitions, place)
