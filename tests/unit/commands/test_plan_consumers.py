"""`plan --consumers`: who can use the partitions."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from neuron_dra.api import pipeline as api
from neuron_dra.catalog.facts import Answer
from neuron_dra.cli import run
from neuron_dra.commands.plan_consumers import (
    ConsumersView,
    Group,
    Judged,
    consumers_data,
    view_consumers,
)
from neuron_dra.commands.plan_consumers_text import draw_consumers
from neuron_dra.commands.plan_text import WIDTH
from neuron_dra.consumers.columns import Column
from neuron_dra.consumers.judge import Reason, Usable
from neuron_dra.source import Source
from unit.consumers.small_facts import ORIGIN, read_consumer
from unit.plan.small_fleets import CLUSTER, HEAD, PARTITION, TENANT

CHIP = PARTITION % ("chip", "{instanceType: trn2.48xlarge, devices: 1}")
NODE = PARTITION % ("node", "{instanceType: trn2.48xlarge, devices: 16}")
ROW = PARTITION % ("row", "{instanceType: trn2.48xlarge, devices: 4, connected: true}")
ALL = TENANT % ("t", "{clusters: [c], namespaces: [n], partitions: [chip, node, row]}")
KUEUE = "  consumers: {kueue: {version: 0.17.0}}\n"


@pytest.fixture
def show(tmp_path, capsys):
    def run_plan(*documents, code=0, options=()):
        path = tmp_path / "specs.yaml"
        path.write_text("---\n".join(HEAD + each for each in documents), encoding="utf-8")
        assert run(["plan", str(path), "--consumers", *options]) == code
        return capsys.readouterr()

    return run_plan


def answers(out, title):
    """Return the words of a row of the table."""
    (line,) = [each for each in out.splitlines() if each.strip().startswith(f"{title}  ")]
    return line.strip().removeprefix(title).split()


def test_table(show):
    """Partitions that all consumers handle alike share a column, and a no has its reason."""
    out = show(CLUSTER % "c" + KUEUE, CHIP, NODE, ROW, ALL).out

    assert "\n  A  chip, node\n  B  row\n" in out
    assert answers(out, "Kueue 0.17.0, quota of devices") == ["yes", "no"]
    assert answers(out, "Kueue 0.17.0, quota of pods") == ["yes", "yes"]
    assert "it says: device constraints (MatchAttribute) are not supported" in out
    assert "B: what works: quota of pods or ResourceQuota beside it" in out


def test_legend(show):
    """What the words mean stands beside the result, not in it."""
    shown = show(CLUSTER % "c", CHIP, NODE, ROW, ALL)

    assert "?: not known" in shown.err
    assert "not known" not in shown.out.partition("\n\n  ")[0]


def test_all_versions_where_none_is_named(show):
    """Without a version in the specs every known one has a row."""
    out = show(CLUSTER % "c", CHIP, NODE, ROW, ALL).out

    assert answers(out, "Kueue 0.17, quota of devices") == ["yes", "no"]
    assert answers(out, "Kueue 0.19, quota of devices") == ["yes", "?"]
    assert answers(out, "Kubelet 1.34.0 to 1.34.1") == ["no", "no"]


def test_lines_are_narrow(show):
    """No line is wider than a hundred columns, and there are no colours without being asked."""
    out = show(CLUSTER % "c", CHIP, NODE, ROW, ALL).out

    assert max(map(len, out.splitlines())) <= 100
    assert "\x1b" not in out
    assert "\x1b" in show(CLUSTER % "c", CHIP, NODE, ROW, ALL, options=["--color", "always"]).out


def test_partition_and_cluster(show):
    """The view can be narrowed to some partitions and clusters."""
    documents = CLUSTER % "c", CLUSTER % "d" + KUEUE, CHIP, NODE, ROW, ALL

    out = show(*documents, options=["--partition", "row", "--cluster", "c"]).out

    assert "\n  A  row\n" in out
    assert "node, row" not in out
    assert "cluster c, Kubernetes 1.36" in out
    assert "cluster d" not in out


def analyse(cluster, spec):
    documents = (
        CLUSTER % cluster,
        PARTITION % ("p", spec),
        TENANT % ("t", f"{{clusters: [{cluster}], namespaces: [n], partitions: [p]}}"),
    )
    text = "---\n".join(HEAD + each for each in documents)
    return api.analyse([Source("x.yaml", text.encode())])


def test_clusters_that_differ():
    """A partition whose claims differ between clusters of one kind is told apart by cluster."""
    row = "{instanceType: trn2.48xlarge, devices: 4, connected: true}"
    first, second = analyse("c", row), analyse("d", "{instanceType: trn2.48xlarge, devices: 4}")
    clusters = (*first.fleet.clusters, *second.fleet.clusters)
    both = replace(first, fleet=replace(first.fleet, clusters=clusters))

    (view,) = view_consumers(both, (), ())

    assert view.names == ("c", "d")
    assert view.partitions == {"p"}
    text = draw_consumers([view], color=False)
    assert "\n  A  p in c\n  B  p in d\n" in text
    assert answers(text, "Kueue 0.17, quota of devices") == ["no", "yes"]
    assert [each["clusters"] for each in consumers_data([view])[0]["partitions"]] == [["c"], ["d"]]


def test_equal_clusters(show):
    """Clusters that are planned alike are one section, and no partition stands twice in it."""
    grant = TENANT % ("t", "{clusters: [c, d], namespaces: [n], partitions: [row]}")

    out = show(CLUSTER % "c", CLUSTER % "d", ROW, grant).out

    assert out.startswith("cluster c, d, Kubernetes 1.36\n\n  A  row\n\n")


def test_nothing_granted(show):
    """A cluster in which nothing is granted says so."""
    shown = show(CLUSTER % "c", CHIP)

    assert "no partition is granted here" in shown.out
    assert "nowhere granted, or not sound: chip" in shown.err


def test_json(show):
    """The JSON has every verdict with the versions, the reasons and where they are known from."""
    options = ["--format", "json"]
    data = json.loads(show(CLUSTER % "c" + KUEUE, CHIP, NODE, ROW, ALL, options=options).out)

    (cluster,) = data["clusters"]
    assert (data["schemaVersion"], cluster["names"], cluster["kubernetes"]) == (1, ["c"], "1.36")
    made = {each["name"]: each["consumers"] for each in cluster["partitions"]}
    assert sorted(made) == ["chip", "node", "row"]
    (kueue,) = [
        each for each in made["row"] if (each["consumer"], each["way"]) == ("kueue", "devices")
    ]
    assert (kueue["usable"], kueue["versions"], kueue["inSpec"]) == ("no", "0.17.0", True)
    assert kueue["otherWays"] == ["pods", "resourceQuota"]
    (reason,) = kueue["reasons"]
    assert reason["parts"] == ["constraints"]
    assert reason["field"] == "devices.constraints[0]"
    assert reason["basis"] == "observed"
    assert reason["source"]
    assert {each["usable"] for each in made["chip"]} == {"yes", "no", "unknown"}


def test_unsound_catalogue(show, tmp_path):
    """Facts of an overlay that are not sound are told, and the others are shown."""
    folder = tmp_path / "facts/consumers"
    folder.mkdir(parents=True)
    (folder / "kueue.yaml").write_text("kind: Consumer\n", encoding="utf-8")

    shown = show(
        CLUSTER % "c", CHIP, NODE, ROW, ALL, code=1, options=["--catalog", str(folder.parent)]
    )

    assert "kueue.yaml" in shown.err
    assert "Kueue" not in shown.out
    assert "Karpenter" in shown.out


def drawn(groups):
    """Draw as many groups of partitions, of which every other one is refused."""
    consumer = read_consumer(f"ways: {{only: {{releases: [{{rest: {{{ORIGIN}}}}}]}}}}\n")
    column = Column(consumer, "only", "", "", False, consumer.ways["only"].releases[0])
    no = Usable(Answer.NO, (Reason(Answer.NO, ("config",), "no way"),))
    made = tuple(
        Group((Judged(f"p{index}", ("c",), index > 0),), (no if index % 2 else Usable(Answer.YES),))
        for index in range(groups)
    )
    return draw_consumers([ConsumersView(("c", "d"), "1.36", (column,), made)], color=False)


def test_many_groups():
    """More groups than fit side by side stand in tables below each other, each with a sign."""
    text = drawn(60)

    assert text.count("CONSUMER") == 6
    assert "\n  A  p0 in c\n  B  p1\n" in text
    assert "\n  60 p59\n" in text
    assert max(map(len, text.splitlines())) <= WIDTH


def test_no_views():
    """Nothing is drawn of no clusters."""
    assert draw_consumers([], color=False) == ""
