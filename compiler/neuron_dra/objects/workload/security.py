"""The Pod Security Standard of an emitted namespace, as far as devices tempt people to break it.

In: pod templates, and the namespace labels of the tenant that owns the namespace. Out:
diagnostics for what `baseline` forbids; `restricted` forbids it too. A controller shows such a
refusal only in an event. Namespaces that others create are not judged, nor the rest of
`restricted`.
"""

from __future__ import annotations

from collections.abc import Iterator

from neuron_dra.diagnostics.codes import workload as codes
from neuron_dra.objects.workload.template import PodTemplate, all_containers
from neuron_dra.objects.workload.wiring import Wiring
from neuron_dra.source import Span

_ENFORCE = "pod-security.kubernetes.io/enforce"
# kubernetes.io/docs/concepts/security/pod-security-standards, read 2026-12-01.
_BASELINE_CAPABILITIES = frozenset(
    (
        *("AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD"),
        *("NET_BIND_SERVICE", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT"),
    )
)


def check_security(wiring: Wiring, template: PodTemplate) -> None:
    """Diagnose what the namespace's Pod Security Standard refuses."""
    tenant = wiring.plan.tenant
    level = tenant.tenant.spec.namespace_labels.get(_ENFORCE) if tenant else None
    if level not in ("baseline", "restricted"):
        return
    for where, what, advice in _breaches(template):
        wiring.report(
            codes.POD_SECURITY.at(
                where,
                f"namespace `{wiring.namespace}` enforces the Pod Security Standard `{level}`, "
                f"which forbids {what}",
                help=advice,
            )
        )


def _breaches(template: PodTemplate) -> Iterator[tuple[Span, str, str]]:
    for key in ("hostNetwork", "hostPID", "hostIPC"):
        if template.spec.get(key):
            yield template.span(key), f"`{key}`", "remove it"
    for index, volume in enumerate(template.spec.get("volumes", ())):
        if "hostPath" in volume:
            where = template.span("volumes", index, "hostPath")
            yield where, "hostPath volumes", "use an emptyDir, for `/dev/shm` with `medium: Memory`"
    for list_key, index, container in all_containers(template):
        context = container.get("securityContext", {})
        path = (list_key, index, "securityContext")
        if context.get("privileged"):
            yield template.span(*path, "privileged"), "privileged containers", "remove it"
        for position, name in enumerate(context.get("capabilities", {}).get("add", ())):
            if name not in _BASELINE_CAPABILITIES:
                where = template.span(*path, "capabilities", "add", position)
                yield where, f"the capability `{name}`", "remove it: Neuron and EFA work without"
