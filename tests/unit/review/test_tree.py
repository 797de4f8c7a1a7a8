"""One side of a review: which files are read, and what is told of those that cannot be."""

from __future__ import annotations

import pytest

from neuron_dra.diagnostics.codes import review as codes
from neuron_dra.diagnostics.pages import examples, load_page
from neuron_dra.emit.rendering import header
from neuron_dra.review.tree import Identity, read_output_tree, tree_from_files
from neuron_dra.source import Source

NAMESPACE = b"apiVersion: v1\nkind: Namespace\nmetadata: {name: research}\n"
PATH = "clusters/a/manifests/namespaces/research/namespace.yaml"


def read(files, root=""):
    tree = tree_from_files(files, root)
    return tree.read(tree.files)


def test_objects_of_every_folder():
    """Objects, Helm values, applications, roots and shared objects are known by cluster."""
    application = (
        b"apiVersion: argoproj.io/v1alpha1\nkind: %s\nmetadata: {name: x, namespace: cd}\n"
    )
    reading = read(
        {
            PATH: NAMESPACE,
            "clusters/a/helm/neuron/values.yaml": b"a: 1\n",
            "clusters/a/helm/neuron/more.yaml": b"a: 1\n",
            "clusters/a/argocd/x.yaml": application % b"Application",
            "argocd/roots/b.yaml": application % b"Application",
            "argocd/projects/x.yml": application % b"AppProject",
        }
    )

    assert reading.diagnostics == []
    assert set(reading.objects) == {
        Identity("a", "", "Namespace", "", "research"),
        Identity("a", "", "HelmValues", "", "neuron"),
        Identity("a", "", "HelmValues", "", "neuron/more"),
        Identity("a", "argoproj.io", "Application", "cd", "x"),
        Identity("b", "argoproj.io", "Application", "cd", "x"),
        Identity("", "argoproj.io", "AppProject", "cd", "x"),
    }


def test_other_files_are_left_out():
    """Manifests, catalogues and files beside the tree hold no objects."""
    files = {
        "clusters/a/manifest.json": b"{}",
        "clusters/a/catalog.json": b"{}",
        ".gitattributes": b"",
        "README.yaml": b"a: 1\n",
    }

    assert tree_from_files(files).files == {}


@pytest.mark.parametrize(
    ("root", "folder"), [("out", "out/"), ("./out/", "out/"), (".", ""), ("/x/out", "/x/out/")]
)
def test_sources_are_taken_from_below_their_folder(root, folder):
    """A path is known from the tree downwards, and shown from where the user stands."""
    tree = read_output_tree(root, [Source(f"{folder}{PATH}", b"a: 1\n")])
    reading = tree.read(tree.files)

    assert set(tree.files) == {PATH}
    assert tree.clusters == {"a"}
    assert [each.span.path for each in reading.diagnostics] == [f"{folder}{PATH}"]


def test_clusters_are_folders():
    """A root names a cluster too, but the cluster is where its folder is."""
    files = dict.fromkeys([PATH, "argocd/roots/b.yaml", "clusters/c.yaml"], NAMESPACE)

    assert tree_from_files(files).clusters == {"a"}


def test_the_header_names_the_document():
    """A file's first line says which document it comes from, in the words of the compiler."""
    text = f"# {header(('Partition/v1.5', 'Tenant/x'))}\n".encode()
    (found,) = read({PATH: text + NAMESPACE}).objects.values()

    assert found.documents == ("Partition/v1.5",)
    assert found.data == {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "research"}}


def test_several_documents_of_a_file():
    """Every document of a file is an object; one without content is none."""
    other = NAMESPACE.replace(b"research", b"serving")
    objects = read({PATH: NAMESPACE + b"---\n---\n" + other}).objects

    assert [each.name for each in objects] == ["research", "serving"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"- a\n", "a map is wanted here, as every object is one"),
        (b"kind: A\nmetadata: {name: a}\n", "the object has no `apiVersion`"),
        (b"apiVersion: v1\nkind: 1\nmetadata: {name: a}\n", "the object has no `kind`"),
        (b"apiVersion: v1\nkind: A\nmetadata: []\n", "the object has no `metadata.name`"),
        (b"apiVersion: v1\nkind: A\nmetadata: {name: on}\n", "the object has no `metadata.name`"),
    ],
)
def test_what_is_no_object(text, message):
    """A document that does not say which object it is has a diagnostic, and its file is broken."""
    reading = read({PATH: NAMESPACE + b"---\n" + text}, "out")
    (found,) = reading.diagnostics

    assert found.code is codes.NO_OBJECT
    assert found.message.startswith(message)
    assert str(found.span) == f"out/{PATH}:5:1"
    assert reading.broken == {PATH}
    assert len(reading.objects) == 1


def test_broken_yaml():
    """A file that is no YAML is broken, with the parser's words, and the others are read."""
    reading = read({PATH: b"a: [", "clusters/b/x.yaml": NAMESPACE})

    assert [each.code.slug for each in reading.diagnostics] == ["invalid-yaml"]
    assert reading.broken == {PATH}
    assert [each.cluster for each in reading.objects] == ["b"]


def test_an_object_that_stands_twice():
    """The second of two equal identities is diagnosed at its own file, the first is kept."""
    reading = read({"clusters/a/x.yaml": NAMESPACE, "clusters/a/w.yaml": b"# \n" + NAMESPACE})
    (found,) = reading.diagnostics

    assert found.code is codes.DUPLICATE_OBJECT
    assert (
        found.message
        == "`Namespace research` stands twice in this tree, only the first is compared"
    )
    assert str(found.span) == "clusters/a/x.yaml:1:1"
    assert str(found.related[0].span) == "clusters/a/w.yaml:2:1"
    assert [each.path for each in reading.objects.values()] == ["clusters/a/w.yaml"]


def test_equal_files_are_read_once():
    """Equal bytes give one value, and diagnostics that name each file."""
    files = {"clusters/a/x.yaml": NAMESPACE, "clusters/b/x.yaml": NAMESPACE}
    first, second = read(files).objects.values()
    broken = read(dict.fromkeys(files, b"- 1\n"))

    assert first.data is second.data
    assert [each.span.path for each in broken.diagnostics] == list(files)


@pytest.mark.parametrize(
    "code", [codes.NO_OBJECT, codes.DUPLICATE_OBJECT], ids=lambda code: code.id
)
def test_pages(code):
    """The wrong file of a page gives its code once and no other, the right one none."""
    wrong, right = examples(load_page(code.id))

    assert load_page(code.id).startswith(f"# {code.id} {code.slug}\n")
    assert [each.code for each in read({PATH: wrong}).diagnostics] == [code]
    assert read({PATH: right}).diagnostics == []
