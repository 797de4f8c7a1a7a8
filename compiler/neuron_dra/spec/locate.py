"""Where a key of a document stands, given the words by which other rooms name it.

In: `Kind/name` and a path like `spec.quota[0].devices`. Out: the nearest place that was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from neuron_dra.source import Source, Span
from neuron_dra.spec.documents import Specs
from neuron_dra.syntax.decode import Model

_STEP = re.compile(r"([A-Za-z]+)|\[([^\]]*)\]")


def locate(specs: Specs, document: str, path: str) -> Span:
    """Return the place of a key, or of the nearest thing around it."""
    found = _document(specs, document)
    if found is None:
        return Span.of_file(Source(document or "<output>", b""))
    value: object = found
    span = found.places.span
    for step in _steps(path):
        if not isinstance(value, Model):
            break
        name, _, item = step.partition("\0")
        declared = type(value).KEYS.get(name)
        if declared is None or not value.places.has(name):
            break
        index = int(item) if item.isdigit() else item
        span = value.places.item(name, index) if item else value.places.value(name)
        value = _inside(getattr(value, declared.attribute), index if item else None)
    return span


def _document(specs: Specs, document: str) -> Model | None:
    kind, _, name = document.partition("/")
    if kind == "NeuronWorkload":
        names = (f"{each.metadata.namespace}/{each.metadata.name}" for each in specs.workloads)
        return next(
            (w for w, each in zip(specs.workloads, names, strict=True) if each == name), None
        )
    if kind == "Cluster":
        clusters = specs.cluster_documents
        return clusters.get(name) or next(iter(clusters.values()), None)
    if kind == "Partition":
        return specs.partitions.get(name)
    return specs.tenants.get(name) if kind == "Tenant" else None


def _steps(path: str) -> Iterator[str]:
    """Yield keys, each with the index or name in brackets that follows it."""
    key = ""
    for match in _STEP.finditer(path):
        if match[1]:
            if key:
                yield key
            key = match[1]
        elif "\0" not in key:
            key = f"{key}\0{match[2]}"
    if key:
        yield key


def _inside(value: object, index: int | str | None) -> object:
    if isinstance(value, tuple) and isinstance(index, int) and index < len(value):
        return value[index]
    if isinstance(value, dict) and isinstance(index, str):
        return value.get(index)
    return value
