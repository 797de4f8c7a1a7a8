"""The decision: which claims, classes and quotas the specs mean on the hardware of each cluster.

In: `Specs` and the catalogue. Out: a `Fleet` of `ClusterPlan`s, and diagnostics. Claims and classes
are `kube` values; nothing here is Kubernetes YAML yet. Partitions are planned once per class of
cluster (`profile`), never per cluster or tenant.
"""
