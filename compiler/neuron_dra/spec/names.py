"""Readers shared by the kinds: names, labels, versions and dates as the language spells them."""

from __future__ import annotations

from datetime import date, datetime

from neuron_dra.diagnostics.codes import spec as codes
from neuron_dra.spec.reserved import RESERVED_LABELS, check_keys
from neuron_dra.syntax import formats
from neuron_dra.syntax.containers import ListOf, MapOf
from neuron_dra.syntax.decode import Model, ModelReader, Reader, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import checked, choice, matching, text

INSTANCE_TYPE = matching("an instance type", r"[a-z0-9][a-z0-9-]*\.[a-z0-9-]+", "family.size")
KUBERNETES_VERSION = matching("a Kubernetes version", r"1\.[0-9]+(\.[0-9]+)?", "1.36")
PATCH_VERSION = matching("a full Kubernetes version", r"1\.[0-9]+\.[0-9]+", "1.36.1")
RELEASE_VERSION = matching("a version", r"[0-9]+\.[0-9]+(\.[0-9]+)?", "1.10.0")
CHART_VERSION = matching("a chart version", r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?", "1.10.0")
SDK_VERSION = matching("a Neuron SDK version", r"[0-9]+\.[0-9]+\.[0-9]+", "2.32.0")
NEURON_DRIVER_VERSION = matching(
    "a Neuron driver version", r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+", "2.30.2.0"
)

LABEL_NAME = checked("a name", formats.dns_label, pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
OBJECT_NAME = checked("a name", formats.dns_subdomain)
LABELS = MapOf(checked("a label value", formats.label_value), formats.label_key)
ANNOTATIONS = MapOf(text(), formats.label_key)


def _date(value: str) -> str:
    try:
        date.fromisoformat(value)
    except ValueError:
        return "is not a date, like `2027-06-30`"
    return ""


def _instant(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return "is not a time, like `2027-03-01T11:30:00Z`"
    return "" if moment.tzinfo else "needs a time zone, like `2027-03-01T11:30:00Z`"


DATE = checked("a date", _date, format="date")
INSTANT = checked("a time", _instant, format="date-time")


@model
class Metadata(Model):
    """The name of a document."""

    name: str = key(LABEL_NAME, "The name, unique among documents of this kind.")
    labels: dict[str, str] = key(LABELS, "Labels that selectors match.", default={})


@model
class WorkloadMetadata(Model):
    """The name and namespace of a workload."""

    name: str = key(LABEL_NAME, "The name, unique in its namespace and clusters.")
    namespace: str = key(LABEL_NAME, "The namespace that the workload runs in.")
    labels: dict[str, str] = key(LABELS, "Labels put on the workload's objects.", default={})

    def check(self, context: Context) -> None:
        check_keys(self, "labels", self.labels, RESERVED_LABELS, context)


OPERATOR = choice("In", "NotIn", "Exists", "DoesNotExist")


@model
class MatchExpression(Model):
    """One requirement of a label selector."""

    key_: str = key(checked("a label key", formats.label_key), "The label key.")
    operator: str = key(OPERATOR, "How the label relates to the values.")
    values: tuple[str, ...] = key(
        ListOf(checked("a label value", formats.label_value)), "The values.", default=()
    )

    def check(self, context: Context) -> None:
        compares = self.operator in ("In", "NotIn")
        if compares and not self.values:
            context.add(
                codes.KEY_NEEDS_KEY.at(
                    self.places.value("operator"),
                    f"`operator: {self.operator}` needs `values`, at least one",
                )
            )
        if self.values and not compares:
            context.add(
                codes.KEYS_EXCLUDE.at(
                    self.places.key("values"),
                    f"`values` cannot stand beside `operator: {self.operator}`",
                    help="remove them, or use `In` or `NotIn`",
                )
            )


@model
class LabelSelector(Model):
    """A Kubernetes label selector; both parts must match."""

    match_labels: dict[str, str] = key(LABELS, "Labels that must be equal.", default={})
    match_expressions: tuple[MatchExpression, ...] = key(
        ListOf(ModelReader(MatchExpression)), "Requirements that must hold.", default=()
    )

    def matches(self, labels: dict[str, str]) -> bool:
        """Tell whether an object with these labels is selected."""
        equal = all(labels.get(name) == value for name, value in self.match_labels.items())
        return equal and all(_holds(requirement, labels) for requirement in self.match_expressions)


def _holds(requirement: MatchExpression, labels: dict[str, str]) -> bool:
    value = labels.get(requirement.key_)
    match requirement.operator:
        case "Exists":
            return value is not None
        case "DoesNotExist":
            return value is None
        case "In":
            return value in requirement.values
        case _:
            return value not in requirement.values


SELECTOR: Reader = ModelReader(LabelSelector, "a label selector")
EFFECT = choice("NoSchedule", "PreferNoSchedule", "NoExecute")
DEVICE_EFFECT = choice("NoSchedule", "NoExecute")
