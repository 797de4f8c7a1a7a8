"""Device selectors in CEL, as the API server checks them and the scheduler evaluates them.

In: a Kubernetes minor with feature gates, and the text of a selector. Out: a checked tree and what
can be said of it. Knows nothing of YAML, of diagnostics or of Neuron. Import from the modules:

- `environment`: `environment(minor, gates).compile(text)` gives `Compiled`, or the `CompileError`
  of `problem`; `Compiled.matches(device)` evaluates.
- `device`: `Device.of(driver, attributes, capacity)`; a version is a `Semver` of `version`.
- `value`: `EvaluationError`, and `NoSuchKeyError` with its `key`.
- `unknown`: `UnknownValueError`, when the verdict depends on what nobody knows of a device.
- `reads`: `find_reads(compiled)`; `comparisons`: `find_comparisons(compiled)`.
- `cost`: `estimated_cost(compiled)`, above `COST_LIMIT` the selector is refused.
- `literals`: `find_literal_problems(root, expression)` for literals that fail on every device.
"""
