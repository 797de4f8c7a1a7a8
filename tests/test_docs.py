"""The documentation is executed: its commands, what they print, and its YAML.

The conventions stand in CONTRIBUTING.md, "Docs are tests". A page runs in a folder of its own, in
which `specs/` is a copy of the example specs; its blocks run in order.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from doc_blocks import Block, Command, is_shown, read_blocks, read_commands
from neuron_dra.api import pipeline as api
from neuron_dra.diagnostics import Severity
from neuron_dra.source import Source

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (*ROOT.glob("[A-Z]*.md"), *ROOT.glob("docs/**/*.md"))
)
GROUP = "neuron-dra.dev/"
CONSOLES = ("console", "sh")
# What needs a network, a cluster or minutes is shown only.
SHOWN_ONLY = (
    *("make", "cd", "kubectl", "helm", "argocd", "aws", "pip", "pipx", "uv", "uvx", "pre-commit"),
    *("git clone", "git push"),
)
IDENTITY = {
    f"GIT_{who}_{what}": value
    for who in ("AUTHOR", "COMMITTER")
    for what, value in (("NAME", "docs"), ("EMAIL", "docs@example.com"))
}


def blocks_of(page):
    return read_blocks(page, (ROOT / page).read_text(encoding="utf-8"))


def yaml_blocks():
    return [block for page in PAGES for block in blocks_of(page) if block.language == "yaml"]


def is_run(command):
    return not any(f"{command.line} ".startswith(f"{name} ") for name in SHOWN_ONLY)


class Shell:
    """Runs the blocks of a page in its folder."""

    def __init__(self, folder, environment):
        self.folder = folder
        self.environment = {**environment, **IDENTITY, "GIT_CONFIG_NOSYSTEM": "1"}
        self.code = 0  # of the last command
        self.told = True  # whether the page has said that the last command fails

    def run_block(self, block):
        if block.language in CONSOLES:
            for command in filter(is_run, read_commands(block.text)):
                self.run_command(block, command)
            self.expect_success(block)
        elif block.words[:2] == ("yaml", "file"):
            path = self.folder / block.words[2]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")

    def run_command(self, block, command):
        if command.line == "echo $?":
            assert command.output == (str(self.code),), f"{block}: the exit code is {self.code}"
            self.told = True
            return
        self.expect_success(block)
        done = subprocess.run(
            ["sh", "-c", command.line],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
            timeout=120,
        )
        self.code = done.returncode
        self.told = self.code == 0 or any(line.startswith("error") for line in command.output)
        self.last = f"{block}: $ {command.line}\n{done.stdout}"
        shown = "\n".join(command.output)
        assert not shown or is_shown(command.output, done.stdout), f"{self.last}\nshown:\n{shown}"

    def expect_success(self, block):
        assert self.told, f"{self.last}exit code {self.code}, before {block}"


@pytest.mark.parametrize("page", PAGES)
def test_commands(page, environment, tmp_path):
    """Each command of a page prints what the page shows, and fails only where the page says so."""
    shutil.copytree(ROOT / "specs", tmp_path / "specs")
    shell = Shell(tmp_path, environment)

    for block in blocks_of(page):
        shell.run_block(block)


@pytest.mark.parametrize("block", yaml_blocks(), ids=str)
def test_yaml(block):
    """Each YAML block can be read; a document of ours is sound, or has the error it promises."""
    assert block.words[1:2] in ((), ("wrong",), ("with",), ("file",)), f"{block}: {block.words}"
    documents = list(yaml.safe_load_all(block.text))
    assert documents, block

    if block.words[1:2] != ("file",) and any(is_ours(each) for each in documents):
        check_block(block)


def is_ours(document):
    return isinstance(document, dict) and str(document.get("apiVersion")).startswith(GROUP)


def check_block(block):
    """Check the documents of a block alone, or together with the example specs that it names."""
    beside = block.words[2:] if block.words[1:2] == ("with",) else ()
    sources = api.load([str(ROOT / path) for path in beside])
    found = api.build([Source(str(block), block.text.encode()), *sources]).diagnostics

    errors = {each.code.id for each in found if each.severity is Severity.ERROR}
    wanted = set(block.words[2:]) if block.words[1:2] == ("wrong",) else set()
    assert wanted <= {each.code.id for each in found}, [each.message for each in found]
    assert errors <= wanted, [f"{each.code.id} {each.message}" for each in found]
    assert wanted or block.words[1:2] != ("wrong",), f"{block}: name the code"


PAGE = """\
Text.

