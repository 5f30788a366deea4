"""A journal that is short, forged, full or slow: people are told, and nothing counts that is not written."""

import contextlib
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.bus import HostClock, MemoryBus
from betline.front_door import run
from betline.messages.common import Birth
from betline.messages.table import Alert
from betline.topics import topic
from betline.units import NS_PER_MS
from table_controller.journal.anchors import published
from table_controller.journal.entries import CardsOut
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.service.notices import Notices
from table_controller.service.writing import AGAIN, Writing
from tests.unit.service.room import NAMES, SETUP, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    room.close()


def put_back(room: Room, kept: Path) -> None:
    """Everything of the journal is as it was when it was kept, anchors too."""
    for file in room.path.parent.glob("six.journal*"):
        file.unlink()
    for file in kept.iterdir():
        shutil.copy(file, room.path.parent)


def keep(room: Room, kept: Path) -> Path:
    kept.mkdir()
    for file in room.path.parent.glob("six.journal*"):
        shutil.copy(file, kept)
    return kept


def codes(room: Room) -> list[str]:
    return [alert.code for alert in room.state.alerts]


def test_the_retained_state_is_an_anchor_that_verify_can_use(room: Room) -> None:
    room.key("setup", **SETUP)
    anchor = published(room.state)
    assert anchor is not None
    assert room.journal.proves(anchor)
    with JournalReader(room.path) as reader:
        assert reader.verify(anchors=[anchor]).anchors == 3
        forged = reader.verify(anchors=[published(room.state.model_copy(update={"journal_seq": 99}))])  # type: ignore[list-item]
    assert forged.ok
    assert forged.notes == ("1 anchors were not made with its key and prove nothing.",)


def test_a_start_on_a_journal_that_was_put_back_is_refused_with_both_numbers_until_a_person_accepts_it(
    room: Room, tmp_path: Path
) -> None:
    room.key("setup", **SETUP)
    kept = keep(room, tmp_path / "kept")
    ends = room.journal.head.seq
    room.key("cards-out")
    room.key("act", seat=4, action="fold")
    anchor, reached = published(room.state), room.state.journal_seq
    assert anchor is not None
    assert reached > ends
    room.kill()
    put_back(room, kept)

    with pytest.raises(JournalError, match=f"ends at entry {ends}; the table had reached {reached}: entries") as caught:
        room.open()
    assert caught.value.code == "cut-off"
    assert "betline journal restore BACKUP, or go on from here: betline journal go-on --broker" in str(caught.value)
    assert room.said(topics.ALERT)[-1].code == "journal-cut-off"
    assert room.journalled()[-1] != "started"
    room.kill()

    going = Journal.open(room.path, "home/home-six", 1, 1, published=[anchor], accept=True)
    going.close()
    room.open()
    assert room.state.journal_seq > ends
    assert codes(room) == []


def test_a_state_without_this_journals_seal_is_no_proof_and_only_a_warning(room: Room) -> None:
    room.key("setup", **SETUP)
    told = room.state.model_copy(update={"journal_seq": 5_000, "journal_head": "f" * 64})
    room.kill()
    MemoryBus(room.hub, NAMES, "somebody").publish(topic(topics.STATE), told)

    room.open()
    assert codes(room) == ["journal-and-bus"]
    assert "a state on the bus says 5000, but its seal is not this journal's" in room.state.alerts[0].sentence
    assert room.key("cards-out").ok


def test_another_journal_than_the_table_had_is_told(room: Room) -> None:
    room.key("setup", **SETUP)
    reached = room.state.journal_seq
    room.kill()
    for file in room.path.parent.glob("six.journal*"):
        file.unlink()

    room.open()
    assert codes(room) == ["journal-and-bus"]
    assert f"at entry {reached} of another journal" in room.state.alerts[0].sentence


def test_programs_keys_and_settings_are_journalled_at_a_start_and_when_they_change(room: Room) -> None:
    def birth(version: str, sender: str = "bridge") -> None:
        told = Birth(role="bridge", version=version, table="home-six", config_hash="abc")
        bus = room.bridge if sender == "bridge" else room.join(sender)
        bus.publish(topic(topics.DEVICE_BIRTH, sender), told)
        assert room.health

    for version, sender in (("1", "bridge"), ("1", "bridge"), ("2", "bridge"), ("3", "stranger")):
        birth(version, sender)
    with JournalReader(room.path) as reader:
        entries = list(reader.entries())
    devices = [one.data for one in entries if one.kind == "device"]
    assert [(one["name"], one["version"], one["config_hash"]) for one in devices] == [
        ("bridge", "1", "abc"),
        ("bridge", "2", "abc"),
    ]
    (started,) = (one.data for one in entries if one.kind == "started")
    assert started["key"] == room.journal.key_id
    assert started["version"]


def test_anchors_that_are_gone_are_told(room: Room) -> None:
    room.key("setup", **SETUP)
    room.kill()
    Path(f"{room.path}.anchors").unlink()

    room.open()
    assert "The anchors beside the journal" in room.state.alerts[0].sentence


class Wall:
    """A clock that stands until it is told to go on."""

    def __init__(self) -> None:
        self.ns = 1_700_000_000_000 * NS_PER_MS
        self.clock = HostClock(lambda: self.ns, lambda: self.ns)


