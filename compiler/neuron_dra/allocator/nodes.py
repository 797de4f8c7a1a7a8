"""Cluster nodes, and whether a slice or a device is for one.

In: a node with its labels, and what a slice says of nodes. Out: a verdict, or a `AbortError` for a
selector that the scheduler cannot parse. Label keys and values are not checked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from neuron_dra.allocator.outcome import AbortError, Cause
from neuron_dra.kube.slice import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm

NODE_NAME_FIELD = "metadata.name"
_INTEGER = re.compile(r"[+-]?[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class Node:
    """A cluster node."""

    name: str
    labels: Mapping[str, str] = field(default_factory=dict)


def node_matches(
    node: Node, node_name: str, all_nodes: bool, node_selector: NodeSelector | None
) -> bool:
    """Tell whether what names, selects or means all nodes includes one."""
    if node_name:
        return node.name == node_name
    if all_nodes or node_selector is None:
        return all_nodes
    terms = [term for term in node_selector if term.match_expressions or term.match_fields]
    for term in terms:
        _check_term(term)
    return any(_term_matches(term, node) for term in terms)


def is_required(node: Node, affinity: NodeSelector) -> bool:
    """Tell whether the required affinity of a pod includes a node; an unsound one includes none."""
    try:
        return node_matches(node, "", False, affinity)
    except AbortError:
        return False


def _term_matches(term: NodeSelectorTerm, node: Node) -> bool:
    fields = {NODE_NAME_FIELD: node.name}
    return all(_label_matches(each, node.labels) for each in term.match_expressions) and all(
        (fields.get(each.key, "") == each.values[0]) == (each.operator == "In")
        for each in term.match_fields
    )


def _label_matches(requirement: NodeSelectorRequirement, labels: Mapping[str, str]) -> bool:
    value = labels.get(requirement.key)
    match requirement.operator:
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "In":
            return value in requirement.values
        case "NotIn":
            return value not in requirement.values
        case _:
            return value is not None and _compare(requirement, value)


def _compare(requirement: NodeSelectorRequirement, value: str) -> bool:
    if not _INTEGER.fullmatch(value):
        return False
    difference = int(value) - int(requirement.values[0])
    return difference > 0 if requirement.operator == "Gt" else difference < 0


def _check_term(term: NodeSelectorTerm) -> None:
    for requirement in term.match_expressions:
        count = len(requirement.values)
        match requirement.operator:
            case "Exists" | "DoesNotExist":
                sound = count == 0
            case "In" | "NotIn":
                sound = count > 0
            case "Gt" | "Lt":
                sound = count == 1 and _INTEGER.fullmatch(requirement.values[0]) is not None
            case _:
                sound = False
        if not sound:
            raise _unsound(requirement)
    for requirement in term.match_fields:
        if requirement.operator not in ("In", "NotIn") or len(requirement.values) != 1:
            raise _unsound(requirement)


def _unsound(requirement: NodeSelectorRequirement) -> AbortError:
    return AbortError(
        Cause.NODE_SELECTOR,
        "gather pool information: failed to parse node selector: "
        f"{requirement.key} {requirement.operator} {list(requirement.values)}",
    )
