"""What an API server refuses of a container."""

from __future__ import annotations

import pytest

from neuron_dra.objects.workload.container_rules import find_refusals


def refusals_of(fields, volumes=("data", "cache")):
    """Return what is refused of a container: paths and messages."""
    container = {"name": "train", "image": "example.com/train:1", **fields}
    return [(each.where, each.message) for each in find_refusals(container, volumes)]


def only(fields):
    (refusal,) = refusals_of(fields)
    return refusal


def test_sound():
    """A plain container is not refused."""
    assert refusals_of({}) == []


@pytest.mark.parametrize(
    ("image", "message"),
    [
        ("", "has no image"),
        (" ", "has no image"),
        (" a", "has the image ` a` with a space around it"),
    ],
)
def test_image(image, message):
    """A container has an image, and nothing around its name."""
    assert only({"image": image}) == (("image",), message)


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"imagePullPolicy": "always"}, ("imagePullPolicy",)),
        ({"terminationMessagePolicy": "file"}, ("terminationMessagePolicy",)),
        ({"ports": [{"containerPort": 1, "protocol": "tcp"}]}, ("ports", 0, "protocol")),
    ],
)
def test_choices(fields, where):
    """A word of a fixed set is written as Kubernetes does."""
    assert only(fields)[0] == where


@pytest.mark.parametrize(
    ("mounts", "where", "message"),
    [
        (
            [{"name": "dta", "mountPath": "/data"}],
            ("volumeMounts", 0, "name"),
            "mounts the volume `dta`, which the pod does not have",
        ),
        (
            [{"name": "data", "mountPath": "/a"}, {"name": "cache", "mountPath": "/a"}],
            ("volumeMounts", 1, "mountPath"),
            "mounts two volumes at `/a`",
        ),
        (
            [{"name": "data", "mountPath": "/a:b"}],
            ("volumeMounts", 0, "mountPath"),
            "mounts a volume at `/a:b`, which is empty or has a `:`",
        ),
        (
            [{"name": "data", "mountPath": ""}],
            ("volumeMounts", 0, "mountPath"),
            "mounts a volume at ``, which is empty or has a `:`",
        ),
    ],
)
def test_mounts(mounts, where, message):
    """A mount names a volume of the pod, and a path of its own."""
    assert only({"volumeMounts": mounts}) == (where, message)


def test_mount_help():
    """The nearest volume is proposed."""
    mounts = [{"name": "dta", "mountPath": "/data"}]
    container = {"name": "train", "image": "a", "volumeMounts": mounts}

    assert [each.help for each in find_refusals(container, ["data"])] == ["did you mean `data`?"]


@pytest.mark.parametrize(
    ("ports", "where", "message"),
    [
        (
            [{"containerPort": 0}],
            ("ports", 0, "containerPort"),
            "has the port 0, not in 1 to 65535",
        ),
        (
            [{"containerPort": 65536}],
            ("ports", 0, "containerPort"),
            "has the port 65536, not in 1 to 65535",
        ),
        (
            [{"containerPort": 1, "hostPort": -1}],
            ("ports", 0, "hostPort"),
            "has the port -1, not in 1 to 65535",
        ),
        (
            [{"containerPort": 1, "name": "a"}, {"containerPort": 2, "name": "a"}],
            ("ports", 1, "name"),
            "has two ports of the name `a`",
        ),
        *(
            (
                [{"containerPort": 1, "name": name}],
                ("ports", 0, "name"),
                f"has the port name `{name}`",
            )
            for name in ("", "A", "12", "a--b", "-a", "abcdefghijklmnop")
        ),
    ],
)
def test_ports(ports, where, message):
    """Ports are numbers that there are, with names of services."""
    assert only({"ports": ports}) == (where, message)


@pytest.mark.parametrize(
    ("variable", "where", "message"),
    [
        ({"name": ""}, ("env", 0, "name"), "has the variable ``"),
        ({"name": "A=B"}, ("env", 0, "name"), "has the variable `A=B`"),
        ({"name": "\u00c4"}, ("env", 0, "name"), "has the variable `\u00c4`"),
        (
            {"name": "A", "value": "a", "valueFrom": {"fieldRef": {}}},
            ("env", 0, "valueFrom"),
            "gives the variable `A` a `value` and a `valueFrom`",
        ),
        (
            {"name": "A", "valueFrom": {}},
            ("env", 0, "valueFrom"),
            "takes the variable `A` from 0 sources, needs 1",
        ),
        (
            {"name": "A", "valueFrom": {"fieldRef": {}, "secretKeyRef": {}}},
            ("env", 0, "valueFrom"),
            "takes the variable `A` from 2 sources, needs 1",
        ),
    ],
)
def test_environment(variable, where, message):
    """A variable has a name and one value."""
    found, words = only({"env": [variable]})

    assert found == where
    assert words.startswith(message)


@pytest.mark.parametrize(
    ("resources", "where", "message"),
    [
        ({"limits": {"cpus": "4"}}, ("limits", "cpus"), "asks for `cpus`, which is no resource"),
        ({"limits": {"cpu": "-1"}}, ("limits", "cpu"), "asks for `cpu: -1`, less than nothing"),
        (
            {"requests": {"memory": "2Gi"}, "limits": {"memory": "2000M"}},
            ("requests", "memory"),
            "requests `memory: 2Gi`, more than its limit of 2000M",
        ),
        (
            {"requests": {"hugepages-2Mi": "2Mi"}},
            ("requests", "hugepages-2Mi"),
            "requests `hugepages-2Mi: 2Mi` without the same limit",
        ),
        (
            {"requests": {"hugepages-2Mi": "2Mi"}, "limits": {"hugepages-2Mi": "4Mi"}},
            ("requests", "hugepages-2Mi"),
            "requests `hugepages-2Mi: 2Mi` without the same limit",
        ),
    ],
)
def test_resources(resources, where, message):
    """Resources are known, and a request is within its limit."""
    assert only({"resources": resources}) == (("resources", *where), message)
