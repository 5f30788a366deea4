"""What a controller notes of what it took is read back as it was, and the tap costs the table nothing."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any, get_args

import pytest

from betline.cards import Card
from betline.steps import Act, NextHand, Says, SitDown
from betline.tap import MOST_WAITING, Followed, Tap
from table_controller.sensing.belief import ChipNote, ChipSeen, ZoneReading
from table_controller.sensing.witness import CameraSeen, LineSeen, SeatSeen
from table_controller.service.taken import (
    Began,
    HeardOnly,
    Named,
    Notes,
    Shown,
    Stumbled,
    Ticked,
    Took,
    Turn,
    read_turn,
    written,
)
from table_controller.session import Input, Keyed, Now, Tick
from table_controller.session.author import Author
from table_controller.session.door import Came, Went, WrongPin
from table_controller.session.inputs import CardsRead, Present, ReaderHeard

NOW = Now(1_700_000_000_000, 12_345_678_901)
ANN = Author("p-1", "Ann", "dealer")
CHIP = ChipSeen("E00401", 5, 3, 8, 1, ChipNote("hot-chip", "red-5 E00401"), "pot", 77, 1)
GIVEN: tuple[Input, ...] = (
    ZoneReading("seat-1", "boot", 7, (CHIP, ChipSeen("E00402", None, 1, 1, 0)), 99, "reader-1"),
    LineSeen("bet_settled", 3, 88, 2, "overhead", "event-1", 0.5, 2),
    CameraSeen((SeatSeen(1, True, False),), 77, "overhead"),
    Present("bridge", "bridge", "online", "well", "code"),
    Keyed("c1", Act(seat=2, action="raise", to=30), "console", 5, {}, ANN, "salt", "life", True),
    Keyed("c2", SitDown(seat=2, stack=200, player="Ben"), "console", 5, {2: "p-2"}),
    Keyed("c3", Says(seat=1, text="call"), "console", 5, {}),
    Keyed("c4", NextHand(button=3), "console", 5, {}),
    ReaderHeard("reader-1"),
    Came(ANN, "pin"),
    Went(ANN, "badge", "the badge was taken away"),
    WrongPin(ANN, 60),
    CardsRead("reader-1", None, (Card("A", "s"), Card("T", "h")), "salt", 1),
    Tick(),
)
TURNS: tuple[Turn, ...] = (
    *(Took(NOW, given) for given in GIVEN),
    Stumbled(NOW, GIVEN[0]),
    HeardOnly(NOW, GIVEN[1]),
    Ticked(((1, 2), (3, 4))),
    Began("life", "0.1.0", "hash", NOW, 12, {"p-1": "Ann"}, False),
    Named({"p-1": "Anna"}),
    Shown(3, 44),
)


def test_every_kind_of_input_is_among_the_examples() -> None:
    assert {type(given) for given in GIVEN} == set(get_args(Input))
    assert {type(turn) for turn in TURNS} == set(get_args(Turn))


@pytest.mark.parametrize(
    "turn", TURNS, ids=lambda turn: f"{type(turn).__name__}-{type(getattr(turn, 'given', 0)).__name__}"
)
def test_a_turn_is_read_back_as_it_was(turn: Turn) -> None:
    assert read_turn(json.loads(json.dumps({"n": 1, **written(turn)}))) == turn


def lines(folder: Path) -> list[dict[str, Any]]:
    return [dict(line) for _, line in Followed(folder).lines()]


def test_ticks_are_noted_by_the_second_and_before_what_comes_after_them(tmp_path: Path) -> None:
    notes = Notes(Tap(tmp_path, "controller", "one"))
    for number in range(25):
        notes.took(Tick(), Now(number, number))
    notes.took(GIVEN[8], NOW)
    notes.close()

    assert [(line["is"], len(line.get("at", ()))) for line in lines(tmp_path)] == [
        ("Ticked", 20), ("Ticked", 5), ("Took", 0),
    ]  # fmt: skip


def test_a_tap_whose_folder_cannot_be_made_says_so_and_costs_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    tap = Tap(tmp_path / "file" / "taps", "controller", "one")
    tap.note(lambda: {"kind": "any"})
    tap.close()

    assert "Nothing is noted" in caplog.text


def test_what_a_slow_disk_cannot_take_is_counted_in_its_place(tmp_path: Path) -> None:
    tap, goes_on = Tap(tmp_path, "controller", "one"), threading.Event()
    tap.note(lambda: {"waited": goes_on.wait(60)})
    for number in range(MOST_WAITING + 10):
        tap.note(lambda number=number: {"number": number})
    goes_on.set()
    tap.close()

    noted = lines(tmp_path)
    dropped = [line["count"] for line in noted if line.get("kind") == "dropped"]
    assert sum(dropped) + sum("number" in line for line in noted) == MOST_WAITING + 10
    assert sum(dropped) >= 9


def test_a_folder_is_followed_while_it_grows_and_half_a_line_waits_for_its_end(tmp_path: Path) -> None:
    followed = Followed(tmp_path)
    file = tmp_path / "bridge.one.tap"
    assert list(followed.lines()) == []
    file.write_text('{"n":0}\n{"n":')
    assert list(followed.lines()) == [("bridge", {"n": 0})]
    with file.open("a") as more:
        more.write("1}\n")
    assert list(followed.lines()) == [("bridge", {"n": 1})]


def test_the_lives_of_a_program_are_read_one_after_the_other_whatever_they_are_called(tmp_path: Path) -> None:
    for number, life in enumerate(("f00", "a11", "c22")):
        tap = Tap(tmp_path, "controller", life)
        tap.note(lambda number=number: {"life": number})
        tap.close()

    assert [line["life"] for line in lines(tmp_path)] == [0, 1, 2]
