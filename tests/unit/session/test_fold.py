"""A restart goes on with the hand as it was: the state is a fold over the journal."""

import json
import random
from typing import Any, get_args

import pytest

from betline.steps import FloorRuling, parse_step
from table_controller.journal.entries import Checkpoint, Entry, Recorded, SetUp, read_entry
from table_controller.journal.errors import JournalError
from table_controller.journal.store import Journal
from table_controller.rulings.table import Table
from table_controller.sensing.belief import ChipSeen, ZoneReading
from table_controller.session.book import Book
from table_controller.session.draft import Draft
from table_controller.session.fold import resume
from table_controller.session.money import money_of
from tests.unit.rulings.evening import Evening
from tests.unit.session.desk import START_MS, Desk, Pages, terms

SEEDS = range(12)


def through_json(entries: list[Entry]) -> list[Entry]:
    """The entries as the journal's file gives them back."""
    return [read_entry(entry.kind, json.loads(json.dumps(entry.data))) for entry in entries]


def same(desk: Desk) -> bool:
    """Whether a controller that starts now would know what this one knows."""
    desk.entries = through_json(desk.entries)
    again = desk.restarted()
    return again.book == desk.session.book and again.sensing.durable() == desk.session.sensing.durable()


def act_at_random(desk: Desk, chance: random.Random) -> None:
    """Something that a table does: mostly sensible, at times refused."""
    state = desk.session.table_state(1, 1, "")
    seat = state.to_act or chance.randint(1, 4)
    match state.phase:
        case "idle" | "hand-over":
            desk.key("next-hand" if chance.random() < 0.8 else "undo")
        case "posting":
            desk.key("cards-out")
        case "round-over":
            desk.key("deal")
        case "showdown":
            desk.key("award", pots=[[pot.seats[0]] for pot in state.pots])
        case _:
            choice = chance.randrange(15)
            if choice < 3:
                desk.push(seat, *[1] * (state.call or chance.randint(2, 4)))
                desk.play(chance.randint(2, 9))
            elif choice < 5:
                desk.key("passive", seat=seat)
            elif choice == 5:
                desk.key(
                    "says", seat=seat, text=chance.choice(["call", "raise", "raise to 12", "pot", "fold", "all in"])
                )
            elif choice == 6:
                desk.key("act", seat=seat, action=chance.choice(["call", "check", "all-in", "raise"]), to=None)
            elif choice == 7:
                desk.push(seat, chance.choice([5, 25, 100]))
                desk.play(8)
            elif choice == 8:
                desk.key("undo", count=chance.randint(1, 3))
            elif choice == 9:
                desk.key("jump", seat=chance.randint(1, 4))
            elif choice == 10:
                for zone in list(desk.lying):
                    desk.lying[zone].clear()
                desk.play(9)
            elif choice < 14:
                put_right_at_random(desk, chance)
            else:
                desk.key("act", seat=chance.randint(1, 4), action="fold")
    if state.questions and chance.random() < 0.5 and state.questions[0].choices:
        desk.key("answer", question=state.questions[0].id, choice=chance.choice(state.questions[0].choices))


def put_right_at_random(desk: Desk, chance: random.Random) -> None:
    """A correction, a record put right, or a ruling of the floor, of any seat."""
    seat, to = chance.randint(1, 4), chance.randint(1, 30)
    match chance.randrange(4):
        case 0:
            desk.key("correct-bet", seat=seat, to=to)
        case 1:
            desk.key("correct-record", seat=seat, to=to - 1, street=chance.choice(["preflop", "flop"]))
        case _:
            ruling = chance.choice(get_args(FloorRuling))
            size = {"to": to} if ruling in ("bet", "raise") else {}
            desk.key("override", seat=seat, ruling=ruling, by="Kim", why="as it was", **size)


@pytest.mark.parametrize("seed", SEEDS)
def test_replay_of_the_journal_equals_the_state_whatever_happened(seed: int) -> None:
    chance = random.Random(seed)
    desk = Desk()
    desk.begin()
    for _ in range(45):
        act_at_random(desk, chance)
        if chance.random() < 0.2:
            assert same(desk)
    assert same(desk)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_that_is_restarted_again_and_again_goes_the_same_way(seed: int) -> None:
    """Keys only: what sensors have half seen when a controller dies they must see again."""
    chances = random.Random(seed), random.Random(seed)
    steady, dying = Desk(terms()), Desk(terms())
    for desk in (steady, dying):
        desk.key("setup", game={"limit": "no-limit", "blinds": [1, 2]}, seats={"1": 90, "2": 80, "3": 70}, button=1)
    for _ in range(40):
        for desk, chance in zip((steady, dying), chances, strict=True):
            state = desk.session.table_state(1, 1, "")
            seat = state.to_act or 1
            verb, args = chance.choice(_keys(state.phase, seat, state))
            desk.key(verb, **args)
        dying.restart()
        assert dying.session.book == steady.session.book


