"""The pairs of a mapping node: merge keys resolved, duplicates and odd keys diagnosed.

In: a mapping node. Out: name, key node and value node of each pair, nearest definition first.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.diagnostics import Related
from neuron_dra.diagnostics.codes import syntax as codes
from neuron_dra.syntax.parse import MappingNode, Node, ScalarNode, SequenceNode
from neuron_dra.syntax.places import Context

NULLS = frozenset({"", "~", "null"})


def is_null(node: Node) -> bool:
    """Tell whether a node is a plain `null`, `~` or nothing at all."""
    return isinstance(node, ScalarNode) and not node.style and node.value in NULLS


def describe(node: Node) -> str:
    """Name a node as users see it."""
    if isinstance(node, MappingNode):
        return "a map"
    if isinstance(node, SequenceNode):
        return "a list"
    if is_null(node):
        return "nothing"
    text = node.value if len(node.value) <= 40 else node.value[:37] + "..."
    return f"`{text}`"


def pairs(node: MappingNode, context: Context) -> Iterator[tuple[str, Node, Node]]:
    """Yield name, key and value of a mapping; merge keys are resolved, duplicates diagnosed."""
    seen: dict[str, Node] = {}
    merged: list[Node] = []
    for key_node, value_node in node.value:
        if type(key_node) is not ScalarNode:
            context.add(
                codes.KEY_NOT_TEXT.at(
                    context.span(key_node), f"a key must be a text, found {describe(key_node)}"
                )
            )
            continue
        if key_node.tag is not None or value_node.tag is not None:
            _refuse_tag(key_node if key_node.tag is not None else value_node, context)
            continue
        name = key_node.value
        if name == "<<" and not key_node.style:
            merged.append(value_node)
        elif name in seen:
            _duplicate_key(name, key_node, seen[name], context)
        else:
            seen[name] = key_node
            yield name, key_node, value_node
    for value_node in merged:
        yield from _merged_pairs(value_node, seen, context)


def _merged_pairs(
    node: Node, seen: dict[str, Node], context: Context
) -> Iterator[tuple[str, Node, Node]]:
    """Yield the pairs that `<<` brings in and that no nearer key has set."""
    mappings = node.value if isinstance(node, SequenceNode) else [node]
    for mapping in mappings:
        if not isinstance(mapping, MappingNode):
            context.add(
                codes.INVALID_MERGE.at(
                    context.span(mapping), f"`<<` needs a map or maps, found {describe(mapping)}"
                )
            )
            continue
        for name, key_node, value_node in pairs(mapping, context):
            if name not in seen:
                seen[name] = key_node
                yield name, key_node, value_node


def _refuse_tag(node: Node, context: Context) -> None:
    tag = node.tag.replace("tag:yaml.org,2002:", "!!")
    context.add(
        codes.EXPLICIT_TAG.at(
            context.span(node), f"the tag `{tag}` is not allowed", help="remove the tag"
        )
    )


def _duplicate_key(name: str, node: Node, first: Node, context: Context) -> None:
    context.add(
        codes.DUPLICATE_KEY.at(
            context.span(node),
            f"the key `{name}` stands twice in this map",
            related=[Related(context.span(first), "first here")],
        )
    )
