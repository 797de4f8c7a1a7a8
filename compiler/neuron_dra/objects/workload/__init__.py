"""Workloads to wired controllers: the kind that makes the pods, and what it needs beside it.

In: a `WorkloadPlan` and the `Profile` of its cluster. Out: `KubeObject`s, and diagnostics of what
the user's pod template or the controller cannot do. `render` is the entry; each controller is a
module, the modules between them wire one aspect of the pods. Network policy is another kind's.
"""
