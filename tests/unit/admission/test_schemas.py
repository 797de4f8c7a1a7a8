"""Schemas: what is found in which minor, and where."""

from __future__ import annotations

import subprocess
import sys
from copy import deepcopy

import pytest

from neuron_dra.admission.problem import Problem
from neuron_dra.admission.schemas import Unchecked, check_object
from neuron_dra.kube.hole import Hole

MINORS = ("1.34", "1.35", "1.36", "1.37")


def exactly(template):
    return template["spec"]["spec"]["devices"]["requests"][0]["exactly"]


@pytest.mark.parametrize("minor", MINORS)
def test_sound_objects(minor, template, job):
    """Objects as they should be have no problems in any minor."""
    assert check_object(template, minor) == []
    assert check_object(job, minor) == []


@pytest.mark.parametrize("version", ["v1beta1", "v1beta2"])
def test_versions(version, template):
    """Each version of a kind has a schema of its own: v1beta1 knows no `exactly`."""
    template["apiVersion"] = f"resource.k8s.io/{version}"

    problems = check_object(template, "1.36")

    field = "spec.spec.devices.requests[0].exactly"
    assert [problem.field for problem in problems] == ([field] if version == "v1beta1" else [])


def test_holes(template):
    """A hole is a text that nobody has filled in yet, and an object with one is checked too."""
    template["metadata"]["namespace"] = Hole("namespace")

    assert check_object(template, "1.36") == []

    exactly(template)["count"] = Hole("count")
    assert [problem.field for problem in check_object(template, "1.36")] == [
        "spec.spec.devices.requests[0].exactly.count"
    ]


def test_unknown_field(template):
    """A misspelt field is found at its own place, with a suggestion."""
    exactly(template)["cuont"] = 4

    field = "spec.spec.devices.requests[0].exactly.cuont"
    assert check_object(template, "1.36") == [
        Problem(field, f"Kubernetes 1.36 has no field `{field}`", "did you mean `count`?")
    ]


def test_field_of_a_later_minor(template):
    """A field is unknown before the minor that brought it."""
    exactly(template)["derivedAttributes"] = [{"name": "example.com/a", "expression": "1"}]

    assert [bool(check_object(template, minor)) for minor in MINORS] == [True, True, True, False]


def test_all_problems_in_order(template):
    """All problems of an object are told at once, in order of the fields, tenth after second."""
    requests = template["spec"]["spec"]["devices"]["requests"]
    requests[:] = [deepcopy(requests[0]) for _ in range(11)]
    for index in (10, 2):
        requests[index]["name"] = 3
    del requests[1]["exactly"]["deviceClassName"]
    requests[0]["exactly"]["selectors"] = {}
    template["metadata"]["labels"]["example.com/size"] = 4

    problems = check_object(template, "1.36")

    path = "spec.spec.devices.requests"
    assert [problem.message for problem in problems] == [
        "`metadata.labels[example.com/size]` must be a text, found `4`",
        f"`{path}[0].exactly.selectors` must be a list, found a map",
        f"the field `{path}[1].exactly.deviceClassName` is required",
        f"`{path}[2].name` must be a text, found `3`",
        f"`{path}[10].name` must be a text, found `3`",
    ]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (None, "nothing"),
        (True, "`true`"),
        (["a"], "a list"),
        ({"a": "b"}, "a map"),
        ("four", '"four"'),
        ("4" * 41, f'"{"4" * 40}..."'),
        (4.5, "`4.5`"),
    ],
)
def test_wrong_type(value, found, job):
    """A value of another type is shown, cut where it is long."""
    job["spec"]["template"]["spec"]["containers"][0]["ports"] = [{"containerPort": value}]

    (problem,) = check_object(job, "1.36")

    field = "spec.template.spec.containers[0].ports[0].containerPort"
    assert problem == Problem(field, f"`{field}` must be an integer, found {found}")


def test_null_is_no_value(job):
    """A field that may be absent may be null, a quantity too."""
    job["spec"]["suspend"] = None
    job["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["cpu"] = None

    assert check_object(job, "1.36") == []


def test_values_that_cannot_be_decoded(job):
    """Quantities, times and integers are checked as far as decoding them would."""
    container = job["spec"]["template"]["spec"]["containers"][0]
    container["resources"]["limits"] = {"cpu": "4x", "memory": 1}
    container["ports"][0]["containerPort"] = 1 << 31
    container["livenessProbe"] = {"httpGet": {"port": []}}
    job["metadata"]["creationTimestamp"] = "yesterday"

    field = "spec.template.spec.containers[0]"
    assert [problem.message for problem in check_object(job, "1.36")] == [
        '`metadata.creationTimestamp` must be a date-time, found "yesterday"',
        f"`{field}.livenessProbe.httpGet.port` must be a text or an integer, found a list",
        f"`{field}.ports[0].containerPort` is 2147483648, beyond int32",
        f'`{field}.resources.limits[cpu]` must be a quantity, found "4x"',
    ]


def test_whole_object_is_no_map():
    """A part that should be a map is told even at the top."""
    broken = {"apiVersion": "v1", "kind": "Namespace", "metadata": [], "spec": "x"}

    assert [problem.field for problem in check_object(broken, "1.36")] == ["metadata", "spec"]


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [
        ("argoproj.io/v1alpha1", "Application"),
        ("jobset.x-k8s.io/v1alpha2", "JobSet"),
        ("gateway.networking.k8s.io/v1", "Gateway"),
    ],
)
def test_unchecked(api_version, kind):
    """A kind of another group has no schema, which is an answer of its own."""
    data = {"apiVersion": api_version, "kind": kind, "anything": {}}

    assert check_object(data, "1.36") == Unchecked(api_version, kind)


