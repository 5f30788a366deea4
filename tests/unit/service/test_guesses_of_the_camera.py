"""What the camera only guesses does not act by itself at the edge of the controller."""

import pytest

from betline import topics
from betline.bus import Received
from betline.messages.common import Envelope
from betline.messages.devices import LineEvent, LineEventType
from betline.settings import load_chip_set, load_table
from betline.topics import topic
from table_controller.sensing import LineSeen
from table_controller.session.edge import Edge
from table_controller.session.inputs import NO_SEAT

SEAT_3 = topic(topics.SEAT_LINE, "3")
OVERHEAD = topic(topics.DEVICE_LINE, "overhead")


def read(
    edge: Edge, event: LineEventType, conf: float, *, seat: int | None = 3, where: topics.Topic = SEAT_3
) -> object:
    body = LineEvent(id="e-1", event=event, seat=seat, t_first_ns=1, t_confirm_ns=2, conf=conf, frame=1)
    envelope = Envelope(sender="overhead", seq=1, boot_id="b", ts_ms=1, mono_ns=1)
    return edge.read(Received(where, envelope, body, False, 0, 0))


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


def test_an_event_of_the_whole_picture_is_heard_on_the_cameras_own_line(edge: Edge) -> None:
    assert read(edge, "camera_moved", 0.9, seat=None, where=OVERHEAD) == (
        LineSeen("camera_moved", NO_SEAT, 1, camera="overhead", conf=0.9),
    )
    assert not edge.dropped


@pytest.mark.parametrize(("seat", "where"), [(None, SEAT_3), (3, OVERHEAD), (4, SEAT_3)])
def test_an_event_on_anothers_line_is_counted_and_dropped(edge: Edge, seat: int | None, where: topics.Topic) -> None:
    assert read(edge, "camera_moved", 0.9, seat=seat, where=where) == ()
    assert edge.dropped == {"seat-unknown": 1}
