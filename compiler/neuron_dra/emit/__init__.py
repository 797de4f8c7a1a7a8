"""Bytes and files: Kubernetes objects as data in, YAML text and the output tree out.

`text` turns data into YAML, `tree` turns bytes into files on disk; neither knows what an object
means.
"""
