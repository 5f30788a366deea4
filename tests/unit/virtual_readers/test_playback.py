"""A recording as a reader: in order, out of turn, over and over, at any speed; and what the bridge has recorded."""

from __future__ import annotations

import json
import math
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from betline.front_door import run
from betline.recordings import Entry, Header, Recording, entry_line, header_line, load_recording
from betline.settings import SettingsError
from firmware_bridge.protocols.catalogue import FAMILIES
from tests.unit.virtual_readers.lines import read
from virtual_table.readers.behaviour import Behaviour
from virtual_table.readers.catalogue import virtual_reader
from virtual_table.readers.ends import PtyEnd
from virtual_table.readers.playback import Playback
from virtual_table.readers.server import ReaderServer

HEADER = Header(protocol="feig", baud=115_200, parity="E")
UIDS = {f"E00401{number * 7919:010X}" for number in range(1, 31)}
FEIG = FAMILIES["feig"]


def entry(t_ms: float, **what: str) -> Entry:
    return Entry.model_validate({"t_ms": t_ms, **what})


TALK = Recording(
    HEADER,
    (
        entry(0, event="opened"),
        entry(5, **{"from": "FF"}),
        entry(10, to="01"),
        entry(20, **{"from": "A1"}),
        entry(30, **{"from": "A2"}),
        entry(50, to="02"),
        entry(60, **{"from": "B1"}),
        entry(70, to="03"),
    ),
)


class Player:
    """A playback, what it reported, and a time of its own."""

    def __init__(self, recording: Recording = TALK, speed: float = 1.0) -> None:
        self.notices: list[str] = []
        self.device = Playback(recording, self.notices.append, speed)
        self.device.power_on(0.0)
        self.now_ms = 0.0

    def later(self, wait_ms: float) -> bytes:
        self.now_ms += wait_ms
        return b"".join(data for _, data in self.device.speak(self.now_ms))

    def ask(self, data: bytes, wait_ms: float = 100.0) -> bytes:
        at_once = b"".join(piece for _, piece in self.device.receive(data, self.now_ms))
        return at_once + self.later(wait_ms)


def test_requests_are_answered_in_order_and_what_came_unasked_comes_unasked() -> None:
    player = Player()
    assert player.later(10) == b"\xff"
    assert player.ask(b"\x01") == b"\xa1\xa2"
    assert player.ask(b"\x02") == b"\xb1"
    assert player.ask(b"\x03") == b""
    assert player.notices == []


def test_answers_come_with_the_recorded_delays_divided_by_the_speed() -> None:
    for speed in (1.0, 4.0):
        player = Player(speed=speed)
        player.device.receive(b"\x01", 0.0)
        assert player.device.next_ms == pytest.approx((10 - 2 * 11 / 115.2) / speed)
    player = Player(speed=math.inf)
    player.later(0)
    assert player.ask(b"\x01", 0.0) == b"\xa1\xa2"


def test_request_that_comes_in_pieces_is_waited_for() -> None:
    recording = Recording(HEADER, (entry(0, to="0102"), entry(1, **{"from": "AA"})))
    player = Player(recording)
    assert player.ask(b"\x01") == b""
    assert player.ask(b"\x02") == b"\xaa"
    assert player.notices == []


def test_request_out_of_order_is_reported_and_answered() -> None:
    player = Player()
    player.later(10)
    assert player.ask(b"\x02") == b"\xb1"
    assert player.notices == ["02 was asked out of order; the recording continues there."]


def test_request_that_nobody_recorded_is_reported_and_not_answered() -> None:
    player = Player()
    player.later(10)
    assert player.ask(b"\x09\x09") == b""
    assert player.notices == ["09 09 is not in the recording; there is no answer."]
    assert player.ask(b"\x01") == b"\xa1\xa2"


def test_recording_begins_anew_when_it_is_over() -> None:
    player = Player()
    player.later(10)
    said = [player.ask(bytes((byte,))) for byte in (1, 2, 3, 1, 2, 3)]
    assert said[:3] == [b"\xa1\xa2", b"\xb1", b""]
    assert said[3:] == said[:3]
    assert player.notices == ["The recording is over; it starts again."]


CUT = entry(90, to="01")


@pytest.mark.parametrize("last", [(CUT,), (CUT, entry(95, **{"from": "A1"}))], ids=["unanswered", "half an answer"])
def test_round_that_the_end_of_the_recording_cut_off_is_not_played(last: tuple[Entry, ...]) -> None:
    """A host would take the reader for one that has gone, and call it by words that were never recorded."""
    player = Player(Recording(HEADER, (*TALK.entries, *last)))
    player.later(10)
    for _ in range(2):
        assert [player.ask(bytes((byte,))) for byte in (1, 2, 3)] == [b"\xa1\xa2", b"\xb1", b""]
    assert player.notices == ["The recording is over; it starts again."]


