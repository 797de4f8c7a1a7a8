"""Dumps of real clusters: what claims would get there, and how they differ from the specs.

In: files as `kubectl get` prints them, plans and the catalogue. Out: verdicts, differences and
their texts. Start with `dump.read_dump`, `simulate.simulate` and `drift.compare`.
"""
