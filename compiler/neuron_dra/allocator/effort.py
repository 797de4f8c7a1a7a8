"""How long the scheduler may search, counted in steps.

In: steps. Out: whether the scheduler would still be searching when its deadline comes. It looks at
the clock once a step, that is, each time it wants one more device. Here a step costs a little and
so much more for every device that it looks at, which makes the bound one of counting: the same
everywhere, whatever machine runs the scheduler. Near the bound the verdict is open.
"""

from __future__ import annotations

from dataclasses import dataclass

# Looks at devices in the ten seconds of the scheduler's filterTimeout: 70 to 160 ns each, measured
# with k8s.io/dynamic-resource-allocation v0.35.4 and v0.36.3 on 2026-12-01.
LOOKS = 100_000_000
# What a step costs beside its looks, in looks.
STEP_LOOKS = 2
# By how much a scheduler may be faster or slower than the bound says.
MARGIN = 20
# Steps that we take ourselves before we give up.
PATIENCE = 200_000


class OutOfTimeError(Exception):
    """The scheduler surely stops searching; never leaves this room."""


class OutOfPatienceError(Exception):
    """We stop searching; never leaves this room."""


@dataclass(slots=True)
class Effort:
    """The steps of one search.

    Attributes:
        limit: after how many steps the scheduler stops.
        steps: how many it has taken.
        ours: how many we have taken; those whose end we know cost us none.
    """

    limit: int
    steps: int = 0
    ours: int = 0

    @classmethod
    def for_devices(cls, devices: int) -> Effort:
        """Return the effort of a search among a number of devices."""
        return cls(LOOKS // (STEP_LOOKS + devices))

    @property
    def is_beyond_limit(self) -> bool:
        """Whether the scheduler has stopped by now."""
        return self.steps > self.limit

    def step(self) -> None:
        """Count a step."""
        self.ours += 1
        self.skip(1)
        if self.ours > PATIENCE:
            raise OutOfPatienceError

    def skip(self, steps: int) -> None:
        """Count steps whose end is known; those near the limit are counted to their end."""
        self.steps += steps
        if self.steps > self.limit * MARGIN:
            raise OutOfTimeError


def is_near_limit(steps: int, devices: int) -> bool:
    """Tell whether the time of a search depends on the machine."""
    limit = Effort.for_devices(devices).limit
    return limit // MARGIN < steps <= limit * MARGIN
