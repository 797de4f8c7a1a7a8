"""Argo CD applications."""

import pytest

from neuron_dra.kube.claim import DeviceClass
from neuron_dra.kube.hole import fill
from neuron_dra.objects.drivers.efa import plan_efa
from neuron_dra.objects.drivers.neuron import plan_neuron
from neuron_dra.objects.gitops import git_attributes
from neuron_dra.objects.gitops.applications import (
    OBJECTS_ROLE,
    ROOT_ROLE,
    has_objects,
    render_applications,
    render_root,
)
from unit.objects.small_plans import CLUSTER, make_plan, read_driver

GITOPS = """
      gitops:
        argocd:
          repoURL: https://git.example.com/fleet.git
          path: deploy/out
          targetRevision: stage-1
          namespace: argo
          project: {name: neuron}
          destination: {name: east-eks}
          syncPolicy: {automated: {prune: true, selfHeal: false}}
"""
DRIVERS = "      drivers: {neuron: {chartVersion: 2.0.0}, efa: {chartVersion: 1.0.0}}\n"
POOLS = """
      nodePools:
      - {name: a, instanceType: a.large}
      - {name: b, instanceType: b.large, mechanism: {neuron: device-plugin}}
"""
CLASSES = [DeviceClass("neuron-a", ("true",))]
RETRY = {"limit": 5, "backoff": {"duration": "10s", "factor": 2, "maxDuration": "3m"}}


def plan_releases(plan):
    releases, _ = plan_neuron(plan.profile, read_driver("neuron"))
    return [*releases, *plan_efa(plan.profile, read_driver("efa"))[0]]


def applications(*parts):
    """Return the applications of a cluster by name, and where each is written."""
    plan = make_plan(CLUSTER + "".join(parts), classes=CLASSES)
    made = render_applications(plan, plan_releases(plan))
    return {each.data["metadata"]["name"]: each for each in made}


def all_applications():
    """Return every application of a cluster that needs all of them, the root first."""
    plan = make_plan(CLUSTER + GITOPS + DRIVERS + POOLS, classes=CLASSES)
    releases = plan_releases(plan)
    return [render_root(plan, releases), *render_applications(plan, releases)]


def test_children():
    """A cluster has an application for each release, and one for its objects."""
    made = applications(GITOPS, DRIVERS, POOLS)

    assert [(name, each.path) for name, each in made.items()] == [
        ("east-neuron-driver", "argocd/east-neuron-driver.yaml"),
        ("east-neuron-device-plugin", "argocd/east-neuron-device-plugin.yaml"),
        ("east-efa-driver", "argocd/east-efa-driver.yaml"),
        ("east-objects", "argocd/east-objects.yaml"),
    ]


def test_objects():
    """The objects are a plain folder, synced where they differ, pruned last."""
    made = applications(GITOPS)["east-objects"]

    assert made.data == {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {
            "name": "east-objects",
            "namespace": "argo",
            "labels": {"app.kubernetes.io/managed-by": "neuron-dra"},
            "annotations": {
                "argocd.argoproj.io/manifest-generate-paths": (
                    "/deploy/out/clusters/east/manifests"
                )
            },
        },
        "spec": {
            "project": "neuron",
            "source": {
                "repoURL": "https://git.example.com/fleet.git",
                "targetRevision": "stage-1",
                "path": "deploy/out/clusters/east/manifests",
                "directory": {"recurse": True},
            },
            "destination": {"name": "east-eks"},
            "syncPolicy": {
                "automated": {"prune": True, "selfHeal": False},
                "syncOptions": ["ApplyOutOfSyncOnly=true", "PruneLast=true"],
                "retry": RETRY,
            },
        },
    }
    assert made.fields["spec.source.targetRevision"] == (
        "Cluster/east spec.gitops.argocd.targetRevision"
    )


