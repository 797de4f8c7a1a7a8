"""The worst-case cost of a selector, as the API server estimates it.

In: a compiled selector. Out: a number of cost units; above the limit the selector is refused.
The estimate walks the tree once. It knows how large the device's strings and maps can be, keeps
what the expression itself says of sizes (literals, concatenations, results of calls), and
multiplies what a comprehension does with the size of what it visits. Only the maximum is kept,
since only that is compared; sizes need their minimum for `replace`. After cel-go v0.26.0 (up to
Kubernetes 1.36) and v0.29.2 (1.37), checker/cost.go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from neuron_dra.cel.costs.calls import call_cost
from neuron_dra.cel.costs.paths import INDICES, ITEMS, KEYS, VALUES, Path, no_path
from neuron_dra.cel.costs.shapes import LIST_COST, Argument, CallShape
from neuron_dra.cel.costs.sizes import (
    ONE,
    UNKNOWN,
    Entries,
    Size,
    device_size,
    plus,
    times,
)
from neuron_dra.cel.tree import (
    Call,
    Comprehension,
    Constant,
    Ident,
    ListLiteral,
    MapLiteral,
    Node,
    Select,
    Type,
)

if TYPE_CHECKING:
    from neuron_dra.cel.environment import Compiled

# CELSelectorExpressionMaxCost in k8s.io/api/resource/v1/types.go.
COST_LIMIT = 1_000_000

_MAP_COST = 30
_SCALARS = {"bool", "double", "duration", "int", "timestamp", "uint"}
_INDEXED = {"index_list": ITEMS, "index_map": VALUES}


def estimated_cost(compiled: Compiled) -> int:
    """Return the worst-case cost of a selector in the units of the API server."""
    return _Estimate(compiled.environment.minor).cost(compiled.root)


class _Local(NamedTuple):
    """What is known of a variable of a comprehension or of `cel.bind`."""

    path: Path
    size: Size | None
    entries: Entries | None


class _Estimate:
    """What is known so far of the parts of one expression."""

    def __init__(self, minor: int) -> None:
        self._minor = minor
        self._paths: dict[Node, Path] = {}
        self._sizes: dict[Node, Size] = {}
        self._entries: dict[Node, Entries] = {}
        self._locals: dict[str, list[_Local]] = {}

    def cost(self, node: Node) -> int:
        """Return the cost of a node and note its path and size."""
        match node:
            case Constant():
                return 0
            case Ident():
                return self._ident(node)
            case Select():
                return self._select(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case _:
                assert isinstance(node, Comprehension)
                return self._bind(node) if node.is_bind else self._fold(node)

    def _ident(self, node: Ident) -> int:
        local = self._local(node)
        self._paths[node] = local.path if local else Path.of(node.name)
        return 1 if local else len(node.name.split("."))

    def _select(self, node: Select) -> int:
        cost = self.cost(node.operand)
        if node.test_only:
            return cost
        self._paths[node] = self._path(node.operand).then(node.field)
        return plus(cost, 1) if node.operand.type.name == "map" else cost

    def _call(self, node: Call) -> int:
        if node.function == "dyn":
            cost = plus(1, self.cost(node.args[0]))
            self._copy(node, node.args[0])
            return cost
        costs = [self.cost(arg) for arg in node.args]
        target_cost = self.cost(node.target) if node.target else 0
        call = CallShape(
            node.function,
            self._argument(node.target) if node.target else None,
            [self._argument(arg) for arg in node.args],
            costs,
            self._minor,
        )
        most, size = 0, None
        for overload in node.overloads:
            found = call_cost(call, overload)
            most = max(most, found.cost)
            size = size.union(found.size) if size and found.size else found.size or size
            if overload in _INDEXED:
                size = self._index(node, _INDEXED[overload])
            size = size or self._size(node)
        self._join_entries(node)
        if size:
            self._sizes[node] = size
        return plus(target_cost, most)

    def _argument(self, node: Node) -> Argument:
        path = self._path(node)
        return Argument(node, self._size(node), path)

    def _index(self, node: Call, step: str) -> Size | None:
        operand = node.args[0]
        self._paths[node] = self._path(operand).then(step)
        entries = self._entries_of(operand)
        return entries.value if entries else None

    def _join_entries(self, node: Call) -> None:
        """Note what a sum or a choice of two lists or maps holds."""
        if node.function in ("_?_:_", "_+_"):
            left, right = map(self._entries_of, node.args[-2:])
            if left and right:
                self._entries[node] = left.union(right)

    def _list(self, node: ListLiteral) -> int:
        cost = self._sum(node.elements)
        values = self._widest(node.elements)
        self._entries[node] = Entries("list", ONE, values)
        return plus(cost, LIST_COST)

    def _map(self, node: MapLiteral) -> int:
        keys = [key for key, _, _ in node.entries]
        values = [value for _, value, _ in node.entries]
        cost = self._sum([*keys, *values])
        self._entries[node] = Entries("map", self._widest(keys), self._widest(values))
        return plus(cost, _MAP_COST)

    def _sum(self, nodes: Iterable[Node]) -> int:
        total = 0
        for node in nodes:
            total = plus(total, self.cost(node))
        return total

    def _widest(self, nodes: Iterable[Node]) -> Size:
        sizes = [self._size(node) or UNKNOWN for node in nodes]
        return Size(
            min((size.least for size in sizes), default=0), max((s.most for s in sizes), default=0)
        )

    def _bind(self, node: Comprehension) -> int:
        cost = plus(self.cost(node.range), self.cost(node.start))
        self._push(node.accumulator, self._started(node))
        cost = plus(cost, self.cost(node.result))
        self._pop(node.accumulator)
        self._copy(node, node.result)
        return cost

    def _fold(self, node: Comprehension) -> int:
        cost = plus(self.cost(node.range), self.cost(node.start))
        self._push(node.accumulator, self._started(node))
        visited = self._visited(node)
        for name, local in visited:
            self._push(name, local)
        each = plus(self.cost(node.condition), self.cost(node.step))
        for name, _ in visited:
            self._pop(name)
        cost = plus(cost, self.cost(node.result))
        self._pop(node.accumulator)
        count = self._size(node.range) or UNKNOWN
        self._note_result(node, count)
        return plus(cost, times(count.most, each))

    def _started(self, node: Comprehension) -> _Local:
        start = node.start
        return _Local(self._path(start), self._size(start), self._entries_of(start))

    def _visited(self, node: Comprehension) -> list[tuple[str, _Local]]:
        """Return the iteration variables with what is known of them."""
        entries, path = self._entries_of(node.range), self._path(node.range)
        is_list = (entries.kind if entries else node.range.type.name) == "list"
        steps = (INDICES, ITEMS) if is_list else (KEYS, VALUES)
        sizes = (entries.key, entries.value) if entries else (None, None)
        wanted = [(node.variable, 0), (node.second, 1)]
        if not node.second:
            wanted = [(node.variable, int(is_list))]
        return [
            (name, _Local(path.then(steps[which]), sizes[which], None)) for name, which in wanted
        ]

    def _note_result(self, node: Comprehension, count: Size) -> None:
        """Note how large the result is: as the start, or as many entries as were visited."""
        if isinstance(node.start, Constant):
            self._copy(node, node.start)
            return
        self._sizes[node] = count
        entries = self._entries_of(node.step)
        if entries:
            self._entries[node] = entries

    def _push(self, name: str, local: _Local) -> None:
        self._locals.setdefault(name, []).append(local)

    def _pop(self, name: str) -> None:
        self._locals[name].pop()

    def _local(self, node: Node) -> _Local | None:
        known = self._locals.get(node.name) if isinstance(node, Ident) else None
        return known[-1] if known else None

    def _copy(self, node: Node, source: Node) -> None:
        size, entries = self._size(source), self._entries_of(source)
        if size:
            self._sizes[node] = size
        if entries:
            self._entries[node] = entries

    def _path(self, node: Node) -> Path:
        local = self._local(node)
        return local.path if local else self._paths.get(node) or no_path()

    def _entries_of(self, node: Node) -> Entries | None:
        local = self._local(node)
        return self._entries.get(node) or (local.entries if local else None)

    def _size(self, node: Node) -> Size | None:
        """Return how large the value of a node can be, if anything is known of it."""
        if node in self._sizes:
            return self._sizes[node]
        local = self._local(node)
        return (
            _written_size(node)
            or device_size(self._path(node))
            or (ONE if is_scalar(node.type) else None)
            or (local.size if local else None)
        )


def _written_size(node: Node) -> Size | None:
    """Return the size of a literal."""
    match node:
        case Constant(value=str() | bytes() as value):
            return Size(len(value), len(value))
        case Constant():
            return ONE
        case ListLiteral(elements=parts) | MapLiteral(entries=parts):
            return Size(len(parts), len(parts))
        case _:
            return None


def is_scalar(kind: Type) -> bool:
    """Tell whether values of a type are all of one size."""
    if kind.name == "optional_type":
        return is_scalar(kind.parameters[0])
    return kind.name in _SCALARS
