"""`catalog.json`: what is said of a cluster."""

from __future__ import annotations

import json
from types import SimpleNamespace

from neuron_dra.emit.jobs import Renderings, cluster_job
from neuron_dra.emit.listing import write_catalog
from unit.objects.small_plans import CLUSTER, make_plan

BODY = """
      region: us-west-2
      owner: platform
      consumers: {argocd: {version: 3.1}, kueue: {version: 0.17.0}}
      nodePools:
      - name: ultra
        instanceType: a.large
        zones: [usw2-az4, us-west-2a]
        capacity:
          type: capacity-block
          capacityBlockId: cb-0a1b2c3d4e5f67890
          endDate: 2027-03-01T11:30:00Z
      - {name: plain, instanceType: b.large}
"""
TENANT = """
    apiVersion: neuron-dra.dev/v1alpha1
    kind: Tenant
    metadata: {name: research}
    spec: {owner: science, clusters: [east], namespaces: [lab, lab-dev]}
"""


class FewFacts(Renderings):
    """Renderings that know a partition without its hardware."""

    def facts(self, planned):
        return f'"template": "{planned.name}"'


def catalog_of(*documents, partitions=()):
    plan = make_plan(*documents, partitions=partitions)
    job = cluster_job(plan, [], FewFacts(), ("0", "0"))
    return write_catalog(job.listing).decode()


def test_cluster():
    """A reader sees where the cluster is, whose it is, and what its pools are."""
    content = json.loads(catalog_of(CLUSTER + BODY))

    assert content == {
        "schemaVersion": 1,
        "cluster": "east",
        "region": "us-west-2",
        "owner": "platform",
        "kubernetes": "1.36",
        "consumers": {"argocd": "3.1", "kueue": "0.17.0"},
        "pools": [
            {
                "name": "ultra",
                "instanceType": "a.large",
                "nodes": {"min": 0, "max": None},
                "zones": ["usw2-az4", "us-west-2a"],
                "capacity": {
                    "type": "capacity-block",
                    "capacityBlockId": "cb-0a1b2c3d4e5f67890",
                    "endDate": "2027-03-01T11:30:00Z",
                },
            },
            {
                "name": "plain",
                "instanceType": "b.large",
                "nodes": {"min": 0, "max": None},
                "zones": [],
                "capacity": None,
            },
        ],
        "partitions": [],
    }


def test_grants():
    """A grant says the tenant's owner beside its namespaces."""
    partition = SimpleNamespace(
        name="row-1",
        operator=False,
        has_efa=False,
        partition=SimpleNamespace(metadata=SimpleNamespace(name="row")),
    )
    content = json.loads(catalog_of(CLUSTER, TENANT, partitions=[partition]))

    assert content["partitions"] == [
        {
            "name": "row",
            "grants": [
                {"tenant": "research", "owner": "science", "namespaces": ["lab", "lab-dev"]}
            ],
            "template": "row-1",
        }
    ]


def test_bare_cluster():
    """What the spec does not say is null or empty, and the text is lines for reviews."""
    text = catalog_of(CLUSTER)
    content = json.loads(text)

    assert (content["region"], content["owner"]) == (None, None)
    assert (content["consumers"], content["pools"]) == ({}, [])
    assert text.endswith("]}\n")
