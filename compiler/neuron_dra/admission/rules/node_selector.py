"""Node selectors, as in slices and devices.

In: a node selector. Out: causes (pkg/apis/core/validation/validation.go, v1.34 to v1.37).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from neuron_dra.admission.cause import Cause, forbidden, invalid, required
from neuron_dra.admission.rules import names
from neuron_dra.admission.rules.lists import each

_LISTED = ("In", "NotIn")
_BARE = ("Exists", "DoesNotExist")
_COMPARED = ("Gt", "Lt")
_NAME_FIELD = "metadata.name"


def check_node_selector(selector: dict[str, Any], field: str) -> Iterator[Cause]:
    """Check the terms of a node selector, of which there has to be one."""
    terms = selector.get("nodeSelectorTerms") or []
    place = f"{field}.nodeSelectorTerms"
    if not terms:
        yield required(place, "needs a term")
    yield from each(terms, place, _check_term)


def _check_term(term: dict[str, Any], field: str) -> Iterator[Cause]:
    expressions, fields = term.get("matchExpressions") or [], term.get("matchFields") or []
    yield from each(expressions, f"{field}.matchExpressions", _check_expression)
    yield from each(fields, f"{field}.matchFields", _check_field)


def _check_expression(requirement: dict[str, Any], field: str) -> Iterator[Cause]:
    operator, values = requirement.get("operator", ""), requirement.get("values") or []
    place = f"{field}.values"
    if operator in _LISTED:
        yield from [] if values else [required(place, f"`{operator}` needs values")]
    elif operator in _BARE:
        yield from [forbidden(place, f"`{operator}` has no values")] if values else []
    elif operator in _COMPARED:
        yield from [] if len(values) == 1 else [required(place, f"`{operator}` needs one value")]
    else:
        yield invalid(f"{field}.operator", f"`{operator}` is no operator")
    yield from names.label_key(requirement.get("key", ""), f"{field}.key")
    yield from each(values, place, names.label_value)


def _check_field(requirement: dict[str, Any], field: str) -> Iterator[Cause]:
    operator, values = requirement.get("operator", ""), requirement.get("values") or []
    if operator not in _LISTED:
        yield invalid(f"{field}.operator", f"`{operator}` is no operator for fields")
    elif len(values) != 1:
        yield required(f"{field}.values", f"`{operator}` needs one value")
    if requirement.get("key") == _NAME_FIELD:
        yield from each(values, f"{field}.values", names.subdomain)
    else:
        yield invalid(f"{field}.key", f"the only field is `{_NAME_FIELD}`")
