"""Antes that lie before the seats while people bet: they are part of no bet, whenever the dealer gathers them."""

import pytest

from tests.unit.session.desk import Desk, terms
from tests.unit.session.test_late_antes import GAME, accusing, gathered, questions


def begun(*, late: str = "", ante: int = 5, blinds: bool = True) -> tuple[Desk, dict[int, list[str]]]:
    """Antes lie before all seats but those that are late, blinds of 5 and 10 beside them; seat 4 is to act."""
    desk = Desk(terms())
    house = {"profile": "cash", "implied_passive": "ask"}
    desk.key("setup", game={**GAME, "ante": ante}, seats=dict.fromkeys("12345", 900), button=1, house=house)
    desk.play(8)
    antes = {seat: desk.push(seat, ante) for seat in range(1, 6) if str(seat) not in late}
    desk.play(8)
    desk.push(2, *[5] * blinds)
    desk.push(3, 5, 5)
    desk.play(8)
    desk.key("cards-out")
    desk.play(4)
    return desk, antes


def take(desk: Desk, chips: dict[int, list[str]], *, to_pot: bool = True) -> None:
    """These chips leave their seats, for the pot or for good."""
    for seat, uids in chips.items():
        for uid in uids:
            value, _ = desk.lying[f"seat-{seat}"].pop(uid)
            if to_pot:
                desk.lying.setdefault("pot", {})[uid] = (value, desk.rounds["pot"] + 1)


def on_the_flop(desk: Desk, keep: dict[int, list[str]]) -> None:
    """All call, the bets are gathered without the chips to keep, and the flop is keyed."""
    for seat, chips in ((4, (10,)), (5, (10,)), (1, (10,)), (2, (5,))):
        desk.push(seat, *chips)
        desk.play(9)
    assert desk.key("act", seat=3, action="check").ok
    bets = {seat: [uid for uid in desk.lying[f"seat-{seat}"] if uid not in keep.get(seat, ())] for seat in range(1, 6)}
    take(desk, bets)
    desk.play(10)
    assert desk.key("deal").ok
    desk.play(4)
    desk.told.clear()


@pytest.mark.one_in(4)
@pytest.mark.parametrize("whose", ["its own", "all"])
@pytest.mark.parametrize(("chips", "action", "to"), [((25, 5), "raise", 30), ((5, 5), "call", 10)])
def test_a_seat_that_bets_while_its_ante_is_gathered_has_not_taken_it_back(
    whose: str, chips: tuple[int, ...], action: str, to: int
) -> None:
    desk, antes = begun()
    take(desk, antes if whose == "all" else {4: antes[4]})
    desk.push(4, *chips)
    desk.play(14)

    assert desk.rulings == [(4, action, to)]
    assert (questions(desk), accusing(desk)) == ([], [])


def test_a_bet_of_as_much_as_the_ante_that_is_gathered_is_no_exchange() -> None:
    desk, antes = begun(ante=10)
    take(desk, {4: antes[4]})
    desk.push(4, 10)
    desk.play(14)

    assert desk.rulings == [(4, "call", 10)]


@pytest.mark.nightly
def test_who_changes_its_ante_for_other_chips_is_asked_about_and_never_ruled() -> None:
    desk, antes = begun()
    take(desk, {4: antes[4]}, to_pot=False)
    desk.push(4, 25)
    desk.play(60)

    assert desk.rulings == []
    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("amount", 4, ())
    assert desk.key("act", seat=4, action="raise", to=25).ok
    desk.play(20)
    assert desk.rulings == [(4, "raise", 25)]
    assert (questions(desk), accusing(desk)) == ([], [])


@pytest.mark.nightly
def test_antes_that_are_gathered_before_anybody_acts_are_no_bets_taken_back() -> None:
    desk, antes = begun()
    take(desk, antes)
    desk.play(50)
    desk.push(4, 5, 5)
    desk.play(12)

    assert desk.rulings == [(4, "call", 10)]
    assert accusing(desk) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("keyed_first", [True, False])
def test_a_keyed_call_is_paid_by_its_own_chips_beside_the_ante(keyed_first: bool) -> None:
    desk, _ = begun()
    if not keyed_first:
        desk.push(4, 10)
        desk.play(2)
    assert desk.key("act", seat=4, action="call").ok
    if keyed_first:
        desk.play(3)
        desk.push(4, 10)
    desk.play(40)

    assert desk.rulings == [(4, "call", 10)]
    assert (questions(desk), accusing(desk)) == ([], [])


