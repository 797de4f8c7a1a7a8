"""Write golden/: what each example spec compiles to on each instance type, by the real command.

A cell is `golden/<instance type>/<spec>.yaml` with the objects where the spec fits, or
`<spec>.err` with the diagnostics where it does not; never both, never neither.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from neuron_dra import cli

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "golden"
README = """# Golden files

Generated: do not edit. Run `make golden` and review the difference.

One folder for each instance type of `targets/instances/`, one file for each
spec of `specs/shapes/`:
`<spec>.yaml` holds the objects and Helm values where the spec fits on that instance type,
`<spec>.err` the diagnostics where it does not.
Every pool and partition of the spec is read as the folder's instance type.
"""


def instance_types() -> list[str]:
    """Return the columns of the matrix."""
    return sorted(
        path.name.removesuffix(".yaml") for path in (ROOT / "targets/instances").iterdir()
    )


def shapes() -> list[str]:
    """Return the rows of the matrix."""
    return sorted(path.name.removesuffix(".yaml") for path in (ROOT / "specs/shapes").iterdir())


def make_cell(instance_type: str, shape: str) -> tuple[str, str]:
    """Return the name and the text of a cell."""
    spec = f"specs/shapes/{shape}.yaml"
    stderr = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(stderr):
        arguments = ["compile", spec, "-o", f"{folder}/out", "--instance-type", instance_type]
        code = cli.run([*arguments, "--quiet", "--color", "never"])
        if code == 0:
            return f"{shape}.yaml", _objects(Path(folder) / "out")
    if code != 1:
        raise SystemExit(f"{' '.join(arguments)} exited {code}\n{stderr.getvalue()}")
    return f"{shape}.err", stderr.getvalue()


def _objects(out: Path) -> str:
    files = sorted(
        path
        for pattern in ("clusters/*/helm/**/*.yaml", "clusters/*/manifests/**/*.yaml")
        for path in out.glob(pattern)
    )
    texts = [f"# {path.relative_to(out)}\n{path.read_text()}" for path in files]
    return "---\n".join(texts)


def make_folder(instance_type: str) -> dict[str, str]:
    """Return the cells of a column."""
    os.chdir(ROOT)
    return dict(make_cell(instance_type, shape) for shape in shapes())


def main() -> None:
    """Empty golden/ and write every cell."""
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir()
    (GOLDEN / "README.md").write_text(README)
    with ProcessPoolExecutor() as pool:
        for instance_type, cells in zip(
            instance_types(), pool.map(make_folder, instance_types()), strict=True
        ):
            folder = GOLDEN / instance_type
            folder.mkdir()
            for name, text in cells.items():
                (folder / name).write_text(text)
            fits = sum(name.endswith(".yaml") for name in cells)
            print(f"{instance_type}: {fits} of {len(cells)} fit")


if __name__ == "__main__":
    sys.exit(main())
