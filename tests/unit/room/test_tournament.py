"""Draws, balancing, breaking and redraws (TDA 7, 8, 10, 11)."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.room import tournament
from cardroom.room.draw import drawn
from cardroom.room.errors import RoomError
from cardroom.room.events import BreakingOrderSet, Place, TableClosed
from cardroom.room.lots import Seed
from cardroom.room.room import Room
from tests.unit.room.floor import RULES, Floor, rules


def test_the_same_seed_gives_the_same_order_and_another_one_another() -> None:
    assert drawn("a", range(20)) == drawn("a", range(20))
    assert drawn("a", range(20)) != drawn("b", range(20))
    assert sorted(drawn("a", range(20))) == list(range(20))


def test_each_player_is_drawn_first_about_equally_often() -> None:
    first = Counter(drawn(f"seed {number}", range(5))[0] for number in range(2000))

    assert all(340 < first[one] < 460 for one in range(5))  # 400 is expected, its standard deviation is 18


def test_tda_7_seats_are_drawn_for_all_and_the_tables_are_level() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9, "t3": 9}, 20)

    floor.carried(tournament.draw_seats(floor.room, "main", RULES, Seed("x"), late=False))

    assert len(floor.room.where) == 20 == len(set(floor.room.where.values()))
    assert sorted(tournament.counts_of(floor.room, "main").values()) == [6, 7, 7]


def test_tda_8_a_late_entry_draws_from_the_seats_of_the_shortest_tables_or_from_all() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 5)
    floor.seated(("p-0", "t1", 1), ("p-1", "t1", 2), ("p-2", "t1", 3), ("p-3", "t2", 1))

    def places(house: str) -> set[str]:
        found = set()
        for seed in range(40):
            ordered = tournament.draw_seats(floor.room, "main", rules(late_seats=house), Seed(str(seed)), late=True)
            assert ordered.moves[0].to is not None
            found.add(ordered.moves[0].to.table)
        return found

    assert places("shortest") == {"t2"}
    assert places("any") == {"t1", "t2"}


def balanced() -> Floor:
    """Six players at t1, three at t2."""
    floor = Floor().opened({"t1": 9, "t2": 9, "t3": 9, "t4": 9, "t5": 9}, 30)
    seats = [("t1", 7), ("t2", 4), ("t3", 6), ("t4", 6), ("t5", 6)]
    players = iter(range(30))
    return floor.seated(*((f"p-{next(players)}", table, seat) for table, most in seats for seat in range(1, most + 1)))


def test_tda_11_a_who_is_due_the_big_blind_goes_to_the_worst_seat_of_the_shortest_table() -> None:
    floor = balanced()

    ordered = tournament.balance(floor.room, "main", RULES, floor.felts(), Seed("x"))

    assert ordered is not None
    (move,) = ordered.moves
    assert (move.source, move.to) == (Place("t1", 4), Place("t2", 5))  # 4 is due at both; at t2 seat 4 is taken


def test_tda_11_d_play_halts_three_short_and_nobody_moves_for_two() -> None:
    floor = balanced()
    assert tournament.halted(floor.room, "main", RULES) == ("t2",)
    assert tournament.halted(floor.room, "main", rules(halt_at=0)) == ()

    ordered = tournament.balance(floor.room, "main", RULES, floor.felts(), Seed("x"))
    assert ordered is not None
    floor.carried(ordered)

    assert tournament.halted(floor.room, "main", RULES) == ()
    assert tournament.balance(floor.room, "main", RULES, floor.felts(), Seed("x")) is None
    assert tournament.balance(floor.room, "main", rules(balance_at=2, tight_at=2), {}, Seed("x")) is None


def test_with_few_tables_left_they_are_balanced_more_tightly() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 10)
    floor.seated(
        *((f"p-{one}", "t1", one + 1) for one in range(6)), *((f"p-{one}", "t2", one - 5) for one in range(6, 10))
    )

    assert tournament.balance(floor.room, "main", rules(tight_tables=0), floor.felts(), Seed("x")) is None
    ordered = tournament.balance(floor.room, "main", RULES, floor.felts(), Seed("x"))
    assert ordered is not None
    assert len(ordered.moves) == 1


def test_tda_11_c_of_several_fullest_tables_the_one_that_breaks_first_gives_or_it_is_drawn() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9, "t3": 9, "t4": 9, "t5": 9}, 26)
    seats = [("t1", 6), ("t2", 6), ("t3", 3), ("t4", 5), ("t5", 6)]
    players = iter(range(26))
    floor.seated(*((f"p-{next(players)}", table, seat) for table, most in seats for seat in range(1, most + 1)))
    floor.add(BreakingOrderSet(game="main", order=("t5", "t2", "t1")))

    def giver(house: str, seed: str) -> str:
        ordered = tournament.balance(floor.room, "main", rules(balance_from=house), floor.felts(), Seed(seed))
        assert ordered is not None
        assert ordered.moves[0].source is not None
        return ordered.moves[0].source.table

    assert giver("breaking-order", "x") == "t5"
    assert {giver("lot", str(seed)) for seed in range(30)} == {"t1", "t2", "t5"}


def test_tda_11_a_in_stud_the_seat_that_opened_last_is_filled_from_the_same_position() -> None:
    floor = Floor().opened({"t1": 8, "t2": 8}, 13, deal="stud")
    floor.seated(
        *((f"p-{one}", "t1", one + 1) for one in range(7)), *((f"p-{one}", "t2", one - 6) for one in range(7, 13))
    )
    floor.out("p-10", "p-8")  # seats 4 and 2 of t2; 2 opened last

    ordered = tournament.balance(floor.room, "main", RULES, {}, Seed("x"))

    assert ordered is not None
    assert (ordered.moves[0].source, ordered.moves[0].to) == (Place("t1", 2), Place("t2", 2))


def test_of_several_shortest_tables_the_one_that_breaks_last_gets_the_player() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9, "t3": 9}, 9)
    seats = [("t1", 5), ("t2", 2), ("t3", 2)]
    players = iter(range(9))
    floor.seated(*((f"p-{next(players)}", table, seat) for table, most in seats for seat in range(1, most + 1)))
    floor.add(BreakingOrderSet(game="main", order=("t1", "t3", "t2")))

    ordered = tournament.balance(floor.room, "main", RULES, floor.felts((1, 1, 2)), Seed("x"))

    assert ordered is not None
    assert ordered.moves[0].to is not None
    assert ordered.moves[0].to.table == "t2"


def test_a_table_whose_button_nobody_knows_is_asked_for() -> None:
    floor = balanced()

    with pytest.raises(RoomError, match=r"--at t1=BUTTON/SMALL/BIG"):
        tournament.balance(floor.room, "main", RULES, {}, Seed("x"))


def test_tda_10_a_table_breaks_in_the_announced_order_when_all_its_players_fit() -> None:
    floor = Floor().opened({"t1": 6, "t2": 6, "t3": 6}, 13)
    floor.carried(tournament.draw_seats(floor.room, "main", RULES, Seed("x"), late=False))
    floor.add(tournament.announcing(floor.room, "main", ("t2", "t1", "t3")))
    assert tournament.table_to_break(floor.room, "main") is None
    floor.out(next(who for who, place in floor.room.where.items() if place.table == "t3"))
    assert tournament.table_to_break(floor.room, "main") == "t2"

    floor.carried(tournament.break_table(floor.room, "main", "t2", Seed("y")))

    assert tournament.counts_of(floor.room, "main") == {"t1": 6, "t2": 0, "t3": 6}


def test_nothing_is_ordered_while_moves_are_not_done() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 4)
    floor.add(tournament.draw_seats(floor.room, "main", RULES, Seed("x"), late=False))

    with pytest.raises(RoomError) as refusal:
        tournament.redraw(floor.room, "main", Seed("y"))
    assert refusal.value.code == "moves"


def test_the_final_table_is_redrawn_at_the_table_that_breaks_last() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9}, 9)
    floor.carried(tournament.draw_seats(floor.room, "main", RULES, Seed("x"), late=False))
    floor.add(tournament.announcing(floor.room, "main", ("t2", "t1")))
    assert tournament.redraw_due(floor.room, "main", RULES)

    floor.carried(tournament.redraw(floor.room, "main", Seed("z")))

    assert {place.table for place in floor.room.where.values()} == {"t1"}
    assert len(set(floor.room.where.values())) == 9
    floor.add(TableClosed(table="t2"))
    assert not tournament.redraw_due(floor.room, "main", RULES)


def whole(room: Room, players: int) -> None:
    """Everybody who is in sits in one seat, nobody in a seat of somebody else, nobody who is out sits."""
    game = room.games["main"]
    assert len(game.alive) + len(game.out) == players
    assert set(room.where) == set(game.alive)
    assert len(set(room.where.values())) == len(room.where)
    for name, table in room.tables.items():
        assert all(1 <= seat <= table.seats for seat in room.sits_at(name))


@given(data=st.data(), players=st.integers(8, 40), seats=st.integers(5, 10), deal=st.sampled_from(["flop", "stud"]))
def test_nobody_is_lost_or_seated_twice_while_tables_balance_and_break(
    data: st.DataObject, players: int, seats: int, deal: str
) -> None:
    number = -(-players // seats)
    floor = Floor().opened({f"t{one}": seats for one in range(number)}, players, deal=deal)
    floor.carried(tournament.draw_seats(floor.room, "main", RULES, Seed("start"), late=False))
    while len(floor.room.games["main"].alive) > 2:
        room = floor.room
        whole(room, players)
        most = min(4, len(room.games["main"].alive) - 1)
        floor.out(*data.draw(st.sets(st.sampled_from(room.games["main"].alive), min_size=1, max_size=most)))
        table = tournament.table_to_break(floor.room, "main")
        if table is not None:
            if floor.room.will_sit_at(table):
                floor.carried(tournament.break_table(floor.room, "main", table, Seed(f"break {table}")))
            floor.add(TableClosed(table=table))
        try:
            ordered = tournament.balance(floor.room, "main", RULES, floor.felts((seats, 1, 2)), Seed("balance"))
        except RoomError as waits:
            assert waits.code in ("only-small-blind", "positions")  # noqa: PT017  # a hand more is played
            continue
        if ordered is not None:
            floor.carried(ordered)
        counts = tournament.counts_of(floor.room, "main").values()
        at = RULES.tight_at if len(counts) <= RULES.tight_tables else RULES.balance_at
        assert max(counts) - min(counts) < at
    whole(floor.room, players)