def _keys(phase: str, seat: int, state: Any) -> list[tuple[str, dict[str, Any]]]:
    match phase:
        case "posting":
            return [("cards-out", {})]
        case "round-over":
            return [("deal", {}), ("deal", {}), ("undo", {})]
        case "showdown":
            return [("award", {"pots": [[pot.seats[0]] for pot in state.pots]})]
        case "hand-over" | "idle":
            return [("next-hand", {}), ("next-hand", {}), ("undo", {})]
    return [
        ("passive", {"seat": seat}),
        ("act", {"seat": seat, "action": "call"}),
        ("act", {"seat": seat, "action": "all-in"}),
        ("says", {"seat": seat, "text": "raise to 10"}),
        ("undo", {}),
        ("correct-bet", {"seat": state.seats[0].seat, "to": 12}),
        ("override", {"seat": state.seats[1].seat, "ruling": "withdraw", "by": "Kim", "why": "as it was"}),
    ]


def test_a_restart_in_mid_hand_goes_on_with_chips_that_were_ruled_on_and_those_that_were_not() -> None:
    desk = Desk()
    desk.begin()
    desk.push(4, 1, 1)
    desk.play()
    desk.push(1, 5, 1)
    desk.play(2)
    assert desk.rulings == [(4, "call", 2)]

    desk.restart()
    desk.rounds = dict.fromkeys(desk.rounds, 100)
    desk.lying = {zone: {uid: (value, 95) for uid, (value, _) in chips.items()} for zone, chips in desk.lying.items()}
    desk.play(12)

    assert desk.rulings == [(4, "call", 2), (1, "raise", 6)]


def test_chips_that_left_a_bet_after_the_round_are_known_after_a_restart() -> None:
    desk = Desk()
    desk.begin()
    for seat, values in ((4, (1, 1)), (1, (1, 1)), (2, (1,))):
        desk.push(seat, *values)
        desk.play()
    desk.key("act", seat=3, action="check")
    desk.play(2)
    assert desk.session.table_state(1, 1, "").phase == "round-over"
    (uid, *_) = desk.lying["seat-4"]
    del desk.lying["seat-4"][uid]
    desk.play(8)

    assert desk.restarted().sensing.accounts[4].left == {uid}


def test_chips_that_came_from_the_tray_are_known_after_a_restart_before_they_are_anything() -> None:
    desk = Desk()
    desk.begin()
    left_ns = desk.now.mono_ns
    for heard in range(1, 5):
        desk.now_ms += 75
        desk.rounds["seat-4"] += 1
        chip = ChipSeen("E004000000009999", 25, heard, heard, 0, from_zone="tray", from_ns=left_ns)
        desk.give(ZoneReading("seat-4", "boot", desk.rounds["seat-4"], (chip,), desk.now.mono_ns))

    assert desk.session.sensing.origins.handed == {chip.uid}
    assert desk.restarted().sensing.origins.handed == {chip.uid}


def test_a_question_that_waits_still_waits_after_a_restart() -> None:
    desk = Desk()
    desk.begin()
    desk.push(4, 25)
    desk.play()
    desk.key("says", seat=4, text="raise to 8")
    asked = desk.session.table_state(1, 1, "").questions

    desk.restart()

    assert desk.session.table_state(1, 1, "").questions == asked
    assert desk.key("answer", question=asked[0].id, choice="chips").ok
    assert desk.rulings[-1] == (4, "call", 2)


def test_the_fold_reads_what_the_file_holds(tmp_path: Any) -> None:
    desk = Desk()
    journal = Journal.open(tmp_path / "a.journal", "home/six", 1, 1)
    desk.begin()
    desk.key("act", seat=4, action="raise", to=8)
    journal.append(desk.entries, desk.now.at_ms, desk.now.mono_ns)
    session = resume(desk.terms, journal, desk.now).session
    journal.close()

    assert session.book == desk.session.book


@pytest.mark.parametrize(
    ("kind", "data"),
    [("step", {"step": {"seat": 3}}), ("setup", {}), ("felt", {"changed": {"seats": 5}}), ("dance", {})],
)
def test_an_entry_that_no_controller_writes_gets_a_sentence(kind: str, data: dict[str, Any]) -> None:
    desk = Desk()
    desk.begin()
    pages = Pages(desk.entries)
    pages.recorded.append(Recorded(len(desk.entries) + 1, START_MS, 0, kind, data, "", ""))

    with pytest.raises(JournalError, match="journal holds") as caught:
        resume(desk.terms, pages, desk.now)
    assert caught.value.code == "damaged"


@pytest.mark.parametrize("seed", range(10))
def test_a_start_from_checkpoints_equals_the_live_table_over_whole_evenings(seed: int) -> None:
    """Players come, leave, buy and are moved, buttons are corrected, decks fouled: killed after any step."""
    chance = random.Random(seed)
    evening = Evening(seed)
    evening.play(160)
    desk = Desk()
    book, entries = Book(), list[Entry]()
    draft = Draft(book, desk.session.sensing, desk.session.sensors, desk.now)
    draft.note(SetUp(setup=evening.setup, from_file=False, money=money_of(Table.begin(evening.setup))))
    for written in evening.told:
        draft = Draft(draft.book, desk.session.sensing, desk.session.sensors, desk.now) if entries else draft
        assert draft.apply(parse_step(written), "keyed") is None
        draft.keep_checkpoint()
        entries += draft.entries
        if chance.random() < 0.08:
            resumed = resume(desk.terms, Pages(entries), desk.now)
            assert resumed.session.book == draft.book
            assert steps_back(resumed.session.book) == steps_back(draft.book)
            assert resumed.alerts == ()
    assert sum(isinstance(entry, Checkpoint) for entry in entries) > 5


def steps_back(book: Book) -> int:
    return 0 if book.before is None else 1 + steps_back(book.before)
