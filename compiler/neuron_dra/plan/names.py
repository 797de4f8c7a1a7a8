"""The names of what the compiler creates: device classes and hashed templates."""

from __future__ import annotations

import hashlib

from neuron_dra.kube.claim import DeviceClaim

EFA_CLASS = "neuron-efa"


def device_class_name(hardware: str) -> str:
    """Return the DeviceClass of an instance type or a chip."""
    return "neuron-" + hardware.replace(".", "-")


def chip_class_name(chip: str, *, nodes: bool) -> str:
    """Return the DeviceClass of a chip: of its devices, or of nodes of its UltraServers."""
    return device_class_name(chip) + ("-node" if nodes else "")


def hashed_name(name: str, claim: DeviceClaim) -> str:
    """Return a template's name that changes with its content: ten hex digits of SHA-256."""
    digest = hashlib.sha256(repr(claim).encode()).hexdigest()
    return f"{name}-{digest[:10]}"
