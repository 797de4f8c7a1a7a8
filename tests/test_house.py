"""The house rules that no linter knows: what lies where, how large it is and what it may say.

In: the files that Git knows or would add. Out: one failure per rule, naming every place.
Does not look into what the compiler does.
"""

from __future__ import annotations

import ast
import re
import subprocess
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

TOP_LEVEL = {
    *("compiler", "specs", "targets", "golden", "tests", "docs", "bench"),
    *("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"),
    *("pyproject.toml", "Makefile", ".ci", ".github"),
    *(".editorconfig", ".gitattributes", ".gitignore"),
    *(".pre-commit-config.yaml", ".pre-commit-hooks.yaml"),
}
MODULE_LINES = 400
FUNCTION_LINES = 60
SAYS_NOTHING = re.compile(r"(?:util|helper|common|base|core|manager|handler|misc)s?")

MACHINE_PATH = re.compile(r"(?<![\w.~}-])/(?:work|root|Users)/\w")
REGISTRY = re.compile(
    r"https?://(?![\w.-]*\bexample\b)[\w.-]*(?:pypi|pythonhosted|npmjs|proxy|registry)"
    r"|(?<![\w-])--(?:extra-)?index-url\b|(?<![\w-])--find-link[s]\b"
)
INSTANCE_TYPE = re.compile(r"\b[a-z]+\d+[a-z]*\.(?:\d*xlarge|large|metal)\b")
INSTANCE_FAMILY = re.compile(r"(?:trn|inf)\d+[a-z]*")
SUPPRESSION = re.compile(
    r"#\s*(?:(?:ruff|flake8):\s*)?"
    r"(?:noqa(?::[\s,]*(?:[A-Z]+\d+[\s,]*)+)?|type:\s*ignore(?:\[[^]]*\])?"
    r"|fmt:\s*(?:off|skip)|pragma:\s*no (?:cover|branch))"
)
REASON = re.compile(r"[^\W\d_]+\W+[^\W\d_]+")


@cache
def list_files() -> tuple[Path, ...]:
    """Return what is committed or would be, relative to the root, sorted."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    paths = (Path(name) for name in sorted(set(listed.split("\0"))) if name)
    return tuple(path for path in paths if (ROOT / path).is_file())


def list_modules(*folders: str) -> list[Path]:
    return [path for path in list_files() if path.suffix == ".py" and path.parts[0] in folders]


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file, none of a binary one."""
    data = (ROOT / path).read_bytes()
    return [] if b"\0" in data else data.decode("utf-8", errors="replace").splitlines()


def search(paths: Iterable[Path], pattern: re.Pattern[str]) -> list[str]:
    """Return every place that a pattern matches, with the line it stands on."""
    return [
        f"{path}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(read_lines(path), start=1)
        if pattern.search(line)
    ]


def walk_module(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse((ROOT / path).read_bytes(), filename=str(path)))


def find_unexplained(path: Path) -> Iterator[str]:
    """Yield the suppressions of a module that do not say why on their line."""
    with tokenize.open(ROOT / path) as stream:
        for token in tokenize.generate_tokens(stream.readline):
            if token.type == tokenize.COMMENT and not is_explained(token.string):
                yield f"{path}:{token.start[0]}: {token.string}"


def is_explained(comment: str) -> bool:
    """Tell whether a comment suppresses nothing, or gives two words of reason."""
    return not SUPPRESSION.search(comment) or bool(REASON.search(SUPPRESSION.sub("", comment)))


def test_top_level():
    """The top level holds what ARCHITECTURE.md allows and nothing else."""
    found = {path.parts[0] for path in list_files()}

    assert found - TOP_LEVEL == set()


def test_no_machine_paths():
    """No file names a folder of the machine that it was written on."""
    assert search(list_files(), MACHINE_PATH) == []


def test_no_registries():
    """No file chooses a package registry: that is the reader's own setting."""
    assert search(list_files(), REGISTRY) == []


def test_no_instance_types_in_code():
    """Python code names no instance type: what a machine is stands in `targets/`."""
    modules = list_modules("compiler")
    families = [
        f"{path}:{node.lineno}: {node.value}"
        for path in modules
        for node in walk_module(path)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and INSTANCE_FAMILY.fullmatch(node.value)
    ]

    assert search(modules, INSTANCE_TYPE) + families == []


def test_modules_have_docstrings():
    """Every module of the package says what comes in, what goes out and what it leaves out."""
    modules = list_modules("compiler")
    bare = [path for path in modules if not ast.get_docstring(next(walk_module(path)))]

    assert modules
    assert bare == []


def test_modules_are_short():
    """No module of the package is longer than a reader's patience."""
    sizes = {str(path): len(read_lines(path)) for path in list_modules("compiler")}

    assert {path: size for path, size in sizes.items() if size > MODULE_LINES} == {}


def test_functions_are_short():
    """No function of the package is longer than a screen."""
    sizes = {
        f"{path}:{node.lineno} {node.name}": node.end_lineno - node.lineno + 1
        for path in list_modules("compiler")
        for node in walk_module(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {place: size for place, size in sizes.items() if size > FUNCTION_LINES} == {}


def test_names_say_something():
    """No module or folder of code is named by a word that says nothing."""
    empty = [
        path
        for path in list_modules("compiler", "tests", "bench")
        if any(SAYS_NOTHING.fullmatch(part) for part in path.with_suffix("").parts)
    ]

    assert empty == []


def test_suppressions_give_reasons():
    """Every suppression of a finding says why, on its line."""
    modules = list_modules("compiler", "tests", "bench")

    assert [place for path in modules for place in find_unexplained(path)] == []


def test_ignored_rules_give_reasons():
    """Every lint rule that pyproject.toml switches off says why, on its line."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    blocks = re.findall(r"^ignore = \[\n.*?^\]|^\[tool\.\S+ignores\]\n.*?^\[", text, re.M | re.S)
    rules = [
        line for block in blocks for line in block.splitlines() if re.search(r'"[A-Z]+\d*"', line)
    ]

    assert rules
    assert [line for line in rules if not REASON.search(line.partition("#")[2])] == []


@pytest.mark.parametrize(
    ("comment", "explained"),
    [
        ("# a plain reason", True),
        ("# noqa: E501", False),
        ("# noqa: E501, PTH112", False),
        ("# noqa: E501 -- a table", True),
        ("# type: ignore[misc]", False),
        ("# type: ignore[misc]  # untyped base class", True),
        ("# pragma: no cover", False),
        ("# pragma: no cover -- Windows only", True),
        ("# fmt: skip", False),
    ],
)
def test_is_explained(comment, explained):
    """A suppression counts as explained when words follow its rules."""
    assert is_explained(comment) == explained


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (MACHINE_PATH, "see " + "/work" + "/main/specs", True),
        (MACHINE_PATH, "docs/work/plan.md", False),
        (REGISTRY, "https://" + "pypi.org/simple", True),
        (REGISTRY, "https://registry.example.com/train", False),
        (REGISTRY, "https://kubernetes.io/docs/kube-proxy/", False),
        (REGISTRY, "uv pip compile --no-emit-index-url", False),
        (INSTANCE_TYPE, 'if name == "trn2.48xlarge":', True),
        (INSTANCE_TYPE, "apps/v1.deployment", False),
    ],
)
def test_patterns(pattern, text, matches):
    """The patterns of this file tell what is banned from what only looks like it."""
    assert bool(pattern.search(text)) == matches
