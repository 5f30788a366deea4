"""The phases of a seat's bet zone, and every way from one to another: a table.

All that may happen to a seat stands in `MACHINE`; what is noted and reported on the way stands in `watch` and
`verdict`. A trigger that a phase does not know raises, and nothing has changed. The diagram in the documents is drawn
from the table (`python -m vision.seats.phases`).
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from betline.machine import Machine


class Phase(Enum):
    """What is going on at a seat's bet zone; the value is what people read."""

    REST = "rest"
    """Nothing is open: the zone looks as it settled."""
    DISTURBED = "disturbed"
    """Something covers the zone, may be a hand, or lies differently; nobody is known to have reached in."""
    HAND_IN = "hand in"
    """The player's own hand is over the line."""
    HAND_GONE = "hand gone"
    """The player's own hand has left; the zone has not settled since."""
    OTHERS_ARM = "other's arm"
    """Somebody else has reached in, the dealer mostly, and the player has not; the zone has not settled since."""


class Trigger(Enum):
    """What moves a seat from phase to phase; the value says it in the diagram."""

    DISTURBANCE = "something differs"
    ALL_CLEAR = "nothing differs any more"
    HAND_ENTERED = "own hand enters"
    HAND_LEFT = "own hand leaves"
    OTHER_SEEN = "another's arm is seen"
    SETTLED = "settled"
    """The zone was uncovered, still and of one shape for long enough, or another's arm came over a bet that lay."""


MACHINE: Final = Machine(
    Phase.REST,
    {
        Phase.REST: {
            Trigger.DISTURBANCE: Phase.DISTURBED,
        },
        Phase.DISTURBED: {
            Trigger.ALL_CLEAR: Phase.REST,
            Trigger.HAND_ENTERED: Phase.HAND_IN,
            Trigger.OTHER_SEEN: Phase.OTHERS_ARM,
            Trigger.SETTLED: Phase.REST,
        },
        Phase.HAND_IN: {
            Trigger.HAND_LEFT: Phase.HAND_GONE,
            Trigger.OTHER_SEEN: Phase.HAND_IN,
        },
        Phase.HAND_GONE: {
            Trigger.HAND_ENTERED: Phase.HAND_IN,
            Trigger.OTHER_SEEN: Phase.HAND_GONE,
            Trigger.SETTLED: Phase.REST,
        },
        Phase.OTHERS_ARM: {
            Trigger.HAND_ENTERED: Phase.HAND_IN,
            Trigger.OTHER_SEEN: Phase.OTHERS_ARM,
            Trigger.SETTLED: Phase.REST,
        },
    },
)


if __name__ == "__main__":
    print(MACHINE.mermaid())
