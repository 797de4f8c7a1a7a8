"""The blocks of a Markdown page that say something testable.

In: the text of a page. Out: its fenced blocks; of a console block, the commands and the output that
the page shows. Runs nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from typing import NamedTuple

# An opening fence, its indentation and info string, the text, and a closing fence of that length.
_FENCE = re.compile(r"^( *)(`{3,})([^`\n]*)\n(.*?)^\1\2`*[ ]*$", re.MULTILINE | re.DOTALL)
_PROMPT = "$ "
_ANYTHING = "..."


class Block(NamedTuple):
    """A fenced block: where it begins, the words after its fence, its text."""

    page: str
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def language(self) -> str:
        return self.words[0] if self.words else ""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


class Command(NamedTuple):
    """A command of a console block, and what the page shows of its output: nothing, or lines."""

    line: str
    output: tuple[str, ...]


def read_blocks(page: str, text: str) -> list[Block]:
    """Return the fenced blocks of a page, in order."""
    return [
        Block(
            page,
            text.count("\n", 0, match.start()) + 1,
            tuple(match[3].split()),
            textwrap.dedent(match[4]) if match[1] else match[4],
        )
        for match in _FENCE.finditer(text)
    ]


def read_commands(text: str) -> list[Command]:
    """Return the commands after `$ `; a backslash at the end of a line continues one."""
    parts = re.split(rf"^{re.escape(_PROMPT)}", text, flags=re.MULTILINE)[1:]
    return [_read_command(part.splitlines()) for part in parts]


def _read_command(lines: Sequence[str]) -> Command:
    last = next(index for index, line in enumerate(lines) if not line.endswith("\\"))
    output = [line.rstrip() for line in lines[last + 1 :]]
    while output and not output[-1]:
        output.pop()
    return Command("\n".join(lines[: last + 1]), tuple(output))


def is_shown(output: Sequence[str], found: str) -> bool:
    """Tell whether a page shows what was found; a line `...` stands for any lines.

    Inside a line, `...` stands for any text.
    """
    pattern = "".join(_patterns(output))
    lines = "".join(f"{line.rstrip()}\n" for line in found.rstrip().splitlines())
    return re.fullmatch(pattern, lines) is not None


def _patterns(output: Sequence[str]) -> Iterator[str]:
    for line in output:
        if line.strip() == _ANYTHING:
            yield r"(?:.*\n)*?"
        else:
            yield re.escape(line).replace(re.escape(_ANYTHING), ".*") + r"\n"
