"""The feature gates with which a case is asked.

In: a case and a minor. Out: by profile the gates that differ from the minor's defaults, or nothing
where the minor cannot set what the case needs.
The scheduler has up to three allocators and takes the simplest that supports what is switched on,
so one situation is asked with no gates but its own, with those of the minor, and with all.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from neuron_dra.allocator.features import _GATES as FEATURES

ROOT = Path(__file__).resolve().parents[2]
NEEDED, DEFAULT, ALL = "needed", "default", "all"
PROFILES = (NEEDED, DEFAULT, ALL)
STATUS_GATE = "DRAResourceClaimDeviceStatus"
# A gate that is switched off takes those with it that depend on it.
DEPENDENT = {
    "DRADeviceTaints": "DRADeviceTaintRules",
    "DRAConsumableCapacity": "DRAFractionalCapacityRange",
}


@cache
def release_gates(minor):
    """Return the gates of a minor: `default` and `locked` of each."""
    text = (ROOT / f"targets/kubernetes/{minor}.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)["spec"]["gates"]["gates"]


def list_profiles(case, minor):
    """Return the gates to set by profile; equal ones once."""
    if case.minors and minor not in case.minors:
        return {}
    found = {}
    for profile in PROFILES:
        gates = choose_gates(case, minor, profile)
        if gates is not None and gates not in found.values():
            found[profile] = gates
    return found


def choose_gates(case, minor, profile):
    known = release_gates(minor)
    own = dict.fromkeys(case.on, True) | dict.fromkeys(case.off, False)
    chosen = base(minor, profile) | own
    for gate, other in DEPENDENT.items():
        if not chosen.get(gate):
            chosen[other] = False
    changed = {
        gate: on for gate, on in chosen.items() if on != known.get(gate, {}).get("default", False)
    }
    is_possible = all(gate in known and not known[gate]["locked"] for gate in changed)
    return changed if is_possible else None


def base(minor, profile):
    """Return all gates of a minor as a profile sets them before a case has its own."""
    known = release_gates(minor)
    settings = {gate: each["default"] for gate, each in known.items()}
    if profile == DEFAULT:
        return settings
    ours = {gate for gate in FEATURES.values() if gate in known and not known[gate]["locked"]}
    if profile == NEEDED and minor != "1.34":
        ours -= {STATUS_GATE}  # only 1.34 looks at it without binding conditions
    return settings | dict.fromkeys(ours, profile == ALL)


def all_gates(minor, changed):
    """Return every gate of a minor, with those that were changed."""
    return {gate: each["default"] for gate, each in release_gates(minor).items()} | changed
