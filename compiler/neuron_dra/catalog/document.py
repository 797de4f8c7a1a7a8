"""One document of the catalogue: from nodes to the sheet of its kind.

In: a parsed document and the kind that it should be. Out: the decoded `spec`, and diagnostics.
Looks at one document only; what it refers to is not resolved here.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from neuron_dra.catalog.chip import Chip
from neuron_dra.catalog.consumer import Consumer
from neuron_dra.catalog.device_map import DeviceMap
from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.facts import NAME, Sheet
from neuron_dra.catalog.instance_facts import InstanceFacts
from neuron_dra.catalog.kubernetes import KubernetesRelease
from neuron_dra.diagnostics import Diagnostic
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.diagnostics.codes import spec as spec_codes
from neuron_dra.source import Source, Span
from neuron_dra.syntax.containers import Raw, RawReader
from neuron_dra.syntax.decode import INVALID, Model, ModelReader, key, model
from neuron_dra.syntax.parse import Document, parse, span_of
from neuron_dra.syntax.places import Context, Origin
from neuron_dra.syntax.scalars import text

API_VERSION = "neuron-dra.dev/v1alpha1"


class Kind(NamedTuple):
    """A kind of document: its name, and the model of its spec."""

    name: str
    sheet: type[Sheet]


KINDS = {
    "instances": Kind("InstanceType", InstanceFacts),
    "chips": Kind("Chip", Chip),
    "drivers": Kind("Driver", Driver),
    "kubernetes": Kind("KubernetesRelease", KubernetesRelease),
    "device-maps": Kind("DeviceMap", DeviceMap),
    "consumers": Kind("Consumer", Consumer),
}
"""The kinds of the catalogue by their folder."""


@model
class Metadata(Model):
    """The name of a document."""

    name: str = key(NAME, "The name; that of the file, where it is one.")


@model
class Envelope(Model):
    """A document with its spec unread."""

    api_version: str = key(text(), "The version of this schema.")
    kind: str = key(text(), "The kind.")
    metadata: Metadata = key(ModelReader(Metadata), "The name.")
    spec: Raw = key(RawReader(), "The facts.")


def read_file(source: Source, kind: Kind, name: str) -> tuple[Sheet | None, list[Diagnostic]]:
    """Decode the one document of a file, whose name must be the file's."""
    documents, diagnostics = parse(source)
    if diagnostics:
        return None, diagnostics
    if len(documents) != 1:
        return None, [_not_one(source, documents)]
    envelope, diagnostics = open_envelope(documents[0], kind)
    if envelope is None:
        return None, diagnostics
    if envelope.metadata.name != name:
        return None, [_differing_name(envelope.metadata, name)]
    return read_sheet(envelope, kind)


def open_envelope(document: Document, kind: Kind) -> tuple[Envelope | None, list[Diagnostic]]:
    """Read what surrounds the spec of a document, and check that it is of a kind."""
    context = Context(Origin(document.source, kind.name))
    envelope = ModelReader(Envelope, "a document").read(document.root, context)
    if envelope is INVALID:
        return None, context.diagnostics
    problem = _wrong_kind(envelope, kind)
    return (None, [problem]) if problem else (envelope, [])


def read_sheet(envelope: Envelope, kind: Kind) -> tuple[Sheet | None, list[Diagnostic]]:
    """Decode the spec of a document."""
    source = envelope.spec.origin.source
    context = Context(Origin(source, f"{kind.name}/{envelope.metadata.name}"))
    sheet: Any = ModelReader(kind.sheet).read(envelope.spec.node, context)
    return (None if sheet is INVALID else sheet), context.diagnostics


def _wrong_kind(envelope: Envelope, kind: Kind) -> Diagnostic | None:
    places = envelope.places
    if envelope.api_version != API_VERSION:
        return spec_codes.UNKNOWN_API_VERSION.at(
            places.value("apiVersion"), f"`{envelope.api_version}` is not `{API_VERSION}`"
        )
    if envelope.kind != kind.name:
        return spec_codes.UNKNOWN_KIND.at(
            places.value("kind"), f"expected kind `{kind.name}`, found `{envelope.kind}`"
        )
    return None


def _not_one(source: Source, documents: list[Document]) -> Diagnostic:
    span = span_of(source, documents[1].root) if documents else Span.of_file(source)
    return codes.NOT_ONE_DOCUMENT.at(
        span,
        f"a file of the catalogue holds one document, found {len(documents)}",
        help="give every document a file of its own" if documents else "",
    )


def _differing_name(metadata: Metadata, name: str) -> Diagnostic:
    return codes.NAME_DIFFERS.at(
        metadata.places.value("name"),
        f"`metadata.name` is `{metadata.name}`, and the file is `{name}.yaml`",
        help=f"write `name: {name}`, or rename the file",
    )
