"""Who sits down is known by an id; the journal's entries and what is folded from them hold no name."""

import json

import pytest

from table_controller.journal.entries import Entry
from table_controller.session.people import who_sits
from tests.unit.session.desk import FOUR, GAME, Desk


def names(desk: Desk) -> dict[int, str]:
    return {seat.seat: seat.name for seat in desk.session.table_state(1, 1, "").seats if seat.name}


def persons(desk: Desk) -> dict[int, str]:
    return desk.session.book.seated


@pytest.fixture
def desk() -> Desk:
    desk = Desk()
    desk.key("sit-down", seat=1, stack=200, player="Ann")
    desk.key("sit-down", seat=2, stack=200, player="Bob")
    desk.key("sit-down", seat=5, stack=200)
    return desk


def test_no_entry_holds_a_name_and_the_state_shows_it(desk: Desk) -> None:
    desk.key("setup", game=GAME, seats=FOUR, button=1, names={"3": "Cem", "4": "Dora"})

    written = json.dumps([dict(entry.data) for entry in desk.entries])
    assert not [name for name in ("Ann", "Bob", "Cem", "Dora") if name in written]
    assert names(desk) == {3: "Cem", 4: "Dora"}
    commands = [entry.data["args"] for entry in desk.entries if entry.kind == "command"]
    assert commands[0] == {"seat": 1, "stack": 200, "player": persons(desk).get(1, "p-1-1")}
    assert commands[2] == {"seat": 5, "stack": 200}
    assert commands[3]["players"] == {"3": persons(desk)[3], "4": persons(desk)[4]}


def test_the_same_name_later_is_the_same_person_in_another_seat_too(desk: Desk) -> None:
    ann = persons(desk)[1]
    desk.key("leave", seat=1)
    assert names(desk) == {2: "Bob"}

    desk.key("sit-down", seat=6, stack=200, player="  ann ")

    assert persons(desk)[6] == ann
    assert names(desk) == {2: "Bob", 6: "Ann"}
    assert [step["sits"]["player"] for step in steps(desk) if "sits" in step and "player" in step["sits"]] == [
        ann,
        persons(desk)[2],
        ann,
    ]


def test_who_gives_no_name_is_nobody_in_particular(desk: Desk) -> None:
    desk.key("sit-down", seat=6, stack=200, player="  ")

    assert persons(desk).keys() == {1, 2}
    assert [step["sits"] for step in steps(desk) if "sits" in step][2:] == [
        {"seat": 5, "stack": 200},
        {"seat": 6, "stack": 200},
    ]


def test_two_people_of_one_name_are_told_apart_and_each_is_known_again(desk: Desk) -> None:
    desk.key("sit-down", seat=3, stack=200, player="Ann")
    first, second = persons(desk)[1], persons(desk)[3]
    assert first != second
    assert names(desk) == {1: "Ann", 2: "Bob", 3: "Ann (2)"}

    desk.key("leave", seat=3)
    desk.key("sit-down", seat=3, stack=200, player="Ann")
    assert persons(desk)[3] == second

    desk.key("leave", seat=1)
    desk.key("leave", seat=3)
    desk.key("sit-down", seat=4, stack=200, player="ann (2)")
    assert persons(desk)[4] == second


def test_a_seat_that_was_refused_makes_nobody_known(desk: Desk) -> None:
    before = desk.session.names

    assert not desk.key("sit-down", seat=1, stack=200, player="Cem").ok
    assert desk.session.names == before


def test_a_name_comes_back_with_the_leaving_that_is_taken_back(desk: Desk) -> None:
    desk.key("leave", seat=1)
    desk.key("undo")
    assert names(desk) == {1: "Ann", 2: "Bob"}

    desk.key("undo", count=2)
    assert names(desk) == {1: "Ann"}


def test_a_name_that_was_erased_is_not_shown_and_not_known_again(desk: Desk) -> None:
    ann = persons(desk)[1]
    shown = desk.session
    desk.session = desk.session.called({person: name for person, name in shown.names.items() if person != ann})

    assert not desk.session.looks_like(shown)
    assert names(desk) == {2: "Bob"}
    desk.key("leave", seat=1)
    desk.key("sit-down", seat=1, stack=200, player="Ann")
    assert persons(desk)[1] != ann


def test_a_journal_of_version_1_shows_the_names_that_it_holds(desk: Desk) -> None:
    entries = [
        Entry("setup", {**desk.entries[0].data, "names": {}}),
        Entry("step", step_without_player(desk.entries[1])),
        Entry("named", {"seat": 1, "name": "Ann"}),
    ]
    assert desk.entries[0].kind == "setup"
    desk.session = desk.session.new(desk.terms).restored(entries, desk.now)
    assert names(desk) == {1: "Ann"}

    desk.session = desk.session.new(desk.terms).restored([*entries, Entry("named", {"seat": 1, "name": ""})], desk.now)
    assert names(desk) == {}


def step_without_player(entry: Entry) -> dict[str, object]:
    sits = {key: value for key, value in entry.data["step"]["sits"].items() if key != "player"}
    return {**entry.data, "step": {"sits": sits}}


def test_a_third_of_one_name_gets_a_number_that_is_free() -> None:
    known = {"p-1": "Ann", "p-2": "Ann (2)"}

    assert who_sits("Ann", "p-3", known, ["p-1", "p-2"]) == ("p-3", "Ann (3)")
    assert who_sits("Ann", "p-3", known, ["p-1"]) == ("p-2", "Ann (2)")
    assert who_sits(" aNN", "p-3", known, []) == ("p-1", "Ann")


def steps(desk: Desk) -> list[dict[str, dict[str, object]]]:
    return [entry.data["step"] for entry in desk.entries if entry.kind == "step"]
