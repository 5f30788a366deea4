"""The edge reads the times of readers and camera, each with clocks of its own, on the controller's clock."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from betline import topics
from betline.bus import Received
from betline.bus.wire import SenderClocks
from betline.clock_offset import MAX_DELAY_NS
from betline.messages.common import Body, Envelope
from betline.messages.devices import CameraView, ChipEvidence, LineEvent, ZoneChips
from betline.settings import load_chip_set, load_table
from betline.topics import Topic, topic
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.sensing.belief import ZoneReading
from table_controller.sensing.witness import CameraSeen, LineSeen
from table_controller.session.edge import Edge

HOUR_NS = 3600 * NS_PER_S
BEGIN_NS = 100 * HOUR_NS
TABLE = load_table("home-six")
BRIDGE, CAMERA = "bridge", "overhead"


class Wire:
    """Messages of two hosts to one edge; the true times are those of the controller's clock."""

    def __init__(self, offsets_ns: dict[str, int]) -> None:
        self.offsets_ns = offsets_ns
        self.clocks = SenderClocks()
        self.edge = Edge(TABLE, load_chip_set(TABLE.chip_set))

    def brings(self, sender: str, to: Topic, body: Body, sent_ns: int, delay_ns: int) -> object:
        """What the edge makes of a message."""
        envelope = Envelope(
            sender=sender, boot_id="b", seq=sent_ns // NS_PER_MS, ts_ms=0, mono_ns=self.theirs(sender, sent_ns)
        )
        arrived_ns = sent_ns + delay_ns
        offset_ns = self.clocks.arrived(envelope, arrived_ns, retained=False)
        (given,) = self.edge.read(Received(to, envelope, body, False, arrived_ns, offset_ns))
        return given

    def theirs(self, sender: str, ours_ns: int) -> int:
        return ours_ns - self.offsets_ns[sender]

    def reading(self, at_ns: int, delay_ns: int = NS_PER_MS, **chip: object) -> ZoneReading:
        chips = (ChipEvidence(uid="E004010000000001", chip_type="red-5", hits=3, rounds=3, missed=0, **chip),)
        told = ZoneChips(
            zone="seat-3", reader="reader-3", round_no=1, chips=chips, last_byte_ns=self.theirs(BRIDGE, at_ns)
        )
        given = self.brings(BRIDGE, topic(topics.ZONE_CHIPS, "seat-3"), told, at_ns, delay_ns)
        assert isinstance(given, ZoneReading)
        return given

    def line(self, at_ns: int, delay_ns: int = NS_PER_MS, dated_back_ns: int = 0) -> LineSeen:
        first_ns = self.theirs(CAMERA, at_ns)
        told = LineEvent(
            id="e-1", event="hand_left", seat=3, t_first_ns=first_ns, t_confirm_ns=first_ns, conf=1, frame=1
        )
        given = self.brings(CAMERA, topic(topics.SEAT_LINE, 3), told, at_ns + dated_back_ns, delay_ns)
        assert isinstance(given, LineSeen)
        return given


hours_ns = st.integers(-50 * HOUR_NS, 50 * HOUR_NS)
moments = st.lists(
    st.tuples(st.integers(0, 10 * NS_PER_S), st.integers(100_000, 2 * NS_PER_S)), min_size=1, max_size=20
)
"""When things happened, and how long the messages about them took."""


@given(hours_ns, hours_ns, moments, moments)
def test_what_readers_and_camera_tell_keeps_its_order_within_the_uncertainty(
    bridge_ns: int, camera_ns: int, rounds: list[tuple[int, int]], events: list[tuple[int, int]]
) -> None:
    wire = Wire({BRIDGE: bridge_ns, CAMERA: camera_ns})
    wire.reading(BEGIN_NS, MAX_DELAY_NS)
    wire.line(BEGIN_NS, MAX_DELAY_NS // 3)
    sent = [(at + delay, at, delay, "round") for at, delay in rounds]
    sent += [(at + delay, at, delay, "event") for at, delay in events]
    read: dict[str, list[tuple[int, int]]] = {"round": [], "event": []}
    for _, at, delay_ns, kind in sorted(sent):
        at_ns = BEGIN_NS + NS_PER_S + at
        if kind == "round":
            wire.edge._newest.clear()  # here each is looked at, also one that was overtaken
            read[kind].append((at_ns, wire.reading(at_ns, delay_ns).at_ns))
        else:
            read[kind].append((at_ns, wire.line(at_ns, delay_ns).t_first_ns))
    uncertainty_ns = MAX_DELAY_NS + 2 * 15 * NS_PER_MS  # 1000 ppm of the 15 s that this takes at most, both ways
    for (round_ns, round_read_ns), (event_ns, event_read_ns) in product(read["round"], read["event"]):
        assert 0 <= round_read_ns - round_ns <= uncertainty_ns
        if round_ns + uncertainty_ns < event_ns:
            assert round_read_ns < event_read_ns
        if event_ns + uncertainty_ns < round_ns:
            assert event_read_ns < round_read_ns


def test_every_time_in_a_message_is_read_on_our_clock() -> None:
    wire = Wire({BRIDGE: 7 * HOUR_NS, CAMERA: -3 * HOUR_NS})
    at_ns = BEGIN_NS
    left_ns = wire.theirs(BRIDGE, at_ns - 2 * NS_PER_S)
    reading = wire.reading(at_ns, from_zone="seat-2", from_ns=left_ns)
    assert reading.at_ns == at_ns + NS_PER_MS
    assert reading.chips[0].from_ns == at_ns - 2 * NS_PER_S + NS_PER_MS
    assert wire.line(at_ns, dated_back_ns=700 * NS_PER_MS).t_first_ns == at_ns + NS_PER_MS
    view = wire.brings(
        CAMERA, topic(topics.DEVICE_VIEW, CAMERA), CameraView(seats=(), frame=1, fps=30), at_ns + NS_PER_S, NS_PER_MS
    )
    assert isinstance(view, CameraSeen)
    assert abs(view.at_ns - (at_ns + NS_PER_S)) <= 2 * NS_PER_MS
    assert (reading.reader, view.camera) == ("reader-3", "overhead")
