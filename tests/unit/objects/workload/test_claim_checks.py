"""Claims that a user wired by hand."""

from __future__ import annotations

import pytest

from unit.objects.workload.test_claims import TWO

BY_HAND = """
controller: Job
template:
  spec:
    resourceClaims: ENTRIES
    initContainers: [{name: warm, image: example.com/warm:1, resources: {claims: [INIT]}}]
    containers:
    - {name: train, image: example.com/train:1, resources: {claims: [USES]}}
"""
OURS = "{name: chips, resourceClaimTemplateName: row}"


def by_hand(*entries, uses="{name: chips}", init=""):
    listed = f"[{', '.join(entries)}]"
    return BY_HAND.replace("ENTRIES", listed).replace("USES", uses).replace("INIT", init)


def test_other_template(fleet):
    """A claim of our name from another template is refused."""
    spec = """
    controller: Job
    template:
      spec:
        resourceClaims: [{name: neuron, resourceClaimTemplateName: other}]
        containers: [{name: train, image: example.com/train:1}]
    """
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "claim-wired-twice"
    assert "not made from the template `row`" in diagnostic.message
    assert "resourceClaimTemplateName: other" in fleet.marked(diagnostic)


def test_claimed_twice(fleet):
    """Two claims of one template would take the devices twice."""
    spec = """
    controller: Job
    template:
      spec:
        resourceClaims:
        - {name: a, resourceClaimTemplateName: row}
        - {name: b, resourceClaimTemplateName: row}
        containers: [{name: train, image: example.com/train:1}]
    """
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "claim-wired-twice"
    assert diagnostic.message == "the pod claims the template `row` 2 times"
    assert "name: b" in fleet.marked(diagnostic)


def test_side_car_with_claim(fleet):
    """A container that uses the claim but is not named is refused."""
    spec = TWO.replace("logs:1}", "logs:1, resources: {claims: [{name: neuron}]}}")
    diagnostic = fleet.only(spec + "claimContainers: [train]\n")

    assert diagnostic.code.slug == "claim-wired-twice"
    assert "container `logs`" in diagnostic.message
    assert fleet.marked(diagnostic) == "[{name: neuron}]"


def test_unknown_claim(fleet):
    """A container cannot use a claim that the pod does not have."""
    spec = TWO.replace("logs:1}", "logs:1, resources: {claims: [{name: nueron}]}}")
    diagnostic = fleet.only(spec + "claimContainers: [train]\n")

    assert diagnostic.message == "the pod has no claim `nueron`"
    assert diagnostic.help == "did you mean `neuron`?"
    assert fleet.marked(diagnostic) == "nueron"


@pytest.mark.parametrize("request_name", ["neurons", "efa", '""'])
def test_known_request(fleet, request_name):
    """A container may use one request of the claim, or all."""
    assert fleet.codes(by_hand(OURS, uses=f"{{name: chips, request: {request_name}}}")) == []


@pytest.mark.parametrize("request_name", ["zzz", "neuron", "neurons/0"])
def test_unknown_request(fleet, request_name):
    """A request that the claim does not have would give no devices, and nobody else says so."""
    diagnostic = fleet.only(by_hand(OURS, uses=f"{{name: chips, request: {request_name}}}"))

    assert diagnostic.code.slug == "unknown-claim-request"
    assert f"the claim `chips` has no request `{request_name}`" in diagnostic.message
    assert "`neurons`" in diagnostic.help
    assert fleet.marked(diagnostic) == request_name


def test_request_of_added_claim(fleet):
    """The requests of a claim that is added are known as well."""
    diagnostic = fleet.only(by_hand(uses="{name: neuron, request: zzz}"))

    assert diagnostic.code.slug == "unknown-claim-request"


def test_request_of_init_container(fleet):
    """Init containers name requests too."""
    diagnostic = fleet.only(by_hand(OURS, init="{name: chips, request: zzz}"))

    assert diagnostic.code.slug == "unknown-claim-request"
    assert "container `warm`" in diagnostic.message


def test_request_of_another_partition(fleet):
    """Claims of other partitions are known by their templates."""
    fleet.others = ("four",)
    other = "{name: more, resourceClaimTemplateName: four}"
    spec = by_hand(OURS, other, uses="{name: chips}, {name: more, request: NAME}")

    assert fleet.codes(spec.replace("NAME", "efa")) == []
    assert fleet.codes(spec.replace("NAME", "disk")) == ["unknown-claim-request"]


def test_request_of_foreign_claim(fleet):
    """What a claim of others asks for is not known here."""
    other = "{name: disk, resourceClaimName: scratch}"

    assert fleet.codes(by_hand(OURS, other, uses="{name: chips}, {name: disk, request: x}")) == []


def test_request_of_the_operators_template(fleet):
    """What the UltraServer operator asks for in its template is not known here."""
    fleet.operator = True
    fleet.nodes = 1
    spec = by_hand(OURS.replace("row", "train"), uses="{name: chips, request: x}")

    assert fleet.codes(spec) == []


def test_init_container_without_claim(fleet):
    """An init container cannot use a claim that the pod does not have."""
    diagnostic = fleet.only(by_hand(OURS, init="{name: chip}"))

    assert diagnostic.message == "the pod has no claim `chip`"
    assert fleet.marked(diagnostic) == "chip"


def test_launcher_without_claim(fleet):
    """A launcher that claims nothing cannot use the workers' claim."""
    spec = """
    controller: MPIJob
    template: {spec: {containers: [{name: worker, image: example.com/mpi:1}]}}
    leaderTemplate:
      spec:
        containers:
        - {name: launcher, image: example.com/mpi:1, resources: {claims: [{name: neuron}]}}
    """

    assert fleet.only(spec).message == "the pod has no claim `neuron`"


@pytest.mark.parametrize("name", ["nope", "rows"])
def test_template_that_nothing_makes(fleet, name):
    """A template of no partition of the tenant leaves the pod waiting, unless others make it."""
    spec = by_hand(OURS, f"{{name: more, resourceClaimTemplateName: {name}}}")
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "claim-template-not-made"
    assert diagnostic.severity.word == "warning"
    assert f"template `{name}` in namespace `research`".lower() in diagnostic.message.lower()
    assert fleet.marked(diagnostic) == name

    fleet.further = (name,)
    assert fleet.codes(spec) == []


@pytest.mark.parametrize(
    ("uses", "twice"),
    [
        ("{name: chips}, {name: chips}", True),
        ("{name: chips, request: efa}, {name: chips, request: efa}", True),
        ("{name: chips, request: efa}, {name: chips, request: neurons}", False),
    ],
)
def test_used_twice(fleet, uses, twice):
    """A container names a request of a claim once."""
    assert fleet.codes(by_hand(OURS, uses=uses)) == ["pod-refused"] * twice
