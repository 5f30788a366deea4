"""State machines as tables: what leads where, and the diagram drawn from them."""

from enum import Enum

import pytest

from betline.machine import Machine, UnknownTransitionError


class Door(Enum):
    OPEN = "open"
    SHUT = "shut"


class Push(Enum):
    PULLED = "pulled"
    PUSHED_HARD = "pushed hard"
    LEANED_ON = "leaned on"


DOOR = Machine(
    Door.SHUT,
    {
        Door.SHUT: {Push.PULLED: Door.OPEN},
        Door.OPEN: {Push.PUSHED_HARD: Door.SHUT, Push.LEANED_ON: Door.SHUT},
    },
)


def test_an_event_leads_where_the_table_says() -> None:
    assert DOOR.after(DOOR.start, Push.PULLED) is Door.OPEN


def test_an_event_without_a_transition_is_refused_by_name() -> None:
    with pytest.raises(UnknownTransitionError, match='"pushed hard" cannot happen in the state "shut"') as refused:
        DOOR.after(Door.SHUT, Push.PUSHED_HARD)
    assert refused.value.code == "unknown-transition"


def test_the_diagram_has_one_arrow_for_a_pair_of_states() -> None:
    assert DOOR.mermaid().splitlines() == [
        "stateDiagram-v2",
        "    [*] --> SHUT",
        "    SHUT: shut",
        "    OPEN: open",
        "    SHUT --> OPEN: pulled",
        "    OPEN --> SHUT: pushed hard, leaned on",
    ]
