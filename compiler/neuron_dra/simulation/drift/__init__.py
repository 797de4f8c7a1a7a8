"""Differences between a dumped cluster and its specs.

In: a dump, a planned cluster and the catalogue. Out: differences as values, and their texts. Start
with `compare.compare`.
"""
