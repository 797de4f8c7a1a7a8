"""`metadata` of objects, as the API server checks it on creation.

In: the metadata of an object, or of the template in one. Out: causes. What the server fills in
before it validates, a generated name or the default namespace, is filled in here too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from neuron_dra.admission.cause import (
    Cause,
    forbidden,
    invalid,
    required,
    too_long,
    unsupported,
)
from neuron_dra.admission.metadata import ANNOTATIONS_MAX_BYTES
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.lists import each
from neuron_dra.admission.server import Dialect
from neuron_dra.syntax import formats

# k8s.io/apiserver pkg/storage/names/generate.go: five characters follow.
_GENERATED_BASE_MAX = 58
_GENERATED_END = "xxxxx"
# k8s.io/apimachinery pkg/apis/meta/v1/validation.
_MANAGER_MAX = 128
_SUBRESOURCE_MAX = 256
_OPERATIONS = ("Apply", "Update")
_STANDARD_FINALIZERS = ("kubernetes", "orphan", "foregroundDeletion")
# Fields as the server names them, by their names in YAML where those differ.
_GO_NAMES = {"uid": "uID"}
_TEMPLATE_FIELDS = ("annotations", "labels")


class NameRule(NamedTuple):
    """How objects of a kind are named.

    Attributes:
        check: the format of the name.
        namespaced: whether they lie in namespaces.
        judges_generate_name: whether `generateName` has to have that format too.
    """

    check: formats.Check
    namespaced: bool
    judges_generate_name: bool = True


def check_meta(meta: Mapping[str, Any], rule: NameRule, dialect: Dialect) -> Iterator[Cause]:
    """Check the metadata of an object."""
    yield from _check_names(meta, rule)
    if rule.namespaced:
        yield from names.label(meta.get("namespace") or "default", "metadata.namespace")
        if meta.get("generation", 0) < 0:
            yield invalid("metadata.generation", "must not be negative")
    yield from check_labels(meta.get("labels") or {}, "metadata.labels")
    yield from check_annotations(meta.get("annotations") or {}, "metadata.annotations")
    owners = meta.get("ownerReferences") or []
    yield from _check_owners(owners, "metadata.ownerReferences", dialect)
    yield from _check_finalizers(meta.get("finalizers") or [], "metadata.finalizers")
    yield from each(
        meta.get("managedFields") or [],
        "metadata.managedFields",
        lambda entry, place: _check_managed(entry, place, dialect),
    )


def check_path_segment(meta: Mapping[str, Any]) -> Iterator[Cause]:
    """Check that a prefix of names can stand in a path: the last thing that the server looks at."""
    base = meta.get("generateName", "")
    if "/" in base or "%" in base:
        yield invalid("metadata.generateName", "may not hold `/` or `%`")


def _check_names(meta: Mapping[str, Any], rule: NameRule) -> Iterator[Cause]:
    base = meta.get("generateName", "")
    name = meta.get("name", "") or (base and base[:_GENERATED_BASE_MAX] + _GENERATED_END)
    check = names.format_of(rule.check)
    if base and rule.judges_generate_name:
        yield from check(_mask_dash(base), "metadata.generateName")
    if name:
        yield from check(name, "metadata.name")
    else:
        yield required("metadata.name", "a name is required, or `generateName`")


def check_template_meta(meta: Mapping[str, Any], field: str) -> Iterator[Cause]:
    """Check the metadata of a template, which has labels and annotations only."""
    yield from check_annotations(meta.get("annotations") or {}, f"{field}.annotations")
    yield from check_labels(meta.get("labels") or {}, f"{field}.labels")
    for name, value in meta.items():
        if name not in _TEMPLATE_FIELDS and (value or isinstance(value, list | dict)):
            yield forbidden(f"{field}.{_GO_NAMES.get(name, name)}", "may not be set in a template")


def check_labels(labels: Mapping[str, str], field: str) -> Iterator[Cause]:
    """Check labels; causes lie at the whole map."""
    for key, value in labels.items():
        yield from names.label_key(key, field)
        yield from names.label_value(value, field)


def check_annotations(annotations: Mapping[str, str], field: str) -> Iterator[Cause]:
    """Check annotations; causes lie at the whole map."""
    for key in annotations:
        yield from names.label_key(key.lower(), field)
    size = sum(names.size_of(key) + names.size_of(value) for key, value in annotations.items())
    if size > ANNOTATIONS_MAX_BYTES:
        yield too_long(field, size, ANNOTATIONS_MAX_BYTES)


def _mask_dash(text: str) -> str:
    """Return a prefix as a whole name would be: its dash does not stand at the end."""
    return f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text


def _check_owners(owners: list[Any], field: str, dialect: Dialect) -> Iterator[Cause]:
    for index, owner in enumerate(owners):
        place = f"{field}[{index}]" if dialect.names_meta_items else field
        missing = required if dialect.names_meta_items else invalid
        for name in ("apiVersion", "kind", "name", "uid"):
            if not owner.get(name):
                yield missing(f"{place}.{name}", "must not be empty")
        api_version = owner.get("apiVersion", "")
        if api_version and (api_version.endswith("/") or api_version.count("/") > 1):
            yield invalid(f"{place}.apiVersion", "must be a version, or a group, `/` and a version")
        if (api_version, owner.get("kind")) == ("v1", "Event"):
            yield invalid(place, "an Event may not own an object")
    if sum(bool(owner.get("controller")) for owner in owners) > 1:
        yield invalid(field, "only one owner may be the controller")


def _check_finalizers(finalizers: list[str], field: str) -> Iterator[Cause]:
    for index, finalizer in enumerate(finalizers):
        yield from names.label_key(finalizer, field)
        if "/" not in finalizer and finalizer not in _STANDARD_FINALIZERS:
            yield invalid(
                f"{field}[{index}]", f"`{finalizer}` needs a domain, like `example.com/x`"
            )
    if {"orphan", "foregroundDeletion"} <= set(finalizers):
        yield invalid(field, "`orphan` and `foregroundDeletion` exclude each other")


def _check_managed(entry: dict[str, Any], field: str, dialect: Dialect) -> Iterator[Cause]:
    yield from _check_operation(entry.get("operation", ""), f"{field}.operation", dialect)
    if entry.get("fieldsType", "") not in ("", "FieldsV1"):
        yield invalid(f"{field}.fieldsType", "must be `FieldsV1`")
    manager, subresource = entry.get("manager", ""), entry.get("subresource", "")
    if names.size_of(manager) > _MANAGER_MAX:
        yield too_long(f"{field}.manager", names.size_of(manager), _MANAGER_MAX)
    if not manager.isprintable():
        yield invalid(f"{field}.manager", "may hold printable characters only")
    if names.size_of(subresource) > _SUBRESOURCE_MAX:
        yield too_long(f"{field}.subresource", names.size_of(subresource), _SUBRESOURCE_MAX)


def _check_operation(operation: str, field: str, dialect: Dialect) -> Iterator[Cause]:
    if operation in _OPERATIONS:
        return
    if not dialect.names_meta_items:
        yield invalid(field, "must be `Apply` or `Update`")
    elif operation:
        yield unsupported(field, operation, _OPERATIONS)
    else:
        yield required(field)
