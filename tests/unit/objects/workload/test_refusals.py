"""What an API server refuses of a pod template."""

from __future__ import annotations

import pytest

SPEC = """
controller: Job
claimContainers: [train]
template:
  metadata: METADATA
  spec:
    containers: [CONTAINER, OTHER]
"""
CONTAINER = "{name: train, image: example.com/train:1}"
OTHER = "{name: logs, image: example.com/logs:1}"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
LONG = "a" * 64


def spec_of(field="", container=CONTAINER, other=OTHER, metadata="{}"):
    spec = SPEC.replace("CONTAINER", container).replace("OTHER", other)
    return spec.replace("METADATA", metadata) + (f"    {field}\n" if field else "")


def affinity(terms):
    return f"affinity: {{nodeAffinity: {{{REQUIRED}: {{nodeSelectorTerms: [{terms}]}}}}}}"


def expressions(each):
    return affinity(f"{{matchExpressions: [{each}]}}")


def check(fleet, spec, message, marked):
    """One refusal, with these words, at this place."""
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "pod-refused"
    assert message in diagnostic.message
    assert fleet.marked(diagnostic) == marked


@pytest.mark.parametrize(
    ("field", "message", "marked"),
    [
        ("volumes: [{name: A_B, emptyDir: {}}]", "the volume name `A_B` may hold", "A_B"),
        (
            "volumes: [{name: a, emptyDir: {}}, {name: a, configMap: {name: c}}]",
            "two volumes have the name `a`",
            "a",
        ),
        (
            "volumes: [{name: a, emptyDir: {}, configMap: {name: c}}]",
            "the volume `a` has 2 sources, `configMap` and `emptyDir`",
            "{name: a, emptyDir: {}, configMap: {name: c}}",
        ),
        (
            "volumes: [{name: neuron-dra-shm, emptyDir: {}}]",
            "the volume `neuron-dra-shm` is added by the compiler",
            "neuron-dra-shm",
        ),
        ("dnsPolicy: clusterFirst", "`dnsPolicy: clusterFirst` is not possible", "clusterFirst"),
        (
            "ephemeralContainers: [{name: debug, image: example.com/debug:1}]",
            "cannot have ephemeral containers",
            "[{name: debug, image: example.com/debug:1}]",
        ),
        ("nodeSelector: {a b: c}", "the label `a b` must be", "c"),
        ("nodeSelector: {a: b c}", "the value `b c` of the label `a` may hold", "b c"),
        (
            "resourceClaims: [{name: a}]",
            "the claim `a` has 0 sources, needs 1",
            "{name: a}",
        ),
        (
            "resourceClaims: [{name: a, resourceClaimName: b, resourceClaimTemplateName: row}]",
            "the claim `a` has 2 sources, needs 1",
            "{name: a, resourceClaimName: b, resourceClaimTemplateName: row}",
        ),
        (
            "resourceClaims: [{name: A, resourceClaimName: b}]",
            "the claim name `A` may hold",
            "A",
        ),
        (
            "resourceClaims: [{name: a, resourceClaimName: b}, {name: a, resourceClaimName: c}]",
            "two claims have the name `a`",
            "a",
        ),
        (
            "initContainers: [{name: train, image: example.com/i:1}]",
            "two containers have the name `train`",
            "train",
        ),
        ("initContainers: [{name: i}]", "container `i` has no image", "{name: i}"),
    ],
)
def test_pod(fleet, field, message, marked):
    """What belongs to the pod is told at its place."""
    check(fleet, spec_of(field), message, marked)


@pytest.mark.parametrize(
    ("toleration", "message", "marked"),
    [
        ("{key: a, operator: Exists, value: v}", "with `operator: Exists` has no `value`", "v"),
        ("{value: v}", "without `key` needs `operator: Exists`", "{value: v}"),
        ("{key: a, effect: NoScheduling}", "has the effect `NoScheduling`", "NoScheduling"),
        (
            "{key: a, effect: NoSchedule, tolerationSeconds: 3}",
            "`tolerationSeconds` needs `effect: NoExecute`",
            "3",
        ),
    ],
)
def test_toleration(fleet, toleration, message, marked):
    """Tolerations follow the rules of taints."""
    check(fleet, spec_of(f"tolerations: [{toleration}]"), message, marked)


