"""The long explanations of codes, one Markdown page each under `explain/`.

In: the id of a code. Out: its page, the two specs in it: one that gives the code, and the same
corrected; and what Kubernetes or a driver would say in its place. Runs no example and renders no
Markdown.
"""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "explain"
_BLOCK = re.compile(
    r"^```(?:yaml|toml|json) (wrong|right)( escaped)?\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
_SEEN = re.compile(r"^What you would see:\n\n((?:- .*\n)+)\Z", re.MULTILINE)
_MESSAGE = re.compile(r"^- .*: `([^`]+)`$", re.MULTILINE)
_BYTE = re.compile(rb"\\x([0-9a-f]{2})")
_REPETITION = re.compile(rb"(.)\\{([0-9]+)}")


def load_page(code_id: str) -> str:
    """Return the page of a code."""
    return (_FOLDER / f"{code_id}.md").read_text(encoding="utf-8")


def examples(page: str) -> tuple[bytes, bytes]:
    r"""Return the bytes of the wrong and of the right spec of a page.

    They are the blocks marked `yaml wrong` and `yaml right`, or `toml` or `json` where the code is
    not about a spec. A block also marked `escaped` writes what a page cannot hold: `\xff` is a
    byte, and `[\{300}` is `[` 300 times.
    """
    found = [
        (kind, _unescape(text.encode()) if escaped else text.encode())
        for kind, escaped, text in _BLOCK.findall(page)
    ]
    if sorted(kind for kind, _ in found) != ["right", "wrong"]:
        raise ValueError("a page needs one block `yaml wrong` and one block `yaml right`")
    specs = dict(found)
    return specs["wrong"], specs["right"]


def messages(page: str) -> list[str]:
    """Return what a page says that others would say: an API server, a scheduler, a driver."""
    seen = _SEEN.search(page)
    return _MESSAGE.findall(seen[1]) if seen else []


def _unescape(text: bytes) -> bytes:
    text = _BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), text)
    return _REPETITION.sub(lambda match: match[1] * int(match[2]), text)
