"""YAML text to nodes with places, and nodes to typed values.

`parse` turns a source into documents; `decode` reads documents by the types of models.
The only room that imports yaml for reading. It knows no kind of the spec language.
"""
