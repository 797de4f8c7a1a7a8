"""What the API server would say of objects.

Two questions, two doors. `check` asks of our own output: `schemas` knows fields and their types per
Kubernetes minor, `metadata` names, labels and scopes, and only `check` makes diagnostics of their
`Problem`s. `verdict` answers for any object as the server of a minor does: `decode`, `defaults`,
`gated`, then the functions of `rules`, which answer with `Cause`s as the server spells them.
"""
