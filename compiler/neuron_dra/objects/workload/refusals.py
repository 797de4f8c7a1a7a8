"""What an API server refuses of a pod template, as far as it is cheap to know.

In: a pod template that has the types of Kubernetes. Out: diagnostics. A Job or a Deployment would
be refused when it is applied, the pods of other controllers later, in an event that nobody looks
at. The rules are those of Kubernetes' pkg/apis/core/validation (v1.34 to v1.37).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from neuron_dra.diagnostics import did_you_mean
from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.kube.untyped import place_of
from neuron_dra.objects.workload import memory
from neuron_dra.objects.workload.container_rules import Refusal, find_refusals
from neuron_dra.objects.workload.reach import REQUIRED, node_terms
from neuron_dra.objects.workload.template import Data, PodTemplate, Where, all_containers
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.syntax import formats

_CLAIM_SOURCES = ("resourceClaimName", "resourceClaimTemplateName")
_DNS_POLICIES = ("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")
_EFFECTS = ("NoExecute", "NoSchedule", "PreferNoSchedule")
_OPERATORS = ("DoesNotExist", "Exists", "Gt", "In", "Lt", "NotIn")


def check_refusals(wiring: Wiring, template: PodTemplate) -> None:
    """Diagnose what the API server would refuse."""
    for each in _in_spec(template):
        where = template.span(*each.where)
        wiring.report(codes.POD_REFUSED.at(where, each.message, help=each.help))
    for each in _in_metadata(template.data.get("metadata", {})):
        where = place_of(template.raw, "metadata", *each.where)
        wiring.report(codes.POD_REFUSED.at(where, each.message, help=each.help))


def _in_metadata(metadata: Data) -> Iterator[Refusal]:
    yield from _check_labels(metadata.get("labels", {}), ("labels",))
    for name in metadata.get("annotations", {}):
        problem = formats.label_key(name.lower())
        if problem:
            yield Refusal(("annotations", name), f"the annotation `{name}` {problem}")


def _in_spec(template: PodTemplate) -> Iterator[Refusal]:
    spec = template.spec
    yield from _check_labels(spec.get("nodeSelector", {}), ("nodeSelector",))
    yield from _check_node_terms(template)
    yield from _check_tolerations(spec.get("tolerations", ()))
    yield from _check_claims(spec.get("resourceClaims", ()))
    yield from _check_volumes(spec.get("volumes", ()))
    if spec.get("ephemeralContainers"):
        message = "a pod template cannot have ephemeral containers"
        yield Refusal(("ephemeralContainers",), message, "remove them")
    policy = spec.get("dnsPolicy", _DNS_POLICIES[0])
    if policy not in _DNS_POLICIES:
        advice = did_you_mean(policy, _DNS_POLICIES)
        yield Refusal(("dnsPolicy",), f"`dnsPolicy: {policy}` is not possible", advice)
    yield from _check_containers(template)


def _check_containers(template: PodTemplate) -> Iterator[Refusal]:
    found = list(all_containers(template))
    places = [((key, index), container) for key, index, container in found]
    yield from _check_names("container", places)
    volumes = [volume["name"] for volume in template.spec.get("volumes", ())]
    for where, container in places:
        for each in find_refusals(container, volumes):
            message = f"container `{container['name']}` {each.message}"
            yield Refusal((*where, *each.where), message, each.help)


def _check_names(what: str, items: Iterable[tuple[Where, Data]]) -> Iterator[Refusal]:
    """Check names that are DNS labels, each once in the pod."""
    seen: set[str] = set()
    for where, item in items:
        name = item["name"]
        problem = formats.dns_label(name)
        if problem:
            yield Refusal((*where, "name"), f"the {what} name `{name}` {problem}")
        elif name in seen:
            yield Refusal((*where, "name"), f"two {what}s have the name `{name}`")
        seen.add(name)


def _check_claims(entries: Iterable[Data]) -> Iterator[Refusal]:
    listed = [(("resourceClaims", index), entry) for index, entry in enumerate(entries)]
    yield from _check_names("claim", listed)
    for where, entry in listed:
        sources = [key for key in _CLAIM_SOURCES if entry.get(key)]
        if len(sources) != 1:
            message = f"the claim `{entry['name']}` has {len(sources)} sources, needs 1"
            listed_sources = " or ".join(f"`{key}`" for key in _CLAIM_SOURCES)
            yield Refusal(where, message, f"write {listed_sources}")


def _check_volumes(volumes: Iterable[Data]) -> Iterator[Refusal]:
    listed = [(("volumes", index), volume) for index, volume in enumerate(volumes)]
    yield from _check_names("volume", listed)
    for where, volume in listed:
        name, sources = volume["name"], sorted(set(volume) - {"name"})
        if len(sources) > 1:
            words = " and ".join(f"`{source}`" for source in sources)
            message = f"the volume `{name}` has {len(sources)} sources, {words}"
            yield Refusal(where, message, "keep one of them")
        if name == memory.VOLUME:
            message = f"the volume `{name}` is added by the compiler, for shared memory"
            yield Refusal((*where, "name"), message, "give this volume another name")


def _check_labels(labels: Data, where: Where) -> Iterator[Refusal]:
    for name, value in labels.items():
        problem = formats.label_key(name)
        if problem:
            yield Refusal((*where, name), f"the label `{name}` {problem}")
        elif problem := formats.label_value(value):
            yield Refusal((*where, name), f"the value `{value}` of the label `{name}` {problem}")


def _check_tolerations(tolerations: Iterable[Data]) -> Iterator[Refusal]:
    for index, each in enumerate(tolerations):
        where = ("tolerations", index)
        key, operator = each.get("key", ""), each.get("operator", "Equal")
        if operator == "Exists" and each.get("value"):
            message = "a toleration with `operator: Exists` has no `value`"
            yield Refusal((*where, "value"), message, "remove it")
        if not key and operator != "Exists":
            message = "a toleration without `key` needs `operator: Exists`"
            yield Refusal((*where, "operator"), message)
        effect = each.get("effect", "")
        if effect and effect not in _EFFECTS:
            message = f"a toleration has the effect `{effect}`"
            yield Refusal((*where, "effect"), message, did_you_mean(effect, _EFFECTS))
        if "tolerationSeconds" in each and effect != "NoExecute":
            message = "`tolerationSeconds` needs `effect: NoExecute`"
            yield Refusal((*where, "tolerationSeconds"), message)


def _check_node_terms(template: PodTemplate) -> Iterator[Refusal]:
    affinity = template.spec.get("affinity", {}).get("nodeAffinity", {})
    terms = list(node_terms(template))
    if REQUIRED in affinity and not terms:
        message = "a required node affinity without terms is not possible"
        yield Refusal(("affinity", "nodeAffinity", REQUIRED), message, "remove it")
    for where, term in terms:
        if not any(term.values()):
            yield Refusal(where, "a node selector term without expressions selects no cluster node")
        for index, expression in enumerate(term.get("matchExpressions", ())):
            yield from _check_expression(expression, (*where, "matchExpressions", index))


def _check_expression(expression: Data, where: Where) -> Iterator[Refusal]:
    operator, values = expression["operator"], expression.get("values", [])
    if operator not in _OPERATORS:
        message = f"a node selector has no operator `{operator}`"
        yield Refusal((*where, "operator"), message, did_you_mean(operator, _OPERATORS))
    elif operator in ("In", "NotIn") and not values:
        yield Refusal(where, f"`operator: {operator}` needs `values`")
    elif operator in ("Exists", "DoesNotExist") and values:
        yield Refusal((*where, "values"), f"`operator: {operator}` takes no `values`")
    elif operator in ("Gt", "Lt") and len(values) != 1:
        yield Refusal(where, f"`operator: {operator}` takes one value, found {len(values)}")
