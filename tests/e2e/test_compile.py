"""`compile` in a process of its own: what is written, left alone, pruned and refused."""

from __future__ import annotations

import os
import re

import pytest

EXPECTED = """\
.gitattributes
argocd/manifest.json
argocd/projects/neuron.yaml
argocd/roots/dev.yaml
clusters/dev/argocd/dev-efa-driver.yaml
clusters/dev/argocd/dev-neuron-driver.yaml
clusters/dev/argocd/dev-objects.yaml
clusters/dev/catalog.json
clusters/dev/helm/efa/values.yaml
clusters/dev/helm/neuron/values.yaml
clusters/dev/manifest.json
clusters/dev/manifests/deviceclasses/neuron-efa.yaml
clusters/dev/manifests/deviceclasses/neuron-trn2-48xlarge.yaml
clusters/dev/manifests/namespaces/research/namespace.yaml
clusters/dev/manifests/namespaces/research/networkpolicies/neuron-dra-research.yaml
clusters/dev/manifests/namespaces/research/resourceclaimtemplates/trn2-row.yaml
clusters/dev/manifests/namespaces/research/resourcequotas/neuron-dra.yaml
clusters/dev/manifests/namespaces/research/workloads/finetune.yaml
"""


@pytest.fixture
def out(tmp_path):
    """The output tree."""
    return tmp_path / "out"


@pytest.fixture
def fleet(copy_specs, run_cli):
    """The specs of twelve clusters, compiled to the folder `out`."""
    specs = copy_specs("fleet")
    run_cli("compile", "specs", "-o", "out")
    return specs


def snapshot(folder):
    """Return everything that a write would change: names, inodes and times."""
    return {path: (path.lstat().st_ino, path.lstat().st_mtime_ns) for path in folder.rglob("*")}


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def remove_document(path, name):
    """Remove the document with a name from a file of several."""
    documents = path.read_text().split("---\n")
    kept = [text for text in documents if f"name: {name}\n" not in text]
    assert len(kept) == len(documents) - 1
    path.write_text("---\n".join(kept))


def test_writes_the_tree(run_cli, copy_specs, read_tree, out):
    """The smallest fleet compiles to exactly these files."""
    copy_specs("small")

    done = run_cli("compile", "-o", "out")

    assert done.stdout == ""
    assert sorted(read_tree(out)) == sorted(EXPECTED.split())


def test_writes_the_golden_objects(run_cli, root, read_tree, out):
    """Every object is, byte for byte, in the golden file of the spec."""
    spec = root / "specs/shapes/efa-paired.yaml"
    golden = (root / "golden/trn2.48xlarge/efa-paired.yaml").read_text()

    run_cli("compile", spec, "-o", "out", "--instance-type", "trn2.48xlarge")

    objects = {
        path: data.decode() for path, data in read_tree(out).items() if "/manifests/" in path
    }
    assert objects
    assert [path for path, text in objects.items() if text not in golden] == []


def test_reads_standard_input(run_cli, root, read_tree, out, tmp_path):
    """`-` reads standard input, and where a spec comes from does not show in the output."""
    text = (root / "specs/small/fleet.yaml").read_text()
    (tmp_path / "named.yaml").write_text(text)

    run_cli("compile", "-", "-o", "out", stdin=text)
    run_cli("compile", "named.yaml", "-o", "named")

    assert read_tree(out) == read_tree(tmp_path / "named")


def test_second_compile_writes_nothing(run_cli, fleet, out):
    """Compiling again, even after a touch of the input, replaces no file."""
    before = snapshot(out)

    for path in fleet.iterdir():
        os.utime(path)
    done = run_cli("compile", "specs", "-o", "out")

    assert ": 0 files written," in done.stderr
    assert {path: state for path, state in snapshot(out).items() if path.is_file()} == {
        path: state for path, state in before.items() if path.is_file()
    }


def test_bad_spec_changes_nothing(run_cli, fleet, out):
    """One error anywhere leaves the whole tree as it is."""
    before = snapshot(out)
    edit(fleet / "partitions.yaml", "devices: 4", "devices: 3")
    edit(fleet / "us-east-1.yaml", "region: us-east-1", "region: us-west-1")

    done = run_cli("compile", "specs", "-o", "out", code=1)

    assert done.stdout == ""
    assert "error[ND" in done.stderr
    assert snapshot(out) == before


def test_check_compares(run_cli, fleet, out):
    """`--check` exits 0 when the tree is up to date and 1 when not, and writes nothing."""
    run_cli("compile", "specs", "-o", "out", "--check")
    before = snapshot(out)

    edit(fleet / "partitions.yaml", "efa: paired", "efa: none")
    done = run_cli("compile", "specs", "-o", "out", "--check", code=1)

    assert re.search(
        r"^changed clusters/\S+/resourceclaimtemplates/fleet-row\.yaml$", done.stdout, re.M
    )
    assert snapshot(out) == before


