"""How large values can be and what a call costs, for the estimate in `cost`.

In: sizes of operands. Out: costs and sizes of results. Knows calls, not whole expressions.
"""
