"""Kubernetes values as the compiler judges and renders them: one claim, not two.

`plan` builds these values, a proof speaks of them, `objects` renders them. Knows no spec language
and no hardware.
"""