@pytest.mark.parametrize(
    ("arguments", "selected"),
    [
        (["--cluster", "prod-aps2", "--cluster", "dev-aps2"], ["dev-aps2", "prod-aps2"]),
        (["-l", "env=dev,region=ap-south-2"], ["dev-aps2"]),
    ],
)
def test_selection(run_cli, fleet, out, read_tree, tmp_path, arguments, selected):
    """A selection writes and prunes inside the selected clusters only."""
    before = read_tree(out)
    edit(fleet / "tenants.yaml", "  - fleet-node\n", "")

    run_cli("compile", "specs", "-o", "out", *arguments)

    run_cli("compile", "specs", "-o", "whole")
    whole = read_tree(tmp_path / "whole")
    inside = tuple(f"clusters/{name}/" for name in selected)
    after = read_tree(out)
    assert {path: data for path, data in after.items() if path.startswith(inside)} == {
        path: data for path, data in whole.items() if path.startswith(inside)
    }
    others = {path: data for path, data in before.items() if not path.startswith(inside)}
    assert {path: data for path, data in after.items() if not path.startswith(inside)} == others
    assert any(path.endswith("/fleet-node.yaml") for path in others)


def test_removed_cluster(run_cli, fleet, out):
    """A cluster that left the specs keeps its folder until it is pruned by name."""
    remove_document(fleet / "ap-south-2.yaml", "prod-aps2-b")
    folder = out / "clusters/prod-aps2-b"
    before = snapshot(folder)

    done = run_cli("compile", "specs", "-o", "out")
    kept = snapshot(folder)
    run_cli("compile", "specs", "-o", "out", "--prune-cluster", "prod-aps2-b")

    assert "--prune-cluster prod-aps2-b" in done.stderr
    assert kept == before
    assert not folder.exists()
    assert (out / "clusters/prod-aps2").is_dir()


@pytest.mark.usefixtures("fleet")
def test_prunes_no_cluster_of_the_specs(run_cli, out):
    """Pruning a cluster that is in the specs, or was never written, is refused."""
    before = snapshot(out)

    for name in ("prod-aps2", "never-there"):
        done = run_cli("compile", "specs", "-o", "out", "--prune-cluster", name, code=2)
        assert f"`{name}`" in done.stderr

    assert snapshot(out) == before


@pytest.mark.usefixtures("fleet")
def test_no_documents(run_cli, out, tmp_path):
    """An empty folder of specs is an error and prunes nothing."""
    before = snapshot(out)
    (tmp_path / "empty").mkdir()

    done = run_cli("compile", "empty", "-o", "out", code=1)

    assert "no documents" in done.stderr
    assert snapshot(out) == before


def test_foreign_files(run_cli, fleet, out, read_tree):
    """Files that the compiler did not write are never touched, wherever they lie."""
    cluster = out / "clusters/prod-aps2"
    foreign = {
        path: path.relative_to(out).as_posix()
        for path in (
            out / "README.md",
            cluster / "notes.txt",
            cluster / "manifests/namespaces/fleet-research/resourceclaimtemplates/own.yaml",
        )
    }
    for path in foreign:
        path.write_text("mine\n")
    before = {path: data for path, data in snapshot(out).items() if path in foreign}

    edit(fleet / "tenants.yaml", "  - fleet-node\n", "")
    run_cli("compile", "specs", "-o", "out")

    assert {path: data for path, data in snapshot(out).items() if path in foreign} == before
    assert {read_tree(out)[name] for name in foreign.values()} == {b"mine\n"}


def test_foreign_file_in_the_way(run_cli, copy_specs, out, read_tree):
    """A foreign file at a path that must be written is an error, and is kept."""
    copy_specs("small")
    obstacle = out / "clusters/dev/manifests/deviceclasses/neuron-efa.yaml"
    obstacle.parent.mkdir(parents=True)
    obstacle.write_text("mine\n")

    done = run_cli("compile", "-o", "out", code=2)

    assert "neuron-efa.yaml" in done.stderr
    assert {name: data for name, data in read_tree(out).items() if name.endswith(".yaml")} == {
        "clusters/dev/manifests/deviceclasses/neuron-efa.yaml": b"mine\n"
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cluster", "prod-aps3"], "there is no Cluster `prod-aps3` in the specs"),
        (["-l", "env=nowhere"], "clusters has the labels `env=nowhere`"),
        (["--cluster", "dev-aps2", "-l", "env=prod"], "clusters has the labels `env=prod`"),
        (["-l", "env!=dev"], "`env!=dev` in the selector is not `key=value`"),
    ],
)
@pytest.mark.usefixtures("fleet")
def test_selection_of_nothing(run_cli, out, arguments, message):
    """A selection that misses what it names is refused and writes nothing."""
    before = snapshot(out)

    done = run_cli("compile", "specs", "-o", "out", *arguments, code=2)

    assert done.stderr.startswith("error: ")
    assert message in done.stderr
    assert snapshot(out) == before


def test_output_inside_the_specs(run_cli, copy_specs, out):
    """An output in a folder of specs is not read as specs, and that is said."""
    copy_specs("small")

    first = run_cli("compile", ".", "-o", "out")
    before = snapshot(out)
    second = run_cli("compile", ".", "-o", "out")

    note = "note: out lies in a folder of specs; its files are not read as specs\n"
    assert first.stderr.endswith(note)
    assert second.stderr.endswith(note)
    assert snapshot(out) == before
    assert run_cli("compile", ".", "-o", "out", "--quiet").stderr == ""


def test_output_is_the_specs(run_cli, copy_specs, read_tree, tmp_path):
    """An output beside the specs in one folder would be read the next time, so it is refused."""
    copy_specs("small")
    before = read_tree(tmp_path)

    done = run_cli("compile", "specs", "-o", "specs", code=2)

    assert done.stderr == (
        "error: specs is a folder of specs; give the output a folder of its own\n"
    )
    assert read_tree(tmp_path) == before
