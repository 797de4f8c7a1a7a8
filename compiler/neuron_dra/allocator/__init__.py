"""The scheduler's structured allocator, as each Kubernetes minor has it.

In: classes, slices, a cluster node and claims. Out: which devices each claim gets there, or why
none. Start with `allocator.Allocator`, whose docstring explains the whole algorithm.
"""