def test_oci_chart():
    """A chart of a registry comes with the values of the same revision as everything else."""
    made = applications(GITOPS, DRIVERS, POOLS)["east-neuron-driver"]

    assert made.data["spec"] == {
        "project": "neuron",
        "sources": [
            {
                "repoURL": "charts.example.com/neuron",
                "targetRevision": "2.0.0",
                "chart": "neuron-chart",
                "helm": {
                    "valueFiles": ["$values/deploy/out/clusters/east/helm/neuron/values.yaml"],
                    "releaseName": "neuron",
                },
            },
            {
                "repoURL": "https://git.example.com/fleet.git",
                "targetRevision": "stage-1",
                "ref": "values",
            },
        ],
        "destination": {"name": "east-eks", "namespace": "dra-system"},
        "syncPolicy": {
            "automated": {"prune": True, "selfHeal": False},
            "syncOptions": ["CreateNamespace=true", "PruneLast=true"],
            "retry": RETRY,
        },
    }
    assert made.fields["spec.sources[0].targetRevision"] == (
        "Cluster/east spec.drivers.neuron.chartVersion"
    )


def test_helm_repository_chart():
    """A chart of a Helm repository keeps its URL; a namespace that exists is not created."""
    spec = applications(GITOPS, DRIVERS, POOLS)["east-efa-driver"].data["spec"]

    assert spec["sources"][0]["repoURL"] == "https://charts.example.com/efa"
    assert spec["destination"]["namespace"] == "kube-system"
    assert spec["syncPolicy"]["syncOptions"] == ["PruneLast=true"]


@pytest.mark.parametrize(
    "repository",
    [
        "oci://mirror.example.com/x",
        "oci://mirror.example.com/x/",
        "oci://mirror.example.com/x/neuron-chart",
    ],
)
def test_mirror(repository):
    """A mirror is named without scheme and chart, however the spec writes it."""
    drivers = f"      drivers: {{neuron: {{chartVersion: 2.0.0, repository: '{repository}'}}}}\n"
    spec = applications(GITOPS, drivers)["east-neuron-driver"].data["spec"]

    assert spec["sources"][0]["repoURL"] == "mirror.example.com/x"


def test_root():
    """The root applies the applications where Argo CD runs, from the same revision."""
    labels = "      objectLabels: {team: ml}\n      objectAnnotations: {note: x}\n"
    root = render_root(make_plan(CLUSTER + GITOPS + labels, classes=CLASSES), [])

    assert root.path == "argocd/roots/east.yaml"
    assert root.data == {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {
            "name": "east-neuron-dra",
            "namespace": "argo",
            "labels": {"app.kubernetes.io/managed-by": "neuron-dra", "team": "ml"},
            "annotations": {
                "argocd.argoproj.io/manifest-generate-paths": "/deploy/out/clusters/east/argocd",
                "note": "x",
            },
        },
        "spec": {
            "project": "neuron",
            "source": {
                "repoURL": "https://git.example.com/fleet.git",
                "targetRevision": "stage-1",
                "path": "deploy/out/clusters/east/argocd",
            },
            "destination": {"server": "https://kubernetes.default.svc", "namespace": "argo"},
            "syncPolicy": {
                "automated": {"prune": True, "selfHeal": False},
                "retry": RETRY,
            },
        },
    }


def test_one_revision():
    """Every source that is no chart has the stage's revision."""
    made = all_applications()

    sources = [
        source
        for each in made
        for source in each.data["spec"].get("sources", [each.data["spec"].get("source")])
    ]
    revisions = {source["targetRevision"] for source in sources if "chart" not in source}
    assert revisions == {"stage-1"}


def test_no_finalizer():
    """No application takes its objects with it when its file goes."""
    made = all_applications()

    assert not any("finalizers" in each.data["metadata"] for each in made)


def test_labels_are_holes():
    """A child's labels of the cluster are filled in like those of any other object."""
    made = applications(GITOPS, "      objectLabels: {team: ml}\n")["east-objects"]

    filled = fill(made.data, {"label:team": "ml"})
    assert filled["metadata"]["labels"]["team"] == "ml"


@pytest.mark.parametrize(
    ("path", "folder"),
    [(".", "clusters/east"), ("out", "out/clusters/east"), ("a/b", "a/b/clusters/east")],
)
def test_paths(path, folder):
    """The output may lie anywhere in the repository."""
    gitops = GITOPS.replace("deploy/out", path)
    spec = applications(gitops)["east-objects"].data["spec"]

    assert spec["source"]["path"] == f"{folder}/manifests"


