"""Names, namespaces, labels and annotations of objects of every kind.

In: an object as plain data, holes allowed. Out: its problems. What a hole will hold was checked
where it was written, so it is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.problem import Problem, item_field
from neuron_dra.admission.scope import Scope, scope_of
from neuron_dra.kube.hole import Hole
from neuron_dra.syntax import formats

# TotalAnnotationSizeLimitB, k8s.io/apimachinery pkg/api/validation/objectmeta.go, v0.37.
ANNOTATIONS_MAX_BYTES = 256 * 1024


def _path_segment(text: str) -> str:
    """Check a name of RBAC's kinds: whatever can stand between two slashes of a URL."""
    if text in (".", ".."):
        return "may not be `.` or `..`"
    return "may not hold `/` or `%`" if "/" in text or "%" in text else ""


# Every other kind has a subdomain as name: NameIsDNSSubdomain in the same file.
_NAME_CHECKS: Mapping[tuple[str, str], formats.Check] = {
    ("", "Namespace"): formats.dns_label,
    ("", "Service"): formats.dns_label_1035,
    ("rbac.authorization.k8s.io", "ClusterRole"): _path_segment,
    ("rbac.authorization.k8s.io", "ClusterRoleBinding"): _path_segment,
    ("rbac.authorization.k8s.io", "Role"): _path_segment,
    ("rbac.authorization.k8s.io", "RoleBinding"): _path_segment,
}


def name_check_of(group: str, kind: str) -> formats.Check:
    """Return the format of the names of a kind."""
    return _NAME_CHECKS.get((group, kind), formats.dns_subdomain)


def check_metadata(data: Mapping[str, Any]) -> list[Problem]:
    """Return every problem of an object's metadata."""
    metadata = data.get("metadata")
    if not isinstance(metadata, dict):
        return [Problem("metadata", "the field `metadata` is required, as a map")]
    group, kind = str(data.get("apiVersion", "")).rpartition("/")[0], str(data.get("kind", ""))
    return [
        *_check_name(metadata, name_check_of(group, kind)),
        *_check_namespace(metadata, scope_of(group, kind), kind),
        *_check_labels(metadata.get("labels")),
        *_check_annotations(metadata.get("annotations")),
    ]


def _check_name(metadata: Mapping[str, Any], check: formats.Check) -> Iterator[Problem]:
    name = metadata.get("name")
    if not name or not isinstance(name, str):
        advice = "a generated name has no file" if "generateName" in metadata else ""
        yield Problem("metadata.name", "the field `metadata.name` is required, as a text", advice)
        return
    yield from _check_text("metadata.name", name, check)


def _check_namespace(metadata: Mapping[str, Any], scope: Scope, kind: str) -> Iterator[Problem]:
    field = "metadata.namespace"
    namespace = metadata.get("namespace")
    if namespace and scope is Scope.CLUSTER:
        yield Problem(field, f"the kind `{kind}` has no namespaces, found `{field}: {namespace}`")
    elif not namespace and scope is Scope.NAMESPACED:
        yield Problem(field, f"the kind `{kind}` needs the field `{field}`")
    elif namespace:
        yield from _check_text(field, namespace, formats.dns_label)


def _check_labels(labels: Any) -> Iterator[Problem]:
    if not isinstance(labels, dict):
        yield from _refuse_type("metadata.labels", labels)
        return
    for key, value in labels.items():
        field = item_field("metadata.labels", key)
        yield from _check_text(field, key, formats.label_key)
        yield from _check_text(field, value, formats.label_value)


def _check_annotations(annotations: Any) -> Iterator[Problem]:
    if not isinstance(annotations, dict):
        yield from _refuse_type("metadata.annotations", annotations)
        return
    size = 0
    for key, value in annotations.items():
        field = item_field("metadata.annotations", key)
        yield from _check_text(field, key, _annotation_key)
        yield from _check_text(field, value, _anything)
        size += len(key.encode()) + len(str(value).encode())
    if size > ANNOTATIONS_MAX_BYTES:
        yield Problem(
            "metadata.annotations",
            f"the annotations have {size} bytes, at most {ANNOTATIONS_MAX_BYTES} are allowed",
        )


def _annotation_key(text: str) -> str:
    """Check an annotation's key, whose prefix may have upper case letters."""
    return formats.label_key(text.lower())


def _anything(_text: str) -> str:
    return ""


def _refuse_type(field: str, value: Any) -> Iterator[Problem]:
    if value is not None:
        yield Problem(field, f"`{field}` must be a map, found `{value}`")


def _check_text(field: str, text: Any, check: formats.Check) -> Iterator[Problem]:
    if isinstance(text, Hole):
        return
    if not isinstance(text, str):
        yield Problem(field, f"`{field}` must be a text, found `{text}`")
        return
    reason = check(text)
    if reason:
        yield Problem(field, f"`{field}`: `{text}` {reason}")
