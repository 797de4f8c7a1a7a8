"""What functions of texts cost, and how long their results can be.

In: a call and its overload. Out: its cost. After k8s.io/apiserver pkg/cel/library/cost.go and
cel-go checker/cost.go; results saturate or wrap at 64 bits where those do.
"""

from __future__ import annotations

import math

from neuron_dra.cel.costs.lists import element_size
from neuron_dra.cel.costs.shapes import TRAVERSAL, CallCost, CallShape, Estimate
from neuron_dra.cel.costs.sizes import UNBOUNDED, Size, plus, scale, times

# RegexStringLengthCostFactor in cel-go common/cost.go.
_PATTERN = 0.25
# MaxNameFormatRegexSize in k8s.io/apiserver pkg/cel/limits.go.
_FORMAT_PATTERN_SIZE = 128
_WRAP = UNBOUNDED + 1
_GLOBAL_MATCHES_MINOR = 37


def _parse(call: CallShape, overload: str) -> CallCost:
    return CallCost(1 if overload == "cidr_ip" else call.args[0].traversal)


def _parse_url(call: CallShape, _: str) -> CallCost:
    return CallCost(call.args[0].traversal, call.args[0].size)


def _parse_twice(call: CallShape, _: str) -> CallCost:
    return CallCost(scale(call.args[0].size.most, 2 * TRAVERSAL))


def _validate(call: CallShape, _: str) -> CallCost:
    return CallCost(scale(call.args[0].traversal, _FORMAT_PATTERN_SIZE * _PATTERN))


def _rewrite(call: CallShape, _: str) -> CallCost:
    return CallCost(call.receiver.traversal, call.receiver.size)


def _replace(call: CallShape, _: str) -> CallCost:
    size, old, new = call.receiver.size, call.args[0].size, call.args[1].size
    least = _replaced(size.least, old.most, changes=old.most > new.least)
    most = _replaced(size.most, old.least, changes=new.most > old.least)
    count, kept = Size(least[0], most[0]), Size(least[1], most[1])
    return CallCost(scale(size.most, 2 * TRAVERSAL), count.times(new).plus(kept))


def _replaced(length: int, old: int, *, changes: bool) -> tuple[int, int]:
    """Return how often a text of a length is replaced, and how much of it stays."""
    if old == 0:
        return plus(length, 1), length
    if not changes:
        return 0, length
    return math.ceil(float(length) / float(old)), 0


def _split(call: CallShape, _: str) -> CallCost:
    most = call.receiver.size.most
    limit = call.args[1].number if len(call.args) > 1 else None
    parts = most if limit is None else limit % _WRAP
    return CallCost(scale(most, 2 * TRAVERSAL), Size(0, parts))


def _join(call: CallShape, _: str) -> CallCost:
    count, element = call.receiver.size, element_size(call.receiver)
    size = count.times(element) if element else Size(0, 0)
    if call.args:
        separators = Size(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(call.args[0].size.times(separators))
    return CallCost(scale(size.most, TRAVERSAL), size)


def _match(text: Size, pattern: Size) -> int:
    return times(scale(plus(text.most, 1), TRAVERSAL), scale(pattern.most, _PATTERN))


def _find(call: CallShape, _: str) -> CallCost:
    size = call.receiver.size
    return CallCost(_match(size, call.args[0].size), Size(0, size.most))


def _matches(call: CallShape, overload: str) -> CallCost | None:
    if overload == "matches_string":
        return CallCost(_match(call.receiver.size, call.args[0].size))
    if call.minor >= _GLOBAL_MATCHES_MINOR:
        return CallCost(_match(call.args[0].size, call.args[1].size))
    return None


def _contains(call: CallShape, _: str) -> CallCost:
    return CallCost(times(call.receiver.traversal, call.args[0].traversal))


def _read_argument(call: CallShape, _: str) -> CallCost:
    return CallCost(call.args[0].traversal)


def _format(call: CallShape, _: str) -> CallCost:
    return CallCost(call.receiver.traversal)


def _to_bytes(call: CallShape, _: str) -> CallCost:
    size = call.args[0].size
    return CallCost(call.args[0].traversal, Size(size.least, size.most * 4 % _WRAP))


def _to_text(call: CallShape, _: str) -> CallCost:
    size = call.args[0].size
    return CallCost(call.args[0].traversal, Size(size.least // 4, size.most))


def _quote(call: CallShape, _: str) -> CallCost:
    size = call.args[0].size
    return CallCost(call.args[0].traversal, Size(size.least + 2, (size.most * 2 + 2) % _WRAP))


NAMED: dict[str, Estimate] = {
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _rewrite),
    **dict.fromkeys(("cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity"), _parse),
    **dict.fromkeys(("semver", "isSemver"), _parse),
    **dict.fromkeys(("find", "findAll"), _find),
    "url": _parse_url,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "ip.isCanonical": _parse_twice,
    "validate": _validate,
}
OVERLOADED: dict[str, Estimate] = {
    "string_format": _format,
    "string_to_bytes": _to_bytes,
    "bytes_to_string": _to_text,
    "strings_quote": _quote,
    "starts_with_string": _read_argument,
    "ends_with_string": _read_argument,
    "matches": _matches,
    "matches_string": _matches,
    "contains_string": _contains,
}
