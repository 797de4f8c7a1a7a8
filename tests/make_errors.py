"""Write the expected texts of tests/errors/: what the compiler tells of each bad spec.

A case is `<name>.yaml` with its text `<name>.err` beside it, or a folder `<name>/` that holds the
text in `expected.err`, and specs with a catalogue in `catalog/`, with settings in `neuron-dra.toml`
or with a `baseline.json`, or an output tree in `tree/`.
A file whose first line is `# simulate --claims` or `# simulate --pods` is no spec: it is a dump,
and what is asked of it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable
from pathlib import Path

from neuron_dra.api import pipeline as api
from neuron_dra.api.capacity import judge_capacity
from neuron_dra.api.policy import EVERYTHING_TOLD, Policy, find_policy, settle
from neuron_dra.diagnostics import Diagnostic, Severity, in_order
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.render.text import render
from neuron_dra.review.tree import read_output_tree
from neuron_dra.simulation.question import read_question
from neuron_dra.source import LongSource, Source, read_sources

ERRORS = Path(__file__).resolve().parent / "errors"
CATALOG, TREE, BASELINE = "catalog", "tree", "baseline.json"
_DUMP = re.compile(rb"# simulate --(claims|pods)\n")


def list_cases() -> list[str]:
    """Return the names of all cases."""
    return sorted(
        path.name.removesuffix(".yaml")
        for path in ERRORS.iterdir()
        if path.is_dir() or path.suffix == ".yaml"
    )


def expected_file(case: str) -> Path:
    """Return where the text of a case stands."""
    folder = ERRORS / case
    return folder / "expected.err" if folder.is_dir() else ERRORS / f"{case}.err"


def diagnose(case: str) -> list[Diagnostic]:
    """Return what the whole pipeline tells of a case; the paths are relative to tests/errors/."""
    with contextlib.chdir(ERRORS):
        if not Path(case).is_dir():
            data = Path(f"{case}.yaml").read_bytes()
            if is_dump(data):
                return diagnose_dump(f"{case}.yaml", data)
            return check(api.load([f"{case}.yaml"]))
        if Path(case, TREE).is_dir():
            return read_tree(f"{case}/{TREE}")
        specs = [str(path) for path in sorted(Path(case).glob("*.yaml"))]
        catalog = [f"{case}/{CATALOG}"] if Path(case, CATALOG).is_dir() else []
        known = Path(case, BASELINE)
        baseline = Source(str(known), known.read_bytes()) if known.exists() else None
        return check(api.load(specs), *catalog, policy=find_policy(specs, baseline))


def check(
    sources: Iterable[Source], *catalog: str, policy: Policy = EVERYTHING_TOLD
) -> list[Diagnostic]:
    """Return what `check` tells of specs."""
    sources = list(sources)
    made = api.build(sources, catalog)
    found = (*made.diagnostics, *judge_capacity(made.analysis))
    return list(settle(sources, found, policy, is_complete=True).diagnostics)


def is_dump(data: bytes) -> bool:
    """Tell whether a text says in its first line that it is a dump."""
    return _DUMP.match(data) is not None


def diagnose_dump(path: str, data: bytes) -> list[Diagnostic]:
    """Return what `simulate` tells of a dump, and of what it asks itself."""
    asked = _DUMP.match(data)
    assert asked is not None
    source = LongSource(path, data)
    return in_order(read_question([source], [source], by_pods=asked[1] == b"pods").diagnostics)


def read_tree(root: str) -> list[Diagnostic]:
    """Return what is wrong with an output tree that is to be compared."""
    tree = read_output_tree(root, read_sources([root]))
    return in_order(tree.read(tree.files).diagnostics)


def make_text(case: str) -> str:
    """Return the text of a case, as `check` prints it; notes only where the case is about one."""
    code = load_codes().get(case.partition("-")[0])
    verbose = code is not None and code.severity is Severity.NOTE
    return render(api.visible(diagnose(case), verbose=verbose))


def main() -> None:
    """Write the text of every case and remove the texts of no case."""
    expected = {expected_file(case) for case in list_cases()}
    for path in set(ERRORS.rglob("*.err")) - expected:
        path.unlink()
    for case in list_cases():
        expected_file(case).write_bytes(make_text(case).encode())


if __name__ == "__main__":
    main()
