"""The code table: every diagnostic that the compiler can give, one module per phase.

First digit: 1 syntax, 2 spec, 3 plan, 4 objects and admission, 5 lint, 6 catalogue, 7 dumps,
8 review, output tree and GitOps, 9 internal. Codes are never reused or renumbered.
"""

from __future__ import annotations

from importlib import import_module

from neuron_dra.diagnostics import Code

# One module per phase, or per kind where a phase has many.
MODULES = (
    "syntax",
    "spec",
    "settings",
    "plan",
    "capacity",
    "consumers",
    "objects",
    "network",
    "workload",
    "gitops",
    "admission",
    "catalog",
    "dumps",
    "review",
)


def load_codes() -> dict[str, Code]:
    """Return all codes by id, sorted."""
    codes = [
        value
        for name in MODULES
        for value in vars(import_module(f"{__name__}.{name}")).values()
        if isinstance(value, Code)
    ]
    return {code.id: code for code in sorted(codes, key=lambda code: code.id)}
