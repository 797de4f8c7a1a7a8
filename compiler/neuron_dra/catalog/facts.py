"""What the kinds of the catalogue share: names, and groups of facts that say where they are from.

In: nothing but the readers of `syntax`. Out: base models and readers of scalars.
Unknown facts are absent keys, which decode to None; nothing here fills them.
"""

from __future__ import annotations

from enum import Enum

from neuron_dra.diagnostics.codes import catalog as codes
from neuron_dra.syntax.decode import Model, key, model
from neuron_dra.syntax.places import Context
from neuron_dra.syntax.scalars import choice, matching, text

NAME = matching("a name", r"[a-z0-9]([a-z0-9.-]*[a-z0-9])?", "trainium2")
QUALIFIED_NAME = matching(
    "a qualified name",
    r"[a-z0-9][a-z0-9.-]*/[A-Za-z_][A-Za-z0-9_]{0,31}",
    "neuron.aws.com/deviceId",
)
MINOR = matching("a Kubernetes minor version", r"1\.[0-9]+", "1.36")
PATCH = matching("a full Kubernetes version", r"1\.[0-9]+\.[0-9]+", "1.36.1")
DATE = matching("a date", r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", "2026-08-21")
CHART_VERSION = matching("a chart version", r"[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?", "1.10.0")
SDK_VERSION = matching("a Neuron SDK version", r"[0-9]+\.[0-9]+\.[0-9]+", "2.32.0")
NEURON_DRIVER_VERSION = matching(
    "a Neuron driver version", r"[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+", "2.30.2.0"
)
BASIS = choice("documented", "source", "observed", "inferred")


class Answer(Enum):
    """What the catalogue says about a yes-or-no question; only a sure yes is true."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        return self is Answer.YES

    @classmethod
    def of(cls, fact: bool | None) -> Answer:
        """Return the answer of a fact that may be absent."""
        if fact is None:
            return cls.UNKNOWN
        return cls.YES if fact else cls.NO


class Sheet(Model):
    """The `spec` of one document of the catalogue."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the document."""
        return self.places.origin.document.partition("/")[2]


@model
class Facts(Model):
    """A group of facts and where they are from."""

    source: str = key(text("a source"), "A title, or repository@commit/path.", default="")
    date: str = key(
        DATE, "The day of the source; of a page without one, the day it was read.", default=""
    )
    basis: str | None = key(BASIS, "How the facts are known.", default=None)
    note: str = key(text(), "What a reader should know beside the facts.", default="")

    def check(self, context: Context) -> None:
        absent = [f"`{name}`" for name in ("source", "date") if not getattr(self, name)]
        if absent:
            context.add(
                codes.MISSING_SOURCE.at(
                    self.places.span,
                    f"this group of facts has no {' and no '.join(absent)}",
                    help="add `source` (a title, or repository@commit/path) and `date`",
                )
            )
