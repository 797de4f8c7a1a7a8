"""The process around the commands: exit codes, messages about usage, streams and start-up."""

from __future__ import annotations

import errno
import gc
import io
import os
import subprocess
import sys
import types
from pathlib import Path

import click
import pytest

import neuron_dra
from neuron_dra.cli import main, run
from neuron_dra.commands.group import VERBS
from neuron_dra.source import FatalError

SOURCE_ROOT = str(Path(neuron_dra.__file__).parents[1])
DEV_FULL = Path("/dev/full")
UNWANTED = {"CI", "NO_COLOR", "PYTHONUNBUFFERED"}

# Runs the command line with `explain` replaced by a command whose body is the argument.
WITH_COMMAND = """
import os, signal, sys, types
import click
from neuron_dra import cli
from neuron_dra.source import FatalError

@click.command()
@click.pass_context
def command(context):
    {body}

sys.modules["neuron_dra.commands.explain"] = types.SimpleNamespace(command=command)
sys.argv = ["neuron-dra", "explain"]
cli.main()
"""


def make_environment(**more):
    """Return an environment in which a new interpreter finds the package under test."""
    inherited = {name: value for name, value in os.environ.items() if name not in UNWANTED}
    paths = [SOURCE_ROOT, inherited.get("PYTHONPATH", "")]
    return {**inherited, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **more}


def run_python(*arguments, **options):
    options = {"capture_output": True, "env": make_environment(), **options}
    return subprocess.run([sys.executable, *arguments], text=True, check=False, **options)


def run_cli(*arguments, **options):
    return run_python("-m", "neuron_dra", *arguments, **options)


def run_command(body):
    return run_python("-c", WITH_COMMAND.format(body=body))


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_version(option):
    """The version is one line on stdout."""
    done = run_cli(option)

    assert (done.returncode, done.stdout, done.stderr) == (
        0,
        f"neuron-dra {neuron_dra.__version__}\n",
        "",
    )


def test_version_imports_nothing():
    """The version is answered before any library or room is imported."""
    script = (
        "import sys; before = set(sys.modules); from neuron_dra.cli import run;"
        "code = run(['--version']); print(code, *sorted(set(sys.modules) - before))"
    )
    _, loaded = run_python("-c", script).stdout.splitlines()

    known = {"0", "neuron_dra", "neuron_dra.cli", "__future__", "errno", "gc"}
    assert set(loaded.split()) - known == set()
    assert "neuron_dra.cli" in loaded


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["explain", "--help"]])
def test_help_imports_little(arguments):
    """Help needs click, but no library or room that does the work."""
    script = (
        "import sys; from neuron_dra.cli import run;"
        f"code = run({arguments!r}); print(code, *sys.modules)"
    )
    code, *loaded = run_python("-c", script).stdout.splitlines()[-1].split()

    assert code == "0"
    assert not {"yaml", "rich", "jinja2", "deepdiff", "jsonschema_rs", "cel_expr_python"} & {
        name.partition(".")[0] for name in loaded
    }
    assert not {"neuron_dra.api", "neuron_dra.syntax", "neuron_dra.commands.check"} & set(loaded)


def test_no_arguments(capsys):
    """Without a command the help is shown, but nothing was done."""
    assert run([]) == 2

    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("Usage: neuron-dra [OPTIONS] COMMAND")


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (["chekc"], ["no such command `chekc`, did you mean `check`?", "neuron-dra --help"]),
        (["--hlep"], ["no such option `--hlep`, did you mean `--help`?", "neuron-dra --help"]),
        (
            ["explain", "--lits"],
            ["no such option `--lits`, did you mean `--list`?", "neuron-dra explain --help"],
        ),
        (
            ["explain", "--unheard-of"],
            ["no such option `--unheard-of`", "neuron-dra explain --help"],
        ),
        (
            ["completion", "tcsh"],
            [
                "invalid value for `SHELL`: `tcsh` is not one of `bash`, `fish`, `zsh`",
                "neuron-dra completion --help",
            ],
        ),
        (
            ["completion"],
            [
                "missing argument `SHELL`: choose from bash, fish, zsh",
                "neuron-dra completion --help",
            ],
        ),
        (
            ["explain", "ND2001", "ND2002"],
            ["got unexpected extra argument (ND2002)", "neuron-dra explain --help"],
        ),
    ],
)
def test_usage(arguments, lines, capsys):
    """A mistake in the arguments is one line, and a second says where help is."""
    message, place = lines

    assert run(arguments) == 2
    assert capsys.readouterr() == ("", f"error: {message}\ntry `{place}`\n")


def test_usage_of_process():
    """The process says the same as the function."""
    done = run_cli("chekc")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: no such command `chekc`, did you mean `check`?\n")


