"""What is wrong with an expression, in our words and with a place.

In: the runtime's report, a text of several lines. Out: one `CompileError`, the leftmost.
Knows the expression's text but not its tree.
"""

from __future__ import annotations

import re

from neuron_dra.cel.declarations import LISTS_MINOR
from neuron_dra.cel.problem import CompileError

_ENTRY = re.compile(r"ERROR: <input>:(-?\d+):(-?\d+): (.*)")
_STATUS = re.compile(r" \[[A-Z_]+\]$", re.MULTILINE)
_TOKEN = re.compile(r"""\w+|"[^"\n]*"|'[^'\n]*'|[=!<>]=|&&|\|\||.""")
_CALLED = re.compile(r"[A-Za-z_]\w*$")
_FIELD = re.compile(r"\.\??\s*(\w+)")
_TESTED = re.compile(r"\([^()]*?(\w+)\s*\)")

_WORDING = (
    (r"[, ]*expecting (\{.*\}|<EOF>)$", ""),
    (r"^Syntax error: missing ", "syntax error: missing "),
    (r"^Syntax error: [a-z ]+(?: at)?:? (?=')", "syntax error: unexpected "),
    (r"unexpected '(.*)'$", r"unexpected `\1`"),
    (r"['`]<EOF>['`]", "end of the expression"),
    (r" \(in container ''\)", ""),
    (r"undeclared reference to 'device\.(\w+)'", r"undefined field '\1' of 'device'"),
    (r"'_\[_\]'", "'[]'"),
    (r"'_\?_:_'", "'?:'"),
    (r"'_([^\w\[]+)_' applied", r"'\1' applied"),
    (r"\bnet\.(IP|CIDR)\b|\bkubernetes\.(\w+)", r"\1\2"),
    (r"'([^']*)'", r"`\1`"),
    (r"`([^`]{60})[^`]+`", r"`\1...`"),
)
_UNKNOWN = re.compile(r"undeclared reference to '((?!device\.)[\w.]+)'")
_OPAQUE_SELECT = re.compile(r"expression of type '([\w.]+)' cannot be the operand of a select")

_LISTS = {"distinct", "flatten", "lists", "range", "slice", "sort", "sortBy"}
_ABSENT = {"math", "base64", "authorizer", "now", "regex", "request", "object"}
_COMPARED = r"overload for `(?:==|!=|<|>|<=|>=)` .*\b"
_HELP = (
    ("[\u201c\u201d\u2018\u2019]", "use straight quotes, `\"` or `'`"),
    (r"unexpected `[\"'][^\"']*`$", "the string is not closed, or it holds an unknown escape"),
    (r"unexpected `=[^`]", "equality is written `==`"),
    (r"unexpected `(and|AND)`", "write `&&`"),
    (r"unexpected `(or|OR)`", "write `||`"),
    (r"`includes`", "`includes` needs list attributes, which no minor has by default"),
    (_COMPARED + "Quantity", "use `isGreaterThan`, `isLessThan` or `compareTo` with `quantity()`"),
    (_COMPARED + "Semver", "use `isGreaterThan`, `isLessThan` or `compareTo` with `semver()`"),
    (
        r"undefined field `(?:name|node|nodeName|pool|taints)`",
        "a selector sees `device.driver`, `device.attributes` and `device.capacity` only",
    ),
    (
        r"undefined field `allowMultipleAllocations`",
        "needs the gate DRAConsumableCapacity, which is on from Kubernetes 1.36 on",
    ),
)


def read_report(expression: str, report: str) -> CompileError:
    """Return the leftmost error of the runtime's report."""
    report = _STATUS.sub("", report)
    if "ecursion" in report:
        return CompileError("the expression nests deeper than 32 levels", 0, len(expression))
    found = [
        (_offset(expression, int(line), int(column)), text)
        for line, column, text in _ENTRY.findall(report)
    ]
    if not found:
        return CompileError(report.partition(": ")[2] or report, 0, len(expression))
    column, text = min(found, key=lambda item: item[0])
    column, end = _widen(expression, *locate(expression, column), text)
    message = _reword(_name_field(expression[column:end], text))
    return CompileError(message, column, end, _suggest(expression, message, column, end))


def result_error(expression: str, kind: str) -> CompileError:
    """Return the error of an expression that is no condition."""
    message = f"the expression must evaluate to a bool, not `{kind}`"
    return CompileError(message, 0, len(expression))


def _offset(expression: str, line: int, column: int) -> int:
    """Return the offset of a line and column that count from one."""
    before = expression.split("\n")[: max(line, 1) - 1]
    return min(len(expression), sum(len(text) + 1 for text in before) + max(column, 1) - 1)


def locate(expression: str, column: int) -> tuple[int, int]:
    """Return the range of what stands at a column.

    The runtime points at the parenthesis of a call and at the dot of a selection.
    """
    opens = expression[column : column + 1] == "("
    name = _CALLED.search(expression, 0, column) if opens else None
    if name and name[0] == "has":
        tested = _TESTED.match(expression, column)
        return tested.span(1) if tested else name.span()
    if name:
        return name.span()
    field = _FIELD.match(expression, column)
    if field:
        return field.span(1)
    token = _TOKEN.match(expression, column)
    return column, token.end() if token else column


def _widen(expression: str, column: int, end: int, text: str) -> tuple[int, int]:
    """Take in the whole of an unknown name with dots; the runtime points at its last dot."""
    unknown = _UNKNOWN.search(text)
    if unknown and expression.endswith(unknown[1], 0, end):
        return end - len(unknown[1]), end
    return column, end


def _name_field(field: str, text: str) -> str:
    """Say of a selection what is missing; the runtime names only the operand's type."""
    select = _OPAQUE_SELECT.search(text)
    if not select:
        return text
    if select[1] == "kubernetes.DRADevice":
        return f"undefined field '{field}' of 'device'"
    return f"type '{select[1]}' has no field '{field}'"


def _reword(text: str) -> str:
    for pattern, replacement in _WORDING:
        text = re.sub(pattern, replacement, text)
    return text.strip()


def _suggest(expression: str, message: str, column: int, end: int) -> str:
    token = expression[column:end]
    if message.startswith("undeclared reference"):
        if token in _LISTS:
            return f"new selectors may use `{token}` from Kubernetes 1.{LISTS_MINOR} on"
        if token in _ABSENT:
            return f"device selectors have no `{token}`"
        if re.search(r"\w-$", expression[:column]):
            return "the name of an attribute has no hyphen"
    if re.search(r"\b(?:not|NOT)\s+$", expression[:column]):
        return "write `!`"
    for pattern, text in _HELP:
        if re.search(pattern, message):
            return text
    return ""
