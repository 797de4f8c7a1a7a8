"""One job in several processes: forked after everything is planned, joined before anything counts.

In: a function of a part's number with a JSON value as result, and the number of parts. Out: the
results in order. It forks only while the process has one thread, as a fork copies no other, and
starts no process that has to import anything.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from neuron_dra.source import FatalError

_THREADS = "/proc/self/task"


def can_fork() -> bool:
    """Tell whether this process has only one thread, as far as the system says so."""
    try:
        return len(os.listdir(_THREADS)) == 1  # noqa: PTH208 -- spares the import of pathlib
    except OSError:
        return False


def run_parts(work: Callable[[int], Any], parts: int) -> list[Any]:
    """Run the first part here and every other one in a child; return what they made of JSON values.

    Raises:
        FatalError: a part raised it.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    children = [_start(work, part) for part in range(1, parts)]
    try:
        return [work(0), *(_receive(pipe) for _, pipe in children)]
    finally:
        # All pipes first: a child waits to write as long as any process could read, and the
        # younger children have inherited the reading ends of the older ones.
        for _, pipe in children:
            os.close(pipe)
        for process, _ in children:
            os.waitpid(process, 0)


def _start(work: Callable[[int], Any], part: int) -> tuple[int, int]:
    """Return the child's process and the pipe that its result comes through."""
    reader, writer = os.pipe()
    process = os.fork()
    if process:
        os.close(writer)
        return process, reader
    try:
        os.close(reader)
        # An interrupt reaches the parent too, and a parent that failed reads no answers.
        with suppress(KeyboardInterrupt, BrokenPipeError):
            _send(writer, work, part)
    except BaseException:  # noqa: BLE001 -- nothing of a child may run on in its parent's code
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
    finally:
        os._exit(0)


def _send(pipe: int, work: Callable[[int], Any], part: int) -> None:
    try:
        answer = {"result": work(part)}
    except FatalError as error:
        answer = {"fatal": str(error)}
    data = json.dumps(answer).encode()
    while data:
        data = data[os.write(pipe, data) :]


def _receive(pipe: int) -> Any:
    data = b"".join(iter(lambda: os.read(pipe, 1 << 20), b""))
    if not data:
        raise RuntimeError("a child process ended without a result")
    answer = json.loads(data)
    if "fatal" in answer:
        raise FatalError(answer["fatal"])
    return answer["result"]
