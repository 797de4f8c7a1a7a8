"""The verbs of the command line, one module each, and what they share.

A verb's module holds one click command named `command` that returns its exit code. `group` has the
table of verbs, `options` what they have in common, `output` how they write. None holds logic: a
verb calls `api` and chooses a format.
"""
