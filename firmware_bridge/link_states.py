"""The states of the link to one reader, and what leads from one to the next.

``python -m firmware_bridge.link_states`` prints the diagram that stands in hardware_docs/readers.md.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from betline.machine import Machine


class LinkState(Enum):
    """Where the link to a reader stands."""

    CLOSED = auto()
    """The port is closed, until the back-off is over."""
    OPENING = auto()
    RESTING = auto()
    """The port is open and no round is under way."""
    HEARING = auto()
    """No round was asked for, and bytes come: a reader that pushes begins a round of its own, or it is noise."""
    ASKING = auto()
    """A request is out and its answer awaited."""
    LISTENING = auto()
    """A round is under way in which the reader says the rest by itself."""


class LinkEvent(Enum):
    """What happens to a link."""

    BACK_OFF_OVER = auto()
    OPENED = auto()
    OPEN_FAILED = auto()
    UNASKED_BYTES = auto()
    """Bytes came while no round was under way."""
    REQUEST_SENT = auto()
    MORE_AWAITED = auto()
    """The dialogue listens: more will come without being asked for."""
    ROUND_OVER = auto()
    ROUND_FAILED = auto()
    """Refused, damaged or silent: the round is tried again after a pause."""
    DEAF = auto()
    """The reader was silent for too long: its port is opened anew."""
    LOST = auto()
    """The port failed: unplugged, or taken away."""


_OPEN = (LinkState.RESTING, LinkState.HEARING, LinkState.ASKING, LinkState.LISTENING)

MACHINE: Final = Machine(
    LinkState.CLOSED,
    {
        (LinkState.CLOSED, LinkEvent.BACK_OFF_OVER): LinkState.OPENING,
        (LinkState.CLOSED, LinkEvent.LOST): LinkState.CLOSED,
        (LinkState.OPENING, LinkEvent.OPENED): LinkState.RESTING,
        (LinkState.OPENING, LinkEvent.OPEN_FAILED): LinkState.CLOSED,
        (LinkState.OPENING, LinkEvent.LOST): LinkState.CLOSED,
        (LinkState.RESTING, LinkEvent.UNASKED_BYTES): LinkState.HEARING,
        **{(state, LinkEvent.REQUEST_SENT): LinkState.ASKING for state in _OPEN},
        **{(state, LinkEvent.MORE_AWAITED): LinkState.LISTENING for state in _OPEN},
        **{(state, LinkEvent.ROUND_OVER): LinkState.RESTING for state in _OPEN},
        **{(state, LinkEvent.ROUND_FAILED): LinkState.RESTING for state in _OPEN},
        (LinkState.ASKING, LinkEvent.DEAF): LinkState.CLOSED,
        (LinkState.LISTENING, LinkEvent.DEAF): LinkState.CLOSED,
        **{(state, LinkEvent.LOST): LinkState.CLOSED for state in _OPEN},
    },
)


if __name__ == "__main__":
    print(MACHINE.mermaid())
