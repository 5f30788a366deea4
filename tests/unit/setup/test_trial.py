"""The test hand's links: what proves each, what proves none, and what is said of one that was not seen."""

from pathlib import Path

import pytest

from betline.messages.common import Presence
from betline.messages.devices import ChipEvidence, LineEvent, ZoneChips
from betline.messages.table import Announcement, Ruling
from betline.options import UserError
from betline.settings import TableSettings, load_table
from betline.setup.files import files_of
from betline.setup.interview import completed
from betline.setup.playing import Tried, Watcher, play
from betline.setup.trial import Link, Push, Trial, push_for

SIZE = {"shape.size": "1800x1000", "shape.seats": "3"}
READ = {"readers.connected": "usb:A feig", "readers.antennas": "1", "readers.seat-2": "usb:A 1",
        "readers.seat-1": "none", "readers.seat-3": "none"}  # fmt: skip


def table_of(folder: Path, **more: str) -> TableSettings:
    for name, text in files_of(completed({**SIZE, **more})).items():
        (folder / name).write_text(text)
    return load_table(folder / "table.toml")


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    table = table_of(tmp_path, **READ)
    trial = Trial.of(table, push_for(table, (1, 5, 25)))
    trial.asked()
    return trial


def only(links: tuple[Link, ...]) -> Link:
    [link] = links
    return link


def ruling(seat: int, to: int) -> Ruling:
    return Ruling(
        hand_no=1,
        act_no=1,
        street="flop",
        seat=seat,
        ruling="bet",
        to=to,
        source="chips",
        sentence=f"Seat {seat} bets {to}.",
    )


def chips(zone: str, kind: str | None) -> ZoneChips:
    chip = ChipEvidence(uid="E004015306A22D70", chip_type=kind, hits=5, rounds=5, missed=0, rssi=None, age_ms=0)
    return ZoneChips(zone=zone, reader="reader-1", round_no=9, chips=(chip,), last_byte_ns=1)


def test_the_bet_is_one_chip_at_the_first_seat_that_an_antenna_reads(tmp_path: Path) -> None:
    table = table_of(tmp_path, **READ)
    assert push_for(table, (1, 5, 25)) == Push(2, 5)
    assert push_for(table, (1, 5, 25), 3) == Push(3, 5)
    assert push_for(table, (1,)) == Push(2, 1)


def test_each_link_is_proven_by_what_the_part_says(trial: Trial) -> None:
    assert only(trial.hear("reader-1", Presence(state="online"))).seen
    assert only(trial.hear("controller", Presence(state="online"))).seen
    assert trial.parts_answered
    antenna, chip = trial.hear("seat-2", chips("seat-2", "red-5"))
    assert (antenna.what, antenna.sentence) == ("antenna of seat 2", "reader-1 hears 1 chip there")
    assert (chip.what, chip.seen, chip.sentence) == ("chip", True, "it is red-5, by the register")
    assert only(trial.hear("", ruling(2, 5))).seen
    said = Announcement(hand_no=1, act_no=2, seat=1, text="Seat 1: call 5")
    assert only(trial.hear("", said)).sentence == '"Seat 1: call 5"'
    assert [link.what for link in trial.links if not link.seen] == ["hand"]


def test_another_seat_an_offline_reader_and_a_late_copy_prove_nothing(trial: Trial) -> None:
    assert trial.hear("reader-1", Presence(state="offline")) == ()
    assert trial.hear("reader-9", Presence(state="online")) == ()
    assert trial.hear("seat-1", chips("seat-1", "red-5")) == ()
    assert trial.hear("", ruling(1, 5)) == ()
    assert trial.hear("", ruling(2, 5)) != ()
    assert trial.hear("", ruling(2, 5)) == ()


def test_what_came_before_the_person_was_asked_does_not_count(tmp_path: Path) -> None:
    table = table_of(tmp_path, **READ)
    trial = Trial.of(table, Push(2, 5))
    assert trial.hear("seat-2", chips("seat-2", "red-5")) == ()


