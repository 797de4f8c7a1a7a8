"""Write golden/: what each example spec compiles to on each instance type, by the real command.

A cell is `golden/<instance type>/<spec>.yaml` with the objects where the spec fits, or
`<spec>.err` with the diagnostics where it does not; never both, never neither. The same holds of
`resourceslices`: what the drivers are predicted to publish there, or why nothing is known.
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
SLICES = "resourceslices"
README = """# Golden files

Generated: do not edit. Run `make golden` and review the difference.

One folder for each instance type of `targets/instances/`, one file for each
spec of `specs/shapes/`:
`<spec>.yaml` holds the objects and Helm values where the spec fits on that instance type,
`<spec>.err` the diagnostics where it does not.
Every pool and partition of the spec is read as the folder's instance type.

`resourceslices.yaml` is what `neuron-dra slices` prints for that instance type: the devices on
which the claims beside it are proved.
Where nothing is known to be published, `resourceslices.err` says so.
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


def make_slices(instance_type: str) -> tuple[str, str]:
    """Return the name and the text of the predicted slices."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        code = cli.run(["slices", instance_type, "--color", "never"])
    if code == 0:
        return f"{SLICES}.yaml", stdout.getvalue()
    if code != 1:
        raise SystemExit(f"slices {instance_type} exited {code}\n{stderr.getvalue()}")
    return f"{SLICES}.err", stderr.getvalue()


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
    cells = [make_cell(instance_type, shape) for shape in shapes()]
    return dict([*cells, make_slices(instance_type)])


def shape_files() -> list[Path]:
    """Return the golden files in which a shape fits."""
    return sorted(path for path in GOLDEN.glob("*/*.yaml") if path.stem != SLICES)


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
            fits = sum(f"{shape}.yaml" in cells for shape in shapes())
            print(f"{instance_type}: {fits} of {len(shapes())} fit")


if __name__ == "__main__":
    sys.exit(main())
