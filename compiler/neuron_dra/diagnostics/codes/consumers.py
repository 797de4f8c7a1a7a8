"""Codes of consumers: controllers and nodes that have to handle pods with claims."""

from neuron_dra.diagnostics import Code, Severity

CONSUMER_REFUSES_CLAIM = Code(
    "ND3070",
    "consumer-refuses-claim",
    Severity.WARNING,
    "A controller that a workload is under does not admit its claim, unless it is configured to.",
)
POOL_WITHOUT_DRA = Code(
    "ND3071",
    "pool-without-dra",
    Severity.ERROR,
    "A pool is of a kind of capacity on which the Neuron DRA driver does not run.",
)
