"""A grammar of device selectors: by type, what an expression of that type may look like.

In: `grammar.txt`. Out: `LEAVES`, which end a branch, and `PRODUCTIONS`, which go on. One production
a line. `$int` stands for an expression of type int. Where a production declares variables, their
types stand before a colon, `@` and `#` are their names, and `~int` is an expression that may use
them. `any` is what Kubernetes knows of an attribute. A line that stands twice is twice as likely.
Some productions are ill-typed, use what a minor lacks, or hold a literal that no function takes:
their verdict is asked for like any other.
"""

from __future__ import annotations

from pathlib import Path

_COMPARED = ("int", "uint", "double", "string", "bytes", "duration", "timestamp", "any")
_ORDERED = ("int", "uint", "double", "string", "bytes", "duration", "timestamp", "bool")


def _read(wanted):
    """Return the productions of one sort by type."""
    found, lines = {}, None
    for line in Path(__file__).with_name("grammar.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            kind, sort = line[3:].split()
            lines = found.setdefault(kind, []) if sort == wanted else None
        elif line and lines is not None:
            lines.append(line)
    return {kind: tuple(lines) for kind, lines in found.items()}


def _comparisons():
    equal = [f"(${kind} {operator} ${kind})" for kind in _COMPARED for operator in ("==", "!=")]
    signs = ("<", "<=", ">", ">=")
    return (*equal, *(f"(${kind} {sign} ${kind})" for kind in _ORDERED for sign in signs))


LEAVES = _read("leaf")
PRODUCTIONS = _read("more")
PRODUCTIONS["bool"] += _comparisons()
