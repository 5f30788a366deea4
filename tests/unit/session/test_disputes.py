"""Corrections, the record and the floor's override as commands: what they answer, journal, tell, and a restart."""

from pathlib import Path

import pytest

from betline.front_door import run
from betline.messages.table import Alert, Ruling
from table_controller.accounts.read import hands
from table_controller.journal.store import Journal
from tests.unit.journal.test_read import recorded
from tests.unit.session.desk import START_MS, Desk, terms
from tests.unit.session.test_between import NO_LIMIT, begun, chips, folds_the_same, refused
from tests.unit.session.test_fold import same


def called() -> Desk:
    """Seat 4 has raised to 6 and seat 1 called; the blinds are to act."""
    desk = begun()
    desk.key("act", seat=4, action="raise", to=6)
    desk.key("act", seat=1, action="call")
    return desk


def on_the_felt(**house: str) -> Desk:
    """The same hand with its blinds read by the antennas."""
    desk = Desk(terms(**house))
    desk.begin(game=NO_LIMIT, house={"profile": "home", **house})
    return desk


def test_tda_52_a_correction_is_answered_with_every_act_that_it_rules_otherwise() -> None:
    desk = called()
    before = chips(desk)

    reply = desk.key("correct-bet", seat=4, to=8)

    assert reply.ok
    assert reply.sentence == (
        "Preflop: seat 4 raises to 8 (before: raises to 6); 2 more to put in. "
        "Preflop: seat 1 calls 8 (before: calls 6); 2 more to put in."
    )
    assert desk.hand.bets == {2: 1, 3: 2, 4: 8, 1: 8}
    assert (desk.session.book.owes, desk.session.book.change_due) == ({1: 2, 4: 2}, {})
    assert chips(desk) == before
    assert folds_the_same(desk)


def test_the_list_is_told_on_the_bus_and_stays_in_the_state_beside_the_old_rulings() -> None:
    desk = called()
    desk.key("correct-bet", seat=4, to=8)

    told = desk.heard(Ruling)[-2:]
    assert [(one.seat, one.ruling, one.to, one.owes) for one in told] == [(4, "raise", 8, 2), (1, "call", 8, 2)]
    assert [(one.instead_of.ruling, one.instead_of.to) for one in told] == [("raise", 6), ("call", 6)]
    assert [one.act_no for one in desk.session.table_state(1, 1, "").rulings] == [1, 2, 3, 4]
    alert = desk.heard(Alert)[-1]
    assert (alert.code, alert.sentence) == (
        "ruled-otherwise",
        "2 acts are ruled otherwise now. Seat 1 puts in 2 more. Seat 4 puts in 2 more.",
    )


def test_what_a_correction_moves_is_weighed_against_what_was_open() -> None:
    desk = on_the_felt()
    desk.push(4, 25)
    desk.play()
    assert desk.rulings == [(4, "call", 2)]
    assert desk.session.book.change_due == {4: 23}

    desk.key("override", seat=4, ruling="raise", to=25, by="Kim", why="he said raise first")

    assert desk.hand.bet(4) == 25
    assert (desk.session.book.owes, desk.session.book.change_due) == ({}, {})
    assert same(desk)


def test_r_049_a_record_of_an_earlier_street_is_put_right() -> None:
    desk = called()
    desk.key("rest-folds")
    assert desk.key("undo").ok
    desk.key("act", seat=3, action="call")
    desk.key("deal")

    reply = desk.key("correct-record", seat=4, to=5, street="preflop")

    assert reply.ok
    assert desk.hand.pot == 5 * 3 + 1
    assert folds_the_same(desk)
    refused(desk, "correct-record", "not-open", "has not acted", seat=4, to=5, street="river")
    refused(desk, "correct-bet", "too-late", "earlier street", seat=4, to=5)


def test_r_049_the_record_of_this_street_needs_no_name_of_it() -> None:
    desk = called()

    assert desk.key("correct-record", seat=1, to=6).sentence == "Nothing is ruled otherwise."
    assert desk.key("correct-record", seat=1, to=0).ok
    assert 1 not in desk.hand.in_hand


def test_r_291_the_floor_rules_by_name_and_reason_and_the_journal_keeps_both() -> None:
    desk = called()

    reply = desk.key("override", seat=1, ruling="fold", by="  Kim  Lee ", why="he did not see the raise")

    assert reply.sentence == "Seat 1 folds: the floor rules, he did not see the raise (TDA 1); 6 goes back."
    step = next(entry for entry in reversed(desk.entries) if entry.kind == "step")
    person = step.data["step"]["overrides"]["by"]
    assert desk.session.names[person] == "Kim Lee"
    assert step.data["source"] == "floor"
    assert step.data["rulings"][0]["instead_of"]["sentence"] == "Seat 1 calls 6."
    assert step.data["moves"] == {"1": -6}
    assert any("Seat 1 calls 6." in ruling["sentence"] for entry in desk.entries for ruling in _rulings(entry))
    assert not any("Kim" in str(entry.data) for entry in desk.entries)
    assert folds_the_same(desk)


def _rulings(entry: object) -> list[dict[str, str]]:
    return list(getattr(entry, "data").get("rulings", ()))  # noqa: B009


