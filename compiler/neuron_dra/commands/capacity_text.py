"""How `capacity` reads: a table and a picture for each pool, for people who never saw a torus.

In: the capacity of equal clusters. Out: text without colour. Decides nothing about hardware.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from textwrap import fill

from neuron_dra.api.capacity import ClassCapacity
from neuron_dra.picture.torus import UNLABELLED, draw_row, draw_torus, place_beside
from neuron_dra.plan.capacity.report import Asked, Pair, PoolCapacity
from neuron_dra.plan.capacity.rooms import PoolGrant, PoolRoom

WIDTH = 100
MOST_NAMES = 3  # of clusters
MOST_MIXES = 8
INDENT = "  "


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
    yield from _wrap(_describe_node(at))
    yield from _draw_table(capacity)
    if at.unknown:
        names = _join(at.unknown)
        yield from _wrap(
            f"Of {names} nothing is said: a selector reads what only a live node knows."
        )
    if not all(grant.is_node for grant in at.grants):
        yield from _draw_mixes(capacity)
        yield from _draw_worst(capacity)
    elif at.grants:
        yield ""
        yield from _wrap("A claim takes a whole node, so claims never leave a node half used.")
        for grant in capacity.grants:
            yield from _wrap(_set_words(grant, at))
    if capacity.asked:
        yield from _draw_asked(at, capacity.asked)


def _count_nodes(at: PoolRoom) -> str:
    least, most = at.pool.least, at.pool.most
    if most is None:
        return "an unknown number of nodes" if not least else f"{least} nodes or more"
    number = _count(most, "node") if least == most else f"{least} to {most} nodes"
    members = at.pool.type.facts.ultra_server.nodes if at.pool.type.facts.ultra_server else None
    if at.pool.spec.ultra_servers is None or not members:
        return number
    return f"{number}, {_count(most // members, 'UltraServer')} of {members},"


def _describe_node(at: PoolRoom) -> str:
    kind = at.pool.type
    chips = _count(kind.device_count, "chip")
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
        f"{_count(sets, 'such set')}."
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
        yield from _wrap("There are too many mixes to list; ask for one with --mix.")
        return
    yield "What fits together on a node, so that nothing more does:"
    names = [grant.name for grant in capacity.grants]
    for counts in capacity.mixes[:MOST_MIXES]:
        yield INDENT + _mix_words(names, counts)
    more = len(capacity.mixes) - MOST_MIXES
    if more > 0:
        yield f"{INDENT}and {_count(more, 'mix', 'mixes')} more"


def _mix_words(names: Sequence[str], counts: Sequence[int]) -> str:
    parts = [f"{count} {name}" for name, count in zip(names, counts, strict=True) if count]
    return " + ".join(parts)


def _draw_worst(capacity: PoolCapacity) -> Iterator[str]:
    """Draw for each partition the worst that a smaller one can do, and name the rest."""
    for big in dict.fromkeys(pair.big for pair in capacity.pairs):
        pairs = [pair for pair in capacity.pairs if pair.big is big]
        yield ""
        if pairs[0].blockade is not None:
            yield from _draw_pair(capacity.at, pairs[0])
        others = [pair for pair in pairs if pair is not pairs[0] or pair.blockade is None]
        if others and pairs[0].blockade is not None:
            yield ""
        for pair in others:
            yield from _wrap(_pair_words(pair))


def _draw_pair(at: PoolRoom, pair: Pair) -> Iterator[str]:
    found = pair.blockade
    if found is None:
        return
    number = len(found.placements)
    free = at.room.everything & ~sum(found.placements)
    chips = len(at.chips_of(free))
    left = f"{_count(chips, 'chip')} are" if chips != 1 else "1 chip is"
    verb = "leaves" if number == 1 else "leave"
    yield from _wrap(
        f"Worst case for {pair.big.name}: {_claims(number, pair.small)} {verb} no room for it, "
        f"though {left} free. {_history(at, pair)}"
    )
    letters = dict(zip(found.placements, ascii_uppercase, strict=False))
    yield ""
    yield from (f"{INDENT}{line}" for line in _draw_placements(at, letters, pair.small))


def _history(at: PoolRoom, pair: Pair) -> str:
    """Return in words how it comes to this, and that no fewer claims can do it."""
    found = pair.blockade
    if found is None:
        return ""
    number, name = len(found.placements), pair.small.name
    words = []
    if found.steered_by:
        words.append(
            f"Claims of {found.steered_by} came before and are gone: beside them the scheduler put "
            "these where it would not have put them alone."
        )
    elif found.in_order == number:
        words.append("They are the first that arrive, and none has to depart.")
    else:
        arrived = sum(event.arrives for event in found.events)
        words.append(f"These are left of {arrived} that arrived.")
        if found.helped_by:
            words.append(
                f"While claims of {found.helped_by} come and go, no more than {number} need arrive."
            )
        if found.in_order is not None:
            words.append(f"Without departures it takes {found.in_order}.")
    if at.pool.most is not None and at.pool.most > 1:
        words.append(f"On all {at.pool.most} nodes it takes {number * at.pool.most}.")
    if found.is_least:
        words.append(f"No order of any claims does it with fewer of {name}.")
    elif found.bound is not None:
        words.append(f"Whether {found.bound} of {name} can be led to such places is not known.")
    else:
        words.append(f"Whether other claims can help fewer of {name} to do it is not known.")
    return " ".join(words)


def _draw_placements(at: PoolRoom, letters: dict[int, str], small: PoolGrant) -> list[str]:
    labels = {
        chip: letter for placement, letter in letters.items() for chip in at.chips_of(placement)
    }
    torus = at.pool.type.torus
    picture = draw_torus(*torus, labels) if torus else draw_row(labels, len(at.chips))
    shown = list(letters.values())
    range_ = shown[0] if len(shown) == 1 else f"{shown[0]} to {shown[-1]}"
    each = "a claim" if len(shown) == 1 else "each letter is one claim"
    legend = [f"{range_}  {each} of {small.name}"]
    if len(labels) < len(at.chips):
        legend.append(f"{UNLABELLED.ljust(len(range_))}  a free chip")
    return place_beside(picture, legend)


def _pair_words(pair: Pair) -> str:
    if not pair.is_known:
        return (
            f"What claims of {pair.small.name} can do to {pair.big.name} is not known: "
            "the search is too long."
        )
    if pair.blockade is None:
        return f"Claims of {pair.small.name} always leave room for {pair.big.name}."
    number = len(pair.blockade.placements)
    return f"Of {pair.small.name} it takes {_count(number, 'claim')} to leave no room for it."


def _draw_asked(at: PoolRoom, asked: Asked) -> Iterator[str]:
    names = [each.name for each in asked.grants]
    mix = _mix_words(names, asked.counts)
    yield ""
    yield from _wrap(f"The mix {mix}: {_verdict(asked, names)} {_in_pool(at, asked)}")
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
    left = _join([f"{count} {name}" for name, count in asked.left.items() if count])
    yield from _wrap(
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
    return f"Spread out, it takes {_count(asked.nodes, 'node')} of the pool."


def _claims(number: int, grant: PoolGrant) -> str:
    return f"{_count(number, 'claim')} of {grant.name}"


def _count(number: int, word: str, plural: str = "") -> str:
    return f"{number} {word}" if number == 1 else f"{number} {plural or f'{word}s'}"


def _join(words: Sequence[str]) -> str:
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def _wrap(text: str) -> list[str]:
    return fill(text, WIDTH - len(INDENT), break_on_hyphens=False).splitlines()
