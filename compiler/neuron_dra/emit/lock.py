"""One writer at a time: a lock file at the top of the output tree.

In: the tree's folder. Out: a context in which no other compiler writes there. The kernel frees the
lock of a killed process; readers take none.
"""
# ruff: noqa: PTH108 -- the calls beside them have descriptors, which pathlib does not know

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from neuron_dra.emit.layout import WORK_PREFIX
from neuron_dra.source import FatalError

LOCK = f"{WORK_PREFIX}.lock"


@contextmanager
def lock_tree(root: str) -> Iterator[None]:
    """Hold the lock of a tree, and leave no lock file behind.

    Raises:
        FatalError: another process holds it.
    """
    path = f"{root}/{LOCK}"
    descriptor = _acquire(root, path)
    try:
        yield
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)
        os.close(descriptor)


def _acquire(root: str, path: str) -> int:
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(descriptor, path):
                return descriptor
        except BlockingIOError:
            os.close(descriptor)
            raise FatalError(f"another neuron-dra compile is writing to `{root}`") from None
        # The holder before deleted the file between the two calls: what is locked is no longer it.
        os.close(descriptor)


def _is_at(descriptor: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.lstat(path))
    except FileNotFoundError:
        return False
