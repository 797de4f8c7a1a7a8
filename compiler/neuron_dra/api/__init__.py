"""The one pipeline behind all commands: sources to specs, plan, objects, bytes.

`pipeline` analyses and builds, `selection` says which clusters are meant, `sides` reads what is
compared. Nothing here writes; `emit` does.
"""
