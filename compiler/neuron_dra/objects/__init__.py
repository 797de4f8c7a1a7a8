"""Plans to Kubernetes objects, one kind per module.

In: plan and kube values. Out: `KubeObject`s: plain data in Kubernetes key order, defaults explicit,
namespaces explicit, with the documents and fields that caused them. Writes no text and no files.
"""
