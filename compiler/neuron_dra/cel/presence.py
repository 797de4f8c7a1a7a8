"""`has()` of a field of the device itself, such as `has(device.driver)`, which is always true.

In: the text of a selector. Out: a text of the same length that the runtime's checker understands.
To it a field of the device is a variable with a dot in its name, so that `has()` would test
nothing; inside `has()` the device is a variable with fields instead. Strings are left alone.
"""

from __future__ import annotations

import re

WHOLE = "_dra__"  # as long as `device`
FIELDS = ("driver", "attributes", "capacity", "allowMultipleAllocations")

_STRING = (
    r"[rR][bB]?\"[^\"]*\"|[rR][bB]?'[^']*'"
    r'|"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\''
    r'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*'
)
_TESTED = re.compile(
    rf"(?P<kept>{_STRING})"
    r"|(?<![\w.])(?P<head>has\s*\(\s*)device(?P<field>\s*\.\s*(?P<name>\w+)\s*\))",
    re.DOTALL,
)
_SHADOWED = re.compile(r"[(,]\s*device\s*,")  # `device` as the variable of a macro


def separate_tests(expression: str, *, multiple_allocations: bool) -> str:
    """Return a selector in which tests of the device's own fields name another variable."""
    fields = FIELDS if multiple_allocations else FIELDS[:-1]

    def replace(match: re.Match[str]) -> str:
        if match["kept"] is not None or match["name"] not in fields:
            return match[0]
        return f"{match['head']}{WHOLE}{match['field']}"

    if "has" not in expression or _SHADOWED.search(expression):
        return expression
    return _TESTED.sub(replace, expression)
