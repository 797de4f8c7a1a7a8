"""Which consumers concern a cluster, and in which versions.

In: a cluster's spec and the facts about consumers. Out: columns: one for each way and version that
the cluster names, or, where it names none, for each that is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from neuron_dra.catalog.consumer import Consumer, ConsumerRelease
from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.syntax.decode import Model


@dataclass(frozen=True, slots=True)
class Column:
    """A consumer in a way and a version.

    Attributes:
        version: what is judged.
        title: the versions for people: `0.17`, `1.15 and later`; empty where there are none.
        named: whether the cluster says that version.
        release: None where nothing is known of the version.
    """

    consumer: Consumer
    way: str
    version: str
    title: str
    named: bool
    release: ConsumerRelease | None


def columns_of(spec: ClusterSpec, consumers: Iterable[Consumer]) -> tuple[Column, ...]:
    """Return the columns of a cluster, in the order of the catalogue."""
    return tuple(column for each in consumers for column in _columns(spec, each))


def _columns(spec: ClusterSpec, consumer: Consumer) -> Iterator[Column]:
    versions = named_versions(spec, consumer)
    for name, way in consumer.ways.items():
        for version in versions:
            yield Column(consumer, name, version, version, True, way.release(version))
        for release in way.releases if not versions else ():
            version = release.since or release.until or ""
            yield Column(consumer, name, version, span_title(release), False, release)


def named_versions(spec: ClusterSpec, consumer: Consumer) -> list[str]:
    """Return the versions of a consumer that a cluster names, each once."""
    values: list[object] = [spec]
    for name in (consumer.version_from or "").split("."):
        values = [inner for each in values for inner in _inner(each, name)]
    return list(dict.fromkeys(each for each in values if isinstance(each, str)))


def _inner(value: object, name: str) -> Iterator[object]:
    """Yield what a model has under a key, item by item; nothing where there is no such key."""
    if not isinstance(value, Model) or name not in value.KEYS:
        return
    found = getattr(value, value.KEYS[name].attribute)
    yield from found if isinstance(found, tuple) else (found,)


def span_title(release: ConsumerRelease) -> str:
    """Return the versions of a release in words."""
    since, until = release.since, release.until
    if since and until:
        return since if since == until else f"{since} to {until}"
    if since:
        return f"{since} and later"
    return f"up to {until}" if until else ""
