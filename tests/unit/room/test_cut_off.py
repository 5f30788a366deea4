"""Tables whose pit is cut off from the site: what the room leaves out, what waits for them, and how they come back."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from betline.bus.memory import MemoryBus, MemoryHub
from betline.joining import BrokerChoice
from betline.settings.site import load_site
from betline.topics import SiteNamespace
from cardroom.room import events as e
from cardroom.room import holds, tournament
from cardroom.room.errors import RoomError
from cardroom.room.events import MovesOrdered, Place
from cardroom.room.lots import Seed
from cardroom.room.pits import Bridges
from cardroom.room.room import Room
from cardroom.room.verbs.checks import checked_draws
from cardroom.room.verbs.desk import Desk
from tests.unit.room.floor import RULES, Floor, rules
from tests.unit.room.test_at_a_table import House
from tests.unit.room.test_holds import state

PITS = {"pit-a": ("t1",), "pit-b": ("t2", "t3")}
LINK = "betline-site/grand/link"
CUT = {"t2": "pit-b"}


@contextmanager
def bridges() -> Iterator[tuple[MemoryHub, Bridges]]:
    hub = MemoryHub()
    yield hub, Bridges(MemoryBus(hub, SiteNamespace("grand"), "room"), "grand", PITS)


def cut(floor: Floor, **tables: str) -> Room:
    return replace(floor.room, cut=tables)


def seated(*counts: int) -> Floor:
    """Tables t1, t2 and so on, with so many players in their first seats."""
    floor = Floor().opened({f"t{number + 1}": 9 for number in range(len(counts))}, sum(counts))
    places = [(f"t{table + 1}", seat) for table, count in enumerate(counts) for seat in range(1, count + 1)]
    return floor.seated(*((f"p-{number}", *place) for number, place in enumerate(places)))


def test_what_the_sites_broker_keeps_of_a_bridge_says_which_tables_are_cut_off() -> None:
    with bridges() as (hub, one):
        for pit, word in (("pit-a", b"1"), ("pit-b", b"0"), ("pit-old", b"0")):
            hub.inject(f"{LINK}/{pit}", word)
        assert one.cut() == {"t2": "pit-b", "t3": "pit-b"}
        one.wait(0.0)
        hub.inject(f"{LINK}/pit-b", b"1")
        assert one.cut() == {}


def test_a_table_that_is_cut_off_has_no_state_and_is_not_waited_for_and_comes_back_by_itself(tmp_path: Path) -> None:
    house, off = House(tmp_path), dict[str, str]()
    house.bus.table("t1")._cut = lambda: off
    assert house.bus.states_now(["t1"]).keys() == house.bus.states(["t1"]).keys() == {"t1"}
    off["t1"] = "pit-a"
    with pytest.raises(RoomError, match="its pit pit-a to the site is down") as refused:
        house.bus.ask("t1", holds.LetGo())
    assert (refused.value.code, house.bus.states_now(["t1"])) == ("cut-off", {})
    off.clear()
    assert house.bus.states_now(["t1"]).keys() == {"t1"}
    house.close()


def test_seats_are_drawn_at_the_other_tables_and_the_journal_says_which_was_left_out() -> None:
    floor = Floor().opened({"t1": 9, "t2": 9, "t3": 9}, 10)
    ordered = tournament.draw_seats(cut(floor, **CUT), "main", RULES, Seed("x"), late=False)
    assert {move.to.table for move in ordered.moves if move.to} == {"t1", "t3"}
    assert ordered.left_out == ("t2",)
    floor.carried(ordered)
    [draw] = checked_draws(floor.happened, RULES)
    assert draw.same
    with_all = replace(ordered, left_out=())
    again = Floor().opened({"t1": 9, "t2": 9, "t3": 9}, 10)
    again.carried(with_all)
    assert not checked_draws(again.happened, RULES)[0].same


def test_nobody_is_moved_to_or_from_a_table_that_is_cut_off_to_balance() -> None:
    floor = seated(8, 2, 5)
    ordered = tournament.balance(cut(floor, **CUT), "main", rules(tight_tables=0), floor.felts(), Seed(""))
    assert ordered is not None
    assert [(move.source.table, move.to.table) for move in ordered.moves if move.source and move.to] == [("t1", "t3")]
    assert tournament.balance(cut(floor, t1="pit-a", t3="pit-a"), "main", RULES, {}, Seed("")) is None
    back = tournament.balance(floor.room, "main", RULES, floor.felts(), Seed(""))
    assert back is not None
    assert {move.to.table for move in back.moves if move.to} == {"t2"}


def test_a_table_that_is_cut_off_is_neither_broken_nor_drawn_to_nor_redrawn_from() -> None:
    floor = seated(3, 3, 3)
    floor.add(tournament.announcing(floor.room, "main", ("t2", "t1", "t3")))
    off = cut(floor, **CUT)
    for decide in (
        lambda: tournament.break_table(off, "main", "t2", Seed("x")),
        lambda: tournament.redraw(off, "main", Seed("x")),
        lambda: tournament.redraw(off, "main", Seed("x"), ("t2",)),
    ):
        with pytest.raises(RoomError, match="Table t2 is cut off"):
            decide()
    assert {m.to.table for m in tournament.break_table(off, "main", "t1", Seed("x")).moves if m.to} == {"t3"}


def test_who_goes_out_at_a_table_that_is_cut_off_holds_no_other_table_up() -> None:
    floor = seated(8, 3, 3)
    gone = e.Move(player="p-8", source=Place("t2", 1), to=None)
    floor.add(e.WentOut(game="main", places=(("p-8", 14),)))
    floor.add(MovesOrdered(game="main", why="out", rule="out", moves=(gone,)))
    with pytest.raises(RoomError, match="moves --carry-out"):
        tournament.balance(floor.room, "main", RULES, floor.felts(), Seed(""))
    assert tournament.balance(cut(floor, **CUT), "main", RULES, floor.felts(), Seed("")) is not None


def test_play_halts_at_no_table_because_of_one_that_is_cut_off_and_a_halt_there_stays() -> None:
    floor = seated(8, 4, 4)
    assert [one.table for one in holds.halting(floor.room, RULES)] == ["t2", "t3"]
    assert holds.halting(cut(floor, t1="pit-a"), RULES) == ()
    floor.add(*holds.halting(floor.room, RULES))
    over = holds.halting(cut(floor, t1="pit-a", t2="pit-a"), RULES)
    assert over == (e.HaltEnded(table="t3"),)


def test_hand_for_hand_waits_for_a_table_that_is_cut_off_and_allows_it_a_hand_when_its_line_is_back() -> None:
    floor = Floor()
    floor.add(e.GameAdded(game="main", kind="tournament", stack=1000))
    floor.add(*(e.TableAdded(table=name, game="main", seats=9) for name in ("t1", "t2")))
    off = cut(floor, **CUT)
    floor.add(*holds.beginning(off, off.games["main"], (), 0, {"t1": state(hand_no=0)}))
    assert dict(floor.room.allowed) == {"t1": 1}
    off = cut(floor, **CUT)
    floor.add(*holds.hand_ended(off, off.games["main"], "t1", (), RULES, {}, 0))
    off = cut(floor, **CUT)
    assert off.games["main"].waits == {"t1"}
    assert holds.lines_of(off, {}, RULES, ["t2"]) == (
        "t2: cut off with its pit pit-b, plays on by itself; hand for hand waits for it",
    )
    back = {"t1": state(hand_no=1), "t2": state(hand_no=56)}
    allowed = holds.allowing(floor.room, floor.room.games["main"], back)
    assert [(one.table, one.after_hand) for one in allowed] == [("t1", 2), ("t2", 57)]


def test_a_table_that_did_not_answer_when_hand_for_hand_began_is_not_counted_in_the_middle_of_its_hand() -> None:
    floor = Floor()
    floor.add(e.GameAdded(game="main", kind="tournament", stack=1000), e.TableAdded(table="t1", game="main", seats=9))
    floor.add(*holds.beginning(floor.room, floor.room.games["main"], (), 0, {}))
    plays = state(hand_no=57).model_copy(update={"phase": "betting"})
    assert holds.at_the_end(floor.room, floor.room.games["main"], {"t1": plays}) == ()
    floor.add(*holds.allowing(floor.room, floor.room.games["main"], {"t1": plays}))
    assert dict(floor.room.allowed) == {"t1": 57}


def desk_with(folder: Path, off: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setattr(Desk, "cut", lambda _: off)
    desk = Desk(
        folder / "a.room", "Ann", rules(), True, "grand", BrokerChoice(), folder / "nobody.toml", None, 0.0,
        folder / "key", PITS,
    )  # fmt: skip
    game = e.GameAdded(game="main", kind="tournament", stack=100)
    desk.decide(lambda _: (game, *(e.TableAdded(table=name, game="main", seats=9) for name in ("t1", "t2"))))
    return desk


def test_an_order_to_a_table_that_is_cut_off_is_refused_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, dict(CUT), monkeypatch)
    to = e.Move(player="p-1", source=None, to=Place("t2", 1), chips=100)
    order = MovesOrdered(game="main", why="floor", rule="floor", moves=(to,))
    with pytest.raises(RoomError, match="Table t2 is cut off"):
        desk.order(lambda _: (order,))
    assert desk.room().moves == {}
    assert desk.room().cut == CUT


def test_a_table_by_hand_is_not_cut_off_whatever_its_bridge_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(tmp_path, {"t3": "pit-b"}, monkeypatch)
    desk.decide(lambda _: (e.TableAdded(table="t3", game="main", seats=9, by_hand=True),))
    assert desk.room().cut == {}


def test_a_sites_file_says_which_pits_there_are(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text(
        'name = "grand"\ntime_zone = "UTC"\nbroker = { hosts = ["site.lan"] }\n[[pits]]\nname = "pit-a"\n'
        'hosts = ["a.lan"]\ntables = [{ name = "t1", file = "home-six" }, { name = "t2", file = "home-six" }]\n'
    )
    assert load_site(tmp_path / "site.toml").tables_of_pits == {"pit-a": ("t1", "t2")}