@pytest.mark.parametrize(
    ("field", "message", "marked"),
    [
        (affinity(""), "node affinity without terms", "{nodeSelectorTerms: []}"),
        (affinity("{}"), "without expressions selects no cluster node", "{}"),
        (affinity("{matchExpressions: []}"), "selects no cluster node", "{matchExpressions: []}"),
        (expressions("{key: a, operator: in, values: [b]}"), "no operator `in`", "in"),
        (
            expressions("{key: a, operator: In}"),
            "`operator: In` needs `values`",
            "{key: a, operator: In}",
        ),
        (expressions("{key: a, operator: Exists, values: [b]}"), "takes no `values`", "[b]"),
        (
            expressions("{key: a, operator: Gt, values: [1, 2]}"),
            "`operator: Gt` takes one value, found 2",
            "{key: a, operator: Gt, values: [1, 2]}",
        ),
    ],
)
def test_node_terms(fleet, field, message, marked):
    """Required terms select nodes in a way that the scheduler knows."""
    check(fleet, spec_of(field), message, marked)


@pytest.mark.parametrize(
    ("metadata", "message", "marked"),
    [
        ("{labels: {a b: c}}", "the label `a b` must be", "c"),
        ("{labels: {a: b c}}", "the value `b c` of the label `a` may hold", "b c"),
        (f"{{labels: {{a: {LONG}}}}}", "has 64 characters, at most 63 are allowed", LONG),
        ("{annotations: {a b: c}}", "the annotation `a b` must be", "c"),
    ],
)
def test_metadata(fleet, metadata, message, marked):
    """Labels and annotations of the pods have the formats of Kubernetes."""
    check(fleet, spec_of(metadata=metadata), message, marked)


def test_sound(fleet):
    """A pod that uses much of what is checked is not refused."""
    spec = """
    controller: Job
    template:
      metadata: {labels: {app: train, empty: ""}, annotations: {Team.example.com/note: a b}}
      spec:
        dnsPolicy: ClusterFirst
        nodeSelector: {disk: ssd}
        tolerations:
        - {operator: Exists}
        - {key: a, value: b, effect: NoExecute, tolerationSeconds: 3}
        volumes: [{name: data, persistentVolumeClaim: {claimName: c}}, {name: tmp}]
        resourceClaims: [{name: chips, resourceClaimTemplateName: row}]
        initContainers:
        - name: fetch
          image: example.com/fetch:1
          volumeMounts: [{name: data, mountPath: /data}, {name: tmp, mountPath: /tmp}]
        containers:
        - name: train
          image: example.com/train:1
          imagePullPolicy: IfNotPresent
          ports: [{containerPort: 80, name: http-1}, {containerPort: 81, protocol: UDP}]
          env:
          - {name: a.b-c, value: ""}
          - {name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}
          volumeMounts: [{name: data, mountPath: /data}, {name: data, mountPath: /more}]
          resources:
            requests: {cpu: 500m, memory: 1Gi, hugepages-2Mi: 5120Mi, example.com/disk: 1}
            limits: {cpu: "1", memory: 1Gi, hugepages-2Mi: 5Gi, example.com/disk: 1}
    """
    codes = fleet.codes(spec)

    assert [slug for slug in codes if slug != "shared-memory-above-limit"] == []


@pytest.mark.parametrize("name", ["train_1", "Train", LONG, "-a"])
def test_container_name(fleet, name):
    """A container's name is a DNS label."""
    other = OTHER.replace("logs", name, 1)

    check(fleet, spec_of(other=other), f"the container name `{name}`", name)


def test_repeated_container(fleet):
    """Two containers of one name are told once, and not as if it were unclear which is meant."""
    spec = spec_of(other=CONTAINER).replace("claimContainers: [train]\n", "")

    check(fleet, spec, "two containers have the name `train`", "train")


def test_launcher(fleet):
    """Pods without devices are checked as well."""
    spec = """
    controller: MPIJob
    template: {spec: {containers: [{name: worker, image: example.com/mpi:1}]}}
    leaderTemplate: {spec: {containers: [{name: launcher}]}}
    """

    check(fleet, spec, "container `launcher` has no image", "{name: launcher}")
