"""A Cluster over its ClusterDefaults: the one place of layering, one level deep.

Maps merge key by key, node pools by name, extra objects by identity, every other list is replaced
whole, and `null` removes what the defaults gave. The merged value keeps, for every key, the layer
it came from. After the merge the keys that are still required are asked for.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.cluster import Cluster, ClusterDefaults
from neuron_dra.syntax.containers import Raw
from neuron_dra.syntax.decode import INVALID, Model, check_model, missing_key
from neuron_dra.syntax.parse import MappingNode, ScalarNode
from neuron_dra.syntax.places import Context, Places


def merge_cluster(cluster: Cluster, defaults: ClusterDefaults | None, context: Context) -> Any:
    """Return the cluster's body over its defaults, or INVALID with diagnostics."""
    lower = defaults.spec if defaults else None
    merged = _merge_model(cluster.spec, lower, context)
    return _finish(merged, context)


def _merge_model(upper: Model, lower: Model | None, context: Context) -> Model:
    """Merge two models of one class; `lower` may be missing."""
    below = lower.places.entries if lower else {}
    values: dict[str, Any] = {}
    entries = {**below, **upper.places.entries}
    for name, declared in type(upper).KEYS.items():
        attribute = declared.attribute
        high, low = getattr(upper, attribute), getattr(lower, attribute) if lower else None
        if name not in upper.places.entries:
            values[attribute] = low if name in below else high
        elif high is None:
            _removed(name, upper, name in below, context)
            entries.pop(name)
            values[attribute] = _default(type(upper), attribute)
        else:
            values[attribute] = _merge_value(name, high, low, upper, context)
    places = Places(
        upper.places.origin, upper.places.node, entries, lower.places if lower else None
    )
    return type(upper)(places=places, **values)


def _default(cls: type[Model], attribute: str) -> Any:
    declared = next(field for field in fields(cls) if field.name == attribute)
    if callable(declared.default_factory):
        return declared.default_factory()
    return declared.default if isinstance(declared.default, str | bool | tuple) else None


def _removed(name: str, upper: Model, given: bool, context: Context) -> None:
    if not given:
        context.add(
            codes.REMOVES_NOTHING.at(
                upper.places.key(name),
                f"`{name}: null` removes nothing: the defaults do not give `{name}`",
                help="remove the line",
            )
        )


def _merge_value(name: str, high: Any, low: Any, upper: Model, context: Context) -> Any:
    if isinstance(high, Model) and (low is None or type(high) is type(low)):
        return _merge_model(high, low, context)
    if isinstance(high, dict):
        return _merge_map(name, high, low if isinstance(low, dict) else {}, upper, context)
    if isinstance(high, tuple) and high and isinstance(high[0], Raw):
        replaced = {_identity(item) for item in high}
        return (*(item for item in low or () if _identity(item) not in replaced), *high)
    if isinstance(high, tuple) and high and isinstance(high[0], Model) and hasattr(high[0], "name"):
        return _merge_by_name(high, low or (), context)
    if isinstance(high, tuple) and high and isinstance(high[0], Model):
        return tuple(_merge_model(item, None, context) for item in high)
    return high


def _merge_map(
    name: str, high: dict[str, Any], low: dict[str, Any], upper: Model, context: Context
) -> dict[str, Any]:
    merged = dict(low)
    for each, value in high.items():
        if value is None:
            if each not in low:
                context.add(
                    codes.REMOVES_NOTHING.at(
                        upper.places.item(name, each),
                        f"`{each}: null` removes nothing: the defaults do not give `{each}`",
                        help="remove the line",
                    )
                )
            merged.pop(each, None)
        elif isinstance(value, Model):
            merged[each] = _merge_model(value, low.get(each), context)
        else:
            merged[each] = value
    return merged


def _merge_by_name(
    high: tuple[Any, ...], low: tuple[Any, ...], context: Context
) -> tuple[Model, ...]:
    """Merge two lists by the names of their items; the defaults' order comes first."""
    merged = {item.name: item for item in low}
    for item in high:
        merged[item.name] = _merge_model(item, merged.get(item.name), context)
    return tuple(merged.values())


def _identity(raw: Raw) -> tuple[str, ...]:
    """Return kind, namespace and name of a plain object, as far as they are written."""
    assert isinstance(raw.node, MappingNode)
    top = _texts(raw.node)
    metadata = next((value for key, value in raw.node.value if key.value == "metadata"), None)
    names = _texts(metadata) if isinstance(metadata, MappingNode) else {}
    parts = (top.get("apiVersion"), top.get("kind"), names.get("namespace"), names.get("name"))
    return tuple(part or "" for part in parts)


def _texts(node: MappingNode) -> dict[str, str]:
    return {
        key.value: value.value
        for key, value in node.value
        if isinstance(key, ScalarNode) and isinstance(value, ScalarNode)
    }


def _finish(value: Model, context: Context) -> Any:
    """Ask for required keys and run the checks, innermost first."""
    sound = True
    for name, declared in type(value).KEYS.items():
        part = getattr(value, declared.attribute)
        if declared.required and part is None:
            context.add(missing_key(value.places.span, name))
            sound = False
        for child in _models_in(part):
            sound = _finish(child, context) is not INVALID and sound
    return check_model(value, context) if sound else INVALID


def _models_in(part: Any) -> list[Model]:
    items = part.values() if isinstance(part, dict) else part if isinstance(part, tuple) else [part]
    return [item for item in items if isinstance(item, Model)]
