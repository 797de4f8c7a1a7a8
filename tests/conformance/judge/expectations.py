"""What cases must come to, so that agreement means something.

In: a tally. Out: what is missing of a good spread. A generator that breaks would otherwise agree
with anything.
"""

from __future__ import annotations

# The least share of all cases, by the beginning of a kind.
_SHARES = {
    "cel": {"compile error": 0.1, "match": 0.1, "no match": 0.1, "run-time error": 0.1},
    "allocate": {"allocated": 0.15, "unsatisfiable": 0.15, "fatal": 0.05},
    "create": {"accepted": 0.1, "refused": 0.15, "unread": 0.1},
}
_CAUSES = ("class", "selector", "constraint", "pool", "limit", "node-selector")
# What only some minors lead to.
_MORE_CAUSES = {
    "1.34": ("feature", "crash"),
    "1.35": ("feature", "crash"),
    "1.36": ("feature",),
    "1.37": (),
}
_MOST_LEFT_OUT = 0.1
# Below this number even what has to be there may be missing by chance.
_ENOUGH = 2500


def find_missing(tally):
    """Return what the cases of a trial should have come to and did not."""
    missing = [
        f"{kind}: {tally.share(kind):.1%} of cases, at least {least:.0%} expected"
        for kind, least in _SHARES[tally.operation.partition(" ")[0]].items()
        if tally.share(kind) < least
    ]
    left_out = sum(tally.left_out.values()) / tally.cases
    if left_out > _MOST_LEFT_OUT:
        missing.append(f"{left_out:.1%} of cases left out, at most {_MOST_LEFT_OUT:.0%} expected")
    return missing + [f"no {kind}" for kind in _expected_kinds(tally) if not tally.kinds[kind]]


def _expected_kinds(tally):
    if tally.cases < _ENOUGH or tally.operation != "allocate":
        return []
    causes = _CAUSES + _MORE_CAUSES[tally.minor]
    kinds = [f"fatal: {cause}" for cause in causes]
    return [*kinds, "timeout"] if tally.minor in ("1.34", "1.35") else kinds
