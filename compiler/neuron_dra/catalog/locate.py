"""Where the catalogue lies: the shipped `targets` folder, and folders laid over it.

In: extra folders. Out: a `Catalog` that reads from them. The only module of this room that touches
the file system: it lists the folders at once, and reads a file when the catalogue asks for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.catalog.document import KINDS
from neuron_dra.diagnostics import Diagnostic, did_you_mean
from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.source import FatalError, Source, Span, read_sources

SUFFIX = ".yaml"
SHIPPED = "targets"  # how the shipped folder is shown, wherever it lies
_PACKAGE_DEPTH = 2  # from this file up to the folder of the package
_CHECKOUT_DEPTH = 4  # from this file up to the root of a checkout


def open_catalog(paths: Sequence[str] = ()) -> Catalog:
    """Open the shipped catalogue with extra folders laid over it; the last one wins.

    Raises:
        FatalError: a folder does not exist or cannot be read.
    """
    shipped = find_targets()
    roots: dict[str, str] = {}  # relative name of a file → the folder that has it last
    stray: list[Diagnostic] = []
    for root in (shipped, *map(os.path.normpath, paths)):
        for name in _list_root(root):
            if _is_fact_file(name):
                roots[name] = root
            else:
                stray.append(_stray(root, name))

    def read(name: str) -> Source:
        root = roots[name]
        (source,) = read_sources([f"{root}/{name}"])
        return Source(f"{SHIPPED}/{name}", source.data) if root == shipped else source

    return Catalog(read, _names(roots), stray)


def find_targets() -> str:
    """Return the shipped folder: inside the installed package, or at the root of a checkout.

    Raises:
        FatalError: neither is there.
    """
    for depth in (_PACKAGE_DEPTH, _CHECKOUT_DEPTH):
        folder = f"{__file__.rsplit(os.sep, depth)[0]}/{SHIPPED}"
        if os.path.isdir(folder):  # noqa: PTH112 -- os.path keeps pathlib off the compile path
            return folder
    raise FatalError(f"the installation is broken: there is no folder `{SHIPPED}` in the package")


def _names(files: dict[str, str]) -> dict[str, list[str]]:
    names: dict[str, list[str]] = {folder: [] for folder in KINDS}
    for file in files:
        folder, _, name = file.partition("/")
        names[folder].append(name.removesuffix(SUFFIX))
    return names


def _list_root(root: str) -> Iterator[str]:
    """Yield what should be a file of facts: YAML at the top, and everything in a folder."""
    for entry in _scan(root):
        if entry.is_dir() and entry.name in KINDS:
            for inner in _scan(entry.path):
                yield f"{entry.name}/{inner.name}{'/' if inner.is_dir() else ''}"
        elif entry.is_dir() or entry.name.endswith((SUFFIX, ".yml")):
            yield entry.name


def _scan(folder: str) -> list[os.DirEntry[str]]:
    try:
        entries = [entry for entry in os.scandir(folder) if not entry.name.startswith(".")]
    except OSError as error:
        raise FatalError(f"cannot read {folder}: {error.strerror}") from None
    return sorted(entries, key=lambda entry: entry.name)


def _is_fact_file(name: str) -> bool:
    folder, slash, file = name.partition("/")
    return bool(slash) and folder in KINDS and file.endswith(SUFFIX)


def _stray(root: str, name: str) -> Diagnostic:
    folder, slash, _ = name.partition("/")
    return codes.STRAY_FILE.at(
        Span.of_file(Source(f"{root}/{name}", b"")),
        f"nothing reads `{name}`: facts are `{SUFFIX}` files in the folders of the catalogue",
        help=f"end its name with `{SUFFIX}`" if slash else did_you_mean(folder, KINDS),
    )
