"""What the camera only guesses does not act by itself at the edge of the controller."""

import pytest

from betline import topics
from betline.bus import Received
from betline.messages.common import Envelope
from betline.messages.devices import LineEvent, LineEventType
from betline.settings import load_chip_set, load_table
from betline.topics import topic
from table_controller.session.edge import Edge


def read(edge: Edge, event: LineEventType, conf: float) -> object:
    body = LineEvent(id="e-1", event=event, seat=3, t_first_ns=1, t_confirm_ns=2, conf=conf, frame=1)
    envelope = Envelope(sender="overhead", seq=1, boot_id="b", ts_ms=1, mono_ns=1)
    return edge.read(Received(topic(topics.SEAT_LINE, "3"), envelope, body, False, 0, 0))


@pytest.fixture
def edge() -> Edge:
    table = load_table("home-six")
    return Edge(table, load_chip_set(table.chip_set))


def test_cards_that_were_dealt_for_certain_end_posting(edge: Edge) -> None:
    assert read(edge, "cards_dealt", 0.85)
    assert not edge.dropped


def test_cards_that_may_have_been_dealt_are_counted_and_end_nothing(edge: Edge) -> None:
    assert read(edge, "cards_dealt", 0.6) == ()
    assert edge.dropped == {"camera-unsure": 1}


def test_other_events_are_heard_whatever_their_confidence(edge: Edge) -> None:
    assert read(edge, "bet_settled", 0.4)
    assert not edge.dropped
