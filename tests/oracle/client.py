"""Ask the code of one Kubernetes minor.

In: a minor, and questions as README.md describes them. Out: the answers, in order.
Does not build the program that answers (`make oracle` does) and does not judge what it says.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import tempfile
import threading
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self

from oracle.build import binary_of, is_current

Question = dict[str, Any]
Answer = dict[str, Any]

PATIENCE_SECONDS = 5


class OracleError(Exception):
    """The question cannot be asked, or the process that answers has ended."""


def available(minor: str) -> str:
    """Return why the code of a minor cannot be asked, or nothing."""
    if is_current(minor):
        return ""
    state = "older than its sources" if binary_of(minor).is_file() else "not built"
    return f"the oracle of Kubernetes {minor} is {state}: run make oracle"


class Oracle:
    """A process with the code of one minor; it ends with the context."""

    def __init__(self, minor: str) -> None:
        if reason := available(minor):
            raise OracleError(reason)
        self.minor = minor
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 -- close() closes it
        self._process = subprocess.Popen(
            [binary_of(minor)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def ask(self, question: Question) -> Answer:
        """Return the answer to one question."""
        return self.ask_many([question])[0]

    def ask_many(self, questions: Iterable[Question]) -> list[Answer]:
        """Return the answers to many questions, which are written while answers are read."""
        lines = [json.dumps(question).encode() + b"\n" for question in questions]
        writer = threading.Thread(target=self._write, args=(lines,), daemon=True)
        writer.start()
        answers = list(self._read(len(lines)))
        writer.join()
        for answer in answers:
            if "questionError" in answer:
                raise OracleError(answer["questionError"])
        return answers

    def close(self) -> None:
        """End the process: it ends with its input, or is killed."""
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._complaints.close()

    def _write(self, lines: list[bytes]) -> None:
        try:
            self._process.stdin.writelines(lines)
            self._process.stdin.flush()
        except BrokenPipeError:
            return  # whoever reads sees the end, and why

    def _read(self, count: int) -> Iterator[Answer]:
        for _ in range(count):
            line = self._process.stdout.readline()
            if not line:
                raise OracleError(self._describe_end())
            yield json.loads(line)

    def _describe_end(self) -> str:
        code = self._process.wait()
        self._complaints.seek(0)
        told = self._complaints.read().decode(errors="replace").strip()
        return f"the oracle of Kubernetes {self.minor} ended with {code}: {told[:2000]}"
