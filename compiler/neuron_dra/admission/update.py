"""What an update may not change.

In: two versions of an object as plain data, and a `Server`. Out: causes. Both are compared as the
server holds them, whatever versions of the API they are written in: decoded, with defaults, amounts
by their value. Rules of pkg/apis/resource/validation/validation.go, v1.34 to v1.37; an update of
the other kinds may change everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from neuron_dra.admission.cause import Cause, invalid
from neuron_dra.admission.decode import Decoded, decode
from neuron_dra.admission.defaults import fill_claim
from neuron_dra.admission.rules.capacity import amount
from neuron_dra.admission.schemas import kinds_of
from neuron_dra.admission.server import Server
from neuron_dra.admission.shape import is_flat, unfold_claim, unfold_slice
from neuron_dra.kube.definitions import load_definitions

_KINDS = ("ResourceClaim", "ResourceClaimTemplate", "ResourceSlice")
_SLICE_FIELDS = (("pool", "name"), ("driver",), ("nodeName",))
_IMMUTABLE = "may not be changed after creation: delete the object and create it anew"


def check_update(new: Mapping[str, Any], old: Mapping[str, Any], server: Server) -> Iterator[Cause]:
    """Find what an update would change and may not; what cannot be read is not compared."""
    kind = new.get("kind")
    if kind not in _KINDS or not _is_readable(old, server):
        return
    if kind != "ResourceSlice":
        if _claim_of(new, server) != _claim_of(old, server):
            yield invalid("spec", _IMMUTABLE)
    else:
        before, after = _slice_of(old, server), _slice_of(new, server)
        for path in _SLICE_FIELDS:
            if _value(before, path) != _value(after, path):
                yield invalid(".".join(("spec", *path)), _IMMUTABLE)


def _is_readable(data: Mapping[str, Any], server: Server) -> bool:
    return bool(_type_of(data, server)) and not _decode(data, server).problems


def _type_of(data: Mapping[str, Any], server: Server) -> str:
    return kinds_of(server.minor).name_of(str(data.get("apiVersion")), str(data.get("kind")))


def _decode(data: Mapping[str, Any], server: Server) -> Decoded:
    return decode(data, _type_of(data, server), load_definitions(server.minor))


def _spec_of(data: Mapping[str, Any], server: Server) -> dict[str, Any]:
    return _decode(data, server).data.get("spec") or {}


def _claim_of(data: Mapping[str, Any], server: Server) -> Any:
    spec = _spec_of(data, server)
    claim = spec.get("spec") or {} if data.get("kind") == "ResourceClaimTemplate" else spec
    devices = claim.get("devices") or {}
    flat = is_flat(str(data.get("apiVersion")))
    if flat:
        unfold_claim(devices)
    fill_claim(devices, flat=flat)
    return _canonical(spec)


def _slice_of(data: Mapping[str, Any], server: Server) -> dict[str, Any]:
    spec = _spec_of(data, server)
    if is_flat(str(data.get("apiVersion"))):
        unfold_slice(spec)
    return spec


def _value(spec: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        spec = (spec or {}).get(name)
    return spec


def _canonical(data: Any, key: str = "") -> Any:
    """Return data in which what is empty is not there, and amounts are numbers."""
    if key == "capacity" and isinstance(data, dict):
        return {name: amount(each) for name, each in (data.get("requests") or {}).items()}
    if isinstance(data, dict):
        pairs = ((name, _canonical(value, name)) for name, value in data.items())
        return {name: value for name, value in pairs if value not in (None, "", [], {})}
    return [_canonical(each) for each in data] if isinstance(data, list) else data
