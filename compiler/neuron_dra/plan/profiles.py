"""Clusters to profiles: clusters that plan alike share one `Profile`.

In: merged bodies of clusters. Out: the profile of each sound cluster, and diagnostics once a
profile. The key of a profile is the whole value of the body but for what is listed here.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from neuron_dra.catalog.catalog import Catalog
from neuron_dra.diagnostics import Diagnostic, Related, has_errors
from neuron_dra.diagnostics.codes import plan as codes
from neuron_dra.plan.classes import check_extended_resources
from neuron_dra.plan.pools import plan_pools
from neuron_dra.plan.profile import Profile
from neuron_dra.spec.cluster import ClusterSpec
from neuron_dra.syntax.decode import value_key

# What differs between clusters of one profile; a plan cannot read it.
OWN_KEYS = frozenset({"defaults", "region", "owner", "gitops", "extraObjects"})
HOLE_KEYS = frozenset({"objectLabels", "objectAnnotations"})


@dataclass(slots=True)
class ProfilePlanner:
    """Makes profiles and remembers them."""

    catalog: Catalog
    found: list[Diagnostic]
    _by_key: dict[object, Profile | None] = field(default_factory=dict)

    def profile(self, spec: ClusterSpec) -> Profile | None:
        """Return the profile of a cluster, or None when the cluster is not sound."""
        key = (
            value_key(spec, OWN_KEYS | HOLE_KEYS),
            tuple(sorted(spec.object_labels)),
            tuple(sorted(spec.object_annotations)),
        )
        if key not in self._by_key:
            self._by_key[key] = self._make(spec)
        return self._by_key[key]

    def _make(self, spec: ClusterSpec) -> Profile | None:
        release = self.catalog.kubernetes(spec.kubernetes)
        if release is None:
            self._tell_unknown_minor(spec)
            return None
        pools, problems = plan_pools(spec, release, self.catalog)
        profile = Profile(
            minor=release.minor,
            release=release,
            resource_api_version=spec.resource_api_version,
            drivers=spec.drivers,
            consumers=spec.consumers,
            pools=pools,
            network_groups=spec.network_groups,
            rollout=spec.rollout,
            extended_resources=spec.extended_resources,
            label_names=tuple(sorted(spec.object_labels)),
            annotation_names=tuple(sorted(spec.object_annotations)),
        )
        if len(pools) == len(spec.node_pools):
            problems += check_extended_resources(spec, profile)
            problems += _check_drivers(spec, profile)
            problems += _check_api_version(spec, profile)
        self.found += problems
        sound = len(pools) == len(spec.node_pools) and not has_errors(problems)
        return profile if sound else None

    def _tell_unknown_minor(self, spec: ClusterSpec) -> None:
        minor = ".".join(spec.kubernetes.split(".")[:2])
        if minor in self.catalog.minors():
            return  # its file is not sound, which the catalogue tells
        known = ", ".join(self.catalog.minors())
        self.found.append(
            codes.UNKNOWN_MINOR.at(
                spec.places.value("kubernetes"),
                f"Kubernetes {minor} is not known; known are {known}",
            )
        )


def _check_drivers(spec: ClusterSpec, profile: Profile) -> list[Diagnostic]:
    found = []
    driver = spec.drivers.neuron if spec.drivers else None
    if profile.pools and driver is None:
        found.append(
            codes.DRIVER_MISSING.at(
                spec.places.key("nodePools"),
                "the cluster has node pools but no `drivers.neuron`",
                help="add `drivers: {neuron: {chartVersion: VERSION}}`, with `install: external` "
                "when others install it",
            )
        )
    kueue = spec.consumers.kueue if spec.consumers else None
    if kueue is not None and kueue.quota_by != "resourceQuota":
        found.append(
            codes.QUOTA_BY_NOT_COMPILED.at(
                kueue.places.value("quotaBy"),
                f"`quotaBy: {kueue.quota_by}` is not compiled, only `resourceQuota`",
                help="remove the key",
            )
        )
    return found


def _check_api_version(spec: ClusterSpec, profile: Profile) -> list[Diagnostic]:
    version, kind = spec.resource_api_version, "ResourceClaimTemplate"
    if profile.release.serves(kind, version):
        return []
    served = ", ".join(profile.release.api.served.get(kind, ()))
    return [
        codes.API_NOT_SERVED.at(
            spec.places.value("resourceApiVersion"),
            f"Kubernetes {profile.minor} does not serve `{version}` of resource.k8s.io unless its "
            f"administrator switches it on; it serves {served}",
            related=[Related(profile.release.places.key("api"), "what is served by default")],
            help="remove `resourceApiVersion`",
        )
    ]
