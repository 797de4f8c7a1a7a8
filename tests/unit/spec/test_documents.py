"""Sources to documents by kind."""

import pytest

from neuron_dra.source import Source
from neuron_dra.spec.documents import read_documents

HEAD = "apiVersion: neuron-dra.dev/v1alpha1\n"
PARTITION = HEAD + "kind: Partition\nmetadata: {name: %s}\nspec: {instanceType: a.b, devices: 1}\n"


def read(*texts):
    sources = [Source(f"{index}.yaml", text.encode()) for index, text in enumerate(texts)]
    specs, problems = read_documents(sources)
    return specs, [(each.code.slug, str(each.span)) for each in problems]


def test_documents_of_all_files_are_collected_by_name():
    specs, problems = read(PARTITION % "b", PARTITION % "a" + "---\n" + PARTITION % "c")

    assert problems == []
    assert list(specs.partitions) == ["a", "b", "c"]


def test_a_document_that_is_defined_twice_is_told_with_both_places():
    _, problems = read(PARTITION % "a", PARTITION % "a")

    assert problems == [("duplicate-document", "1.yaml:3:18")]


def test_a_workload_may_share_its_name_with_one_in_another_cluster():
    workload = (
        HEAD + "kind: NeuronWorkload\nmetadata: {name: w, namespace: n}\n"
        "spec: {cluster: %s, partition: p, controller: Job}\n"
    )
    specs, problems = read(workload % "a", workload % "b")

    assert problems == []
    assert [each.spec.cluster for each in specs.workloads] == ["a", "b"]


def test_a_broken_document_is_remembered():
    specs, problems = read(HEAD + "kind: Partition\nmetadata: {name: a}\nspec: {devices: x}\n")

    assert problems[0] == ("invalid-value", "0.yaml:4:17")
    assert specs.broken == {"Partition/a"}
    assert specs.partitions == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[a]", "not-a-document"),
        ("a: 1", "missing-key"),
        ("apiVersion: v1\nkind: Pod\n", "unknown-api-version"),
        (HEAD + "kind: Partitoin\n", "unknown-kind"),
        ("apiVersion: [a]\nkind: b\n", "missing-key"),
        (HEAD + "kind: [Cluster]\n", "missing-key"),
    ],
)
def test_what_is_no_document_is_told(text, expected):
    _, problems = read(text)

    assert [slug for slug, _ in problems] == [expected]


def test_empty_documents_are_skipped():
    specs, problems = read("---\n---\n" + PARTITION % "a" + "---\n")

    assert (problems, list(specs.partitions)) == ([], ["a"])


@pytest.mark.parametrize(
    "text",
    [
        PARTITION % "a" + "? [a]\n: b\n",
        PARTITION % "a, ? [a] : b",
        HEAD + "kind: Partition\nmetadata: [a]\n",
        HEAD + "kind: Cluster\nmetadata: {name: null}\nspec: {kubernetes: 1.36}\n",
        HEAD + "kind: Cluster\nspec: {kubernetes: 1.36}\n",
        HEAD + "kind: Cluster\nmetadata: {name: a}\n",
        HEAD
        + "kind: Cluster\nmetadata: {name: a}\nspec: {kubernetes: 1.36, extraObjects: [{? [b]}]}\n",
    ],
)
def test_odd_shapes_are_told_or_kept_but_never_raised(text):
    specs, problems = read(text)

    assert problems or specs.clusters


def test_a_file_that_cannot_be_read_makes_names_uncertain():
    specs, _ = read(PARTITION % "a", "kind: [")

    assert specs.incomplete
    assert not specs.lacks("Partition", "b")


@pytest.mark.parametrize(
    "kind", ["Cluster", "ClusterDefaults", "Partition", "Tenant", "NeuronWorkload"]
)
@pytest.mark.parametrize(("name", "value"), [("apiVersion", HEAD[12:-1]), ("kind", None)])
def test_keys_of_the_top_stand_once(kind, name, value):
    """A second `apiVersion` or `kind` is told like any other key that stands twice."""
    text = f"{HEAD}kind: {kind}\nmetadata: {{name: a}}\nspec: {{}}\n{name}: {value or kind}\n"
    _, problems = read(text)

    assert ("duplicate-key", "0.yaml:5:1") in problems
    assert "unknown-key" not in [slug for slug, _ in problems]
