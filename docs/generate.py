#!/usr/bin/env python3
"""Write docs/reference/: the language from its models, the codes from their table.

In: the models of the kinds, the table of codes, the templates. Out: Markdown pages, the same on
every machine. What a page says of a key or a code comes from the code and is mended there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from neuron_dra.catalog.facts import Facts
from neuron_dra.commands.schema_data import KINDS
from neuron_dra.diagnostics import Code
from neuron_dra.diagnostics.codes import load_codes
from neuron_dra.syntax.containers import ByShape, ListOf, MapOf
from neuron_dra.syntax.decode import Key, Model, ModelReader, Reader, Scalar
from neuron_dra.syntax.schema import Kind, default_of, first_line

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "reference"
EXPLAIN = HERE.parent / "compiler" / "neuron_dra" / "diagnostics" / "explain"

# By the first digit of a code.
PHASES = {
    "1": "Syntax",
    "2": "Specs",
    "3": "Plan",
    "4": "Objects and admission",
    "5": "Lint",
    "6": "Catalogue",
    "7": "Dumps",
    "8": "Review, output tree and GitOps",
    "9": "Internal",
}


class Row(NamedTuple):
    """A row of a table of keys."""

    key: str
    type: str
    default: str
    doc: str


def write_pages() -> None:
    """Write all pages."""
    FOLDER.mkdir(exist_ok=True)
    for name, text in make_pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="\n")


def make_pages() -> dict[str, str]:
    """Return the pages by file name."""
    environment = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    values = {"spec.md": describe_language(), "diagnostics.md": describe_codes()}
    return {
        name: environment.get_template(f"{name}.jinja").render(value)
        for name, value in sorted(values.items())
    }


def describe_language() -> dict[str, Any]:
    """Return the kinds with their models, each model once: where it is reached first."""
    kinds: list[dict[str, Any]] = []
    drawn: dict[type[Model], str] = {}
    for kind in KINDS.values():
        known = drawn.get(kind.spec)
        drawn.setdefault(kind.spec, kind.name)
        kinds.append(
            {
                "name": kind.name,
                "anchor": kind.name.lower(),
                "doc": kind.doc,
                "layered": kind.layered,
                "spec_like": known,
                "rows": _rows("metadata.", kind.metadata)
                + ([] if known else _rows("spec.", kind.spec)),
                "in_groups": _rows("", Facts) if _has_facts(kind) else [],
                "models": [] if known else list(_describe_models(kind, drawn)),
            }
        )
    return {"api_version": next(iter(KINDS.values())).api_version, "kinds": kinds}


def _has_facts(kind: Kind) -> bool:
    return any(issubclass(model, Facts) for model in _models_in(kind.spec))


def _describe_models(kind: Kind, drawn: dict[type[Model], str]) -> Iterator[dict[str, Any]]:
    waiting = [kind.spec]
    while waiting:
        for model in _models_in(waiting.pop(0)):
            if model not in drawn:
                drawn[model] = kind.name
                waiting.append(model)
                yield {"name": model.__name__, "doc": first_line(model), "rows": _rows("", model)}


def _rows(prefix: str, cls: type[Model]) -> list[Row]:
    """Return the rows of a model's keys, without those that every group of facts has."""
    shared = Facts.KEYS if issubclass(cls, Facts) and cls is not Facts else {}
    return [
        Row(prefix + name, _describe(key.reader), _describe_default(cls, key), key.doc)
        for name, key in cls.KEYS.items()
        if name not in shared
    ]


def _describe_default(cls: type[Model], key: Key) -> str:
    default = default_of(cls, key)
    if key.required:
        return "required"
    if default is None:
        return ""
    return f"`{str(default).lower()}`" if isinstance(default, bool) else f"`{default}`"


def _describe(reader: Reader) -> str:
    """Return the type that a reader takes, with links to models."""
    match reader:
        case ModelReader():
            return f"[{reader.cls.__name__}](#{reader.cls.__name__.lower()})"
        case ListOf():
            return f"{'non-empty list' if reader.least else 'list'} of {_describe(reader.item)}"
        case MapOf():
            return f"map to {_describe(reader.value)}"
        case ByShape():
            return " or ".join(_describe(each) for each in reader.readers.values())
        case Scalar():
            return _describe_scalar(reader)
        case _:
            return _without_article(reader.what)


def _describe_scalar(reader: Scalar) -> str:
    schema = reader.json_schema
    if "enum" in schema:
        *words, last = (f"`{word}`" for word in schema["enum"])
        return f"{', '.join(words)} or {last}" if words else last
    text = _without_article(reader.what)
    bounds = next((each for each in schema.get("anyOf", []) if "minimum" in each), schema)
    if "maximum" in bounds:
        return f"{text} ({bounds['minimum']} to {bounds['maximum']})"
    if "minimum" in bounds:
        return f"{text} ({bounds['minimum']} or more)"
    return text + "".join(f", like `{example}`" for example in schema.get("examples", []))


def _without_article(text: str) -> str:
    return text.removeprefix("a ").removeprefix("an ")


def _models_in(cls: type[Model]) -> Iterator[type[Model]]:
    """Yield the models that the keys of a model read, in order."""
    for key in cls.KEYS.values():
        yield from _models_of(key.reader)


def _models_of(reader: Reader) -> Iterator[type[Model]]:
    match reader:
        case ModelReader():
            yield reader.cls
        case ListOf():
            yield from _models_of(reader.item)
        case MapOf():
            yield from _models_of(reader.value)
        case ByShape():
            for each in reader.readers.values():
                yield from _models_of(each)


def describe_codes() -> dict[str, Any]:
    """Return the codes by phase."""
    codes = load_codes().values()
    phases = [
        {
            "title": title,
            "codes": [
                {
                    "link": _link(code),
                    "slug": code.slug,
                    "severity": code.severity.word,
                    "summary": code.summary,
                }
                for code in codes
                if code.id[2] == digit
            ],
        }
        for digit, title in PHASES.items()
    ]
    return {"phases": [phase for phase in phases if phase["codes"]]}


def _link(code: Code) -> str:
    page = EXPLAIN / f"{code.id}.md"
    if not page.exists():
        return code.id
    return f"[{code.id}]({Path(os.path.relpath(page, FOLDER)).as_posix()})"


if __name__ == "__main__":
    write_pages()
