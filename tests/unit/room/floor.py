"""A room in memory, worked by hand: events get numbers and times, tables answer at once."""

from collections.abc import Iterable, Mapping

from betline.settings import config_dir, parse, read_toml
from cardroom.room import events as e
from cardroom.room.events import Event, Happened, MovesOrdered, Place
from cardroom.room.felt import Felt
from cardroom.room.fold import after, fold
from cardroom.room.room import Room
from cardroom.room.rules import RoomRules

RULES = parse(RoomRules, read_toml(config_dir() / "room" / "usual.toml"), "usual")


def rules(**changed: object) -> RoomRules:
    return parse(RoomRules, {**RULES.model_dump(), **changed}, "test")


class Floor:
    """A room that a test works."""

    def __init__(self) -> None:
        self.happened: list[Happened] = []
        self.now_ms = 1_000_000
        self.room = Room()

    def add(self, *events: Event) -> Room:
        for event in events:
            one = Happened(len(self.happened) + 1, self.now_ms, "Ann", event)
            self.happened.append(one)
            self.room = fold(self.happened) if isinstance(event, e.Undone) else after(self.room, one)
        return self.room

    def opened(self, tables: Mapping[str, int], players: int, *, deal: str = "flop", stack: int = 1000) -> "Floor":
        """A tournament with these tables, by name and number of seats, and so many entries."""
        self.add(e.GameAdded(game="main", kind="tournament", deal=deal, stack=stack, buy_in=100, fee=10))  # type: ignore[arg-type]
        self.add(*(e.TableAdded(table=name, game="main", seats=seats, by_hand=True) for name, seats in tables.items()))
        for number in range(players):
            self.add(e.Entered(game="main", player=f"p-{number}", what="entry", paid=100, fee=10, chips=stack))
        return self

    def seated(self, *seats: tuple[str, str, int]) -> "Floor":
        """Players at these tables and seats."""
        for player, table, seat in seats:
            move = e.Move(player=player, source=None, to=Place(table, seat), chips=1000)
            self.carried(MovesOrdered(game=self.room.tables[table].game, why="floor", rule="floor", moves=(move,)))
        return self

    def carried(self, ordered: MovesOrdered) -> None:
        """The tables do what was ordered: all leave, then all sit down."""
        self.add(ordered)
        for move in ordered.moves:
            if move.source is not None:
                self.add(e.LeftSeat(player=move.player, chips=self.room.stacks.get(move.player, 0)))
        for move in ordered.moves:
            self.add(e.Moved(player=move.player, chips=self.room.moves[move.player].chips))

    def out(self, *players: str) -> None:
        """These go out."""
        alive = len(self.room.games["main"].alive)
        places = tuple((who, alive - len(players) + 1) for who in players)
        self.add(e.WentOut(game="main", places=places))
        where = self.room.where
        moves = tuple(e.Move(player=who, source=where[who], to=None) for who in players if who in where)
        self.carried(MovesOrdered(game="main", why="out", rule="out", moves=moves))

    def felts(self, last: Iterable[int] = (1, 2, 3)) -> dict[str, Felt]:
        button, small, big = last
        return {
            name: Felt(seats=frozenset(self.room.sits_at(name)), button=button, small_blind=small, big_blind=big)
            for name in self.room.tables
        }
