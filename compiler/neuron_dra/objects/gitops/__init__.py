"""Argo CD's objects: how the output reaches the clusters.

In: plans and the Helm releases of each. Out: a root Application for each cluster, its children, and
AppProjects. The root and the children follow one revision; nothing here carries a finalizer, so
that a removed file orphans objects and deletes none.
"""

ATTRIBUTES = """\
# Written by neuron-dra. Reviews collapse these files, and no checkout changes their bytes.
* text eol=lf linguist-generated
"""


def git_attributes() -> str:
    """Return the content of `.gitattributes` at the top of the output."""
    return ATTRIBUTES
