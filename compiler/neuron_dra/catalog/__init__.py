"""What the hardware is, typed: instance types, chips, drivers and Kubernetes releases.

`locate.open_catalog` finds the files, `catalog.Catalog` decodes those that are asked for.
Knows no spec and no Kubernetes object.
"""
