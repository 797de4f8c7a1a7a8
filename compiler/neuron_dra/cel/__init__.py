"""Device selectors in CEL, as the API server checks them and the scheduler evaluates them.

In: a Kubernetes minor with feature gates, and the text of a selector. Out: a checked tree and what
can be said of it. Knows nothing of YAML, of diagnostics or of Neuron. Import from the modules:

- `environment`: `environment(minor, gates).compile(text)` gives `Compiled` or `CompileError`
  (`message`, `column`, `end`, `help`); `Compiled.matches(device)` evaluates.
- `device`: `Device.of(driver, attributes, capacity)`; `Semver` from `version` for versions.
- `value`: `EvaluationError`, `NoSuchKeyError` with its `key`.
- `reads`: `find_reads(compiled)`, `find_comparisons(compiled)`.
- `cost`: `estimated_cost(compiled)`, `COST_LIMIT`.
- `literals`: `find_literal_problems(compiled)` for literals that fail on every device.
"""