def test_reader_that_was_lost_before_it_answered_does_not_answer_when_it_is_played() -> None:
    player = Player(Recording(HEADER, (*TALK.entries, CUT, entry(95, event="lost"))))
    player.later(10)
    assert [player.ask(bytes((byte,))) for byte in (1, 2, 3, 1)] == [b"\xa1\xa2", b"\xb1", b"", b""]


def test_host_that_is_faster_than_the_recorded_one_gets_all_answers_in_order() -> None:
    player = Player()
    player.later(10)
    assert player.ask(b"\x01", 0.0) == b""
    assert player.ask(b"\x02", 0.0) == b"\xa1\xa2"
    assert player.later(20) == b"\xb1"


def test_file_holds_what_was_put_into_it(tmp_path: Path) -> None:
    path = tmp_path / "line.jsonl"
    path.write_text(header_line(HEADER) + entry_line(1.26, "to", b"\x05\xff") + "\n" + entry_line(2, "event", "lost"))
    recording = load_recording(path)
    assert recording.header == HEADER
    assert [(one.t_ms, one.to, one.event) for one in recording.entries] == [(1.3, "05FF", None), (2, None, "lost")]


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("", "is empty"),
        ("noise", "line 1 is not valid JSON"),
        ('{"protocol": "feig", "baud": 9600, "parity": "E", "version": 2}', "line 1: version"),
        (header_line(HEADER) + '{"t_ms": 1, "to": "0g"}', "line 2: to"),
        (header_line(HEADER) + '{"t_ms": 1}', "line 2: Give one of to, from and event"),
        (header_line(HEADER) + '{"t_ms": 1, "to": "05", "from": "06"}', "line 2: Give one"),
        (header_line(HEADER) + '{"t_ms": 5, "to": "05"}\n{"t_ms": 4, "to": "05"}', "line 3: t_ms goes back"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_line(tmp_path: Path, lines: str, words: str) -> None:
    path = tmp_path / "line.jsonl"
    path.write_text(lines, encoding="utf-8")
    with pytest.raises(SettingsError, match=words) as caught:
        load_recording(path)
    assert "\n" not in str(caught.value)


@pytest.fixture(autouse=True)
def _signals_as_before() -> Iterator[None]:
    """The verb takes the signals of its program, which is the test's here."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """What the bridge recorded of a FEIG reader with thirty tags."""
    out = tmp_path / "line.jsonl"
    server = ReaderServer()
    try:
        device = virtual_reader("feig", lambda: [(uid, 1, 1.0) for uid in UIDS], Behaviour(), 1)
        path = server.attach("one", device, FEIG.traits.line, PtyEnd())
        line = ["--port", path, "--protocol", "feig", "--out", str(out), "--seconds", "2.5"]
        assert run(["bridge", "record", *line]) == 0
        assert " rounds in 2." in capsys.readouterr().out
    finally:
        server.close()
    return out


@pytest.mark.nightly
def test_recording_of_the_bridge_plays_the_same_tags(recorded: Path) -> None:
    recording = load_recording(recorded)
    assert (recording.header.protocol, recording.header.baud, recording.header.parity) == ("feig", 38_400, "E")
    assert recording.entries[0].event == "opened"
    notices: list[str] = []
    for kind in ("memory", "pty"):
        device = Playback(recording, notices.append, 4.0)
        rounds = read(kind, FEIG, device, lambda rounds: len(rounds) >= 4, looks_again=False)
        assert rounds[:4] == [UIDS] * 4
    assert set(notices) <= {"The recording is over; it starts again."}


@pytest.mark.nightly
def test_recording_is_never_written_over(recorded: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = recorded.read_bytes()
    assert run(["bridge", "record", "--port", "/dev/null", "--protocol", "feig", "--out", str(recorded)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert recorded.read_bytes() == before


def test_port_that_is_not_there_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "line.jsonl"
    assert run(["bridge", "record", "--port", str(tmp_path / "no"), "--protocol", "feig", "--out", str(out)]) == 1
    assert "plug the reader in" in capsys.readouterr().err
    assert not out.exists()


def test_silent_reader_is_recorded_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = ReaderServer()
    stop = threading.Event()
    try:
        silent = Playback(Recording(HEADER, ()), lambda _: stop.set())
        path = server.attach("one", silent, FEIG.traits.line, PtyEnd())
        out = tmp_path / "line.jsonl"
        line = ["--port", path, "--protocol", "feig", "--out", str(out), "--seconds", "0.5"]
        assert run(["bridge", "record", *line]) == 1
    finally:
        server.close()
    assert "said nothing" in capsys.readouterr().err
    assert stop.is_set()
    kinds = [set(json.loads(text)) - {"t_ms"} for text in out.read_text().splitlines()[1:]]
    assert kinds[:2] == [{"event"}, {"to"}]
