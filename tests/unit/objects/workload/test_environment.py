"""Environment variables: ours first, the user's own kept, and what must agree with the claim."""

from __future__ import annotations

import pytest

SPEC = """
controller: Job
size: SIZE
template:
  spec:
    containers:
    - name: train
      image: example.com/train:1
      env:
"""


def with_env(*variables, size=2):
    lines = "".join(f"      - {each}\n" for each in variables)
    return SPEC.replace("SIZE", str(size)) + lines


def env_of(fleet, spec):
    pod = fleet.objects(spec)["Job"].data["spec"]["template"]["spec"]
    return pod["containers"][0]["env"]


def values_of(fleet, spec):
    return {each["name"]: each.get("value") for each in env_of(fleet, spec)}


def test_order(fleet):
    """The user's variables come after ours, so that they can refer to them."""
    names = [each["name"] for each in env_of(fleet, with_env("{name: Z, value: $(NNODES)}"))]

    assert names == [
        "JOB_COMPLETION_INDEX",
        "NNODES",
        "NODE_RANK",
        "MASTER_ADDR",
        "MASTER_PORT",
        "NEURON_RT_ROOT_COMM_ID",
        "CCOM_SOCKET_IFNAME",
        "Z",
    ]


def test_own_value(fleet):
    """A variable of the user takes the place of ours, once."""
    env = env_of(fleet, with_env("{name: A, value: a}", "{name: MASTER_PORT, value: '29511'}"))

    assert [each["value"] for each in env if each["name"] == "MASTER_PORT"] == ["29511"]
    assert [each["name"] for each in env][4:] == [
        "MASTER_PORT",
        "NEURON_RT_ROOT_COMM_ID",
        "CCOM_SOCKET_IFNAME",
        "A",
    ]


def test_own_reference(fleet):
    """A variable of the user that refers to another stays behind that one."""
    env = env_of(fleet, with_env("{name: HOST, value: h}", "{name: MASTER_ADDR, value: $(HOST).x}"))

    assert [each["name"] for each in env][-2:] == ["HOST", "MASTER_ADDR"]
    assert [each["name"] for each in env].count("MASTER_ADDR") == 1


def test_logical_neuron_core(fleet):
    """The LNC of the claim is told to the runtime, in single pods too."""
    fleet.lnc = 2

    assert values_of(fleet, with_env(size=1)) == {"NEURON_LOGICAL_NC_CONFIG": "2"}


@pytest.mark.parametrize(
    ("sizes", "told"),
    [((1, 2), "(1, 2)"), ((2, None), "(none, 2)"), ((2, 2), ""), ((None, None), "")],
)
def test_alternatives_differ(fleet, sizes, told):
    """Alternatives of different LNC leave no variable to set, which is a warning."""
    fleet.lnc, *fleet.other_lnc = sizes
    _, diagnostics = fleet.render(SPEC.replace("SIZE", "1").replace("      env:\n", ""))

    assert [each.code.slug for each in diagnostics] == ["logical-neuron-core-varies"] * bool(told)
    assert all(told in each.message and each.severity.word == "warning" for each in diagnostics)
    assert [fleet.marked(each) for each in diagnostics] == ["row"] * bool(told)


@pytest.mark.parametrize(
    ("variable", "slugs"),
    [
        ("{name: NEURON_LOGICAL_NC_CONFIG, value: '2'}", []),
        ("{name: NEURON_LOGICAL_NC_CONFIG, value: '1'}", ["logical-neuron-core-differs"]),
        ("{name: NEURON_RT_VIRTUAL_CORE_SIZE, value: '1'}", ["logical-neuron-core-differs"]),
        ("{name: NEURON_CC_FLAGS, value: '-O1 --lnc=1'}", ["logical-neuron-core-differs"]),
        ("{name: NEURON_CC_FLAGS, value: '-lnc 2'}", []),
        ("{name: NEURON_CC_FLAGS, value: '-O1'}", []),
    ],
)
def test_other_logical_neuron_core(fleet, variable, slugs):
    """Every way to say an LNC must say the claim's."""
    fleet.lnc = 2

    assert fleet.codes(with_env(variable)) == slugs


def test_logical_neuron_core_of_the_node(fleet):
    """A claim that sets no LNC leaves it to the user."""
    assert fleet.codes(with_env("{name: NEURON_LOGICAL_NC_CONFIG, value: '1'}")) == []


def test_place(fleet):
    """A wrong LNC is told at its value."""
    fleet.lnc = 2
    diagnostic = fleet.only(with_env("{name: NEURON_LOGICAL_NC_CONFIG, value: '1'}"))

    assert fleet.marked(diagnostic) == "'1'"
    assert "of 1, the claim of partition `row` sets 2" in diagnostic.message


def test_visible_cores(fleet):
    """Choosing cores by number is a warning."""
    diagnostic = fleet.only(with_env("{name: NEURON_RT_VISIBLE_CORES, value: 0-7}"))

    assert diagnostic.code.slug == "visible-cores-set"
    assert diagnostic.severity.word == "warning"


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        (["{name: NEURON_RT_ROOT_COMM_ID, value: 'a:44444'}"], "an ephemeral port"),
        (["{name: NEURON_RT_ROOT_COMM_ID, value: 'a:29500'}"], "also `MASTER_PORT`"),
        (
            [
                "{name: NEURON_RT_ROOT_COMM_ID, value: 'a:63182'}",
                "{name: MASTER_PORT, value: '63182'}",
            ],
            "also `MASTER_PORT`",
        ),
        (["{name: NEURON_RT_ROOT_COMM_ID, value: 'a:63182'}"], ""),
        (["{name: NEURON_RT_ROOT_COMM_ID, value: $(ROOT)}"], ""),
    ],
)
def test_root_port(fleet, variables, reason):
    """An own port of rank 0 must be free when the runtime listens on it."""
    _, diagnostics = fleet.render(with_env(*variables))

    assert [each.code.slug for each in diagnostics] == (["root-port-unsafe"] if reason else [])
    assert all(reason in each.message for each in diagnostics)
