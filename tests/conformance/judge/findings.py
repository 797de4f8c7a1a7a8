"""Disagreements as text that becomes a test, and tests that were such text.

In: a reduced case with its setting. Out: YAML to be saved in `found/`, and read again from there.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from conformance.judge.compare_objects import Sent
from conformance.judge.selectors import Phrase, Selector
from conformance.judge.settings import Setting, make_setting
from conformance.judge.situations import Situation

FOUND = Path(__file__).parents[1] / "found"


@dataclass(frozen=True)
class Finding:
    """A case on which we and Kubernetes disagree."""

    setting: Setting
    case: Any
    difference: str

    def __str__(self):
        notes = "".join(f"# {line}\n" for line in self.difference.splitlines())
        where = {"minor": self.setting.minor, "gates": dict(self.setting.gates)}
        return notes + yaml.safe_dump(where | self.case.data(), sort_keys=False, width=100)


def read_found(path):
    """Return the operation, the setting and the case of a saved finding."""
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    setting = make_setting(data.pop("minor"), data.pop("gates"))
    if "expression" in data:
        case = Selector(Phrase("bool", (data["expression"],)), data["device"])
        return "cel", setting, case
    if "object" in data:
        return f"create {data['object']['kind']}", setting, Sent(data["object"])
    return "allocate", setting, Situation(**data)
