"""The states of the link to one reader, and what leads from one to the next.

``python -m firmware_bridge.link_states`` prints the diagram that stands in hardware_docs/readers.md.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from betline.machine import Machine


class LinkState(Enum):
    """Where the link to a reader stands."""

    CLOSED = "closed"
    """The port is closed, until the back-off is over."""
    OPENING = "opening"
    RESTING = "resting"
    """The port is open and no round is under way."""
    HEARING = "hearing"
    """No round was asked for, and bytes come: a reader that pushes begins a round of its own, or it is noise."""
    ASKING = "asking"
    """A request is out and its answer awaited."""
    LISTENING = "listening"
    """A round is under way in which the reader says the rest by itself."""


class LinkEvent(Enum):
    """What happens to a link."""

    BACK_OFF_OVER = "back-off over"
    OPENED = "opened"
    OPEN_FAILED = "open failed"
    UNASKED_BYTES = "bytes that nobody asked for"
    """Bytes came while no round was under way."""
    REQUEST_SENT = "request sent"
    MORE_AWAITED = "more awaited"
    """The dialogue listens: more will come without being asked for."""
    ROUND_OVER = "round over"
    ROUND_FAILED = "round failed"
    """Refused, damaged or silent: the round is tried again after a pause."""
    DEAF = "silent for too long"
    """The reader was silent for too long: its port is opened anew."""
    LOST = "port lost"
    """The port failed: unplugged, or taken away."""


_IN_ANY_OPEN_STATE: Final = {
    LinkEvent.REQUEST_SENT: LinkState.ASKING,
    LinkEvent.MORE_AWAITED: LinkState.LISTENING,
    LinkEvent.ROUND_OVER: LinkState.RESTING,
    LinkEvent.ROUND_FAILED: LinkState.RESTING,
    LinkEvent.LOST: LinkState.CLOSED,
}

MACHINE: Final = Machine(
    LinkState.CLOSED,
    {
        LinkState.CLOSED: {LinkEvent.BACK_OFF_OVER: LinkState.OPENING, LinkEvent.LOST: LinkState.CLOSED},
        LinkState.OPENING: {
            LinkEvent.OPENED: LinkState.RESTING,
            LinkEvent.OPEN_FAILED: LinkState.CLOSED,
            LinkEvent.LOST: LinkState.CLOSED,
        },
        LinkState.RESTING: {LinkEvent.UNASKED_BYTES: LinkState.HEARING, **_IN_ANY_OPEN_STATE},
        LinkState.HEARING: _IN_ANY_OPEN_STATE,
        LinkState.ASKING: {**_IN_ANY_OPEN_STATE, LinkEvent.DEAF: LinkState.CLOSED},
        LinkState.LISTENING: {**_IN_ANY_OPEN_STATE, LinkEvent.DEAF: LinkState.CLOSED},
    },
)

_IN_ROUND: Final = frozenset({LinkState.ASKING, LinkState.LISTENING})
_BETWEEN_ROUNDS: Final = frozenset({LinkState.RESTING, LinkState.HEARING})


class LinkStanding:
    """Where one link stands. Its port's life (`link.py`) and its polling (`polling.py`) move it by the same table."""

    def __init__(self) -> None:
        self.state = MACHINE.start

    @property
    def is_open(self) -> bool:
        """Whether the port is open."""
        return self.in_round or self.is_resting

    @property
    def in_round(self) -> bool:
        """Whether the reader is being read now, so that its field is in use."""
        return self.state in _IN_ROUND

    @property
    def is_resting(self) -> bool:
        """Whether the next tick may begin a round."""
        return self.state in _BETWEEN_ROUNDS

    def happens(self, event: LinkEvent) -> None:
        """Go on by the table; raises UnknownTransitionError, and then nothing has changed."""
        self.state = MACHINE.after(self.state, event)


if __name__ == "__main__":
    print(MACHINE.mermaid())