def test_an_unknown_chip_is_told_with_the_verb_that_teaches_it(trial: Trial) -> None:
    antenna, link = trial.hear("seat-2", chips("seat-2", None))
    assert antenna.seen
    assert link.seen is False
    assert "betline chips enrol" in link.sentence


def test_a_bet_of_another_worth_is_no_proof(trial: Trial) -> None:
    link = only(trial.hear("", ruling(2, 25)))
    assert link.seen is False
    assert "5 was asked for" in link.sentence


def test_what_was_not_seen_says_what_to_do(trial: Trial) -> None:
    lost = trial.give_up()
    assert len(lost) == len(trial.links)
    assert all("not seen." in link.sentence and link.seen is False for link in lost)
    assert trial.over
    assert not trial.proven


def test_without_readers_and_camera_controller_ruling_and_announcement_are_left(tmp_path: Path) -> None:
    table = table_of(tmp_path)
    trial = Trial.of(table, push_for(table, (1, 5)))
    assert [link.part for link in trial.links] == ["controller", "hand", "ruling", "announcement"]


def test_a_seat_that_is_not_there_is_refused(tmp_path: Path) -> None:
    table_of(tmp_path)
    with pytest.raises(UserError, match="no seat 9"):
        play(Tried(tmp_path / "table.toml", 9), Watcher(lambda _link: None, lambda _push: None))


def test_what_is_heard_now_names_a_wrong_antenna_and_not_what_lay_there_before(tmp_path: Path) -> None:
    trial = Trial.of(table_of(tmp_path, **READ), Push(2, 5))
    trial.hear("seat-3", chips("seat-3", "red-5"))
    trial.asked()
    trial.hear("seat-3", chips("seat-3", "red-5"))
    assert trial.heard_now == ""
    trial.hear("seat-1", chips("seat-1", "red-5"))
    assert trial.heard_now == "The antenna of seat 1, not that of seat 2 hears red-5."
    trial.hear("seat-1", ZoneChips(zone="seat-1", reader="reader-1", round_no=10, chips=(), last_byte_ns=2))
    trial.hear("seat-2", chips("seat-2", "red-5"))
    assert trial.heard_now == "The antenna of seat 2 hears red-5."


def test_the_cameras_crossing_is_shown_and_proven(tmp_path: Path) -> None:
    trial = Trial.of(table_of(tmp_path, **READ, **{"camera.source": "usb:0"}), Push(2, 5))
    trial.asked()
    crossing = LineEvent(
        id="c-1", event="chips_crossing", seat=2, t_first_ns=1, t_confirm_ns=2, conf=0.9, frame=3, calib_id=""
    )
    assert only(trial.hear("overhead", crossing)).what == "chip in the picture"
    assert trial.heard_now == "The camera saw chips crossing at seat 2."


def test_a_voice_that_cannot_be_heard_says_why_and_one_that_speaks_is_asked_about(tmp_path: Path) -> None:
    table = table_of(tmp_path, **READ)
    trial = Trial.of(table, Push(2, 5), speaks=True)
    assert trial.hear("voice", Presence(state="online")) == ()
    link = only(trial.hear("voice", Presence(state="online", code="silent", detail="No loudspeaker.")))
    assert (link.seen, link.sentence) == (False, "No loudspeaker.")

    trial = Trial.of(table, Push(2, 5), speaks=True)
    assert only(trial.spoke("Bet, five")).sentence == 'it says "Bet, five": can you hear it?'


def test_the_broker_is_the_first_link(tmp_path: Path) -> None:
    trial = Trial.of(table_of(tmp_path, **READ), Push(2, 5), broker="broker at b.lan:8883")
    assert trial.links[0].what == "broker at b.lan:8883"
    assert only(trial.let_in("it lets us in")).seen
