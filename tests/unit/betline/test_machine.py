"""State machines as tables: what leads where, and the diagram drawn from them."""

from enum import Enum, auto

import pytest

from betline.machine import Machine, UnknownTransitionError


class Door(Enum):
    OPEN = auto()
    SHUT = auto()


class Push(Enum):
    PULLED = auto()
    PUSHED_HARD = auto()
    LEANED_ON = auto()


DOOR = Machine(
    Door.SHUT,
    {
        (Door.SHUT, Push.PULLED): Door.OPEN,
        (Door.OPEN, Push.PUSHED_HARD): Door.SHUT,
        (Door.OPEN, Push.LEANED_ON): Door.SHUT,
    },
)


def test_an_event_leads_where_the_table_says() -> None:
    assert DOOR.after(DOOR.start, Push.PULLED) is Door.OPEN


def test_an_event_without_a_transition_is_refused_by_name() -> None:
    with pytest.raises(UnknownTransitionError, match="PUSHED_HARD cannot happen in SHUT"):
        DOOR.after(Door.SHUT, Push.PUSHED_HARD)


def test_the_diagram_has_one_arrow_for_a_pair_of_states() -> None:
    assert DOOR.mermaid().splitlines() == [
        "stateDiagram-v2",
        "    [*] --> SHUT",
        "    SHUT --> OPEN: pulled",
        "    OPEN --> SHUT: pushed hard, leaned on",
    ]