def test_manual_sync():
    """Without a sync policy nothing is automated."""
    gitops = "\n".join(line for line in GITOPS.splitlines() if "syncPolicy" not in line) + "\n"
    policy = applications(gitops)["east-objects"].data["spec"]["syncPolicy"]

    assert "automated" not in policy


def test_destination_server():
    """A destination by server stays a server, also an ARN."""
    arn = "arn:aws:eks:us-west-2:111122223333:cluster/east"
    gitops = GITOPS.replace("{name: east-eks}", f"{{server: '{arn}'}}")

    assert applications(gitops)["east-objects"].data["spec"]["destination"] == {"server": arn}


@pytest.mark.parametrize("gitops", ["", "      gitops: none\n"])
def test_no_argocd(gitops):
    """Without Argo CD there are no applications."""
    plan = make_plan(CLUSTER + gitops + DRIVERS)

    assert render_root(plan, plan_releases(plan)) is None
    assert render_applications(plan, plan_releases(plan)) == []


def test_documents_of_layers():
    """What the defaults give is said to be theirs."""
    indented = GITOPS.replace("          destination: {name: east-eks}\n", "")
    defaults = f"""
    apiVersion: neuron-dra.dev/v1alpha1
    kind: ClusterDefaults
    metadata: {{name: prod}}
    spec:{indented}
    """
    cluster = f"{CLUSTER}      defaults: prod\n"
    cluster += "      gitops: {argocd: {destination: {name: east-eks}}}\n"

    root = render_root(make_plan(cluster, defaults, classes=CLASSES), [])

    assert root.documents == ("Cluster/east", "ClusterDefaults/prod")
    assert root.fields["spec.project"] == "ClusterDefaults/prod spec.gitops.argocd.project.name"
    assert root.fields["spec.destination"] == "Cluster/east spec.gitops.argocd.destination"


def test_git_attributes():
    """Reviews collapse the output, and Git changes no byte of it."""
    rule = git_attributes().splitlines()[-1].split()

    assert rule[0] == "*"
    assert {"linguist-generated", "eol=lf"} <= set(rule)


def test_names_tell_the_cluster():
    """No two clusters, whatever their names are, have an application of one name."""
    roles = {each.data["metadata"]["name"].removeprefix("east-") for each in all_applications()}

    assert {ROOT_ROLE, OBJECTS_ROLE} < roles
    assert not [(one, other) for one in roles for other in roles if one.endswith(f"-{other}")]


TENANT = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Tenant
    metadata: {name: team}
    spec: {clusters: [east], namespaces: [team-a]%s}
"""
EXTRA = (
    "      extraObjects: [{apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: y}}]\n"
)


@pytest.mark.parametrize(
    ("cluster", "tenant", "classes", "expected"),
    [
        ("", "", [], False),
        ("", "", CLASSES, True),
        (EXTRA, "", [], True),
        ("", TENANT % "", [], False),
        ("", TENANT % ", network: {isolation: none}", [], False),
        ("", TENANT % ", network: {isolation: tenant}", [], True),
        ("", TENANT % ", createNamespaces: true", [], True),
    ],
)
def test_a_folder_that_is_not_written(cluster, tenant, classes, expected):
    """There is an application of the objects where there are any, and a root with its children."""
    documents = [CLUSTER + GITOPS + cluster, *([tenant] if tenant else [])]
    plan = make_plan(*documents, classes=classes)

    assert has_objects(plan) is expected
    assert [each.path for each in render_applications(plan, [])] == (
        ["argocd/east-objects.yaml"] if expected else []
    )
    assert (render_root(plan, []) is not None) is expected


def test_drivers_alone():
    """A cluster without objects still has the applications of its charts."""
    plan = make_plan(CLUSTER + GITOPS + DRIVERS)
    releases = plan_releases(plan)

    assert [each.path for each in render_applications(plan, releases)] == [
        "argocd/east-neuron-driver.yaml"
    ]
    assert render_root(plan, releases) is not None
