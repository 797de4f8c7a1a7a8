"""What the functions of a selector compute.

In: the name of a function and Python values. Out: a value or an `EvaluationError`.
Signatures are in `declarations`; operators that may leave an operand unread are in `operators`.
"""
