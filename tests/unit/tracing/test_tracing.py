"""One act as spans, from the last serial byte to the announcement, at a receiver that decodes them."""

import sys
from itertools import pairwise

import pytest

from betline import topics
from betline.bus import Received
from betline.messages.common import Envelope
from betline.messages.devices import ChipEvidence, ZoneChips
from betline.messages.table import Announcement, Event
from betline.options import UserError
from betline.topics import topic
from table_controller.tracing.acts import Acts, Span
from table_controller.tracing.export import SpanExport
from tests.unit.tracing.receiver import Receiver

MS = 1_000_000
ONE, TWO = "E0040150ABCDEF01", "E0040150ABCDEF02"
AHEAD_NS = 500 * MS
"""What our clock is ahead of all senders'."""


def came(where, body, sent_ms: int, *, sender: str = "controller", retained: bool = False) -> Received:
    envelope = Envelope(sender=sender, boot_id=f"{sender}-life", seq=1, ts_ms=0, mono_ns=sent_ms * MS)
    return Received(where, envelope, body, retained, sent_ms * MS + AHEAD_NS, AHEAD_NS)


def snapshot(round_no: int, last_byte_ms: int, *uids: str, zone: str = "seat-2") -> Received:
    chips = tuple(ChipEvidence(uid=uid, chip_type="5", hits=1, rounds=1, missed=0) for uid in uids)
    body = ZoneChips(zone=zone, reader="r", round_no=round_no, chips=chips, last_byte_ns=last_byte_ms * MS)
    return came(topic(topics.ZONE_CHIPS, zone), body, last_byte_ms + 2, sender="bridge")


def announced(sent_ms: int) -> Received:
    body = Announcement(hand_no=4, act_no=8, seat=3, text="Seat 3, 500 to call.")
    return came(topic(topics.ANNOUNCEMENT), body, sent_ms)


def step(*, source: str = "chips", ruled: bool = True, stamped: bool = True, retained: bool = False) -> Received:
    stamps = {"taken_ns": 300 * MS, "ruled_ns": 303 * MS, "written_ns": 310 * MS} if stamped else {}
    data = {"source": source, "ruled": ruled, "rulings": [{"act_no": 7, "seat": 2, "ruling": "call", "by": "Anna"}]}
    body = Event(journal_seq=70, hand_no=4, type="step", data=data, **stamps)
    return came(topic(topics.EVENT), body, 315, retained=retained)


def heard(*messages: Received):
    acts = Acts("home", "six")
    found = [spans for message in messages if (spans := acts.heard(message)) is not None]
    return found[0] if found else None


def test_an_act_on_chips_begins_with_the_round_that_first_heard_them_as_they_lie() -> None:
    spans = heard(
        snapshot(1, 50, ONE),
        snapshot(2, 100, ONE, TWO),
        snapshot(3, 150, ONE, TWO),
        snapshot(9, 290, ONE, zone="seat-5"),
        snapshot(4, 200, ONE, TWO),
        announced(250),
        announced(312),
        step(),
    )

    assert [(one.name, one.part, one.begin_ns // MS - 500, one.end_ns // MS - 500) for one in spans.parts] == [
        ("last byte", "bridge", 100, 102),
        ("settle", "controller", 102, 300),
        ("rule", "controller", 300, 303),
        ("journal", "controller", 303, 310),
        ("announce", "controller", 310, 312),
    ]
    assert spans.whole == Span("act", "controller", 600 * MS, 812 * MS)


def test_an_act_that_was_keyed_begins_when_it_is_taken() -> None:
    spans = heard(snapshot(1, 50, ONE), announced(312), step(source="keyed"))

    assert [one.name for one in spans.parts] == ["rule", "journal", "announce"]


@pytest.mark.parametrize("event", [step(ruled=False), step(stamped=False), step(retained=True)])
def test_what_is_no_act_or_has_no_times_is_no_trace(event) -> None:
    assert heard(event) is None


def test_the_same_entry_has_the_same_trace_and_no_tag_and_no_name_is_told() -> None:
    one, other = heard(snapshot(1, 50, ONE), step()), heard(step())

    assert one.trace_id == other.trace_id
    told = repr(one)
    assert ONE not in told
    assert "Anna" not in told
    assert one.attributes["betline.act"] == 7


def test_a_collector_gets_the_tree_of_an_act() -> None:
    spans = heard(snapshot(1, 100, ONE), announced(312), step())
    with Receiver() as receiver:
        export = SpanExport(receiver.url)
        export.act(spans)
        export.close()
        trees = receiver.trees()

    whole, parts = trees[spans.trace_id.to_bytes(16)]
    assert (whole.name, whole.service) == ("act", "betline-controller")
    assert whole.attributes["betline.ruling"] == "call"
    assert [(one.name, one.service) for one in parts] == [
        ("last byte", "betline-bridge"),
        ("settle", "betline-controller"),
        ("rule", "betline-controller"),
        ("journal", "betline-controller"),
        ("announce", "betline-controller"),
    ]
    assert all(first.end_ns == after.begin_ns for first, after in pairwise(parts))
    assert (whole.begin_ns, whole.end_ns) == (parts[0].begin_ns, parts[-1].end_ns)


def test_without_the_library_a_sentence_says_what_to_install(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)

    with pytest.raises(UserError, match=r"betline\[traces\]"):
        SpanExport("http://127.0.0.1:1/v1/traces")
