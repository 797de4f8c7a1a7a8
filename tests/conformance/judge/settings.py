"""Settings: a Kubernetes minor with feature gates.

In: what the oracle tells of its gates, and a source of chance. Out: gate sets as a cluster may have
them: the defaults, everything on, nothing on, or anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from oracle.client import Oracle, OracleError

# What concerns claims, classes, slices and selectors.
GATES = (
    "DRAAdminAccess",
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRADeviceTaintRules",
    "DRADeviceTaints",
    "DRAFractionalCapacityRange",
    "DRAListTypeAttributes",
    "DRAPartitionableDevices",
    "DRAPrioritizedList",
    "DRAResourceClaimDeviceStatus",
    "DRAResourceClaimGranularStatusAuthorization",
)
_KINDS = ("defaults", "everything", "nothing", "anything", "anything")


@dataclass(frozen=True)
class Setting:
    """A minor and the gates that differ from its defaults.

    Attributes:
        enabled: by gate, whether it is on.
    """

    minor: str
    gates: Mapping[str, bool]
    enabled: Mapping[str, bool]

    def has(self, gate):
        return self.enabled.get(gate, False)


def draw_setting(minor, number, chance):
    """Return the setting of a round: every kind has its turn."""
    kind = _KINDS[number % len(_KINDS)]
    with Oracle(minor) as oracle:
        known = oracle.ask({"op": "gates"})["gates"]
    free = {name: each["default"] for name, each in known.items() if not each["locked"]}
    while True:
        gates = {name: _choose(kind, free[name], chance) for name in GATES if name in free}
        gates = {name: on for name, on in gates.items() if on != free[name]}
        if _can_be_asked(minor, gates):
            enabled = {name: gates.get(name, each["default"]) for name, each in known.items()}
            return Setting(minor, gates, enabled)
        kind = "anything"


def drop_gates(setting):
    """Yield settings with one gate less."""
    for name in setting.gates:
        gates = {other: on for other, on in setting.gates.items() if other != name}
        if _can_be_asked(setting.minor, gates):
            enabled = {**setting.enabled, name: not setting.gates[name]}
            yield Setting(setting.minor, gates, enabled)


def make_setting(minor, gates):
    """Return a setting with some gates."""
    with Oracle(minor) as oracle:
        known = oracle.ask({"op": "gates"})["gates"]
    enabled = {name: gates.get(name, each["default"]) for name, each in known.items()}
    return Setting(minor, gates, enabled)


def _choose(kind, default, chance):
    choices = {"defaults": default, "everything": True, "nothing": False}
    return choices.get(kind, chance.random() < 0.7)


def _can_be_asked(minor, gates):
    """Tell whether Kubernetes takes a set of gates: some need others."""
    with Oracle(minor) as oracle:
        try:
            oracle.ask({"op": "gates", "gates": gates})
        except OracleError:
            return False
    return True
