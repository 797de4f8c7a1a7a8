"""Names of findings that stay when lines move.

In: diagnostics. Out: a hash for each, of its code, the path, and the text of its first line without
the blanks around it; equal ones are told apart by their order. The message is no part of it, since
the numbers in it may change while the finding stays.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable

from neuron_dra.diagnostics import Diagnostic, in_order


def fingerprint_all(diagnostics: Iterable[Diagnostic]) -> list[tuple[Diagnostic, str]]:
    """Return the diagnostics in order, each once, with its fingerprint."""
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for diagnostic in in_order(diagnostics):
        span = diagnostic.span
        key = (diagnostic.code.id, span.path, span.source.line(span.line).strip())
        found.append((diagnostic, _hash([*key, seen[key]])))
        seen[key] += 1
    return found


def _hash(parts: list[str | int]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]
