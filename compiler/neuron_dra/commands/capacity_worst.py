"""How `capacity` tells of the worst case: a sentence, its history, and the places as a picture.

In: what small claims can do to bigger ones on a pool. Out: lines without colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from string import ascii_uppercase

from neuron_dra.commands.capacity_words import INDENT, count_claims, count_words, wrap
from neuron_dra.picture.torus import UNLABELLED, draw_row, draw_torus, place_beside
from neuron_dra.plan.capacity.report import Pair, PoolCapacity
from neuron_dra.plan.capacity.rooms import PoolGrant, PoolRoom


def draw_worst(capacity: PoolCapacity) -> Iterator[str]:
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
            yield from wrap(_pair_words(pair))


def _draw_pair(at: PoolRoom, pair: Pair) -> Iterator[str]:
    found = pair.blockade
    if found is None:
        return
    number = len(found.placements)
    free = at.room.everything & ~sum(found.placements)
    chips = len(at.chips_of(free))
    left = f"{count_words(chips, 'chip')} are" if chips != 1 else "1 chip is"
    verb = "leaves" if number == 1 else "leave"
    yield from wrap(
        f"Worst case for {pair.big.name}: {count_claims(number, pair.small)} {verb} no room "
        f"for it, though {left} free. {_history(at, pair)}"
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
    return f"Of {pair.small.name} it takes {count_words(number, 'claim')} to leave no room for it."