@pytest.mark.parametrize(
    ("api_version", "kind", "problem"),
    [
        (
            "resource.k8s.io/v1",
            "DeviceTaintRule",
            Problem(
                "apiVersion",
                "Kubernetes 1.36 has no `DeviceTaintRule` in `resource.k8s.io/v1`",
                "it is in `resource.k8s.io/v1alpha3`, `resource.k8s.io/v1beta2`",
            ),
        ),
        (
            "v2",
            "Pod",
            Problem("apiVersion", "Kubernetes 1.36 has no `Pod` in `v2`", "it is in `v1`"),
        ),
        (
            "apps/v1",
            "Deploymnt",
            Problem(
                "kind",
                "Kubernetes 1.36 has no kind `Deploymnt` in `apps`",
                "did you mean `Deployment`?",
            ),
        ),
        (
            "v1",
            "PodList",
            Problem("kind", "Kubernetes 1.36 has no kind `PodList` in `v1`", "did you mean `Pod`?"),
        ),
    ],
)
def test_unknown_kind(api_version, kind, problem):
    """A kind that Kubernetes' own group does not have is a problem, not unchecked."""
    assert check_object({"apiVersion": api_version, "kind": kind}, "1.36") == [problem]


def test_no_kind():
    """An object says what it is."""
    fields = [problem.field for problem in check_object({"kind": 3, "metadata": {}}, "1.36")]

    assert fields == ["apiVersion", "kind"]


def break_template(template, how):
    made = exactly(template)
    requests = template["spec"]["spec"]["devices"]["requests"]
    match how:
        case "class is null":
            made["deviceClassName"] = None
        case "flat request":
            requests[0]["deviceClassName"] = "trainium"
        case "parameters are a text":
            template["spec"]["spec"]["devices"]["config"][0]["opaque"]["parameters"] = "size=1"
        case "admin access in a subrequest":
            requests[0] = {"name": "a", "firstAvailable": [{"name": "b", "adminAccess": True}]}
        case "unknown mode":
            made["allocationMode"] = "Bogus"
        case "neither":
            del requests[0]["exactly"]
        case "no spec":
            del template["spec"]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize(
    "how",
    [
        *("", "class is null", "flat request", "parameters are a text", "no spec"),
        *("admin access in a subrequest", "unknown mode", "neither"),
    ],
)
def test_agrees_with_the_reference(minor, how, template):
    """The verdict is that of kubernetes-validate with its own validator."""
    kubernetes_validate = pytest.importorskip("kubernetes_validate")
    break_template(template, how)
    try:
        kubernetes_validate.validate(template, minor, strict=True)
        sound = True
    except kubernetes_validate.ValidationError:
        sound = False

    assert (check_object(template, minor) == []) == sound


def test_imports():
    """Neither kubernetes-validate nor the slow validator is loaded."""
    program = (
        "import sys; from neuron_dra.admission.schemas import check_object;"
        "check_object({'apiVersion': 'v1', 'kind': 'Namespace'}, '1.36');"
        "print(sorted({'jsonschema', 'kubernetes_validate', 'referencing'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )

    assert done.stdout == "[]\n"


def test_odd_field_name(template):
    """A field whose name is no word is written in brackets, so that its path can be read."""
    template["metadata"]["example.com/a"] = 1

    assert check_object(template, "1.36")[0].field == "metadata[example.com/a]"


def test_other_keywords():
    """What the schemas hardly use is told in the validator's own words, with the field."""
    claim = {"kind": "Claim", "metadata": {"name": "data"}}
    data = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "spec": {
            "selector": {},
            "serviceName": "a",
            "template": {},
            "volumeClaimTemplates": [claim],
        },
    }

    (problem,) = check_object(data, "1.36")

    assert problem.field == "spec.volumeClaimTemplates[0].kind"
    assert problem.message.startswith('`spec.volumeClaimTemplates[0].kind`: "Claim" is not ')
