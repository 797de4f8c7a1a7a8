"""Which clusters are meant."""

from __future__ import annotations

import pytest

from neuron_dra.api.selection import Selection, check_selection, select
from neuron_dra.source import FatalError, Source
from neuron_dra.spec.documents import read_documents

CLUSTERS = {"prod-a": "{env: prod, site: a}", "prod-b": "{env: prod, site: b}", "dev": "{env: dev}"}


@pytest.fixture(scope="module")
def clusters():
    """Three Cluster documents by name."""
    text = "---\n".join(
        "apiVersion: neuron-dra.dev/v1alpha1\nkind: Cluster\n"
        f"metadata: {{name: {name}, labels: {labels}}}\nspec: {{kubernetes: 1.36}}\n"
        for name, labels in CLUSTERS.items()
    )
    return read_documents([Source("x.yaml", text.encode())])[0].cluster_documents


def chosen(selection, clusters):
    check_selection(selection, clusters)
    return {
        name for name, each in clusters.items() if selection.selects(name, each.metadata.labels)
    }


@pytest.mark.parametrize(
    ("names", "selector", "expected"),
    [
        ([], "", {"prod-a", "prod-b", "dev"}),
        (["dev"], "", {"dev"}),
        ([], "env=prod", {"prod-a", "prod-b"}),
        ([], "env==prod, site=b", {"prod-b"}),
        (["prod-a", "dev"], "env=prod", {"prod-a"}),
    ],
)
def test_selects(clusters, names, selector, expected):
    """Names and labels narrow each other."""
    assert chosen(select(names, selector), clusters) == expected


@pytest.mark.parametrize(
    "selector",
    ["env", "env!=prod", "!env", "env in (a)", "=a", "env=a b", ",", "env=prod,", "a/b/c=d", "a=$"],
)
def test_no_selectors(selector):
    """What is not a list of labels and values is refused, not read as some odd label."""
    with pytest.raises(FatalError, match="in the selector is not `key=value`"):
        select([], selector)


def test_a_label_twice():
    """A label cannot have two values."""
    with pytest.raises(FatalError, match="the selector names the label `env` twice"):
        select([], "env=prod,env=dev")


@pytest.mark.parametrize(
    ("names", "selector", "message"),
    [
        (["prd-a"], "", "there is no Cluster `prd-a` in the specs, did you mean `prod-a`"),
        (["dev", ""], "", "there is no Cluster `` in the specs"),
        ([], "env=staging", "none of the 3 clusters has the labels `env=staging`"),
        (["dev"], "env=prod", "none of the named clusters has the labels `env=prod`"),
    ],
)
def test_selects_nothing(clusters, names, selector, message):
    """A selection that misses what it names would look like success."""
    with pytest.raises(FatalError, match=message):
        check_selection(select(names, selector), clusters)


def test_everything_of_nothing():
    """Without a selection there may be no clusters at all."""
    check_selection(Selection(), {})
