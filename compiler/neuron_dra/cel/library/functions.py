"""What the functions of the environment compute, by name.

In: the name in a call. Out: a function of Python values. Methods of opaque values are found on
the value, functions of plain values go to the CEL runtime, and the rest is looked up here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from neuron_dra.cel.library import lists
from neuron_dra.cel.library.delegate import call_runtime, find_all
from neuron_dra.cel.library.typed import parser, tester, typed
from neuron_dra.cel.quantity import Quantity, sign_of
from neuron_dra.cel.value import (
    EvaluationError,
    Opaque,
    Optional,
    TypeValue,
    index,
    is_less,
    no_overload,
    optional_index,
    type_name,
)
from neuron_dra.cel.version import Semver

Function = Callable[..., Any]


def find_function(name: str, member: bool) -> Function:
    """Return what a call computes from its operands, the target first."""
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    if member:
        return partial(_call_method, name)
    return _rare_functions(name).get(name) or partial(_call_plain, name)


def _rare_functions(name: str) -> dict[str, Function]:
    """Return the functions of addresses, URLs or formats, whose libraries load slowly."""
    if name.startswith("format."):
        from neuron_dra.cel.library.formats import FUNCTIONS
    elif name in ("url", "isURL"):
        from neuron_dra.cel.library.url import FUNCTIONS
    elif name in ("ip", "isIP", "ip.isCanonical", "cidr", "isCIDR"):
        from neuron_dra.cel.library.network import FUNCTIONS
    else:
        return {}
    return FUNCTIONS


def _call_method(name: str, target: Any, *args: Any) -> Any:
    """Call a method of an opaque value, or of a plain one in the runtime."""
    if not isinstance(target, Opaque):
        return call_runtime(name, True, (target, *args))
    if name not in target.METHODS:
        raise no_overload()
    return target.METHODS[name](target, *args)


def _call_plain(name: str, *args: Any) -> Any:
    return call_runtime(name, False, args)


def _size(value: Any) -> int:
    if isinstance(value, str | bytes | list | dict):
        return len(value)
    raise no_overload()


def _string(value: Any) -> Any:
    if isinstance(value, Opaque):
        return _call_method("string", value)
    return value if isinstance(value, str) else call_runtime("string", False, [value])


def _parse_semver(text: str, normalize: bool = False) -> Semver:
    return Semver.normalized(text) if normalize else Semver(text)


def _find_all(text: str, pattern: str, limit: int = -1) -> list[str]:
    found = find_all(text, pattern)
    return found[:limit] if limit >= 0 else found


def _substring(text: str, start: int, end: int | None = None) -> str:
    """Cut a text; the runtime's own refuses an end that is the end of the text."""
    last = len(text) if end is None else end
    if not 0 <= start <= last <= len(text):
        raise EvaluationError(f"index out of range: {start} to {last} of {len(text)}")
    return text[start:last]


def _split(text: str, separator: str, *limit: int) -> Any:
    """Cut a text into parts; the empty text has no characters, where the runtime finds one."""
    if not text and not separator:
        return []
    return call_runtime("split", True, (text, separator, *limit))


def _of_non_zero(value: Any) -> Optional:
    return Optional(value) if value or isinstance(value, Opaque) else Optional.NONE


_FUNCTIONS: dict[str, Function] = {
    **lists.FUNCTIONS,
    "_<_": is_less,
    "_>_": lambda left, right: is_less(right, left),
    "_<=_": lambda left, right: not is_less(right, left),
    "_>=_": lambda left, right: not is_less(left, right),
    "_[_]": index,
    "_[?_]": optional_index,
    "_?._": optional_index,
    "dyn": lambda value: value,
    "size": _size,
    "string": _string,
    "type": lambda value: TypeValue(type_name(value)),
    "quantity": parser(Quantity.parse),
    "isQuantity": tester(Quantity.parse),
    "sign": typed(sign_of, Quantity),
    "semver": parser(_parse_semver),
    "isSemver": tester(_parse_semver),
    "find": typed(lambda text, pattern: next(iter(find_all(text, pattern)), ""), str, str),
    "findAll": typed(_find_all, str, str, int),
    "split": typed(_split, str, str, int),
    "substring": typed(_substring, str, int, int),
    "optional.of": Optional,
    "optional.none": lambda: Optional.NONE,
    "optional.ofNonZeroValue": _of_non_zero,
}
