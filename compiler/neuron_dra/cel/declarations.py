"""What a selector may say: the variables and functions of the DRA environment, as signatures.

In: a minor and two feature gates. Out: signatures as text. A library that Kubernetes 1.N introduces
may be used in new objects from 1.N+1 on, because the API server compiles them for the version
before its own; the minors here are those later ones.
Says nothing of what a function computes. Sources: k8s.io/apiserver v0.37.2
pkg/cel/environment/base.go and pkg/cel/library, k8s.io/dynamic-resource-allocation v0.37.2
cel/compile.go, cel-go v0.29.2 ext.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.cel.presence import WHOLE

OLDEST_MINOR = 34
LISTS_MINOR = 35
LIST_ATTRIBUTES_MINOR = 36

TYPE_NAMES = {
    "Quantity": "kubernetes.Quantity",
    "Semver": "kubernetes.Semver",
    "URL": "kubernetes.URL",
    "NamedFormat": "kubernetes.NamedFormat",
    "IP": "net.IP",
    "CIDR": "net.CIDR",
    "Device": "kubernetes.DRADevice",
}

# One overload a line: `[TYPE.]function(types) -> type [as identifier]`.
# An identifier is given where the cost of a call depends on it.
_STRING = """
string(bool) -> string
string(int) -> string
string(uint) -> string
string(double) -> string
string(string) -> string
string(bytes) -> string as bytes_to_string
string(timestamp) -> string
string(duration) -> string
string(IP) -> string
string(CIDR) -> string
"""
_STRINGS = """
string.charAt(int) -> string
string.indexOf(string) -> int
string.indexOf(string, int) -> int
string.lastIndexOf(string) -> int
string.lastIndexOf(string, int) -> int
string.lowerAscii() -> string
string.upperAscii() -> string
string.replace(string, string) -> string
string.replace(string, string, int) -> string
string.split(string) -> list<string>
string.split(string, int) -> list<string>
string.substring(int) -> string
string.substring(int, int) -> string
string.trim() -> string
string.format(list<dyn>) -> string as string_format
strings.quote(string) -> string as strings_quote
list<string>.join() -> string
list<string>.join(string) -> string
"""
_REGEX = """
string.find(string) -> string
string.findAll(string) -> list<string>
string.findAll(string, int) -> list<string>
"""
_LISTS = """
list<A>.indexOf(A) -> int
list<A>.lastIndexOf(A) -> int
list<int>.sum() -> int
list<uint>.sum() -> uint
list<double>.sum() -> double
list<duration>.sum() -> duration
"""
_OPTIONAL = """
optional.unwrap(list<optional<A>>) -> list<A>
list<optional<A>>.unwrapOpt() -> list<A>
"""
_QUANTITY = """
quantity(string) -> Quantity
isQuantity(string) -> bool
Quantity.isGreaterThan(Quantity) -> bool
Quantity.isLessThan(Quantity) -> bool
Quantity.compareTo(Quantity) -> int
Quantity.asApproximateFloat() -> double
Quantity.asInteger() -> int
Quantity.isInteger() -> bool
Quantity.add(Quantity) -> Quantity
Quantity.add(int) -> Quantity
Quantity.sub(Quantity) -> Quantity
Quantity.sub(int) -> Quantity
sign(Quantity) -> int
"""
_SEMVER = """
semver(string) -> Semver
semver(string, bool) -> Semver
isSemver(string) -> bool
isSemver(string, bool) -> bool
Semver.isGreaterThan(Semver) -> bool
Semver.isLessThan(Semver) -> bool
Semver.compareTo(Semver) -> int
Semver.major() -> int
Semver.minor() -> int
Semver.patch() -> int
"""
_NET = """
ip(string) -> IP
isIP(string) -> bool
ip.isCanonical(string) -> bool
IP.family() -> int
IP.isUnspecified() -> bool
IP.isLoopback() -> bool
IP.isLinkLocalMulticast() -> bool
IP.isLinkLocalUnicast() -> bool
IP.isGlobalUnicast() -> bool
cidr(string) -> CIDR
isCIDR(string) -> bool
CIDR.ip() -> IP as cidr_ip
CIDR.containsIP(string) -> bool as cidr_contains_ip_string
CIDR.containsIP(IP) -> bool
CIDR.containsCIDR(string) -> bool as cidr_contains_cidr_string
CIDR.containsCIDR(CIDR) -> bool
CIDR.prefixLength() -> int
CIDR.masked() -> CIDR
"""
_URL = """
url(string) -> URL
isURL(string) -> bool
URL.getScheme() -> string
URL.getHost() -> string
URL.getHostname() -> string
URL.getPort() -> string
URL.getEscapedPath() -> string
URL.getQuery() -> map<string, list<string>>
"""
FORMATS = (
    *("byte", "date", "datetime", "uri", "uuid", "labelValue", "qualifiedName"),
    *("dns1035Label", "dns1035LabelPrefix", "dns1123Label", "dns1123LabelPrefix"),
    *("dns1123Subdomain", "dns1123SubdomainPrefix"),
)
_FORMAT = """
format.named(string) -> optional<NamedFormat>
NamedFormat.validate(string) -> optional<list<string>>
"""
# In the order of Kubernetes: the first is what an empty list is taken for.
_COMPARED = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
_ORDERED = ("bool", "int", "uint", "double", "string", "bytes", "timestamp", "duration")
_NUMBERS = {"int", "uint", "double"}
_OPERATORS = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}


def extensions(minor: int) -> list[tuple[str, int]]:
    """Return the extensions of the runtime that a minor has, with their versions."""
    found = [("bindings", 0), ("optional", 2), ("sets", 0), ("two-var-comprehensions", 0)]
    return [*found, ("lists", 2)] if minor >= LISTS_MINOR else found


def variables(*, multiple_allocations: bool, list_attributes: bool) -> dict[str, str]:
    """Return the types of the variables by name; a field of the device is a variable of its own."""
    value = "dyn" if list_attributes else "any"
    declared = {
        "device": "Device",
        WHOLE: "map<string, bool>",
        "device.driver": "string",
        "device.attributes": f"map<string, map<string, {value}>>",
        "device.capacity": "map<string, map<string, Quantity>>",
    }
    if multiple_allocations:
        declared["device.allowMultipleAllocations"] = "bool"
    return declared


def signatures(*, list_attributes: bool) -> Iterator[str]:
    """Yield the overloads that the runtime's own extensions do not declare, one text each."""
    libraries = (_STRING, _STRINGS, _REGEX, _LISTS, _OPTIONAL)
    for library in (*libraries, _QUANTITY, _SEMVER, _NET, _URL, _FORMAT):
        yield from library.strip().splitlines()
    yield from (f"format.{name}() -> NamedFormat" for name in FORMATS)
    for kind in _COMPARED:
        yield f"list<{kind}>.isSorted() -> bool"
        yield from (f"list<{kind}>.{name}() -> {kind}" for name in ("min", "max"))
    if list_attributes:
        yield "dyn.includes(dyn) -> bool"
    yield from _comparisons()


def _comparisons() -> Iterator[str]:
    """Yield the order of equal types and, as in Kubernetes, of numbers of different types."""
    for operator, name in _OPERATORS.items():
        for left in _ORDERED:
            for right in _ORDERED:
                if left == right:
                    yield f"{operator}({left}, {right}) -> bool as {name}_{left}"
                elif {left, right} <= _NUMBERS:
                    yield f"{operator}({left}, {right}) -> bool as {name}_{left}_{right}"
