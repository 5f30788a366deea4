"""The plans of taking in and paying out are ticked off by what the readers see, and by nothing else (R-305)."""

from tests.unit.session.desk import Desk, terms

NO_LIMIT = {"limit": "no-limit", "blinds": [1, 2]}


def all_in(desk: Desk) -> None:
    """Three seats, all-in for 5 and 10 on the felt: a side pot of two."""
    desk.begin({"1": 5, "2": 10, "3": 10}, NO_LIMIT)
    desk.push(1, *[1] * 5)
    desk.play(12)
    desk.push(2, *[1] * 4, 5)
    desk.play(12)
    desk.push(3, *[1] * 3, 5)
    desk.play(12)


def pulled(desk: Desk) -> list[tuple[int, int, int | None, bool]]:
    pulls = desk.session.table_state(1, 1, "").pulls
    return [(one.seat, one.amount, one.pot, one.done) for one in pulls]


def test_r_305_a_step_of_taking_in_is_ticked_when_its_chips_lie_in_the_pot() -> None:
    desk = Desk(terms())
    all_in(desk)
    assert [done for *_, done in pulled(desk)] == [False] * 5
    seat_2 = desk.lying["seat-2"]
    desk.lying["pot"], desk.lying["seat-2"] = dict(seat_2), {}
    desk.play(20)
    assert [(seat, pot, done) for seat, _, pot, done in pulled(desk)] == [
        (2, 0, True), (2, 1, True), (3, 0, False), (3, 1, False), (1, 0, False),
    ]  # fmt: skip


def test_r_305_without_readers_nothing_is_ticked() -> None:
    desk = Desk(terms())
    desk.key("setup", game=NO_LIMIT, seats={"1": 5, "2": 10, "3": 10}, button=1)
    desk.key("cards-out")
    desk.key("act", seat=1, action="all-in")
    desk.key("act", seat=2, action="all-in")
    desk.key("act", seat=3, action="call")
    assert [done for *_, done in pulled(desk)] == [False] * 5


def test_r_305_a_push_of_the_pay_out_is_ticked_as_the_pot_grows_smaller() -> None:
    desk = Desk(terms())
    all_in(desk)
    desk.lying["pot"] = {uid: chip for seat in (1, 2, 3) for uid, chip in desk.lying[f"seat-{seat}"].items()}
    for seat in (1, 2, 3):
        desk.lying[f"seat-{seat}"] = {}
    desk.play(20)
    desk.key("award", pots=[[1], [2]])
    plan = desk.session.table_state(1, 1, "").payouts
    assert [(push.to, push.amount, push.done) for push in plan] == [(2, 10, False), (1, 15, False)]
    pot = desk.lying["pot"]
    taken, left = 0, {}
    for uid, (value, since) in pot.items():
        if taken + value <= 10:
            taken += value
        else:
            left[uid] = (value, since)
    assert taken == 10
    desk.lying["pot"] = left
    desk.play(20)
    plan = desk.session.table_state(1, 1, "").payouts
    assert [push.done for push in plan] == [True, False]
