"""Antes and dead blinds that come only after the cards were keyed out: dead money, and no act of anybody."""

import pytest

from betline.messages.table import Alert, Question
from tests.unit.session.desk import Desk, terms

GAME = {"limit": "no-limit", "blinds": [5, 10], "streets": "holdem", "ante": 5}


def gathered(desk: Desk, seats: str) -> None:
    """The dealer takes all that lies before these seats into the pot."""
    pot = desk.lying.setdefault("pot", {})
    for seat in seats:
        for uid, (value, _) in desk.lying.pop(f"seat-{seat}", {}).items():
            pot[uid] = (value, desk.rounds.get("pot", 0) + 1)
    desk.play(10)


def begun(late: str, *, implied_passive: str = "assume") -> Desk:
    """Antes of 5 are in the pot but for those of some seats, blinds of 5 and 10 lie there, seat 4 is to act."""
    desk = Desk(terms())
    rules = {"profile": "cash", "implied_passive": implied_passive}
    desk.key("setup", game=GAME, seats=dict.fromkeys("12345", 900), button=1, house=rules)
    desk.play(8)
    paid = [seat for seat in "12345" if seat not in late]
    for seat in paid:
        desk.push(int(seat), 5)
    desk.play(8)
    gathered(desk, "".join(paid))
    desk.push(2, 5)
    desk.push(3, 5, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.play(4)
    return desk


def questions(desk: Desk) -> list[Question]:
    return list(desk.session.table_state(1, 1, "").questions)


def accusing(desk: Desk) -> list[str]:
    return [one.code for one in desk.heard(Alert) if one.active and one.severity != "info" and one.code != "pot-short"]


def ante_comes(desk: Desk, seat: int) -> None:
    desk.push(seat, 5)
    desk.play(60)


@pytest.mark.parametrize("seat", [1, 4, 5])
def test_an_ante_that_comes_after_the_cards_is_no_act(seat: int) -> None:
    desk = begun(late=str(seat))
    ante_comes(desk, seat)

    assert (desk.rulings, questions(desk), accusing(desk)) == ([], [], [])


def test_who_paid_the_ante_late_then_acts_with_other_chips_alone() -> None:
    desk = begun(late="4")
    ante_comes(desk, 4)
    desk.push(4, 10)
    desk.play(10)

    assert desk.rulings == [(4, "call", 10)]


def test_a_call_of_as_much_as_the_ante_that_lies_there_still_is_a_call() -> None:
    desk = begun(late="2")
    ante_comes(desk, 2)
    for seat in (4, 5, 1):
        assert desk.key("act", seat=seat, action="fold").ok
    desk.push(2, 5)
    desk.play(12)

    assert desk.rulings[-1] == (2, "call", 10)


def test_a_part_of_the_dead_money_may_come_late() -> None:
    desk = Desk(terms())
    desk.key(
        "setup", game={**GAME, "ante": 10}, seats=dict.fromkeys("12345", 900), button=1,
        house={"profile": "cash", "implied_passive": "ask"},
    )  # fmt: skip
    desk.play(8)
    for seat in (1, 2, 3, 5):
        desk.push(seat, 10)
    desk.push(4, 5)
    desk.play(8)
    gathered(desk, "12345")
    desk.push(2, 5)
    desk.push(3, 10)
    desk.play(8)
    desk.key("cards-out")
    ante_comes(desk, 4)

    assert (desk.rulings, questions(desk), accusing(desk)) == ([], [], [])


def test_the_ante_may_be_gathered_at_any_time() -> None:
    desk = begun(late="4")
    ante_comes(desk, 4)
    gathered(desk, "4")
    desk.push(4, 25, 5)
    desk.play(60)

    assert desk.rulings == [(4, "raise", 30)]
    assert accusing(desk) == []


@pytest.mark.parametrize(("chips", "action", "to"), [((5, 10), "call", 10), ((5, 25, 5), "raise", 30)])
def test_an_ante_and_an_act_in_one_push_are_ruled_as_the_dealer_keys_them(
    chips: tuple[int, ...], action: str, to: int
) -> None:
    desk = begun(late="4", implied_passive="ask")
    desk.push(4, *chips)
    desk.play(20)

    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("amount", 4, ())
    assert desk.rulings == []
    assert desk.key("act", seat=4, action=action, **({"to": to} if action == "raise" else {})).ok
    desk.play(40)
    assert desk.rulings == [(4, action, to)]
    assert (questions(desk), accusing(desk)) == ([], [])


def test_an_act_with_a_chip_of_the_antes_worth_is_asked_about_only_while_the_pot_lacks_one() -> None:
    desk = begun(late="")
    desk.push(4, 5, 25)
    desk.play(20)

    assert (desk.rulings, questions(desk)) == ([(4, "raise", 30)], [])


def test_with_all_antes_in_the_pot_the_same_chip_is_an_act() -> None:
    desk = begun(late="")
    desk.push(4, 5)
    desk.play(20)

    assert [(seat, ruling) for seat, ruling, _ in desk.rulings] == [(4, "call")]


def test_where_the_pot_cannot_say_it_is_asked_what_the_chip_is() -> None:
    desk = begun(late="4", implied_passive="ask")
    desk.push(4, 5)
    desk.lying["pot"].popitem()  # a chip of the pot is not heard just now
    del desk.readers["pot"]
    desk.wait(2000)
    desk.play(20)

    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("dead-money", 4, ("no-bet", "bet"))
    assert question.sentence == "Seat 4 has 5 in front of it, as much as its ante: is it a bet?"
    assert desk.rulings == []
    assert desk.key("answer", question=question.id, choice="no-bet").ok
    desk.push(4, 10)
    desk.play(10)
    assert desk.rulings == [(4, "call", 10)]


def test_it_is_remembered_over_a_restart_who_has_paid() -> None:
    desk = begun(late="", implied_passive="ask")
    desk.restart()
    del desk.readers["pot"]
    desk.play(10)
    desk.push(4, 5)
    desk.play(20)

    assert questions(desk) == []
    assert [(seat, ruling) for seat, ruling, _ in desk.rulings] == [(4, "call")]


def test_a_live_post_and_a_dead_one_may_come_late_together() -> None:
    desk = begun_without_blind_and_ante()
    desk.push(3, 5, 5, 5)
    desk.play(60)

    assert (desk.rulings, questions(desk)) == ([], [])
    assert accusing(desk) == []


def begun_without_blind_and_ante() -> Desk:
    """Seat 3 has put out neither its ante nor the big blind when the cards are keyed out."""
    desk = Desk(terms())
    rules = {"profile": "cash", "implied_passive": "ask"}
    desk.key("setup", game=GAME, seats=dict.fromkeys("12345", 900), button=1, house=rules)
    desk.play(8)
    for seat in (1, 2, 4, 5):
        desk.push(seat, 5)
    desk.play(8)
    gathered(desk, "1245")
    desk.push(2, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.play(4)
    return desk


@pytest.mark.parametrize("heard_next", ["at its seat", "in the pot"])
def test_a_neighbours_ante_that_was_overheard_pays_for_nobody(heard_next: str) -> None:
    desk = Desk(terms())
    desk.key("setup", game=GAME, seats=dict.fromkeys("12345", 900), button=1, house={"profile": "cash"})
    desk.play(8)
    for seat in (1, 2, 3):
        desk.push(seat, 5)
    [uid] = desk.push(5, 5)
    desk.lying["seat-4"] = {uid: desk.lying["seat-5"].pop(uid)}
    desk.play(8)
    overheard = desk.lying.pop("seat-4")[uid]
    if heard_next == "at its seat":
        desk.lying["seat-5"][uid] = overheard
        desk.play(8)
    else:
        desk.lying["pot"] = {uid: overheard}
    gathered(desk, "1235")
    desk.push(2, 5)
    desk.push(3, 5, 5)
    desk.play(8)
    desk.key("cards-out")
    ante_comes(desk, 4)

    assert desk.rulings == []
    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("dead-money", 4, ("no-bet", "bet"))


def test_a_blind_that_comes_with_the_rest_of_the_dead_money_is_no_overpayment() -> None:
    desk = Desk(terms())
    desk.key("setup", game={**GAME, "ante": 10}, seats=dict.fromkeys("12345", 900), button=1, house={"profile": "cash"})
    desk.play(8)
    for seat in (1, 2, 4, 5):
        desk.push(seat, 10)
    desk.play(8)
    desk.push(3, 5)  # a part of its ante, which the dealer takes before its reader has told it
    gathered(desk, "12345")
    desk.push(2, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.push(3, 10, 5)
    desk.play(40)

    assert (desk.rulings, questions(desk)) == ([], [])
    assert [one.code for one in desk.heard(Alert) if one.active and one.code != "pot-short"] == []
