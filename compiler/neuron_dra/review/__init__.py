"""What a change does: two trees of objects to one typed model of changes, and its texts.

In: the files of two output trees, read or just compiled. Out: a `Review`, and text, Markdown or
JSON of it. Import from the modules: `tree` reads a side, `compare` compares two, `change` is the
model, `render` writes it. Reads no files and compiles nothing.
"""
