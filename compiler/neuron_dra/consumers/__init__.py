"""Who consumes claims: whether a controller, an autoscaler or a kubelet can handle a partition.

In: planned partitions and the facts about consumers. Out: verdicts with reasons, and diagnostics.
No consumer is named here: a fact says which part of a claim it can handle.
"""
