"""How many claims of which partitions a pool holds, in the best order and in the worst.

A *placement* is the set of devices that one claim holds on a node, and a node's state is a set of
placements that share no device.
"""
