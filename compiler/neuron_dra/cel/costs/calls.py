"""What one call costs, and how large its result can be.

In: the function, the sizes and costs of its operands, one overload. Out: the cost with that of the
arguments. Kubernetes' own estimates go by the function's name and come first, cel-go's go by the
overload; every other call costs one unit. After k8s.io/apiserver pkg/cel/library/cost.go and
cel-go checker/cost.go.
"""

from __future__ import annotations

from neuron_dra.cel.costs import lists, texts
from neuron_dra.cel.costs.shapes import TRAVERSAL, CallCost, CallShape, Estimate
from neuron_dra.cel.costs.sizes import ONE, Size, plus, scale

# MaxFormatSize in k8s.io/apiserver pkg/cel/limits.go.
_FORMAT_SIZE = 64
# The bytes of an address of IPv4 and IPv6.
_ADDRESS = Size(4, 16)
_CHOICES = {"logical_or", "logical_and", "conditional"}


def call_cost(call: CallShape, overload: str) -> CallCost:
    """Return what a call costs with one overload, arguments included."""
    if overload in _CHOICES:
        return _choice(call)
    own = _estimate(call, overload) or CallCost(1)
    total = own.cost
    for cost in call.costs:
        total = plus(total, cost)
    return CallCost(total, own.size)


def _estimate(call: CallShape, overload: str) -> CallCost | None:
    for estimates, key in ((_NAMED, call.function), (_OVERLOADED, overload)):
        found = estimates[key](call, overload) if key in estimates else None
        if found:
            return found
    return None


def _choice(call: CallShape) -> CallCost:
    """Return the cost of an operator that evaluates only some operands."""
    if len(call.costs) == 2:
        return CallCost(plus(*call.costs))
    condition, then, otherwise = call.costs
    size = call.args[1].size.union(call.args[2].size)
    return CallCost(plus(condition, max(then, otherwise)), size)


def _contains_network(call: CallShape, overload: str) -> CallCost:
    cost = scale(_ADDRESS.most * 2, TRAVERSAL)
    if call.function == "containsCIDR":
        cost += scale(_ADDRESS.most, TRAVERSAL) + 1
    if overload in ("cidr_contains_ip_string", "cidr_contains_cidr_string"):
        cost = plus(cost, call.args[0].traversal)
    return CallCost(cost)


def _equal_opaque(call: CallShape, _: str) -> CallCost | None:
    left, right = call.args
    if left.node.type != right.node.type:
        return None
    match left.node.type.name:
        case "net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver":
            return CallCost(1)
        case "kubernetes.NamedFormat":
            return CallCost(scale(_FORMAT_SIZE, TRAVERSAL))
        case "kubernetes.URL":
            return CallCost(scale((right.known_size or ONE).most, TRAVERSAL))
        case _:
            return None


def _compare(call: CallShape, _: str) -> CallCost:
    return CallCost(scale(min(arg.size.most for arg in call.args), TRAVERSAL))


def _concatenate(call: CallShape, overload: str) -> CallCost:
    size = call.args[0].size.plus(call.args[1].size)
    return CallCost(1 if overload == "add_list" else scale(size.most, TRAVERSAL), size)


def _search_list(call: CallShape, _: str) -> CallCost:
    # By a factor, as cel-go does it: very large sizes lose their last digits.
    return CallCost(scale(call.args[1].size.most, 1))


_NAMED: dict[str, Estimate] = {
    **lists.NAMED,
    **texts.NAMED,
    **dict.fromkeys(("containsIP", "containsCIDR"), _contains_network),
    "_==_": _equal_opaque,
}
_OVERLOADED: dict[str, Estimate] = {
    **texts.OVERLOADED,
    **dict.fromkeys(("add_string", "add_bytes", "add_list"), _concatenate),
    **dict.fromkeys(("equals", "not_equals"), _compare),
    **{
        f"{order}_{kind}": _compare
        for order in ("less", "less_equals", "greater", "greater_equals")
        for kind in ("string", "bytes")
    },
    "in_list": _search_list,
}
