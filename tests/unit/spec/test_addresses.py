"""Where Argo CD and Helm find things."""

from __future__ import annotations

import pytest

from neuron_dra.source import Source
from neuron_dra.spec import addresses
from neuron_dra.syntax.parse import parse
from neuron_dra.syntax.places import Context, Origin

SECRET = "a URL with a user or a password would be committed to Git"


def told(reader, text):
    """Return what is wrong with a text."""
    quoted = '"' + text.encode("unicode_escape").decode() + '"'
    source = Source("x.yaml", quoted.encode())
    ((_, node),), _ = parse(source)
    context = Context(Origin(source, "Cluster/a"))
    reader.read(node, context)
    return [each.message for each in context.diagnostics]


@pytest.mark.parametrize(
    ("reader", "texts"),
    [
        (
            addresses.GIT_REPOSITORY,
            [
                "https://git.example.com/infra/neuron.git",
                "http://git:8080/a",
                "https://git.example.com",
                "https://[fd00::1]:8443/a.git",
                "https://dev.azure.com/org/my%20project/_git/repo",
                "ssh://git@git.example.com:2222/a.git",
                "ssh://git.example.com/a.git",
                "git@git.example.com:team/a.git",
            ],
        ),
        (
            addresses.CHART_REPOSITORY,
            ["oci://mirror/neuron", "https://charts.example.com/efa", "oci://a.example.com:5000/b"],
        ),
        (
            addresses.API_SERVER,
            [
                "https://kubernetes.default.svc",
                "https://10.0.0.1:6443",
                "arn:aws:eks:us-west-2:111122223333:cluster/prod_1",
                "arn:aws-us-gov:eks:us-gov-west-1:111122223333:cluster/a",
            ],
        ),
        (addresses.FOLDER, ["out", ".", "a/b-c/d.e", ".deploy/out"]),
        (addresses.REVISION, ["main", "HEAD", "v1.*", ">=1.2,<2", "feature/a", "0123abc"]),
        (addresses.ARGOCD_NAME, ["prod-usw2", "in-cluster", "Production West"]),
    ],
)
def test_good(reader, texts):
    """What Argo CD and Helm take is taken."""
    assert [told(reader, text) for text in texts] == [[]] * len(texts)


@pytest.mark.parametrize(
    ("reader", "texts"),
    [
        (
            addresses.GIT_REPOSITORY,
            [
                "",
                "git.example.com/a.git",
                "ftp://git.example.com/a",
                "file:///etc",
                "oci://git.example.com/a",
                "https://",
                "https:///a",
                "https://git.example.com/a b",
                "https://git.example.com/{{.name}}",
                "https://git.example.com/a\n",
                "not a url",
            ],
        ),
        (addresses.CHART_REPOSITORY, ["", "::::", "mirror/neuron", "git@a.example.com:b"]),
        (
            addresses.API_SERVER,
            [
                "",
                "x",
                "kubernetes.default.svc",
                "arn:aws:eks:us-west-2:1:cluster/x",
                "arn:aws:iam::111122223333:role/x",
            ],
        ),
        (
            addresses.FOLDER,
            ["", "/", "/out", "out/", "./out", "a//b", "..", "../..", "a/../../b", "a b", "out\n"],
        ),
        (addresses.FOLDER, ["a\\b", "é", " out", "a;b"]),
        (addresses.REVISION, ["", "a b", "-x", "main\n", "a\tb"]),
        (addresses.ARGOCD_NAME, ["", " a", "a ", "a\nb"]),
    ],
)
def test_bad(reader, texts):
    """What would leave the repository, or lead nowhere, is refused once, and is no secret."""
    found = [told(reader, text) for text in texts]

    assert [len(each) for each in found] == [1] * len(texts)
    assert [SECRET] not in found


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (addresses.GIT_REPOSITORY, "https://user:hunter2@git.example.com/a.git"),
        (addresses.GIT_REPOSITORY, "https://hunter2@git.example.com/a.git"),
        (addresses.GIT_REPOSITORY, "ssh://git:hunter2@git.example.com/a.git"),
        (addresses.CHART_REPOSITORY, "oci://user:hunter2@mirror.example.com/charts"),
        (addresses.API_SERVER, "https://user:hunter2@kubernetes.example.com"),
    ],
)
def test_secrets(reader, text):
    """A URL with a secret is refused in words that do not repeat it."""
    assert told(reader, text) == [SECRET]


@pytest.mark.parametrize("text", ["https://git.example.com/@team/a", "git@git.example.com:a/b"])
def test_no_secrets(text):
    """A sign in the path, and the user of SSH, are no secrets."""
    assert told(addresses.GIT_REPOSITORY, text) == []
