"""How `capacity` reads: a table and a picture for each pool, for people who never saw a torus.

In: the capacity of equal clusters. Out: text without colour. Decides nothing about hardware.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase

from neuron_dra.api.capacity import ClassCapacity
from neuron_dra.commands.capacity_words import INDENT, count_words, join, wrap
from neuron_dra.commands.capacity_worst import draw_worst
from neuron_dra.picture.torus import draw_row, draw_torus, place_beside
from neuron_dra.plan.capacity.report import Asked, PoolCapacity
from neuron_dra.plan.capacity.rooms import PoolGrant, PoolRoom

MOST_NAMES = 3  # of clusters
MOST_MIXES = 8


def draw_class(capacity: ClassCapacity) -> str:
    """Return what is told of equal clusters."""
    lines = [_name_clusters(capacity.clusters)]
    for pool in capacity.pools:
        lines += ["", *(f"{INDENT}{line}".rstrip() for line in _draw_pool(pool))]
    if not capacity.pools:
        lines.append(f"{INDENT}No partition is granted here.")
    return "\n".join(lines) + "\n"


def _name_clusters(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMES])
    more = len(names) - MOST_NAMES
    word = "Cluster" if len(names) == 1 else "Equal clusters"
    return f"{word} {shown}{f' and {more} more' if more > 0 else ''}"


def _draw_pool(capacity: PoolCapacity) -> Iterator[str]:
    at = capacity.at
    driver = f" with the Neuron driver {at.driver}" if at.driver else ""
    yield f"Pool {at.pool.name}: {_count_nodes(at)} of {at.pool.type.name}{driver}"
    yield from wrap(_describe_node(at))
    yield from _draw_table(capacity)
    if at.unknown:
        names = join(at.unknown)
        yield from wrap(
            f"Of {names} nothing is said: a selector reads what only a live node knows."
        )
    if not all(grant.is_node for grant in at.grants):
        yield from _draw_mixes(capacity)
        yield from draw_worst(capacity)
    elif at.grants:
        yield ""
        yield from wrap("A claim takes a whole node, so claims never leave a node half used.")
        for grant in capacity.grants:
            yield from wrap(_set_words(grant, at))
    if capacity.asked:
        yield from _draw_asked(at, capacity.asked)


def _count_nodes(at: PoolRoom) -> str:
    least, most = at.pool.least, at.pool.most
    if most is None:
        return "an unknown number of nodes" if not least else f"{least} nodes or more"
    number = count_words(most, "node") if least == most else f"{least} to {most} nodes"
    members = at.pool.type.facts.ultra_server.nodes if at.pool.type.facts.ultra_server else None
    if at.pool.spec.ultra_servers is None or not members:
        return number
    return f"{number}, {count_words(most // members, 'UltraServer')} of {members},"


def _describe_node(at: PoolRoom) -> str:
    kind = at.pool.type
    chips = count_words(kind.device_count, "chip")
    basis = "" if kind.is_observed else " What its drivers publish is predicted, not observed."
    if kind.device_count == 1:
        return f"A node has {chips}.{basis}"
    if kind.torus is None:
        return f"A node has {chips}; how they are linked is not known.{basis}"
    rows, columns = kind.torus
    return (
        f"A node has {chips} in {rows} rows of {columns}. Each is linked to its neighbours, and "
        f"the ends of every row and column are linked too.{basis}"
    )


def _draw_table(capacity: PoolCapacity) -> Iterator[str]:
    headings = ("PARTITION", "CHIPS", "EFA", "ON A NODE", "IN THE POOL")
    rows = [headings, *_list_rows(capacity)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    yield ""
    for name, *numbers in rows:
        cells = (cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True))
        yield INDENT + "  ".join([name.ljust(widths[0]), *cells])


def _list_rows(capacity: PoolCapacity) -> Iterator[tuple[str, ...]]:
    at = capacity.at
    for grant, count in zip(capacity.grants, capacity.counts, strict=True):
        chips = at.pool.type.device_count if grant.is_node else grant.chips
        numbers = (str(chips), str(grant.shape.efa), "?" if count is None else str(count))
        yield (grant.name, *numbers, _multiply(count, at))


def _set_words(grant: PoolGrant, at: PoolRoom) -> str:
    """Return in words how many sets of nodes that are used together a pool has, if it has sets."""
    together, server = grant.shape.ultra_server_nodes or 1, at.pool.type.facts.ultra_server
    if together == 1:
        return ""
    members = server.nodes if server else None
    if not members or at.pool.most is None:
        return f"{grant.name} uses {together} nodes together; how many sets there are is not known."
    sets = at.pool.most // members * (members // together)
    return (
        f"{grant.name} uses {together} nodes together, of one UltraServer: the pool has "
        f"{count_words(sets, 'such set')}."
    )


def _multiply(count: int | None, at: PoolRoom) -> str:
    if count is None or at.pool.most is None:
        return "?"
    if at.pool.least == at.pool.most:
        return str(count * at.pool.most)
    return f"{count * at.pool.least} to {count * at.pool.most}"


def _draw_mixes(capacity: PoolCapacity) -> Iterator[str]:
    if len(capacity.grants) < 2:
        return
    yield ""
    if capacity.mixes is None:
        yield from wrap("There are too many mixes to list; ask for one with --mix.")
        return
    yield "What fits together on a node, so that nothing more does:"
    names = [grant.name for grant in capacity.grants]
    for counts in capacity.mixes[:MOST_MIXES]:
        yield INDENT + _mix_words(names, counts)
    more = len(capacity.mixes) - MOST_MIXES
    if more > 0:
        yield f"{INDENT}and {count_words(more, 'mix', 'mixes')} more"


def _mix_words(names: Sequence[str], counts: Sequence[int]) -> str:
    parts = [f"{count} {name}" for name, count in zip(names, counts, strict=True) if count]
    return " + ".join(parts)


def _draw_asked(at: PoolRoom, asked: Asked) -> Iterator[str]:
    names = [each.name for each in asked.grants]
    mix = _mix_words(names, asked.counts)
    yield ""
    yield from wrap(f"The mix {mix}: {_verdict(asked, names)} {_in_pool(at, asked)}")
    if asked.placements is None:
        return
    letters = dict(zip(names, ascii_uppercase, strict=False))
    labels = {
        chip: letters[names[index]]
        for index, placement in asked.placements
        for chip in at.chips_of(placement)
    }
    torus = at.pool.type.torus
    picture = draw_torus(*torus, labels) if torus else draw_row(labels, len(at.chips))
    legend = [f"{letter}  {name}" for name, letter in letters.items()]
    yield ""
    yield from (f"{INDENT}{line}" for line in place_beside(picture, legend))
    yield ""
    left = join([f"{count} {name}" for name, count in asked.left.items() if count])
    yield from wrap(
        f"Then there is still room for {left.replace(' and ', ' or ')}."
        if left
        else "Then there is room for nothing more."
    )


def _verdict(asked: Asked, names: Sequence[str]) -> str:
    if not asked.is_known:
        return "whether it fits on one node is not known, the search is too long."
    if asked.placements is None:
        return "it does not fit on one node, in no order."
    if asked.order is None:
        return "it fits on one node, but in no order of arrival does the scheduler get there."
    order = ", then ".join(names[index] for index in asked.order)
    if asked.order == tuple(range(len(names))):
        return (
            f"it fits on one node when {order} arrive, as named."
            if len(names) > 1
            else ("it fits on one node.")
        )
    return f"it fits on one node when {order} arrive; in the order as named it does not."


def _in_pool(at: PoolRoom, asked: Asked) -> str:
    if asked.nodes is None:
        return f"Spread out, it does not fit in the pool of {_count_nodes(at).rstrip(',')}."
    return f"Spread out, it takes {count_words(asked.nodes, 'node')} of the pool."
