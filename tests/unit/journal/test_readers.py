"""Which readers read a hand: serial numbers in the journal, and a reader that was exchanged between two hands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from betline.front_door import run
from table_controller.accounts.read import hands
from table_controller.accounts.readers import of_hand
from table_controller.journal.entries import Entry, HandBegan, HandOver, ReaderKnown, Stepped
from table_controller.journal.store import Journal
from tests.unit.journal.stories import recorded
from tests.unit.session.desk import START_MS, Desk

OLD = ReaderKnown(name="reader-3", serial="00000ABC", firmware="2.0")
NEW = ReaderKnown(name="reader-3", serial="00000DEF", firmware="2.1")
QUIET = ReaderKnown(name="reader-3")


def played() -> list[Entry]:
    """Two hands, and what comes between them."""
    desk = Desk()
    desk.begin()
    desk.key("rest-folds")
    desk.key("next-hand")
    desk.key("rest-folds")
    return list(desk.entries)


def with_readers(before: ReaderKnown | None, after: ReaderKnown) -> list[Entry]:
    """`before` is known when the first hand begins, `after` is there when the second one does."""
    entries = played()
    second = next(at for at, one in enumerate(entries) if isinstance(one, HandBegan) and one.hand_no == 2)
    return [*([] if before is None else [before]), *entries[:second], after, *entries[second:]]


def test_a_reader_that_was_exchanged_between_two_hands_is_told_with_the_second() -> None:
    first, second = hands(recorded(with_readers(OLD, NEW)))
    assert first.exchanged == ()
    assert first.readers == {"reader-3": {"serial": "00000ABC", "firmware": "2.0"}}
    assert [(one.before, one.now) for one in second.exchanged] == [(OLD, NEW)]
    assert second.line().splitlines()[1].strip() == (
        "Before this hand reader-3 was exchanged: serial 00000DEF, firmware 2.1; before serial 00000ABC, firmware 2.0."
    )


def test_a_reader_that_was_exchanged_in_a_hand_is_told_with_it() -> None:
    entries = played()
    over = next(at for at, one in enumerate(entries) if isinstance(one, HandOver))
    first, second = hands(recorded([OLD, *entries[:over], NEW, *entries[over:]]))
    assert "In this hand reader-3 was exchanged" in first.line()
    assert second.exchanged == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [(OLD, OLD), (None, OLD), (OLD, QUIET), (QUIET, OLD)],
    ids=["the same", "the first", "it does not say any more", "it did not say before"],
)
def test_no_exchange_is_told_where_none_is_proven(before: ReaderKnown | None, after: ReaderKnown) -> None:
    assert [hand.exchanged for hand in hands(recorded(with_readers(before, after)))] == [(), ()]


def test_a_reader_that_falls_silent_is_still_compared_with_the_one_before() -> None:
    entries = with_readers(OLD, QUIET)
    silent = entries.index(QUIET)
    _, second = hands(recorded([*entries[: silent + 1], NEW, *entries[silent + 1 :]]))
    assert [(one.before.serial, one.now.serial) for one in second.exchanged] == [("00000ABC", "00000DEF")]


def test_other_firmware_in_the_same_reader_is_told() -> None:
    _, second = hands(recorded(with_readers(OLD, ReaderKnown(name="reader-3", serial="00000ABC", firmware="2.1"))))
    assert second.line().endswith("Before this hand reader-3 has other firmware: 2.1, before 2.0.")


def test_an_exchange_before_a_hand_that_is_taken_back_is_told_with_the_next() -> None:
    desk = Desk()
    desk.begin()
    desk.key("rest-folds")
    desk.key("next-hand")
    desk.key("undo")
    desk.key("next-hand")
    entries = list(desk.entries)
    second = next(at for at, one in enumerate(entries) if isinstance(one, HandBegan) and one.hand_no == 2)
    assert any(isinstance(one, Stepped) for one in entries[second:])
    _, again = hands(recorded([OLD, *entries[:second], NEW, *entries[second:]]))
    assert [one.now for one in again.exchanged] == [NEW]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "six.journal"
    journal = Journal.open(path, "home/home-six", START_MS, 1)
    for number, entry in enumerate(with_readers(OLD, NEW)):
        journal.append((entry,), START_MS + number * 1000, number + 2)
    journal.close()
    return path


def test_the_list_has_a_line_for_the_exchange_and_its_json_both_numbers(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["journal", "list", "--journal", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["hand", "hand", "Before"]
    assert run(["journal", "list", "--json", "--journal", str(path)]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["exchanged"] == []
    assert first["readers"] == {"reader-3": {"serial": "00000ABC", "firmware": "2.0"}}
    assert second["exchanged"] == [
        {
            "reader": "reader-3",
            "serial": "00000DEF",
            "firmware": "2.1",
            "before": {"serial": "00000ABC", "firmware": "2.0"},
        }
    ]


def test_a_hand_is_shown_under_the_readers_that_read_it(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journal", "show", "1", "--journal", str(path)]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[0] == "Readers: reader-3 serial 00000ABC, firmware 2.0."
    assert first[-1].endswith("Reader reader-3: serial 00000DEF, firmware 2.1.")
    assert run(["journal", "show", "2", "--journal", str(path)]) == 0
    second = capsys.readouterr().out.splitlines()
    assert second[0] == "Readers: reader-3 serial 00000DEF, firmware 2.1."
    assert second[1].startswith("Before this hand reader-3 was exchanged: serial 00000DEF")


def test_a_journal_without_serial_numbers_says_nothing_of_readers() -> None:
    entries = recorded(played())
    assert of_hand(entries, 2) == ()
    assert all(not hand.readers and not hand.exchanged for hand in hands(entries))
