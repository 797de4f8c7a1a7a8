"""The command in a process of its own: arguments, streams and exit codes."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

BAD = """\
apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {name: bad}
spec:
  instanceType: trn2.48xlarge
  devices: 24
"""


def test_version(run_cli):
    """The version is one line."""
    assert re.fullmatch(r"neuron-dra \d+\.\d+\.\d+\n", run_cli("--version").stdout)


def test_help(run_cli):
    """Help names every verb, and every verb that it names has help with an example."""
    text = run_cli("--help").stdout

    verbs = re.findall(r"^  ([a-z-]+) {2,}\S", text, re.MULTILINE)
    assert {"init", "check", "compile", "targets", "explain"} <= set(verbs)
    for verb in verbs:
        assert f"Example: neuron-dra {verb}" in run_cli(verb, "--help").stdout.replace(
            'eval "$(', ""
        )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["compiel"], "error: no such command `compiel`, did you mean `compile`?"),
        (["check", "nowhere.yaml"], "error: cannot read nowhere.yaml: No such file or directory"),
        (["check"], "error: no SPECS are given, and there is no folder `specs` here"),
        (["compile", "-", "--outptu", "out"], "error: no such option `--outptu`"),
    ],
)
def test_usage(run_cli, arguments, message):
    """A mistake in the arguments is one line and the way to help, and exits 2."""
    done = run_cli(*arguments, code=2)

    assert done.stdout == ""
    assert done.stderr.startswith(message)
    assert len(done.stderr.splitlines()) <= 2


def test_check_of_a_bad_spec(run_cli, tmp_path):
    """A bad spec exits 1 with text on stderr and nothing on stdout."""
    (tmp_path / "bad.yaml").write_text(BAD)

    done = run_cli("check", "bad.yaml", code=1)

    assert done.stdout == ""
    assert re.search(
        r"^error\[ND3\d{3} [a-z-]+\]: .*\b24\b.*\n +--> bad.yaml:6:12$", done.stderr, re.M
    )
    assert done.stderr.endswith("\nfound 1 error\n")


def test_check_for_programs(run_cli):
    """As JSON the findings are the result, on stdout alone."""
    done = run_cli("check", "-", "--format", "json", stdin=BAD, code=1)

    content = json.loads(done.stdout)
    assert done.stderr == ""
    assert content["summary"]["errors"] == 1
    assert [
        (each["path"], each["line"], each["column"])
        for each in content["diagnostics"]
        if each["severity"] == "error"
    ] == [("<stdin>", 6, 12)]


def test_selector(run_cli):
    """A selector is tried on predicted devices; what it fails on is told, and exits 1."""
    attribute = 'device.attributes["neuron.aws.com"]'
    where = ("--instance-type", "trn2.48xlarge", "--kubernetes", "1.36")

    sound = run_cli("cel", f"{attribute}.topology_x == 1", *where)
    broken = run_cli("cel", "-", *where, stdin=f"{attribute}.topolgy_x == 1\n", code=1)

    assert "  matches          4  neuron-device-4..7\n" in sound.stdout
    assert sound.stderr == ""
    assert "CEL runtime error: no such key: topolgy_x\n" in broken.stdout
    assert "help: did you mean `topology_x`?" in broken.stderr


def test_slices_as_files(run_cli, tmp_path):
    """The slices of a node become files, which are told on stderr."""
    done = run_cli("slices", "trn1.2xlarge", "--node", "a", "-o", "slices")

    (path,) = (tmp_path / "slices").iterdir()
    assert (done.stdout, done.stderr) == ("", f"wrote slices/{path.name}\n")
    assert run_cli("slices", "trn1.2xlarge", "--node", "a").stdout == path.read_text()


def test_explain_every_code(run_cli):
    """Every code that is listed has a page that begins with its id and slug."""
    codes = [line.split(maxsplit=3)[::2] for line in run_cli("explain").stdout.splitlines()]

    with ThreadPoolExecutor(2) as pool:
        pages = pool.map(lambda code: run_cli("explain", code[0]).stdout, codes)
        heads = [page.splitlines()[0] for page in pages]

    assert len(codes) > 40
    assert heads == [f"# {name} {slug}" for name, slug in codes]


def test_init_then_its_next_steps(run_cli, tmp_path):
    """Every step that `init` proposes works, and the first fleet has no problem."""
    told = run_cli("init", "fleet").stderr

    steps = re.findall(r"^  neuron-dra (.*?) *#", told, re.MULTILINE)
    assert [step.split()[0] for step in steps] == ["check", "compile", "diff", "schema"]
    done = run_cli("check", "fleet", "--fail-on", "warning")
    assert done.stderr == "1 cluster, 1 partition: no problems\n"
    for step in steps[1:3]:
        run_cli(*step.split())
    schema = run_cli(*steps[3].partition(" > ")[0].split()).stdout
    assert schema == (tmp_path / "fleet/neuron-dra.schema.json").read_text()


def test_diff_of_equal_trees(run_cli, tmp_path):
    """A tree does not differ from the specs that it was compiled from; another one does."""
    run_cli("init", "fleet")
    run_cli("compile", "fleet", "-o", "out")

    run_cli("diff", "out", "fleet", "--exit-code")
    spec = tmp_path / "fleet/tenants.yaml"
    spec.write_text(spec.read_text().replace("devices: 16", "devices: 32"))

    assert "ResourceQuota" in run_cli("diff", "out", "fleet", "--exit-code", code=1).stdout


def test_init_replaces_nothing(run_cli, tmp_path):
    """A second fleet in the same folder is refused."""
    run_cli("init", "fleet")
    (tmp_path / "fleet/cluster.yaml").write_text("mine\n")

    done = run_cli("init", "fleet", code=2)

    assert "fleet/cluster.yaml" in done.stderr
    assert (tmp_path / "fleet/cluster.yaml").read_text() == "mine\n"


def test_targets(run_cli, root):
    """Every instance type of `targets/` is listed, and each can be shown whole."""
    listed = json.loads(run_cli("targets", "--all", "--format", "json").stdout)

    names = [each["name"] for each in listed["instanceTypes"]]
    files = {path.name.removesuffix(".yaml") for path in (root / "targets/instances").iterdir()}
    assert set(names) == files
    for name in names[:3]:
        assert run_cli("targets", name).stdout.splitlines()[1].startswith(name)


def test_unknown_target(run_cli):
    """An instance type that does not exist gets a suggestion, and exits 1."""
    done = run_cli("targets", "trn2.48xlrge", code=1)

    assert "did you mean `trn2.48xlarge`?" in done.stderr


@pytest.mark.parametrize("name", ["github", "gitlab", "json", "junit", "sarif"])
def test_formats(run_cli, name):
    """Every format for programs names the code on stdout alone, and exits as text does."""
    done = run_cli("check", "-", "--format", name, stdin=BAD, code=1)

    assert "ND3" in done.stdout
    assert done.stderr == ""
