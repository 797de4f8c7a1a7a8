"""Write the `go.mod` and `go.sum` of one minor anew, for a patch release of Kubernetes.

In: a version such as 1.36.4, on the command line. Out: both files of its minor.
Does not build: `make oracle` does.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from build import SOURCES, environment, find_go, list_sources


def read_upstream(version: str, folder: Path, go: str) -> str:
    """Return the `go.mod` of k8s.io/kubernetes."""
    command = [go, "mod", "download", "-json", f"k8s.io/kubernetes@v{version}"]
    told = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, check=True, text=True
    )
    return Path(json.loads(told.stdout)["GoMod"]).read_text(encoding="utf-8")


def write_module(version: str, upstream: str) -> str:
    """Return our `go.mod`: every staging module is replaced by its published version."""
    language = re.search(r"^go \S+$", upstream, re.M)[0]
    behaviour = re.search(r"^godebug \S+$", upstream, re.M)[0]
    staging = re.findall(r"^\t(k8s\.io/\S+) => \./staging", upstream, re.M)
    published = "v0" + version.removeprefix("1")
    replaced = "".join(f"\t{name} => {name} {published}\n" for name in sorted(staging))
    return (
        f"module oracle\n\n{language}\n\n{behaviour}\n\n"
        f"require k8s.io/kubernetes v{version}\n\nreplace (\n{replaced})\n"
    )


def main(version: str) -> None:
    go = find_go()
    minor = version.rpartition(".")[0]
    with tempfile.TemporaryDirectory(prefix="oracle-") as temporary:
        folder = Path(temporary)
        module = write_module(version, read_upstream(version, folder, go))
        (folder / "go.mod").write_text(module, encoding="utf-8")
        for path in list_sources(minor):
            if path.suffix == ".go":
                shutil.copy(path, folder)
        subprocess.run([go, "mod", "tidy"], cwd=folder, env=environment(), check=True)
        for name in ("go.mod", "go.sum"):
            shutil.copy(folder / name, SOURCES / minor)


if __name__ == "__main__":
    main(*sys.argv[1:])
