"""Readers of where Argo CD and Helm find things: repositories, folders, revisions, API servers.

In: nothing but texts. Out: `Reader` values. A URL may carry no user and no password, since it is
committed to Git; whether anything is there is not asked.
"""

from __future__ import annotations

import re

from neuron_dra.syntax.decode import Reader, Scalar
from neuron_dra.syntax.scalars import checked, matching

_NAME = r"[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?"
_HOST = rf"({_NAME}|\[[0-9A-Fa-f:.]+\])(:[0-9]{{1,5}})?"
_PATH = r"(/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*)?"
_SSH_USER = r"[A-Za-z0-9._-]+@"
_GIT = (
    rf"https?://{_HOST}{_PATH}|ssh://({_SSH_USER})?{_HOST}{_PATH}"
    rf"|{_SSH_USER}{_NAME}:[A-Za-z0-9._~/-]+"
)
_CHARTS = rf"(oci|https?)://{_HOST}{_PATH}"
# An EKS cluster's ARN: EKS API reference, Cluster, 2026-12-01.
_SERVER = (
    rf"https?://{_HOST}{_PATH}"
    r"|arn:aws[a-z-]*:eks:[a-z0-9-]+:[0-9]{12}:cluster/[A-Za-z0-9][A-Za-z0-9_-]*"
)
_WITH_USER = re.compile(r"(?!ssh://[^/:@]*@)[a-z]+://[^/]*@.*")
_FOLDER_PART = re.compile(r"[A-Za-z0-9._@+~-]+")


def _without_user(inner: Reader) -> Reader:
    """Refuse a URL with a user first, in words that do not repeat the secret."""
    assert isinstance(inner, Scalar)

    def convert(value: str) -> str:
        if _WITH_USER.fullmatch(value):
            raise ValueError("a URL with a user or a password would be committed to Git")
        result: str = inner.convert(value)
        return result

    return Scalar(inner.what, convert, inner.schema(), quoted=True)


def _check_folder(text: str) -> str:
    parts = [] if text == "." else text.split("/")
    if any(part in ("", ".", "..") for part in parts):
        return "is not a folder inside the repository, like `out`, or `.` for its top"
    if not all(map(_FOLDER_PART.fullmatch, parts)):
        return "may hold letters, digits, `.`, `_`, `@`, `+`, `~`, `-` and inner `/` only"
    return ""


def _check_word(text: str) -> str:
    if not text.isprintable() or " " in text:
        return "may not hold spaces or control characters"
    return "" if text and not text.startswith("-") else "is not a branch, tag or commit"


def _check_line(text: str) -> str:
    if not text.isprintable() or text != text.strip():
        return "may not hold control characters, or begin or end with a space"
    return "" if text else "is no name"


GIT_REPOSITORY = _without_user(
    matching("the URL of a Git repository", _GIT, "https://git.example.com/infra/neuron.git")
)
CHART_REPOSITORY = _without_user(
    matching("the URL of a chart repository", _CHARTS, "oci://registry.example.com/charts")
)
API_SERVER = _without_user(
    matching("the URL of an API server or an EKS ARN", _SERVER, "https://kubernetes.example.com")
)
FOLDER = checked("a folder", _check_folder)
REVISION = checked("a branch, tag or commit", _check_word)
ARGOCD_NAME = checked("a name in Argo CD", _check_line)