```console
$ echo one \\
  two
one two
$ false
$ echo $?
1
```

1. In a list:

   ```yaml wrong ND3001
   a: 1
   ```

```
plain
```
"""


def test_read_blocks():
    """Blocks have their line, the words after the fence, and their text without indentation."""
    blocks = read_blocks("page.md", PAGE)

    assert [(block.line, block.words) for block in blocks] == [
        (3, ("console",)),
        (14, ("yaml", "wrong", "ND3001")),
        (18, ()),
    ]
    assert blocks[1].text == "a: 1\n"


def test_read_commands():
    """A command may go on in the next line, and has the lines below it as its output."""
    assert read_commands(read_blocks("page.md", PAGE)[0].text) == [
        Command("echo one \\\n  two", ("one two",)),
        Command("false", ()),
        Command("echo $?", ("1",)),
    ]


@pytest.mark.parametrize(
    ("output", "found", "shown"),
    [
        (["a", "b"], "a\nb\n", True),
        (["a"], "a  \n", True),
        (["a"], "a\nb\n", False),
        (["a", "..."], "a\nb\nc\n", True),
        (["a", "..."], "a\n", True),
        (["...", "c"], "a\nb\n", False),
        (["took ... s"], "took 12 s\n", True),
        (["took ... s"], "took 12\ns\n", False),
        (["[a].*"], "[a].*\n", True),
    ],
)
def test_is_shown(output, found, shown):
    """What a page shows is compared whole, except where it says `...`."""
    assert is_shown(output, found) == shown


def block_of(info, text):
    return Block("page.md", 1, tuple(info.split()), text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("$ echo one\ntwo\n", "shown:\n  two"),
        ("$ false\n", "exit code 1"),
        ("$ echo error; false\n", "exit code 1"),
        ("$ false\n$ true\n", "exit code 1"),
        ("$ false\n$ echo $?\n2\n", "the exit code is 1"),
        ("$ neuron-dra check specs/nowhere\n", "cannot read specs/nowhere"),
        ("$ no-such-program\n", "exit code 127"),
    ],
)
def test_wrong_commands_fail(text, complaint, environment, tmp_path):
    """A page that shows what does not happen fails."""
    with pytest.raises(AssertionError, match=re.escape(complaint)):
        Shell(tmp_path, environment).run_block(block_of("console", text))


def test_right_commands_pass(environment, tmp_path):
    """Files of a page can be used, and failing passes where the error or exit code is shown."""
    shell = Shell(tmp_path, environment)

    shell.run_block(block_of("yaml file new/a.yaml", "a: 1\n"))
    for text in (
        "$ cat new/a.yaml\na: 1\n",
        "$ make demo\n",
        "$ false\n$ echo $?\n1\n",
        "$ echo error: no; false\nerror: no\n",
    ):
        shell.run_block(block_of("sh", text))


PARTITION = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {{name: a}}
spec: {{instanceType: trn2.48xlarge, devices: {devices}}}
"""


@pytest.mark.parametrize(
    ("info", "devices", "sound"),
    [
        ("yaml", 4, True),
        ("yaml", "four", False),
        ("yaml wrong ND2004", "four", True),
        ("yaml wrong ND2004", 4, False),
        ("yaml wrong ND2001", "four", False),
        ("yaml wrong", "four", False),
        ("yaml with specs/small", 4, True),
    ],
)
def test_yaml_is_judged(info, devices, sound):
    """A block passes only if it has the errors that it promises, and no other."""
    block = block_of(info, PARTITION.format(devices=devices))

    if sound:
        test_yaml(block)
    else:
        with pytest.raises(AssertionError):
            test_yaml(block)
