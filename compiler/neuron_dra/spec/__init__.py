"""What the user asked for, typed: the kinds of the spec language.

`documents.read_documents` turns sources into `Specs`; `layers` merges a Cluster over its
ClusterDefaults. Knows no hardware and no Kubernetes object.
"""
