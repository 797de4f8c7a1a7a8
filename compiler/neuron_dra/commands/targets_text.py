"""How `targets` reads: the table of instance types, and one of them whole.

In: instance types of the catalogue. Out: text with two marks that mean different things: `?` is not
known, `-` is none. Colours only dim or stress what words say already. Decides nothing about
hardware.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from neuron_dra.catalog.driver import Driver
from neuron_dra.catalog.facts import Answer, Facts
from neuron_dra.catalog.instance_type import InstanceType
from neuron_dra.commands.targets_data import (
    can_be_had,
    fact_groups,
    hands_out_nodes_only,
    is_of_no_ultra_server,
    list_attributes,
    list_groups,
    plain,
    summarize,
    torus_rows,
)
from neuron_dra.diagnostics.render.visible import show_words

UNKNOWN, NONE = "?", "-"
WIDTH = 100
BOLD, DIM = "1", "2"  # SGR parameters, ECMA-48 section 8.3.117
LINES = "─│"

_HEADINGS = (
    *("INSTANCE TYPE", "CHIP", "DEVICES", "CORES", "HBM GiB", "EFA x Gbps"),
    *("CONNECTED", "NODES", "DRIVER", "STATUS"),
)
_NUMBERS = range(2, 6)  # the columns that are aligned to the right
_ASCII = str.maketrans(LINES, "-|")
_MARKS = {"yes": "yes", "no": NONE, "unknown": UNKNOWN}
# Keys that a section of their own shows, and a total that the table has for every instance type.
_ELSEWHERE = {
    *("published.present", "published.unknown", "devices.hbmGiB"),
    *("map efa.addresses", "map groups.ids"),
}


def draw_table(found: Sequence[InstanceType], *, color: bool) -> str:
    """Return one line for each instance type; what one cannot launch is dim."""
    lines = _align([_HEADINGS, *map(_cells, found)], _NUMBERS)
    dimmed = [False, *(not can_be_had(each) for each in found)]
    return "".join(
        f"{_paint(line, DIM) if color and dim else line}\n"
        for line, dim in zip(lines, dimmed, strict=True)
    )


def draw_whole(found: InstanceType, driver: Driver | None, *, color: bool) -> str:
    """Return everything that is known of an instance type, each group of facts with its source."""
    sections = [draw_table([found], color=False).rstrip("\n")]
    for title, lines in _sections(found, driver):
        heading = _paint(title, BOLD) if color else title
        sections.append("\n".join([heading, *(f"  {line}".rstrip() for line in lines)]))
    return "\n\n".join(sections) + "\n"


def fit_encoding(text: str, encoding: str) -> str:
    """Return the text with plain lines where an encoding has no drawn ones."""
    try:
        LINES.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_ASCII)
    return text


def _paint(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"


def _cells(found: InstanceType) -> tuple[str, ...]:
    row = summarize(found)
    interfaces, gbps = row["efaInterfaces"], row["efaGbpsPerInterface"]
    return (
        row["name"],
        row["chip"],
        str(row["devices"]),
        str(row["neuronCores"]),
        str(row["hbmGiB"]),
        f"{interfaces} x {_word(gbps)}" if interfaces else _word(interfaces, zero=NONE),
        _word(row["connectedSizes"]),
        _word(row["ultraServerNodeSizes"]),
        _word(row["servedByNeuronDriver"]),
        row["status"],
    )


def _word(value: Any, *, zero: str = "0") -> str:
    """Return a value in words: None is not known, an empty list is none."""
    if value is None or value == Answer.UNKNOWN.value:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return _join(value)
    return show_words(str(value)) if value != 0 else zero


def _lines(value: Any) -> list[str]:
    """Return a value in words, an entry of a map to a line."""
    if isinstance(value, Mapping):
        return [f"{name}: {_word(each)}" for name, each in value.items()] or [NONE]
    return [_word(value)]


def _join(values: list[Any]) -> str:
    nested = any(isinstance(each, list) for each in values)
    return ("; " if nested else " ").join(_word(each) for each in values) or NONE


def _align(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.rjust(width) if index in right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _sections(found: InstanceType, driver: Driver | None) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the title and the lines of every section."""
    none = _none_keys(found)
    for name, group in fact_groups(found.facts).items():
        yield name, _draw_group(name, group, none)
    for name, group in fact_groups(found.chip).items():
        yield f"{name} of the chip {found.chip.name}", _draw_group(f"chip {name}", group, none)
    attributes = list_attributes(found, driver)
    if attributes:
        yield (
            "attributes in its slices: yes on every device, ? not known, - on none",
            _draw_attributes(attributes),
        )
    if found.torus:
        yield "torus of the device ids; lines that leave it come back opposite", _draw_torus(found)
    if found.device_map:
        yield f"device groups of the map {found.device_map.name}", _draw_groups(found)
        for name, group in fact_groups(found.device_map).items():
            yield (
                f"{name} of the map {found.device_map.name}",
                _draw_group(f"map {name}", group, none),
            )
    absent = _draw_absent(found, none)
    if absent:
        yield "not in the file: ? is not known, - is none", absent


