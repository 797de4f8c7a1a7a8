"""Reduction of a case that shows a disagreement to a smaller one that still does.

In: a case that yields simpler ones, and what tells whether a case disagrees. Out: a case of which
no simpler one disagrees. Tries many at once, since the oracle answers many questions faster than
one after the other.
"""

from __future__ import annotations

from itertools import islice

_AT_ONCE = 32
_MOST = 3000  # cases tried


def reduce(case, find_disagreeing):
    """Return the simplest case found; `find_disagreeing` returns the first of several, or None."""
    candidates = iter(case.simpler())
    for _ in range(_MOST // _AT_ONCE):
        some = list(islice(candidates, _AT_ONCE))
        if not some:
            break
        found = find_disagreeing(some)
        if found is not None:
            case, candidates = found, iter(found.simpler())
    return case


def simplify(data, kept=frozenset()):
    """Yield plain data with one thing less: an entry of a map, but for the kept, or of a list."""
    if isinstance(data, dict):
        for key in [name for name in data if name not in kept]:
            yield {name: each for name, each in data.items() if name != key}
        for key, value in data.items():
            for smaller in simplify(value, kept):
                yield data | {key: smaller}
    elif isinstance(data, list):
        for number in range(len(data)):
            yield data[:number] + data[number + 1 :]
        for number, value in enumerate(data):
            for smaller in simplify(value, kept):
                yield [*data[:number], smaller, *data[number + 1 :]]
