"""Facts about an invented consumer, and small claims."""

from __future__ import annotations

import textwrap

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.kube.claim import (
    DeviceClaim,
    DeviceConstraint,
    DeviceRequest,
    ExactDeviceRequest,
    OpaqueConfig,
)
from neuron_dra.source import Source

HEAD = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Consumer
metadata: {name: gate}
spec:
  title: Gate
"""
ORIGIN = "source: a test, date: 2026-01-01"
PAIRS = DeviceConstraint(("a",), "example.com/group2")


def open_facts(body):
    """Return a catalogue that holds one consumer, `gate`."""
    text = HEAD + textwrap.indent(textwrap.dedent(body), "  ")
    source = Source("targets/consumers/gate.yaml", text.encode())
    return Catalog(lambda _: source, {"consumers": ["gate"]})


def read_consumer(body):
    """Return a consumer whose facts are sound."""
    catalog = open_facts(body)
    made = catalog.consumer("gate")
    assert catalog.diagnostics == []
    return made


def ways(parts, rest="", since="", until=""):
    """Return the body of a consumer with one way and one release."""
    bounds = "".join(
        f", {key}: '{value}'" for key, value in (("since", since), ("until", until)) if value
    )
    facts = ", ".join(f"{name}: {{{fact}, {ORIGIN}}}" for name, fact in parts.items())
    other = f", rest: {{{rest}, {ORIGIN}}}" if rest else ""
    return f"ways: {{only: {{releases: [{{parts: {{{facts}}}{other}{bounds}}}]}}}}\n"


def exactly(name="chips", count=1, **more):
    return DeviceRequest("a", exactly=ExactDeviceRequest(name, count, **more))


def claim(*requests, constraints=(), config=()):
    return DeviceClaim(requests or (exactly(),), tuple(constraints), tuple(config))


CONFIG = OpaqueConfig(("a",), "chips.example.com", {"size": 1})
