"""Write the benchmark's fleet: 40 partitions granted in any number of clusters.

Usage: python bench/fleet.py CLUSTERS FOLDER [PARTITIONS]

One file for the partitions and one for each cluster with its tenant. The partitions vary size, LNC,
EFA and driver pin; every cluster has two pools, one for each pinned driver.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

SIZES = (1, 2, 4, 8, 16)
LOGICAL_NEURON_CORES = (1, 2)
EFA = ("none", "paired")
DRIVERS = ("2.25.4.0", "2.26.5.0")

PARTITION = """apiVersion: neuron-dra.dev/v1alpha1
kind: Partition
metadata: {{name: {name}}}
spec:
  description: {size} devices, LNC {lnc}, EFA {efa}.
  instanceType: trn2.48xlarge
  devices: {size}
  connected: {connected}
  logicalNeuronCore: {lnc}
  efa: {efa}
  neuronDriver: {driver}
"""

CLUSTER = """apiVersion: neuron-dra.dev/v1alpha1
kind: Cluster
metadata:
  name: {name}
  labels: {{env: prod, index: "{index}"}}
spec:
  kubernetes: 1.36
  region: us-west-2
  owner: platform
  objectLabels: {{cluster: {name}}}
  drivers:
    neuron: {{chartVersion: 1.10.0}}
    efa: {{chartVersion: 1.0.0}}
  gitops: none
  nodePools:
  - name: old
    instanceType: trn2.48xlarge
    nodes: {{min: 1, max: 8}}
    nodeSelector: {{eks.amazonaws.com/nodegroup: old}}
    neuronDrivers: [{drivers[0]}]
  - name: new
    instanceType: trn2.48xlarge
    nodes: {{min: 1, max: 8}}
    nodeSelector: {{eks.amazonaws.com/nodegroup: new}}
    neuronDrivers: [{drivers[1]}]
---
apiVersion: neuron-dra.dev/v1alpha1
kind: Tenant
metadata: {{name: {name}}}
spec:
  owner: team-{team}
  clusters: [{name}]
  namespaces: [ml-{team}]
  partitions:
{partitions}"""


def partition_names(count: int) -> list[tuple[str, dict[str, object]]]:
    """Return name and values of each partition."""
    shapes = itertools.cycle(itertools.product(SIZES, LOGICAL_NEURON_CORES, EFA, DRIVERS))
    named = []
    for index, (size, lnc, efa, driver) in zip(range(count), shapes, strict=False):
        suffix = "-efa" if efa == "paired" else ""
        values = {"size": size, "lnc": lnc, "efa": efa, "driver": driver}
        named.append((f"trn2-{size}x-lnc{lnc}{suffix}-{index:04d}", values))
    return named


def write_fleet(clusters: int, folder: Path, count: int = 40) -> None:
    """Write the specs of a fleet into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    partitions = partition_names(count)
    texts = [
        PARTITION.format(name=name, connected=str(values["size"] in (4, 8, 16)).lower(), **values)
        for name, values in partitions
    ]
    (folder / "partitions.yaml").write_text("---\n".join(texts))
    granted = "".join(f"  - {name}\n" for name, _ in partitions)
    for index in range(clusters):
        name = f"cl-{index:05d}"
        text = CLUSTER.format(
            name=name, index=index, team=index % 7, drivers=DRIVERS, partitions=granted
        )
        (folder / f"{name}.yaml").write_text(text)


if __name__ == "__main__":
    write_fleet(int(sys.argv[1]), Path(sys.argv[2]), int((sys.argv[3:] or ["40"])[0]))
