"""Addresses and networks as `ip()` and `cidr()` make them.

In: a text. Out: an `Address` or `Network` value. IPv4 in IPv6 and zones are refused, as in Go.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from neuron_dra.cel.library.typed import parser, tester
from neuron_dra.cel.value import EvaluationError, Opaque, no_overload

_PREFIX = re.compile(r"(0|[1-9]\d*)", re.ASCII)
_LINK_LOCAL_MULTICAST = ip_network("224.0.0.0/24"), ip_network("ff02::/16")
_BROADCAST = IPv4Address("255.255.255.255")


class Address(Opaque):
    """An IP address."""

    __slots__ = ()
    key: IPv4Address | IPv6Address
    TYPE_NAME = "net.IP"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Return the address of a text."""
        try:
            address = ip_address(text)
        except ValueError as error:
            raise EvaluationError(f"{text!r} is not an IP address") from error
        if isinstance(address, IPv6Address) and (address.ipv4_mapped or address.scope_id):
            raise EvaluationError(f"{text!r} is an IPv4 address in IPv6 or has a zone")
        return cls(address)

    def __str__(self) -> str:
        return str(self.key)

    @property
    def address(self) -> IPv4Address | IPv6Address:
        return self.key

    def is_link_local_multicast(self) -> bool:
        return any(self.address in network for network in _LINK_LOCAL_MULTICAST)

    def is_global_unicast(self) -> bool:
        address = self.address
        other = address.is_unspecified or address.is_loopback or address.is_multicast
        return not (other or address.is_link_local or address == _BROADCAST)


class Network(Opaque):
    """An address with the number of its leading bits that name a network."""

    __slots__ = ("address", "bits")
    TYPE_NAME = "net.CIDR"

    def __init__(self, address: Address, bits: int) -> None:
        super().__init__((address, bits))
        self.address = address
        self.bits = bits

    @classmethod
    def parse(cls, text: str) -> Network:
        """Return the network of a text; bits after the prefix are kept."""
        address, _, bits = text.rpartition("/")
        if not _PREFIX.fullmatch(bits) or len(bits) > 3:
            raise EvaluationError(f"{text!r} is not a network address")
        parsed = Address.parse(address)
        if int(bits) > parsed.address.max_prefixlen:
            raise EvaluationError(f"{text!r} is not a network address")
        return cls(parsed, int(bits))

    def __str__(self) -> str:
        return f"{self.address}/{self.bits}"

    def masked(self) -> Network:
        first = ip_network(str(self), strict=False).network_address
        return Network(Address(first), self.bits)

    def contains_address(self, other: object) -> bool:
        address = Address.parse(other) if isinstance(other, str) else other
        if not isinstance(address, Address):
            raise no_overload()
        same_family = address.address.version == self.address.address.version
        return same_family and Network(address, self.bits).masked() == self.masked()

    def contains_network(self, other: object) -> bool:
        network = Network.parse(other) if isinstance(other, str) else other
        if not isinstance(network, Network):
            raise no_overload()
        return self.bits <= network.bits and self.contains_address(network.address)


def _is_canonical(text: str) -> bool:
    return str(Address.parse(text)) == text


Address.METHODS = {
    "family": lambda ip: ip.address.version,
    "isUnspecified": lambda ip: ip.address.is_unspecified,
    "isLoopback": lambda ip: ip.address.is_loopback,
    "isLinkLocalMulticast": Address.is_link_local_multicast,
    "isLinkLocalUnicast": lambda ip: ip.address.is_link_local,
    "isGlobalUnicast": Address.is_global_unicast,
    "string": str,
}
Network.METHODS = {
    "ip": lambda network: network.address,
    "containsIP": Network.contains_address,
    "containsCIDR": Network.contains_network,
    "prefixLength": lambda network: network.bits,
    "masked": Network.masked,
    "string": str,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ip": parser(Address.parse),
    "isIP": tester(Address.parse),
    "ip.isCanonical": parser(_is_canonical),
    "cidr": parser(Network.parse),
    "isCIDR": tester(Network.parse),
}
