"""What a team settles for all of its specs: `neuron-dra.toml`.

In: a `Source`. Out: the settings that are sound, and diagnostics that point into the file. tomllib
gives values without places, so that the line of a key is looked for in the text. Only warnings and
notes have a severity that can be chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from neuron_dra.diagnostics import Code, Diagnostic, Severity, did_you_mean
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.diagnostics.codes import settings as codes
from neuron_dra.source import Source, Span
from neuron_dra.syntax.parse import not_utf8

FILE_NAME = "neuron-dra.toml"
OFF = "off"
LISTED = 12  # known keys that a help names
FAIL_ON = ("error", "warning")
_LEVELS = {severity.word: severity for severity in Severity}
_PLACE = re.compile(r"\(at line (\d+), column (\d+)\)")
_HEADER = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")


@dataclass(frozen=True, slots=True)
class Settings:
    """The sound settings.

    Attributes:
        severities: by the id of a code; None for one that is off.
        fail_on: the least severity that exits 1, or empty.
        max_findings: how many findings are shown; zero for all.
    """

    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    fail_on: str = ""
    max_findings: int = 0


def read_settings(source: Source) -> tuple[Settings, list[Diagnostic]]:
    """Return the settings of a file, without what is wrong."""
    import tomllib

    try:
        data = tomllib.loads(source.data.decode("utf-8"))
    except UnicodeDecodeError as error:
        return Settings(), [not_utf8(source, error)]
    except tomllib.TOMLDecodeError as error:
        return Settings(), [_describe_syntax(source, str(error))]
    reader = _Reader(source)
    tables = {"severity": reader.read_severity, "check": reader.read_check}
    for name, value in data.items():
        if name not in tables:
            reader.refuse_key(name, tables, ("", name))
        elif not isinstance(value, dict):
            reader.refuse_value(("", name), f"`{name}` must be a table, `[{name}]`")
        else:
            for key, each in value.items():
                tables[name](key, each)
    made = Settings(reader.severities, reader.fail_on, reader.max_findings)
    return made, reader.diagnostics


class _Reader:
    """Collects settings and what is wrong with others."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.severities: dict[str, Severity | None] = {}
        self.fail_on = ""
        self.max_findings = 0

    def read_severity(self, slug: str, level: Any) -> None:
        by_slug = {code.slug: code for code in load_codes().values()}
        place = ("severity", slug)
        if slug not in by_slug:
            self.refuse_key(slug, by_slug, place)
        elif level not in [*_LEVELS, OFF]:
            self.refuse_value(place, _not_one_of(level, [*_LEVELS, OFF]))
        elif by_slug[slug].severity is Severity.ERROR:
            self._read_error(by_slug[slug], level)
        else:
            self.severities[by_slug[slug].id] = _LEVELS.get(level)

    def _read_error(self, code: Code, level: str) -> None:
        if level != Severity.ERROR.word:
            self.diagnostics.append(
                codes.LOWERED_ERROR.at(
                    self.span(("severity", code.slug)),
                    f"`{code.slug}` is an error and cannot be `{level}`",
                    help="remove the line: what it tells would fail in a cluster",
                )
            )

    def read_check(self, key: str, value: Any) -> None:
        readers: dict[str, Callable[[Any], None]] = {
            "fail-on": self._read_fail_on,
            "max-findings": self._read_max_findings,
        }
        if key in readers:
            readers[key](value)
        else:
            self.refuse_key(key, readers, ("check", key))

    def _read_fail_on(self, value: Any) -> None:
        if value in FAIL_ON:
            self.fail_on = value
        else:
            self.refuse_value(("check", "fail-on"), _not_one_of(value, FAIL_ON))

    def _read_max_findings(self, value: Any) -> None:
        if type(value) is int and value >= 0:
            self.max_findings = value
        else:
            place = ("check", "max-findings")
            self.refuse_value(place, f"`{value}` is not a number of findings, 0 or more")

    def refuse_key(self, name: str, known: Mapping[str, object], place: tuple[str, str]) -> None:
        hint = did_you_mean(name, known)
        if len(known) > LISTED and not hint.startswith("did"):
            hint = "`neuron-dra explain` lists all findings"
        self.diagnostics.append(
            codes.UNKNOWN_SETTING.at(self.span(place), f"unknown key `{name}`", help=hint)
        )

    def refuse_value(self, place: tuple[str, str], message: str) -> None:
        self.diagnostics.append(codes.INVALID_SETTING.at(self.span(place), message))

    def span(self, place: tuple[str, str]) -> Span:
        """Return where a key of a table stands, or the start of the file."""
        table, key = place
        current = ""
        wanted = re.compile(rf"\s*[\"']?({re.escape(key)})[\"']?\s*=")
        dotted = re.compile(rf"\s*{re.escape(table)}\s*\.\s*[\"']?({re.escape(key)})[\"']?\s*=")
        inline = re.compile(rf"\s*{re.escape(table)}\s*=.*[\s{{,\"']({re.escape(key)})[\"']?\s*=")
        for number, line in enumerate(self.source.data.decode("utf-8").splitlines()):
            header = _HEADER.match(line)
            current = header[1] if header else current
            named = header if header and not table and header[1] == key else None
            patterns = [wanted] if current == table else [dotted, inline] if not current else []
            found = named or next((m for each in patterns if (m := each.match(line))), None)
            if found:
                return Span(self.source, number, found.start(1), number, found.end(1))
        return Span.of_file(self.source)


def _not_one_of(value: Any, words: Any) -> str:
    listed = ", ".join(f"`{word}`" for word in words)
    hint = did_you_mean(str(value), words)
    return f"`{value}` is not one of {listed}{f'; {hint}' if hint.startswith('did') else ''}"


def _describe_syntax(source: Source, message: str) -> Diagnostic:
    place = _PLACE.search(message)
    line, column = (int(place[1]) - 1, int(place[2]) - 1) if place else (0, 0)
    words = _PLACE.sub("", message).strip()
    span = Span(source, line, column, line, column + 1) if place else Span.of_file(source)
    return codes.INVALID_TOML.at(span, words[:1].lower() + words[1:])