def test_unlike_command(capsys):
    """A command that resembles none gets the list of all."""
    assert run(["xyzzy"]) == 2
    assert capsys.readouterr().err.startswith(
        "error: no such command `xyzzy`, known: `capacity`, `cel`, `check`, `compile`,"
    )


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (FatalError("cannot read specs"), 2, "error: cannot read specs\n"),
        (click.ClickException("Odd."), 2, "error: odd\ntry `neuron-dra --help`\n"),
        (
            OSError(errno.ENOSPC, "No space left on device"),
            2,
            "error: cannot write the output: No space left on device\n",
        ),
        (OSError(errno.EIO, "Input/output error"), 3, "error: this is a bug in neuron-dra; "),
        (AssertionError("surprise"), 3, "error: this is a bug in neuron-dra; "),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 141, ""),
        (click.exceptions.Exit(1), 1, ""),
    ],
    ids=repr,
)
def test_failures(error, code, message, monkeypatch, capsys):
    """Each kind of failure of a command has its exit code and its words."""

    @click.command()
    def command():
        raise error

    module = types.SimpleNamespace(command=command)
    monkeypatch.setitem(sys.modules, VERBS["explain"].module, module)

    assert run(["explain"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(message)
    assert bool(err) == bool(message)


@pytest.mark.parametrize(("body", "code"), [("return 0", 0), ("return 1", 1), ("pass", 0)])
def test_exit_code(body, code):
    """A command's number is the exit code of the process."""
    done = run_command(body)

    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


def test_exit_in_command():
    """A command may also leave through its context."""
    assert run_command("context.exit(1)").returncode == 1


def test_fatal_error():
    """A fault of the world outside is one line and exits 2."""
    done = run_command("raise FatalError('cannot read specs: Permission denied')")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: cannot read specs: Permission denied\n"


def test_bug():
    """Any other exception is a bug: a report with versions, arguments and the traceback."""
    done = run_command("raise ZeroDivisionError('surprise')")
    lines = done.stderr.splitlines()

    assert (done.returncode, done.stdout) == (3, "")
    assert lines[0].startswith("error: this is a bug in neuron-dra")
    assert f"neuron-dra {neuron_dra.__version__}, Python {sys.version.split()[0]} on " in lines[2]
    assert lines[3:5] == ["neuron-dra explain", "Traceback (most recent call last):"]
    assert lines[-1] == "ZeroDivisionError: surprise"


def test_interrupt():
    """An interrupted run exits as shells expect, without a traceback."""
    # A shell starts what runs in the background with interrupts ignored.
    heed = "signal.signal(signal.SIGINT, signal.default_int_handler)"
    done = run_command(f"{heed}; os.kill(os.getpid(), signal.SIGINT)")

    assert (done.returncode, done.stderr) == (130, "")


def test_output_is_flushed():
    """What a command has written arrives although the interpreter is not torn down."""
    done = run_command("sys.stdout.write('result'); sys.stderr.write('finding'); return 1")

    assert (done.returncode, done.stdout, done.stderr) == (1, "result", "finding")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["completion", "fish"]])
def test_reader_gone(arguments):
    """When the reader of a pipe has gone, the run ends quietly."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run_cli(*arguments, capture_output=False, stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)

    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not DEV_FULL.exists(), reason="the system has no full device")
@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["completion", "fish"]])
def test_output_cannot_be_written(arguments):
    """A full disk is told and exits 2, although all else went well."""
    with DEV_FULL.open("w") as full:
        done = run_cli(*arguments, capture_output=False, stdout=full, stderr=subprocess.PIPE)

    assert done.returncode == 2
    assert done.stderr == "error: cannot write the output: No space left on device\n"


def test_closed_stdout():
    """A closed stdout is as good as one that nobody reads."""
    done = run_python(
        "-c",
        "import os, sys; os.close(1); sys.stdout = None; sys.argv = ['neuron-dra', '--version'];"
        "from neuron_dra.cli import main; main()",
    )

    assert (done.returncode, done.stderr) == (0, "")


class Unwritable(io.StringIO):
    """A stream that takes text and fails to pass it on."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def flush(self):
        raise self.error


@pytest.fixture
def exits(monkeypatch):
    """Keep `main` from ending this process; the exit codes are collected."""
    codes = []
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setattr(sys, "argv", ["neuron-dra", "--version"])
    yield codes
    gc.enable()


def test_main(exits, capsys):
    """The process ends with the code of its command, and is not torn down."""
    main()

    assert exits == [0]
    assert capsys.readouterr().out.startswith("neuron-dra ")


def test_main_without_streams(exits, monkeypatch):
    """Streams that the caller closed are replaced before anything writes to them."""
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    main()

    assert exits == [0]
    assert sys.stdout is sys.stderr
    sys.stdout.close()


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 141, ""),
        (
            OSError(errno.EIO, "Input/output error"),
            2,
            "error: cannot write the output: Input/output error\n",
        ),
    ],
)
def test_main_cannot_flush(error, code, message, exits, monkeypatch, capsys):
    """A failure to write what is left over takes the place of the exit code."""

    monkeypatch.setattr(sys, "stdout", Unwritable(error))
    main()

    assert exits == [code]
    assert capsys.readouterr().err == message


def test_main_tells_one_failure(exits, monkeypatch, capsys):
    """A run that has already told why it exits 2 does not complain about its streams too."""
    monkeypatch.setattr(sys, "argv", ["neuron-dra", "chekc"])
    monkeypatch.setattr(sys, "stdout", Unwritable(OSError(errno.EIO, "Input/output error")))
    main()

    assert exits == [2]
    assert "output" not in capsys.readouterr().err


def test_completion_instruction(monkeypatch, capfdbinary):
    """A completion that no shell would ask for is refused."""
    monkeypatch.setenv("_NEURON_DRA_COMPLETE", "tcsh_complete")

    assert run([]) == 1
    assert capfdbinary.readouterr() == (b"", b"")


def test_completion_of_the_shell():
    """The variable that the completion scripts set makes the program list verbs and their help."""
    variables = {
        "_NEURON_DRA_COMPLETE": "bash_complete",
        "COMP_WORDS": "neuron-dra comp",
        "COMP_CWORD": "1",
    }
    done = run_python("-m", "neuron_dra", env=make_environment(**variables))

    assert done.returncode == 0
    assert done.stdout.split() == ["plain,compile", "plain,completion"]