def test_the_floor_has_the_same_id_every_time_and_that_of_the_player_who_is_it() -> None:
    desk = begun()
    desk.key("act", seat=4, action="raise", to=6)
    for to in (8, 10):
        desk.key("override", seat=4, ruling="raise", to=to, by="Kim", why="as he said")

    by = [entry.data["step"]["overrides"]["by"] for entry in desk.entries if "overrides" in entry.data.get("step", {})]
    assert by[0] == by[1]


def test_r_291_what_waits_for_the_floor_is_ruled_beside_the_offers() -> None:
    desk = on_the_felt(tiny_chip="floor")
    desk.key("act", seat=4, action="raise", to=100)
    desk.push(1, 1)
    desk.play()
    asked = desk.session.table_state(1, 1, "").questions
    assert [one.kind for one in asked] == ["floor"]

    assert desk.key("override", seat=1, ruling="withdraw", by="Kim", why="a chip fell").ok

    assert desk.session.table_state(1, 1, "").questions == ()
    assert desk.hand.next_seat == 1
    assert same(desk)


def test_r_291_a_hand_that_was_over_goes_on_and_the_journal_says_so() -> None:
    desk = called()
    desk.key("rest-folds")
    desk.key("override", seat=1, ruling="fold", by="Kim", why="mucked")
    assert hands(recorded(desk))[0].winners == {4: 5}

    assert desk.key("override", seat=1, ruling="live", by="Kim", why="the cards can be told").ok

    assert hands(recorded(desk))[0].winners is None
    assert desk.hand.next_seat == 1
    assert folds_the_same(desk)


def test_r_291_refusals_are_sentences_and_change_nothing() -> None:
    desk = called()

    refused(desk, "override", "not-open", "was ruled on", seat=2, ruling="call", by="Kim", why="so")
    refused(desk, "override", "not-open", "to how much", seat=1, ruling="raise", by="Kim", why="so")
    refused(desk, "override", "below-minimum", "at least", seat=1, ruling="raise", to=6, by="Kim", why="so")
    refused(desk, "override", "not-open", "is not to act", seat=1, ruling="reopened", by="Kim", why="so")
    refused(desk, "correct-bet", "too-late", "no chips", seat=3, to=9)
    assert folds_the_same(desk)


def test_undo_takes_an_override_back_by_the_bus() -> None:
    desk = called()
    before = desk.session.book.table
    desk.key("override", seat=1, ruling="fold", by="Kim", why="so")
    desk.key("correct-bet", seat=4, to=9)

    assert desk.key("undo", count=2).ok

    assert desk.session.book.table == before
    assert folds_the_same(desk)


def test_undo_reaches_every_earlier_act_of_the_hand() -> None:
    desk = begun()
    tables = [desk.session.book.table]
    for verb, args in (
        ("act", {"seat": 4, "action": "raise", "to": 6}),
        ("act", {"seat": 1, "action": "call"}),
        ("act", {"seat": 2, "action": "fold"}),
        ("act", {"seat": 3, "action": "call"}),
        ("deal", {}),
        ("act", {"seat": 3, "action": "check"}),
        ("act", {"seat": 4, "action": "bet", "to": 10}),
        ("override", {"seat": 4, "ruling": "check", "by": "Kim", "why": "so"}),
        ("act", {"seat": 1, "action": "check"}),
        ("deal", {}),
    ):
        assert desk.key(verb, **args).ok
        tables.append(desk.session.book.table)

    for steps in range(1, len(tables)):
        assert desk.key("undo", count=steps).ok
        assert desk.session.book.table == tables[-1 - steps]
        assert folds_the_same(desk)
        for verb, args in _again(desk, steps):
            assert desk.key(verb, **args).ok
    refused(desk, "undo", "too-late", "no step of this hand", count=len(tables))


def _again(desk: Desk, steps: int) -> list[tuple[str, dict[str, object]]]:
    """The last commands that are no undo, keyed once more."""
    keyed = [entry.data for entry in desk.entries if entry.kind == "command" and entry.data["verb"] != "undo"]
    story = keyed[2:12]
    return [
        (data["verb"], {**data["args"], **({"by": "Kim"} if "by" in data["args"] else {})}) for data in story[-steps:]
    ]


def test_words_that_come_after_a_correction_do_not_take_it_back() -> None:
    desk = on_the_felt()
    desk.push(4, 5, 1)
    desk.play()
    desk.key("correct-bet", seat=4, to=8)

    desk.key("says", seat=4, text="raise")

    assert desk.hand.bet(4) == 8
    assert same(desk)


def test_journal_show_tells_who_decided_and_both_rulings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = called()
    desk.key("override", seat=4, ruling="raise", to=8, by="Kim", why="he said eight")
    path = tmp_path / "a.journal"
    journal = Journal.open(path, "home/home-six", START_MS, 1)
    journal.append(desk.entries, START_MS + 1000, 2, desk.session.names)
    journal.close()

    assert run(["journal", "show", "1", "--journal", str(path)]) == 0

    text = capsys.readouterr().out
    assert "Seat 4 raises to 6." in text
    assert "The floor, Kim: Seat 4 raises to 8: the floor rules, he said eight (TDA 1); it owes 2." in text
    assert "seat 1 calls 8 (before: calls 6); 2 more to put in" in text
    assert run(["journal", "erase", "Kim", "--journal", str(path)]) == 0
    capsys.readouterr()
    assert run(["journal", "show", "1", "--journal", str(path)]) == 0
    assert "Kim" not in capsys.readouterr().out
