"""Claims in the pods: who uses the devices, and what the user wired already."""

from __future__ import annotations

TWO = """
controller: Job
template:
  spec:
    containers:
    - {name: train, image: example.com/train:1}
    - {name: logs, image: example.com/logs:1}
"""


def pod_of(fleet, spec):
    return fleet.objects(spec)["Job"].data["spec"]["template"]["spec"]


def claims_of(pod):
    return {each["name"]: each.get("resources", {}).get("claims", []) for each in pod["containers"]}


def test_chosen_container(fleet):
    """Only the containers that are named use the devices."""
    pod = pod_of(fleet, TWO + "claimContainers: [train]\n")

    assert claims_of(pod) == {"train": [{"name": "neuron"}], "logs": []}
    assert [bool(each.get("volumeMounts")) for each in pod["containers"]] == [True, False]


def test_several_containers(fleet):
    """Of several containers the user must say which use the devices."""
    diagnostic = fleet.only(TWO)

    assert diagnostic.code.slug == "claim-containers-needed"
    assert "`train`, `logs`" in diagnostic.message
    assert diagnostic.help == "name them: `claimContainers: [train]`"


def test_misspelt_container(fleet):
    """A name that no container has is refused where it stands, with the closest one."""
    diagnostic = fleet.only(TWO + "claimContainers: [trian]\n")

    assert diagnostic.code.slug == "unknown-claim-container"
    assert diagnostic.help == "did you mean `train`?"
    assert fleet.marked(diagnostic) == "trian"


def test_init_container(fleet):
    """An init container uses no devices."""
    spec = TWO + "    initContainers: [{name: fetch, image: example.com/fetch:1}]\n"

    assert fleet.codes(spec + "claimContainers: [fetch]\n") == ["unknown-claim-container"]


def test_leader_without_claim(fleet):
    """A leader none of whose containers is named would leave its group waiting."""
    spec = TWO.replace("controller: Job", "controller: LeaderWorkerSet") + (
        "leaderTemplate: {spec: {containers: [{name: lead, image: example.com/lead:1}]}}\n"
        "claimContainers: [train]\n"
    )
    diagnostic = fleet.only(spec)

    assert diagnostic.code.slug == "claim-containers-needed"
    assert "`leaderTemplate`" in diagnostic.message
    assert diagnostic.help == "name them: `claimContainers: [train, lead]`"


def test_wired_by_hand(fleet):
    """Claims that the user wired to the right template stay as they are."""
    fleet.further = ("disk",)
    spec = """
    controller: Job
    template:
      spec:
        resourceClaims:
        - {name: scratch, resourceClaimTemplateName: disk}
        - {name: chips, resourceClaimTemplateName: row}
        containers:
        - name: train
          image: example.com/train:1
          resources: {claims: [{name: scratch}, {name: chips, request: neurons}]}
        - {name: logs, image: example.com/logs:1}
    """
    pod = pod_of(fleet, spec)

    assert pod["resourceClaims"] == [
        {"name": "scratch", "resourceClaimTemplateName": "disk"},
        {"name": "chips", "resourceClaimTemplateName": "row"},
    ]
    assert claims_of(pod)["train"] == [{"name": "scratch"}, {"name": "chips", "request": "neurons"}]
    assert claims_of(pod)["logs"] == []


def test_own_name_completed(fleet):
    """A claim that the user named is used by that name where the container lacks it."""
    spec = """
    controller: Job
    template:
      spec:
        resourceClaims: [{name: chips, resourceClaimTemplateName: row}]
        containers: [{name: train, image: example.com/train:1}]
    """

    assert claims_of(pod_of(fleet, spec)) == {"train": [{"name": "chips"}]}
