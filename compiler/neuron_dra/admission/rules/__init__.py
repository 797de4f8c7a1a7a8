"""The rules of the API server: functions from an object's data and a `Server` to causes.

One module per part of an object. Data is what `decode` makes, in the shape of the newest version of
the API, with defaults; fields are named in that shape too. `declarative` has the rules that stand
in the types of each version, and names fields as that version does.
"""
