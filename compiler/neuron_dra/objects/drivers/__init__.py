"""Helm releases of the drivers: which charts a cluster installs, and with which values.

In: a profile and the drivers of the catalogue. Out: `Release`s, their values as objects for
`helm/<release>/values.yaml`, and diagnostics. Renders no chart: what a chart does with a value is
known from the catalogue only.
"""
