"""What the API server would say of objects: one module per concern, `check` asks them all.

`schemas` knows fields and their types per Kubernetes minor, `metadata` names, labels and scopes.
They judge plain data and answer with `Problem`s; only `check` makes diagnostics of them.
"""
