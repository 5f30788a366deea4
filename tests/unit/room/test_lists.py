"""Waiting lists and must-move games."""

import pytest

from cardroom.room import events as e
from cardroom.room import must_move, waiting
from cardroom.room.errors import RoomError
from cardroom.room.events import Place
from cardroom.room.waiting import MINUTE_MS, WaitingList
from tests.unit.room.floor import RULES, Floor, rules


class Cash(Floor):
    """A cash game with a main table and a must-move table."""

    def __init__(self) -> None:
        super().__init__()
        self.add(
            e.GameAdded(game="nl", kind="cash", buy_in=200),
            e.TableAdded(table="main", game="nl", seats=4, by_hand=True),
            e.TableAdded(table="feeder", game="nl", seats=4, by_hand=True, feeds="main"),
        )

    @property
    def names(self) -> WaitingList:
        return self.room.lists.get("nl", WaitingList())

    def joins(self, *players: str, phoned: bool = False) -> None:
        for who in players:
            self.add(waiting.joining(self.names, "nl", who, phoned=phoned))

    def calls(self, seat: int = 1) -> str:
        called = waiting.calling(self.names, "nl", Place("main", seat), self.now_ms, RULES)
        self.add(called)
        return called.player


def test_the_next_of_the_list_who_is_in_the_room_is_called_and_the_seat_is_held() -> None:
    floor = Cash()
    floor.joins("p-1", phoned=True)
    floor.joins("p-2", "p-3")
    assert floor.calls(1) == "p-2"
    assert floor.room.open_at("main") == (2, 3, 4)

    floor.add(waiting.arriving(floor.names, "nl", "p-1"))
    assert floor.calls(2) == "p-1"
    assert floor.calls(3) == "p-3"
    with pytest.raises(RoomError, match="Nobody who is in the room waits"):
        floor.calls(4)


def test_who_passes_keeps_the_place_once_and_then_is_the_last() -> None:
    floor = Cash()
    floor.joins("p-1", "p-2")
    floor.calls()
    floor.add(waiting.passing(floor.names, "nl", "p-1", RULES))
    assert floor.names.place_of("p-1") == 1
    assert floor.room.open_at("main") == (1, 2, 3, 4)

    floor.calls()
    floor.add(waiting.passing(floor.names, "nl", "p-1", RULES))

    assert floor.names.place_of("p-1") == 2
    with pytest.raises(RoomError, match="nothing to pass"):
        waiting.passing(floor.names, "nl", "p-1", RULES)


def test_a_held_seat_and_a_phoned_name_run_out() -> None:
    floor = Cash()
    floor.joins("p-1", phoned=True)
    floor.joins("p-2")
    floor.calls()

    def over(minutes: int) -> list[tuple[str, str]]:
        found = waiting.run_out(floor.names, "nl", floor.now_ms + minutes * MINUTE_MS, RULES)
        return [(one.player, one.why) for one in found]

    assert over(9) == []
    assert over(10) == [("p-2", "no-show")]
    assert over(60) == [("p-1", "call-in-over"), ("p-2", "no-show")]


def test_who_sat_down_first_at_the_must_move_table_moves_first() -> None:
    floor = Cash().seated(("p-5", "feeder", 2), ("p-1", "feeder", 1))

    ordered = must_move.must_move(floor.room, "feeder")

    assert [(move.player, move.to) for move in ordered.moves] == [("p-5", Place("main", 1))]
    with pytest.raises(RoomError, match="feeds no other"):
        must_move.must_move(floor.room, "main")


def test_who_refuses_to_move_leaves_or_goes_after_the_others() -> None:
    floor = Cash().seated(("p-5", "feeder", 2), ("p-1", "feeder", 1))
    left = must_move.refusing(floor.room, "p-5", RULES)
    assert [type(one).__name__ for one in left] == ["RefusedMustMove", "MovesOrdered"]

    floor.add(*must_move.refusing(floor.room, "p-5", rules(must_move_refusal="to-bottom")))

    assert must_move.order_of(floor.room, "feeder") == ("p-1", "p-5")
    floor.seated(("p-7", "feeder", 3))
    assert must_move.order_of(floor.room, "feeder") == ("p-1", "p-7", "p-5")
