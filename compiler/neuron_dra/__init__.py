"""neuron-dra: compile a small spec of Trainium clusters into checked Kubernetes objects.

The import is cheap on purpose: rooms are imported when a command needs them.
"""

__version__ = "0.1.0"
