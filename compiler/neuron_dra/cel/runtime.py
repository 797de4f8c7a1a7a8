"""The CEL runtime's environment for selectors, built from signatures.

In: the signatures of `declarations`. Out: the runtime's `Env` object, which parses and checks.
The runtime's types stop here: nothing below this module imports `cel_expr_python`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from neuron_dra.cel.declarations import TYPE_NAMES, extensions, signatures, variables

# The runtime takes one declaration of a function, so those that get more overloads than its
# standard library has are left out of that library and declared whole.
_REDECLARED = ("string", "_<_", "_<=_", "_>_", "_>=_")

_SIGNATURE = re.compile(
    r"(?:(?P<target>[A-Z]\w*|dyn|string(?=\.)|list<[\w<>]+>)\.)?(?P<function>[^()]+)"
    r"\((?P<args>.*)\) -> (?P<result>\S+(?: \S+>)*)(?: as (?P<identifier>\w+))?"
)
_TYPE = re.compile(r"(\w+)(?:<(.*)>)?")
_COMMA_OUTSIDE_BRACKETS = re.compile(r",(?![^<]*>)")


def new_env(minor: int, *, multiple_allocations: bool, list_attributes: bool) -> Any:
    """Build the environment that checks the selectors of a minor."""
    from cel_expr_python import cel

    types = _Types(cel.Type)
    functions: dict[str, list[re.Match[str]]] = {}
    for signature in signatures(list_attributes=list_attributes):
        match = _SIGNATURE.fullmatch(signature)
        assert match, signature
        functions.setdefault(match["function"], []).append(match)
    described = {name: group for name, group in functions.items() if _is_described(group)}
    declared = [
        cel.FunctionDecl(name, [_overload(cel, types, match) for match in group])
        for name, group in functions.items()
        if name not in described
    ]
    config = cel.NewEnvConfigFromYaml(_config(minor, described))
    device = variables(multiple_allocations=multiple_allocations, list_attributes=list_attributes)
    return cel.NewEnv(
        config=config,
        functions=declared,
        variables={name: types[kind] for name, kind in device.items()},
    )


def _is_described(group: Iterable[re.Match[str]]) -> bool:
    """Tell whether a function has to be declared in the configuration text.

    Type parameters and `optional` are wrong when built as objects (cel-expr-python 0.1.3); the text
    takes them, but costs five times as long, so everything else is an object.
    """
    return any("A>" in match[0] or "optional<" in match[0] for match in group)


class _Types(dict[str, Any]):
    """The runtime's type of each type text, built when first asked for."""

    def __init__(self, factory: Any) -> None:
        super().__init__()
        self._factory = factory

    def __missing__(self, text: str) -> Any:
        match = _TYPE.fullmatch(text)
        assert match, text
        name, inner = match.groups()
        if inner:
            build = self._factory.List if name == "list" else self._factory.Map
            found = build(*(self[part] for part in _split(inner)))
        elif name in TYPE_NAMES:
            found = self._factory.AbstractType(TYPE_NAMES[name])
        else:
            found = self._factory(name)
        self[text] = found
        return found


def _split(text: str) -> list[str]:
    return [part.strip() for part in _COMMA_OUTSIDE_BRACKETS.split(text) if part.strip()]


def _identifier(match: re.Match[str]) -> str:
    return match["identifier"] or match[0].partition(" -> ")[0]


def _overload(cel: Any, types: Mapping[str, Any], match: re.Match[str]) -> Any:
    target = [match["target"]] if match["target"] else []
    parameters = [types[text] for text in (*target, *_split(match["args"]))]
    return cel.Overload(_identifier(match), types[match["result"]], parameters, bool(target))


def _config(minor: int, functions: Mapping[str, Iterable[re.Match[str]]]) -> str:
    excluded = ", ".join(f"{{name: {name}}}" for name in _REDECLARED)
    lines = [f"stdlib: {{exclude_functions: [{excluded}]}}", "extensions:"]
    lines += [
        f"- {{name: {name}, version: {version}}}" if version else f"- {{name: {name}}}"
        for name, version in extensions(minor)
    ]
    lines.append("functions:")
    for name, group in functions.items():
        lines.append(f"- {{name: {name}, overloads: [{', '.join(map(_describe, group))}]}}")
    return "\n".join(lines)


def _describe(match: re.Match[str]) -> str:
    target = f", target: {_describe_type(match['target'])}" if match["target"] else ""
    args = ", ".join(map(_describe_type, _split(match["args"])))
    result = _describe_type(match["result"])
    return f'{{id: "{_identifier(match)}"{target}, args: [{args}], return: {result}}}'


def _describe_type(text: str) -> str:
    match = _TYPE.fullmatch(text)
    assert match, text
    name, inner = match.groups()
    if name == "A":
        return "{type_name: A, is_type_param: true}"
    if not inner:
        return f"{{type_name: {TYPE_NAMES.get(name, name)}}}"
    name = "optional_type" if name == "optional" else name
    params = ", ".join(map(_describe_type, _split(inner)))
    return f"{{type_name: {name}, params: [{params}]}}"
