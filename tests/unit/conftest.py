"""How property tests look for examples.

A run of `make test` tries the same examples every time, so that a change of nothing stays green.
`HYPOTHESIS_PROFILE=search make test` looks for new ones.
"""

import os

from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("search", deadline=None, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
