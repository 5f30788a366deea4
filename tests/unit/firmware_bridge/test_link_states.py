"""The transition table of the link to a reader: complete, reachable, and drawn as it is in the documents."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from betline.machine import UnknownTransitionError
from firmware_bridge.link import ReaderLink
from firmware_bridge.link_states import MACHINE, LinkEvent, LinkState
from firmware_bridge.protocols.feig.family import FeigFamily
from firmware_bridge.schedule import Channel

PAGE = Path(__file__).parents[3] / "hardware_docs" / "readers.md"


def reached(starts: Iterable[LinkState]) -> set[LinkState]:
    found = set(starts)
    while more := {after for state in found for after in MACHINE.transitions[state].values()} - found:
        found |= more
    return found


def test_every_state_is_reached_and_every_event_happens() -> None:
    assert reached([MACHINE.start]) == set(LinkState)
    assert {event for events in MACHINE.transitions.values() for event in events} == set(LinkEvent)


@pytest.mark.parametrize("state", LinkState)
def test_a_port_may_be_lost_in_any_state_and_is_opened_again(state: LinkState) -> None:
    assert MACHINE.after(state, LinkEvent.LOST) is LinkState.CLOSED
    assert LinkState.RESTING in reached([state])


def test_an_event_that_cannot_happen_is_refused_and_changes_nothing() -> None:
    link = ReaderLink(FeigFamily(), [Channel("seat-1")])
    before = (link.wake_ns, link.health, link.is_open)

    with pytest.raises(UnknownTransitionError):
        link.opened(1)

    assert (link.wake_ns, link.health, link.is_open) == before


def test_the_diagram_on_the_page_is_that_of_the_table() -> None:
    assert f"```mermaid\n{MACHINE.mermaid()}\n```" in PAGE.read_text(encoding="utf-8")
