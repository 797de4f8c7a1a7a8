"""How `plan` reads: for people who have never seen a torus.

In: views. Out: text. Colours only stress what words say already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase
from textwrap import wrap

from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.commands.plan_data import ClusterView, PartitionView, PoolView
from neuron_dra.picture.torus import draw_row, draw_torus
from neuron_dra.plan.offer import Offer
from neuron_dra.plan.profile import Pool

WIDTH = 100
LETTERS = ascii_uppercase + ascii_lowercase
LISTED = 3  # clusters and tenants that are named; the rest is counted
_BOLD = "\x1b[1m{}\x1b[0m"


def draw_views(views: Sequence[ClusterView], *, color: bool) -> str:
    """Return the text of all views."""
    sections = [section for view in views for section in _sections(view, color)]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n" if sections else ""


def _sections(view: ClusterView, color: bool) -> Iterator[list[str]]:
    yield [bold(f"cluster {cluster_names(view.names)}, Kubernetes {view.minor}", color)]
    for partition in view.partitions:
        yield [bold(f"{partition.planned.partition.metadata.name}", color), *_partition(partition)]
    if not view.partitions:
        yield ["  no partition is granted here"]


def bold(text: str, color: bool) -> str:
    """Return a heading, stressed where there are colours."""
    return _BOLD.format(text) if color else text


def cluster_names(names: tuple[str, ...]) -> str:
    """Return the first names of clusters, and how many more there are."""
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more like them" if more > 0 else "")


def _partition(view: PartitionView) -> Iterator[str]:
    description = view.planned.partition.spec.description
    if description:
        yield from wrapped("  ", description)
    for grant in view.grants[:LISTED]:
        yield from wrapped("  granted to ", grant)
    if len(view.grants) > LISTED:
        yield f"  and to {_count(len(view.grants) - LISTED, 'more tenant')}"
    for pool in view.pools:
        yield from _obstacle(pool) if pool.obstacle else _pool(pool)


def _obstacle(view: PoolView) -> Iterator[str]:
    yield from wrapped(f"  pool {view.pool.name}  does not serve it: ", view.obstacle)


def _pool(view: PoolView) -> Iterator[str]:
    yield from wrapped(f"  pool {view.pool.name}  ", _pool_words(view.pool))
    yield from wrapped("    fits     ", _room_words(view))
    several = len(view.entries) > 1
    for number, entry in enumerate(view.entries, 1):
        yield from wrapped(
            f"    {f'choice {number}' if several else 'a claim':9}", _offer_words(entry.offer)
        )
    yield from _devices(view)


def _pool_words(pool: Pool) -> str:
    if pool.most is None:
        number = "nodes"
    elif pool.least == pool.most:
        number = _count(pool.most, "node")
    else:
        number = f"{pool.least} to {_count(pool.most, 'node')}"
    return f"{number} of {pool.type.name}, {_count(pool.type.device_count, 'chip')} each"


def _room_words(view: PoolView) -> str:
    pool, per_node = view.pool, view.per_node
    if any(entry.live for entry in view.entries):
        names = ", ".join(f"`{name}`" for entry in view.entries for name in entry.live)
        return f"depends on {names}, which only a live node knows"
    node = f"{_count(per_node, 'claim')} on a free node"
    if pool.most is None:
        return f"{node}; the pool does not say how many nodes it has"
    least, most = pool.least * per_node, pool.most * per_node
    return f"{node}, {most if least == most else f'{least} to {most}'} in the pool"


def _offer_words(offer: Offer) -> str:
    chips = _count(offer.devices, "chip")
    linked = " that are linked" if offer.connected and offer.devices > 1 else ""
    cores = f"{_count(offer.neuron_cores, 'NeuronCore')}"
    if offer.logical_neuron_core > 1:
        cores += f" as {offer.logical_neuron_cores} logical ones"
    efa = "no EFA"
    if offer.efa_interfaces:
        speed = f" with {offer.efa_gbps} Gbps together" if offer.efa_gbps else ""
        efa = f"{_count(offer.efa_interfaces, 'EFA interface')}{speed}"
    lnc = f"LNC {offer.logical_neuron_core}"
    return f"{chips}{linked}, {cores} ({lnc}), {offer.hbm_gib} GiB of HBM, {efa}"


def _devices(view: PoolView) -> Iterator[str]:
    if not view.places:
        return
    kind = view.pool.type
    yield from wrapped("    devices  ", _devices_words(view))
    indent = " " * 13
    yield from (f"{indent}{line}" for line in draw_places(kind, view.places))
    basis = {entry.witness.basis for entry in view.entries if entry.witness}
    if basis != {"observed"}:
        yield f"    basis    {', '.join(sorted(basis))}"


def _devices_words(view: PoolView) -> str:
    if all(entry.shape.ultra_server_nodes is not None for entry in view.entries):
        return "the whole node; chips are not claimed apart"
    order = "A is the first claim, B the next" if len(view.places) > 1 else "A is a claim"
    if view.pool.type.torus is None:
        return f"{order}; chip 0 is on the left"
    return f"{order}; chip 0 is at the top left, every row and column is a ring"


def draw_places(kind: InstanceType, places: Iterable[Iterable[int]]) -> list[str]:
    """Return the picture of a node on which claim after claim has its letter."""
    labels = {
        device: LETTERS[index % len(LETTERS)]
        for index, devices in enumerate(places)
        for device in devices
    }
    if kind.torus is None:
        return draw_row(labels, kind.device_count)
    return draw_torus(*kind.torus, labels)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def wrapped(head: str, text: str) -> list[str]:
    """Return a text behind a heading, folded to the width, with later lines under the first."""
    return wrap(
        text, WIDTH, initial_indent=head, subsequent_indent=" " * len(head), break_long_words=False
    )