def _none_keys(found: InstanceType) -> frozenset[str]:
    """Return the keys whose absence says that there is none, not that nobody knows."""
    link, disks = found.facts.neuron_link, found.facts.local_nvme
    rules = {
        ("offering", "efa.deviceMap", "neuronLink.rows", "neuronLink.columns"): True,
        ("ultraServer",): is_of_no_ultra_server(found),
        ("neuronLink.gigabytesPerSecondBetweenNodes",): found.facts.ultra_server is None,
        ("neuronLink.version", "neuronLink.gigabytesPerSecondPerChip"): (
            link is not None and link.topology == "none"
        ),
        ("connected",): hands_out_nodes_only(found),
        ("published",): found.served is Answer.NO,
        ("efa.gbpsPerInterface", "efa.version"): found.efa_interfaces == 0,
        ("localNvme.gigabytesEach",): disks is not None and disks.count == 0,
    }
    return frozenset(key for keys, holds in rules.items() if holds for key in keys)


def _draw_group(path: str, group: Facts, none: Collection[str]) -> list[str]:
    own = [name for name in type(group).KEYS if name not in Facts.KEYS]
    written = plain(group)
    rows = []
    for name in own:
        place = f"{path}.{name}"
        if place not in _ELSEWHERE:
            absent = NONE if place in none else UNKNOWN
            rows.append((name, _lines(written[name]) if name in written else [absent]))
    if group.basis:
        rows.append(("basis", [group.basis]))
    rows.append(("source", group.source.split("; ")))
    rows.append(("date", [group.date]))
    if group.note:
        rows.append(("note", [group.note]))
    return list(_draw_rows(rows))


def _draw_rows(rows: Sequence[tuple[str, list[str]]]) -> Iterator[str]:
    width = max(len(name) for name, _ in rows)
    for name, values in rows:
        lines = [line for value in values for line in _wrap(value, WIDTH - width - 4)]
        for index, line in enumerate(lines):
            yield f"{'' if index else name:{width}}  {line}"


def _wrap(text: str, width: int) -> list[str]:
    return wrap(show_words(text), width, break_long_words=False, break_on_hyphens=False)


def _draw_attributes(attributes: Iterable[Mapping[str, Any]]) -> list[str]:
    return _align(
        [
            (
                _MARKS[each["published"]],
                each["name"],
                each["type"],
                show_words(each["note"] or ("only a live node knows it" if each["live"] else "")),
            )
            for each in attributes
        ]
    )


def _draw_torus(found: InstanceType) -> Iterator[str]:
    rows = torus_rows(found)
    heads = [f"column {column}" for column in range(len(rows[0]))]
    width = max(map(len, heads)) + 2
    margin = " " * len(f"row {len(rows) - 1}")
    links = margin + " " + "".join("│".center(width) for _ in heads)
    yield margin + " " + "".join(head.center(width) for head in heads)
    yield links
    for number, row in enumerate(rows):
        devices = "".join(f" {device} ".center(width, "─") for device in row)
        yield f"{f'row {number}':{len(margin)}} {devices}"
        yield links


def _draw_groups(found: InstanceType) -> list[str]:
    assert found.device_map is not None
    heads = ("SIZE", "ATTRIBUTE", "ID", "EFA", "DEVICES")
    groups = list_groups(found, found.device_map)
    rows = [
        (
            str(each["size"]),
            each["attribute"] or NONE,
            each["id"],
            str(each["efaInterfaces"]),
            _join(each["devices"]),
        )
        for each in groups
    ]
    return _align([heads, *rows], (0, 3))


def _draw_absent(found: InstanceType, none: Collection[str]) -> list[str]:
    absent = [
        (NONE if declared.name in none else UNKNOWN, declared.name, declared.doc)
        for declared in type(found.facts).KEYS.values()
        if getattr(found.facts, declared.attribute) is None
    ]
    return _align(absent) if absent else []
