"""The text formats of Kubernetes names: a text in, the reason why it is not valid out.

Each check returns an empty string for a valid text. The rules are those of
k8s.io/apimachinery `util/validation` (v0.37, 2026). Nothing here knows a kind or a field.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Check = Callable[[str], str]

DNS_LABEL_MAX = 63
DNS_SUBDOMAIN_MAX = 253
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_LABEL_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_QUALIFIED_NAME = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")
_LABEL_VALUE = re.compile(r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?")


def dns_label(text: str) -> str:
    """Check an RFC 1123 label: the names of namespaces, requests and containers."""
    if len(text) > DNS_LABEL_MAX:
        return f"has {len(text)} characters, at most {DNS_LABEL_MAX} are allowed"
    if not _LABEL.fullmatch(text):
        return "may hold lower case letters, digits and inner `-` only"
    return ""


def dns_label_1035(text: str) -> str:
    """Check an RFC 1035 label: the names of Services and what derives them."""
    return dns_label(text) or ("" if _LABEL_1035.fullmatch(text) else "must begin with a letter")


def dns_subdomain(text: str) -> str:
    """Check an RFC 1123 subdomain: the names of most objects."""
    if len(text) > DNS_SUBDOMAIN_MAX:
        return f"has {len(text)} characters, at most {DNS_SUBDOMAIN_MAX} are allowed"
    if not _SUBDOMAIN.fullmatch(text):
        return "may hold lower case letters, digits and inner `-` or `.` only"
    return ""


def label_key(text: str) -> str:
    """Check a label or annotation key: an optional DNS prefix, a slash, a name."""
    prefix, slash, name = text.rpartition("/")
    if slash and dns_subdomain(prefix):
        return f"has the prefix `{prefix}`, which {dns_subdomain(prefix)}"
    if len(name) > DNS_LABEL_MAX:
        return f"has a name of {len(name)} characters, at most {DNS_LABEL_MAX} are allowed"
    if not _QUALIFIED_NAME.fullmatch(name):
        return "must be letters, digits, `-`, `_` and `.`, after an optional DNS prefix and `/`"
    return ""


def label_value(text: str) -> str:
    """Check a label value: at most 63 letters, digits, `-`, `_` and `.`; may be empty."""
    if len(text) > DNS_LABEL_MAX:
        return f"has {len(text)} characters, at most {DNS_LABEL_MAX} are allowed"
    if not _LABEL_VALUE.fullmatch(text):
        return "may hold letters, digits and inner `-`, `_` or `.` only"
    return ""


def extended_resource(text: str) -> str:
    """Check the name of an extended resource (validation of DeviceClass, v1.36)."""
    if "/" not in text:
        return "must have a domain, like `example.com/neuron`"
    if "kubernetes.io/" in text:
        return "must not be under `kubernetes.io`"
    if text.startswith("requests."):
        return "must not begin with `requests.`, the prefix of quotas"
    return label_key(f"requests.{text}")


def cidr(text: str) -> str:
    """Check an IPv4 or IPv6 address range in canonical form."""
    import ipaddress

    try:
        network = ipaddress.ip_network(text)
    except ValueError:
        return "is not an address range, like `10.8.0.0/22`"
    return "" if str(network) == text else f"is not in canonical form `{network}`"
