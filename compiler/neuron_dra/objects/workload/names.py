"""Names that controllers derive from a workload's name, and the address of rank 0.

In: a derived name as the controller builds it. Out: a diagnostic when Kubernetes would refuse it,
or the Neuron runtime could not read it. Most controllers say so in an event only, when nobody
looks.
"""

from __future__ import annotations

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.syntax import formats

# "Invalid NCCL_COMM_ID": longer host names failed in the Neuron runtime (SDK documentation, 2026).
ROOT_HOST_MAX = 63


def check_name(wiring: Wiring, what: str, name: str) -> bool:
    """Tell whether a derived name is a DNS label of RFC 1035, and refuse one that is not."""
    problem = formats.dns_label_1035(name)
    if problem:
        wiring.report(
            codes.DERIVED_NAME.at(
                wiring.name_span,
                f"the name of the {what} would be `{name}`, which {problem}",
                help=_shorten(len(name) - formats.DNS_LABEL_MAX),
            )
        )
    return not problem


def check_root(wiring: Wiring, host: str, repeated: int = 2) -> None:
    """Refuse an address of rank 0 that is too long.

    Args:
        repeated: how often the workload's name stands in it.
    """
    surplus = len(host) - ROOT_HOST_MAX
    if surplus > 0:
        wiring.report(
            codes.ROOT_ADDRESS.at(
                wiring.name_span,
                f"the address of rank 0 would be `{host}` with {len(host)} characters, the "
                f"Neuron runtime accepts at most {ROOT_HOST_MAX}",
                help=_shorten(-(-surplus // repeated)),
            )
        )


def _shorten(surplus: int) -> str:
    if surplus <= 0:
        return "begin the workload's name with a letter"
    unit = "character" if surplus == 1 else "characters"
    return f"shorten the workload's name by {surplus} {unit}"