@pytest.mark.nightly
def test_a_blind_that_is_late_is_paid_beside_the_ante() -> None:
    desk, _ = begun(blinds=False)
    desk.push(2, 5)
    desk.play(30)
    desk.push(4, 10)
    desk.play(12)

    assert desk.rulings == [(4, "call", 10)]
    assert questions(desk) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seat", [1, 4])
def test_it_is_remembered_over_a_restart_what_of_it_is_an_ante(seat: int) -> None:
    desk, antes = begun()
    desk.restart()
    desk.play(10)
    take(desk, {seat: antes[seat]})
    desk.push(4, 25, 5)
    desk.play(14)

    assert desk.rulings == [(4, "raise", 30)]
    assert accusing(desk) == []


def test_antes_that_lie_there_on_the_flop_are_part_of_no_act() -> None:
    desk, antes = begun()
    on_the_flop(desk, keep=antes)
    desk.push(2, 25)
    desk.play(9)
    desk.push(3, 25)
    desk.play(9)
    assert desk.key("act", seat=4, action="fold").ok
    take(desk, antes)
    desk.push(5, 25, 50)
    desk.play(14)

    assert [ruling for ruling in desk.rulings if ruling[0] != 4] == [(2, "bet", 25), (3, "call", 25), (5, "raise", 75)]
    assert questions(desk) == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("seat", "ante"), [(2, 10), (4, 5)])
def test_an_ante_that_comes_only_on_the_flop_is_asked_about(seat: int, ante: int) -> None:
    desk, antes = begun(late=str(seat), ante=ante)
    take(desk, antes)
    on_the_flop(desk, keep={})
    desk.push(seat, ante)
    desk.play(60)

    assert desk.rulings == []
    [question] = questions(desk)
    assert (question.kind, question.seat, question.choices) == ("dead-money", seat, ("no-bet", "bet"))
    assert desk.key("answer", question=question.id, choice="no-bet").ok
    for one in range(2, seat):
        assert desk.key("act", seat=one, action="check").ok
    desk.push(seat, 50)
    desk.play(12)
    assert desk.rulings[-1] == (seat, "bet", 50)


@pytest.mark.nightly
def test_the_same_chip_is_a_bet_where_the_dealer_says_so() -> None:
    desk, antes = begun(late="2", ante=10)
    take(desk, antes)
    on_the_flop(desk, keep={})
    desk.push(2, 10)
    desk.play(60)
    [question] = questions(desk)
    assert desk.key("answer", question=question.id, choice="bet").ok
    desk.play(12)

    assert desk.rulings == [(2, "bet", 10)]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("left", [True, False])
def test_who_has_put_in_its_ante_bets_as_much_on_the_flop(left: bool) -> None:
    desk, antes = begun(ante=10)
    if not left:
        take(desk, antes)
        desk.play(10)
    on_the_flop(desk, keep=antes if left else {})
    desk.push(2, 10)
    desk.play(12)

    assert desk.rulings == [(2, "bet", 10)]
    assert questions(desk) == []


@pytest.mark.nightly
def test_with_all_antes_in_the_pot_the_bet_of_a_seat_whose_ante_nobody_saw_is_a_bet() -> None:
    desk, antes = begun(late="2", ante=10)
    take(desk, antes)
    desk.lying["pot"]["E004000000000ABC"] = (10, desk.rounds["pot"] + 1)  # thrown into the pot past its zone
    desk.play(10)
    on_the_flop(desk, keep={})
    desk.push(2, 10)
    desk.play(30)

    assert desk.rulings == [(2, "bet", 10)]
    assert questions(desk) == []


@pytest.mark.nightly
def test_a_folded_seat_may_still_pay_its_ante_on_the_flop() -> None:
    desk, antes = begun(late="4", ante=10)
    take(desk, antes)
    desk.play(10)
    assert desk.key("act", seat=4, action="fold").ok
    for seat, chips in ((5, 10), (1, 10), (2, 5)):
        desk.push(seat, chips)
        desk.play(9)
    assert desk.key("act", seat=3, action="check").ok
    gathered(desk, "1235")
    assert desk.key("deal").ok
    desk.play(10)
    desk.told.clear()
    desk.push(4, 10)
    desk.play(60)

    assert (desk.rulings, questions(desk), accusing(desk)) == ([], [], [])