def on_a_full_disk(room: Room) -> Callable[[], None]:
    """SQLite gets no more pages, as from a disk that is full; gives what frees it."""
    database = room.journal._database
    (pages,) = database.execute("PRAGMA page_count").fetchone()
    database.execute(f"PRAGMA max_page_count = {pages}")
    return lambda: database.execute("PRAGMA max_page_count = 100000") and None  # type: ignore[func-returns-value]


def on_a_read_only_disk(room: Room) -> Callable[[], None]:
    room.journal._database.execute("PRAGMA query_only = 1")
    return lambda: room.journal._database.execute("PRAGMA query_only = 0") and None  # type: ignore[func-returns-value]


def held_by_another(room: Room) -> Callable[[], None]:
    room.journal._database.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(room.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other.close


def fill_the_last_page(room: Room) -> None:
    """Writes until there is not even room for a word."""
    with contextlib.suppress(JournalError):
        while True:
            room.journal.append((CardsOut(by=""),), 1, 1)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (on_a_full_disk, "its disk is full"),
        (on_a_read_only_disk, "is read-only"),
        (held_by_another, "another program holds it"),
    ],
)
def test_while_the_journal_fails_the_state_says_why_and_no_sensor_is_blamed_after(
    tmp_path: Path, spoil: Callable[[Room], Callable[[], None]], words: str
) -> None:
    wall = Wall()
    room = Room(tmp_path, here=wall.clock, elsewhere=wall.clock)
    room.key("setup", **SETUP)
    room.play(8)
    room.key("cards-out")
    free = spoil(room)
    refused = 0
    for _ in range(200):  # the last page has room for a few
        reply = room.key("act", seat=room.state.to_act, action="fold") if room.state.to_act else room.key("undo")
        refused += not reply.ok
        if not reply.ok and reply.code == "journal-failed":
            break
    assert words in reply.sentence
    assert "play goes on by itself" in reply.sentence
    assert codes(room) == ["journal-failed"]
    assert room.state.alerts[0].severity == "error"
    fill_the_last_page(room)
    before, standing = room.journalled(), room.state
    told = len(room.said(topics.ALERT))

    for _ in range(60):  # 15 s in which chips move that nobody can write down
        wall.ns += 250 * NS_PER_MS
        for seat in range(1, 7):
            room.push(seat, "white-1")
        room.controller._next_tick_s = 0
        room.play(1)
    assert room.said(topics.ALERT)[told:] == []
    assert room.journalled() == before
    assert room.state.rulings == standing.rulings

    free()
    room.controller._writing._try_s = room.controller._next_tick_s = 0
    room.controller.pump(0)
    assert room.said(topics.ALERT)[-1].sentence == AGAIN
    assert room.journalled()[-1] == "alert"
    for number in range(20):
        wall.ns += 100 * NS_PER_MS
        room.controller._writing._calm_s = 0 if number > 10 else room.controller._writing._calm_s
        room.controller._next_tick_s = 0
        room.play(1)
    assert [alert.code for alert in room.said(topics.ALERT)[told:] if "reader" in alert.code] == []
    assert "journal-failed" not in codes(room)
    room.close()


def test_a_disk_that_has_room_for_a_word_now_and_then_makes_no_flood_of_alerts(room: Room) -> None:
    told: list[Alert] = []
    writing = Writing(room.journal, Notices(told.append))
    now_s = 100.0
    while now_s < 160:
        if writing.is_due(now_s):
            writing.worked(1.0, now_s)
        elif not writing.fails:
            writing.failed(JournalError("unwritable", "Its disk is full."), now_s)
        now_s += 0.05
    assert len(told) <= 14
    assert [one.active for one in told[:2]] == [True, False]


def test_a_write_that_waits_for_its_disk_is_named_and_passes(room: Room) -> None:
    room.key("setup", **SETUP)
    room.key("cards-out")
    other = sqlite3.connect(room.path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.7, lambda: other.execute("ROLLBACK"))
    timer.start()
    assert room.key("act", seat=4, action="fold").ok
    timer.join()
    other.close()

    assert codes(room) == ["journal-slow"]
    assert "took 0." in room.state.alerts[0].sentence or "took 1." in room.state.alerts[0].sentence
    for _ in range(30):
        room.key("undo")
        room.key("act", seat=4, action="fold")
        if not codes(room):
            break
    assert codes(room) == []


WRITER = """
import sys
from pathlib import Path
from table_controller.journal.entries import Heard
from table_controller.journal.errors import JournalError
from table_controller.journal.store import Journal

journal = Journal.open(Path(sys.argv[1]), "home/oval", 1, 1)
try:
    while True:
        journal.append((Heard(seat=1, text="call " * 50),), 1, 1)
        print(journal.head.seq, flush=True)
except JournalError as error:
    print(error.code, error, flush=True)
"""


def test_a_file_that_may_not_grow_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "oval.journal"

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))

    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(path)],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=True,
        env=os.environ,
    )
    *written, said = done.stdout.splitlines()
    assert said.startswith("unwritable The journal")
    assert len(written) > 20
    with JournalReader(path) as reader:
        verdict = reader.verify()
    assert (verdict.ok, verdict.entries) == (True, int(written[-1]))


def test_a_journal_in_a_place_that_is_read_only_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["controller", "--journal", "/proc/six.journal", "--broker", "127.0.0.1:1"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("betline: The journal /proc/six.journal cannot be written")
    assert said.count("\n") == 1
