"""AppProjects."""

import textwrap

from neuron_dra.kube.claim import DeviceClass
from neuron_dra.objects.drivers.neuron import plan_neuron
from neuron_dra.objects.gitops.projects import check_destinations, check_use, render_projects
from unit.objects.small_plans import make_plans, read_driver, told

TENANT = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Tenant
    metadata: {name: team}
    spec: {clusters: [a], namespaces: [team-a], createNamespaces: true}
"""
EXTRA = """
    extraObjects:
    - {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: x}, value: 1}
    - {apiVersion: v1, kind: ConfigMap, metadata: {name: x, namespace: y}}
"""
DRIVERS = "    drivers: {neuron: {chartVersion: 2.0.0}, ultraServerOperator: {enabled: true}}"
POOL = "    nodePools: [{name: p, instanceType: a.large}]"
PLAIN_KINDS = [
    {"group": "", "kind": "Namespace"},
    {"group": "rbac.authorization.k8s.io", "kind": "ClusterRole"},
    {"group": "rbac.authorization.k8s.io", "kind": "ClusterRoleBinding"},
    {"group": "resource.k8s.io", "kind": "DeviceClass"},
]


def cluster(
    name,
    *further,
    project="{name: neuron}",
    repo="https://git.example.com/fleet.git",
    destination="",
    namespace="argocd",
):
    """Return a Cluster document."""
    head = f"""
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Cluster
    metadata: {{name: {name}}}
    spec:
      kubernetes: 1.36
      gitops:
        argocd:
          repoURL: {repo}
          namespace: {namespace}
          project: {project}
          destination: {destination or f"{{name: {name}}}"}
    """
    body = textwrap.dedent("\n".join(further))
    return textwrap.dedent(head) + textwrap.indent(body, "  ")


def uses(*documents, **plans):
    """Return all plans with their releases."""
    made = make_plans(*documents, **plans).values()
    return [(plan, plan_neuron(plan.profile, read_driver("neuron"))[0]) for plan in made]


def test_project():
    """A project allows the repositories, clusters and kinds of all that use it, and no more."""
    objects, problems = render_projects(
        uses(
            cluster("b", DRIVERS, POOL),
            cluster("a", repo="https://git.example.com/other.git"),
        )
    )

    (project,) = objects
    operator = [
        {"group": "admissionregistration.k8s.io", "kind": "ValidatingAdmissionPolicy"},
        {"group": "admissionregistration.k8s.io", "kind": "ValidatingAdmissionPolicyBinding"},
        {"group": "apiextensions.k8s.io", "kind": "CustomResourceDefinition"},
    ]
    kinds = sorted([*PLAIN_KINDS, *operator], key=lambda each: (each["group"], each["kind"]))
    assert problems == []
    assert project.path == "argocd/projects/neuron.yaml"
    assert project.documents == ("Cluster/a", "Cluster/b")
    assert project.data == {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "AppProject",
        "metadata": {
            "name": "neuron",
            "namespace": "argocd",
            "labels": {"app.kubernetes.io/managed-by": "neuron-dra"},
        },
        "spec": {
            "sourceRepos": [
                "charts.example.com/neuron",
                "https://git.example.com/fleet.git",
                "https://git.example.com/other.git",
            ],
            "destinations": [
                {"name": "a", "namespace": "*"},
                {"name": "b", "namespace": "*"},
                {"server": "https://kubernetes.default.svc", "namespace": "argocd"},
            ],
            "description": "Neuron and EFA drivers, device classes and claim templates.",
            "clusterResourceWhitelist": kinds,
        },
    }


def test_order_of_clusters():
    """The order of clusters does not show."""
    made = uses(cluster("b", DRIVERS, POOL), cluster("a"))

    assert render_projects(made) == render_projects(reversed(made))


def test_kinds_of_objects():
    """Kinds without a namespace are allowed where something is of them."""
    ((project,), _) = render_projects(
        uses(cluster("a", EXTRA), TENANT, classes=[DeviceClass("neuron-a", ("true",))])
    )

    assert project.data["spec"]["clusterResourceWhitelist"] == [
        {"group": "", "kind": "Namespace"},
        {"group": "resource.k8s.io", "kind": "DeviceClass"},
        {"group": "scheduling.k8s.io", "kind": "PriorityClass"},
    ]


def test_nothing_without_namespace():
    """A project of plain namespaced objects allows no kind without a namespace."""
    ((project,), _) = render_projects(uses(cluster("a")))

    assert project.data["spec"]["clusterResourceWhitelist"] == []


def test_not_created():
    """A project that others create is not emitted."""
    assert render_projects(uses(cluster("a", project="{name: neuron, create: false}"))) == ([], [])


def test_several_projects():
    """Clusters of different projects share nothing."""
    objects, _ = render_projects(
        uses(cluster("a", project="{name: y}"), cluster("b", project="{name: x}"))
    )

    assert [each.path for each in objects] == ["argocd/projects/x.yaml", "argocd/projects/y.yaml"]
    assert {"name": "a", "namespace": "*"} not in objects[0].data["spec"]["destinations"]


def test_without_argocd():
    """Without Argo CD there is no project."""
    document = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Cluster
    metadata: {name: a}
    spec: {kubernetes: 1.36, gitops: none}
    """

    assert render_projects(uses(document)) == ([], [])


def test_create_differs():
    """Two clusters must agree whether their project is created."""
    _, problems = render_projects(
        uses(cluster("a"), cluster("b", project="{name: neuron, create: false}"))
    )

    ((code, text, message),) = told(problems)
    assert (code, text) == ("ND8001", "false")
    assert "`create` for the AppProject `neuron`" in message


def test_namespace_differs():
    """A project lies in one namespace."""
    _, problems = render_projects(uses(cluster("a"), cluster("b", namespace="argo")))

    assert [(code, text) for code, text, _ in told(problems)] == [("ND8001", "argo")]


def test_shared_destination():
    """Two clusters cannot be one: each would undo what the other does."""
    plans = make_plans(
        cluster("a"),
        cluster("b", destination="{name: a}"),
        cluster("c", destination="{server: https://a}"),
    )

    problems = check_destinations(plans.values())

    ((code, text, message),) = told(problems)
    assert (code, text) == ("ND8002", "{name: a}")
    assert "cluster `b`" in message


def test_own_cluster_twice():
    """Every cluster may have an Argo CD of its own."""
    for own in ("{server: https://kubernetes.default.svc}", "{name: in-cluster}"):
        plans = make_plans(cluster("a", destination=own), cluster("b", destination=own))

        assert check_destinations(plans.values()) == []


def test_nothing_to_sync():
    """A cluster for which nothing is compiled has no application, and that is told."""
    problems = check_use(uses(cluster("a"), cluster("b", EXTRA), cluster("c", DRIVERS, POOL)))

    ((code, _, message),) = told(problems)
    assert (code, message) == (
        "ND8003",
        "cluster `a` has no chart to install and no object, so no application",
    )


def test_nothing_to_sync_without_argocd():
    """Without Argo CD a cluster may be empty."""
    document = cluster("a").replace("gitops:", "gitops: none\n").partition("    argocd:")[0]

    assert check_use(uses(document)) == []
