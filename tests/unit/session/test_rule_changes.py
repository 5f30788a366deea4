"""A mended rule leaves old journals startable: recorded rulings are facts, in mid-hand the floor is asked."""

import json
import random
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from betline.messages.table import Alert
from betline.steps import Deal
from table_controller.accounts.erasure import erase
from table_controller.accounts.ledger import ledger_of
from table_controller.accounts.read import hands
from table_controller.betting import Illegal
from table_controller.journal.entries import Alerted, Checkpoint, HandOver, RulesChanged
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.journal.store import Journal
from table_controller.rulings import table as rulings_table
from table_controller.rulings.acts import book as rule_book
from table_controller.rulings.acts import declared
from table_controller.rulings.values.ruling import RulingKind, Verdict
from table_controller.rulings.values.situation import Situation
from table_controller.session import Now
from table_controller.session.checkpoint import book_of, checkpoint_in
from table_controller.session.fold import resume
from table_controller.session.replay import ruled_again
from tests.unit.session.desk import START_MS, Desk, Pages, terms
from tests.unit.session.test_fold import act_at_random

OLD_FILES = Path(__file__).parents[2] / "data" / "journals"
TABLE = "home/home-six"
RAISE = "raise to 7"


@pytest.fixture
def mend(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on a raise that was declared is a call: the rule has changed."""

    def declared_raise_of_an_amount(situation: Situation) -> Verdict | None:
        verdict = declared.declared_raise_of_an_amount(situation)
        return None if verdict is None else replace(verdict, kind=RulingKind.CALL, to=0)

    def mended() -> None:
        changed = tuple(
            declared_raise_of_an_amount if rule is declared.declared_raise_of_an_amount else rule
            for rule in rule_book.RULES
        )
        monkeypatch.setattr(rule_book, "RULES", changed)

    return mended


@pytest.fixture
def no_street(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on no street can be dealt: a step that was taken is illegal."""

    def refuse(_state: Any, _step: Deal) -> Any:
        raise Illegal("not-open", "No street is dealt any more.")

    return lambda: monkeypatch.setitem(rulings_table._HANDLERS, Deal, refuse)


@pytest.fixture
def desk() -> Desk:
    """One hand that a declared raise has won, and a second one with such a raise."""
    desk = Desk()
    desk.begin()
    desk.key("says", seat=4, text=RAISE)
    desk.key("rest-folds")
    desk.key("next-hand")
    desk.key("cards-out")
    return desk


def state(desk: Desk) -> Any:
    return desk.session.table_state(1, 1, "")


def test_a_rule_mended_since_changes_nothing_of_hands_that_are_over(desk: Desk, mend: Callable[[], None]) -> None:
    desk.key("act", seat=1, action="call")
    steady = desk.session.book
    mend()

    resumed = desk.resumed()
    assert resumed.session.book == steady
    assert (resumed.entries, resumed.alerts) == ((), ())
    assert [(one.hand_no, one.seat) for one in ruled_again(Pages(desk.entries).entries())] == [(1, 4)]


def test_a_hand_that_is_over_stands_as_recorded_before_the_next_one_too(mend: Callable[[], None]) -> None:
    desk = Desk()
    desk.begin()
    desk.key("says", seat=4, text=RAISE)
    desk.key("rest-folds")
    won = state(desk).seats
    mend()
    desk.restart()

    assert [seat.stack for seat in state(desk).seats] == [seat.stack for seat in won]
    assert state(desk).questions == ()
    assert desk.key("undo").ok
    assert state(desk).phase == "betting"


def test_the_floor_is_asked_of_an_act_in_the_hand_in_progress(desk: Desk, mend: Callable[[], None]) -> None:
    acting = state(desk).to_act
    desk.key("says", seat=acting, text=RAISE)
    recorded = desk.session.book
    mend()
    desk.restart()

    (question,) = state(desk).questions
    assert (question.seat, question.kind, question.choices) == (acting, "rules-changed", ("as-recorded", "as-today"))
    assert question.sentence.startswith(
        f"Hand 2, act 1, seat {acting} on the preflop (says raise to 7). Recorded: Seat"
    )
    assert f"Today: Seat {acting} calls 2" in question.sentence
    assert desk.session.book.table == recorded.table
    assert [type(entry) for entry in desk.entries[-3:]] == [RulesChanged, Alerted, Checkpoint]

    asked = desk.session.book
    count = len(desk.entries)
    desk.restart()
    assert (desk.session.book, len(desk.entries)) == (asked, count)
    assert state(desk).questions == (question,)


def test_the_floor_keeps_the_ruling_as_it_was_recorded(desk: Desk, mend: Callable[[], None]) -> None:
    acting = state(desk).to_act
    desk.key("says", seat=acting, text=RAISE)
    recorded = desk.session.book
    mend()
    desk.restart()

    assert desk.key("answer", question=state(desk).questions[0].id, choice="as-recorded").ok
    assert state(desk).questions == ()
    assert desk.session.book.table == recorded.table
    steady = desk.session.book
    desk.restart()
    assert desk.session.book == steady


def test_the_floor_takes_todays_ruling_and_the_difference_moves(desk: Desk, mend: Callable[[], None]) -> None:
    acting = state(desk).to_act
    desk.key("says", seat=acting, text=RAISE)
    desk.key("passive", seat=state(desk).to_act)
    assert desk.hand.bet(acting) == 7
    mend()
    desk.restart()
    before = desk.session.book

    reply = desk.key("answer", question=state(desk).questions[0].id, choice="as-today")
    assert (reply.ok, reply.sentence) == (True, f"The hand goes on by today's rules. Seat {acting} puts in 2 more.")
    assert (before.owes, desk.session.book.owes) == ({acting: 7}, {acting: 2})
    assert desk.hand.bet(acting) == 2
    assert state(desk).questions == ()
    steady = desk.session.book
    desk.restart()
    assert desk.session.book == steady
    assert desk.key("undo").ok
    assert desk.hand.bet(acting) == 7


def test_playing_on_keeps_what_is_recorded(desk: Desk, mend: Callable[[], None]) -> None:
    acting = state(desk).to_act
    desk.key("says", seat=acting, text=RAISE)
    mend()
    desk.restart()
    name = state(desk).questions[0].id
    assert desk.key("act", seat=state(desk).to_act, action="call").ok

    assert state(desk).questions == ()
    assert desk.heard(Alert)[-1].sentence == "Hand 2 goes on as it was recorded: nobody said which ruling holds."
    assert desk.key("answer", question=name, choice="as-today").code == "no-question"
    assert desk.hand.bet(acting) == 7


def test_a_hand_that_cannot_go_on_stands_before_the_act_and_a_misdeal_ends_it(
    desk: Desk, no_street: Callable[[], None]
) -> None:
    while state(desk).phase == "betting":
        desk.key("act", seat=state(desk).to_act, action="call")
        desk.key("passive", seat=state(desk).to_act or 1)
    desk.key("deal")
    flop = state(desk).to_act
    desk.key("act", seat=flop, action="bet", to=4)
    no_street()
    desk.restart()

    assert (state(desk).phase, state(desk).street) == ("round-over", "preflop")
    alert = next(entry for entry in desk.entries[-3:] if isinstance(entry, Alerted))
    assert (alert.severity, alert.code) == ("error", "hand-stands")
    assert "Refused today: No street is dealt any more." in alert.sentence
    assert desk.key("fouled-deck").ok
    assert desk.key("next-hand").ok
    steady = desk.session.book
    desk.restart()
    assert desk.session.book == steady


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_older_version_starts_as_its_program_left_it(version: int, tmp_path: Path) -> None:
    journal = old_file(version, tmp_path)
    resumed = resume(terms(), journal, Now(START_MS, 1))
    found = resumed.session.called(journal.names()).table_state(1, 1, "")
    wanted = json.loads((OLD_FILES / f"version-{version}.json").read_text())

    assert [type(entry) for entry in resumed.entries] == [Checkpoint]
    assert (found.phase, found.hand_no, found.to_act, found.pot) == (
        wanted["phase"], wanted["hand_no"], wanted["to_act"], wanted["pot"],
    )  # fmt: skip
    assert [(one.seat, one.name, one.stack, one.bet, one.status) for one in found.seats] == [
        (one["seat"], one["name"], one["stack"], one["bet"], one["status"]) for one in wanted["seats"]
    ]
    journal.append(resumed.entries, START_MS, 2)
    again = resume(terms(), journal, Now(START_MS, 1))
    assert (again.session.book, again.entries) == (resumed.session.book, ())
    journal.close()


def test_a_checkpoint_of_an_earlier_day_is_read_until_its_form_has_a_new_number(tmp_path: Path) -> None:
    """Whoever changes the shape of a table gives new fields a default, or raises `checkpoint.FORM` and this file."""
    journal = old_file(3, tmp_path)
    kept = [checkpoint_in(one) for one in journal.newest(Checkpoint.kind)]
    resumed = resume(terms(), journal, Now(START_MS, 1))
    journal.close()

    assert [book_of(one).hand_no for one in kept] == [2, 1]
    assert (resumed.entries, resumed.session.book.hand_no, resumed.session.book.bet_of(4)) == ((), 3, 7)


@pytest.mark.parametrize("version", [1, 2])
def test_a_mended_rule_leaves_a_file_of_an_older_version_startable_and_readable(
    version: int, tmp_path: Path, mend: Callable[[], None]
) -> None:
    journal = old_file(version, tmp_path)
    ledger, listed = ledger_of(journal.entries()), hands(journal.entries())
    mend()
    resumed = resume(terms(), journal, Now(START_MS, 1))

    assert resumed.session.table_state(1, 1, "").questions[0].kind == "rules-changed"
    assert (ledger_of(journal.entries()), hands(journal.entries())) == (ledger, listed)
    journal.append(resumed.entries, START_MS, 2)
    assert replace(ledger_of(journal.entries()), to_ms=ledger.to_ms) == ledger
    path = journal.path
    journal.close()
    with JournalReader(path) as reader:
        assert reader.verify().ok
        assert [(one.hand_no, one.step) for one in ruled_again(reader.entries())] == [(3, f"says {RAISE}")]


@pytest.mark.parametrize("version", [1, 2])
def test_names_are_erased_from_an_older_file_and_are_in_no_checkpoint_of_it(version: int, tmp_path: Path) -> None:
    journal = old_file(version, tmp_path)
    journal.append(resume(terms(), journal, Now(START_MS, 1)).entries, START_MS, 2)
    path = journal.path
    journal.close()
    if version == 1:
        with pytest.raises(JournalError, match="entries of an older version hold the name"):
            erase(path, "Ann")
        return

    assert erase(path, "Ann") == "Ann is erased; in the journal it was p-1-1."
    assert b"Ann" not in path.read_bytes()
    with JournalReader(path) as reader:
        assert reader.verify().ok


def test_a_house_rule_that_came_or_went_since_does_not_lock_the_journal(desk: Desk) -> None:
    """An option of an older program, a value that it had, and one that it did not know."""
    pages = Pages(desk.entries[: next(n for n, one in enumerate(desk.entries) if isinstance(one, Checkpoint))])
    house = pages.recorded[0].data["setup"]["house"]
    house.update(no_such_option=True, undercall="as-the-wind-blows")
    del house["voice"]

    assert resume(desk.terms, pages, desk.now).session.book.hand_no == 1


def old_file(version: int, folder: Path) -> Journal:
    path = folder / "old.journal"
    shutil.copy(OLD_FILES / f"version-{version}.journal", path)
    return Journal.open(path, TABLE, START_MS, 1)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("change", ["mend", "no_street"])
@pytest.mark.parametrize("seed", range(8))
def test_no_evening_under_other_rules_locks_its_journal(seed: int, change: str, request: pytest.FixtureRequest) -> None:
    """Also without a checkpoint, as older programs wrote it: the stacks at each hand's end are those recorded."""
    chance = random.Random(seed)
    desk = Desk()
    desk.begin()
    for _ in range(60):
        act_at_random(desk, chance)
        if state(desk).phase == "betting" and chance.random() < 0.3:
            desk.key("says", seat=state(desk).to_act, text=f"raise to {chance.randint(4, 12)}")
    request.getfixturevalue(change)()

    desk.resumed()
    desk.entries = [entry for entry in desk.entries if not isinstance(entry, Checkpoint)]
    resumed = desk.resumed()
    ended = [entry for entry in desk.entries if isinstance(entry, HandOver)]
    table = resumed.session.book.table
    assert table is not None
    assert resumed.session.book.hand_no == desk.session.book.hand_no
    if ended and table.state.between_hands and state(desk).phase == "hand-over":
        dealt_in = dict(ended[-1].stacks)
        assert {seat: table.state.stacks[seat] for seat in dealt_in} == dealt_in


def test_a_rule_with_a_fault_does_not_lock_the_journal(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    acting = state(desk).to_act
    desk.key("says", seat=acting, text=RAISE)
    monkeypatch.setattr(rule_book, "RULES", ())
    desk.restart()

    assert desk.hand.bet(acting) == 7
    assert "The rules met a fault of the program (" in state(desk).questions[0].sentence
