"""What is asked for: claims, alone or by pods.

In: dumps of claims or of pods, and where claims of pods may stand. Out: `Asked` values in order,
and diagnostics of claims that cannot be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from neuron_dra.diagnostics import Diagnostic, did_you_mean
from neuron_dra.diagnostics.codes import dumps as codes
from neuron_dra.kube.claim import ALL, DEVICE_REQUESTS_MAX_SIZE, ResourceClaim
from neuron_dra.kube.node import Pod, PodResourceClaim
from neuron_dra.simulation.dump import CLAIM, POD, TEMPLATE, ClaimWithStatus, Dump, Key
from neuron_dra.source import Span

Templates = Mapping[tuple[str, str], ResourceClaim]


class Wanted(NamedTuple):
    """A claim, and the object of a dump that it is, which may hold devices already."""

    claim: ResourceClaim
    key: Key | None


@dataclass(frozen=True, slots=True)
class Asked:
    """Claims that are wanted on one node; those of a pod, or a single one."""

    claims: tuple[Wanted, ...]
    pod: Pod | None = None


def asked_claims(asked: Dump) -> tuple[list[Asked], list[Diagnostic]]:
    """Return each ResourceClaim, and each ResourceClaimTemplate as the claim made from it."""
    found: list[Diagnostic] = []
    wanted = []
    for key, value in asked.objects.items():
        if key.kind in (CLAIM, TEMPLATE):
            found += check_claim(value.claim, asked.places[key])
            claim = replace(value.claim, name=key.name)
            wanted.append(Asked((Wanted(claim, key if key.kind == CLAIM else None),)))
    if not wanted:
        found.append(nothing_there(asked, "ResourceClaim or ResourceClaimTemplate"))
    return wanted, found


def asked_pods(
    asked: Dump, dump: Dump, templates: Templates
) -> tuple[list[Asked], list[Diagnostic]]:
    """Return the claims of each Pod that has any."""
    finder = _ClaimFinder((asked, dump), templates)
    wanted = []
    pods = [(key, value) for key, value in asked.objects.items() if key.kind == POD]
    for key, pod in pods:
        claims = tuple(finder.find(pod, key, asked.places[key]))
        if claims:
            wanted.append(Asked(claims, replace(pod, name=key.name, namespace=key.namespace)))
    if not pods:
        finder.found.append(nothing_there(asked, "Pod"))
    return wanted, finder.found


def nothing_there(dump: Dump, kinds: str) -> Diagnostic:
    """Return that files hold nothing of what is needed."""
    source = dump.sources[0]
    others = len(dump.sources) - 1
    more = f" and {others} more file{'s' if others > 1 else ''}" if others else ""
    return codes.NOTHING_THERE.at(Span.of_file(source), f"no {kinds} in `{source.path}`{more}")


def check_claim(claim: ResourceClaim, place: Span) -> list[Diagnostic]:
    """Refuse a claim that the API server does not accept, and warn of one without requests."""
    requests = claim.devices.requests
    if not requests:
        message = f"the claim `{claim}` has no requests, so it gets no devices"
        return [codes.NO_REQUESTS.at(place, message)]
    problems = [
        f"{count} requests have the name `{name}`"
        for name, count in Counter(each.name for each in requests).items()
        if count > 1
    ]
    if len(requests) > DEVICE_REQUESTS_MAX_SIZE:
        problems.append(f"{len(requests)} requests, more than {DEVICE_REQUESTS_MAX_SIZE}")
    problems += [
        f"request `{request.name}` asks for {each.count} devices"
        for request in requests
        for each in request.alternatives
        if each.allocation_mode != ALL and each.count < 1
    ]
    return [codes.IMPOSSIBLE_CLAIM.at(place, f"claim `{claim}`: {each}") for each in problems]


@dataclass(slots=True)
class _ClaimFinder:
    dumps: Sequence[Dump]
    templates: Templates
    found: list[Diagnostic] = field(default_factory=list)

    def find(self, pod: Pod, key: Key, place: Span) -> Iterator[Wanted]:
        """Yield the claims of a pod; one that is not found is diagnosed."""
        for each in pod.claims:
            if each.claim:
                claim, own_key = self._claim(CLAIM, key.namespace, each.claim), CLAIM
            else:
                claim, own_key = self._claim(TEMPLATE, key.namespace, each.template), ""
            if claim is None:
                self.found.append(self._unknown(each, key, place))
                continue
            self.found += check_claim(claim, place)
            if own_key:
                yield Wanted(claim, Key(CLAIM, key.namespace, each.claim))
            else:
                yield Wanted(replace(claim, name=f"{key.name}-{each.name}"), None)

    def _claim(self, kind: str, namespace: str, name: str) -> ResourceClaim | None:
        for dump in self.dumps:
            found: ClaimWithStatus | None = dump.claim(kind, namespace, name)
            if found is not None:
                return found.claim
        return self.templates.get((namespace, name)) if kind == TEMPLATE else None

    def _unknown(self, each: PodResourceClaim, pod: Key, place: Span) -> Diagnostic:
        kind, name = (CLAIM, each.claim) if each.claim else (TEMPLATE, each.template)
        known = {key.name for dump in self.dumps for key in dump.objects if key.kind == kind}
        if kind == TEMPLATE:
            known |= {known_name for space, known_name in self.templates if space == pod.namespace}
        return codes.UNKNOWN_CLAIM.at(
            place,
            f"there is no {kind} `{pod.namespace}/{name}` for claim `{each.name}` of pod `{pod}`",
            help=did_you_mean(name, known),
        )
