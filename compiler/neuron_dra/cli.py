"""The process: arguments in, one command called, its exit code out.

Exit codes: 0 done, 1 the input has errors or the answer is no, 2 usage or a file that cannot be
read or written, 3 a bug in the compiler, 130 interrupted, 141 the reader of the output went away.
Holds no logic of a command. What costs time at start-up is imported when it is needed: `--version`
is answered before that.
"""

from __future__ import annotations

import errno
import gc
import os
import sys

from neuron_dra import __version__

TYPE_CHECKING = False  # type checkers know the name; typing is slow to import
if TYPE_CHECKING:
    from typing import TextIO

    from click import ClickException

PROGRAM = "neuron-dra"

UNUSABLE = 2
BUG = 3
INTERRUPTED = 130  # 128 + SIGINT, as shells report it
READER_GONE = 141  # 128 + SIGPIPE


def main() -> None:
    """Run the command line of this process, then end the process with its exit code."""
    gc.disable()  # a short run frees little, so collecting only costs time
    _open_closed_streams()
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        code = _flush(stream, code)
    os._exit(code)  # tearing down a large heap would take tens of milliseconds


def run(arguments: list[str]) -> int:
    """Run a command line and return its exit code."""
    try:
        if arguments[:1] in (["--version"], ["-V"]):
            sys.stdout.write(f"{PROGRAM} {__version__}\n")
            return 0
        return _invoke(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return READER_GONE
    except Exception as error:  # noqa: BLE001 -- the last place that can tell a bug from the world
        return _judge(error, arguments)


def _invoke(arguments: list[str]) -> int:
    import click

    from neuron_dra.commands.group import COMPLETION_VARIABLE, root

    if COMPLETION_VARIABLE in os.environ:
        from click.shell_completion import shell_complete

        instruction = os.environ[COMPLETION_VARIABLE]
        return shell_complete(root, {}, PROGRAM, COMPLETION_VARIABLE, instruction)
    try:
        with root.make_context(PROGRAM, list(arguments)) as context:
            return root.invoke(context) or 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        sys.stderr.write(f"{error.format_message()}\n")
        return UNUSABLE
    except click.ClickException as error:
        return _refuse(*_describe_usage(error))


def _describe_usage(error: ClickException) -> list[str]:
    """Return what is wrong with the arguments, and where help is, in our style of messages."""
    import re

    import click

    from neuron_dra.diagnostics import did_you_mean

    message = " ".join(error.format_message().split()).rstrip(".")
    message = message.replace(". Choose from: ", ": choose from ")
    if isinstance(error, click.NoSuchOption):
        message = f"no such option `{error.option_name}`"
        if error.possibilities:
            message += f", {did_you_mean(error.option_name, error.possibilities)}"
    message = re.sub(r"'([^']*)'", r"`\1`", message[:1].lower() + message[1:])
    context = error.ctx if isinstance(error, click.UsageError) else None
    return [message, f"try `{context.command_path if context else PROGRAM} --help`"]


def _judge(error: Exception, arguments: list[str]) -> int:
    """Tell a fault of the world outside in one line, and a bug at length."""
    from neuron_dra.source import FatalError

    if isinstance(error, FatalError):
        return _refuse(str(error))
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return _refuse(f"cannot write the output: {error.strerror}")
    return _report_bug(arguments)


def _refuse(message: str, *more: str) -> int:
    sys.stderr.write("\n".join([f"error: {message}", *more]) + "\n")
    return UNUSABLE


def _report_bug(arguments: list[str]) -> int:
    import platform
    import shlex
    import traceback

    sys.stderr.write(
        "error: this is a bug in neuron-dra; please report it with everything below\n\n"
        f"{PROGRAM} {__version__}, Python {platform.python_version()} on {sys.platform}\n"
        f"{shlex.join([PROGRAM, *arguments])}\n"
        f"{traceback.format_exc()}"
    )
    return BUG


def _open_closed_streams() -> None:
    """Replace what the caller closed (`>&-`), so that writing to it is no special case."""
    if sys.stdout is None or sys.stderr is None:
        nowhere = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 -- stays open, without pathlib
        sys.stdout = sys.stdout or nowhere
        sys.stderr = sys.stderr or nowhere


def _flush(stream: TextIO, code: int) -> int:
    """Write out what a stream still holds; a failure takes the place of the exit code."""
    try:
        stream.flush()
    except BrokenPipeError:
        return READER_GONE
    except OSError as error:
        if code != UNUSABLE:  # else the same failure is told already
            return _refuse(f"cannot write the output: {error.strerror}")
    return code
