"""Draws, made once more from what is in the journal, or in a document that anybody may have. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cardroom.room import tournament
from cardroom.room.errors import RoomError
from cardroom.room.events import DrawCommitted, Happened, MovesOrdered, Place, Undone
from cardroom.room.fold import after, fold
from cardroom.room.lots import DrawList, Seed, digest_of, placed
from cardroom.room.room import Room
from cardroom.room.rules import RoomRules

DRAWS = ("draw", "late", "break", "redraw")


@dataclass(frozen=True, slots=True)
class CheckedDraw:
    """A draw, and whether its seed gives the same seats once more."""

    seq: int
    why: str
    seed: str
    named: bool
    same: bool
    """The seats are those that the seed gives, and the seed is the one that was told."""
    committed: int | None
    """The entry by which the seed's digest was told before; None where it was not."""
    reason: str
    by: str
    public: str = ""


def checked_draws(happened: Sequence[Happened], rules: RoomRules) -> tuple[CheckedDraw, ...]:
    """Every draw of seats, drawn again on the room as it was."""
    found, room, told = [], Room(), dict[str, tuple[str, int]]()
    for number, one in enumerate(happened):
        event = one.event
        if isinstance(event, DrawCommitted):
            # what a draw tells of the next one is written just before its moves
            follows = happened[number + 1].event if number + 1 < len(happened) else None
            if not (isinstance(follows, MovesOrdered) and follows.seed and follows.game == event.game):
                told[event.game] = (event.digest, one.seq)
        if isinstance(event, MovesOrdered) and event.seed and event.why in DRAWS:
            digest, seq = told.get(event.game, ("", 0))
            kept = not digest or event.seed_named or digest_of(event.seed) == digest
            found.append(
                CheckedDraw(
                    seq=one.seq, why=event.why, seed=event.seed, named=event.seed_named,
                    same=kept and _again(room, event, rules) == event.moves,
                    committed=seq if digest and not event.seed_named else None, reason=event.reason, by=one.by,
                    public=event.public,
                )
            )  # fmt: skip
        if isinstance(event, MovesOrdered) and event.seed and number:
            before = happened[number - 1]
            if isinstance(before.event, DrawCommitted) and before.event.game == event.game:
                told[event.game] = (before.event.digest, before.seq)
        room = fold(happened[: number + 1]) if isinstance(event, Undone) else after(room, one)
    return tuple(found)


def draw_proof(happened: Sequence[Happened], seq: int, rules: RoomRules) -> dict[str, Any]:
    """All of a draw, fit for JSON; raises RoomError (`no-draw`) where the entry is none."""
    one = happened[seq - 1] if seq <= len(happened) else None
    if one is None or not isinstance(one.event, MovesOrdered) or not one.event.seed or one.event.why not in DRAWS:
        raise RoomError("no-draw", f"Entry {seq} is no draw of seats; betline room verify --json names them.")
    event, room = one.event, fold(happened[: seq - 1])
    checked = next(draw for draw in checked_draws(happened[:seq], rules) if draw.seq == seq)
    given = _list(room, event, rules)
    went = {move.player: move.to for move in event.moves}
    seats = {player: went.get(player) or room.where.get(player) for player in given.players}
    told = None if checked.committed is None else happened[checked.committed - 1]
    return {
        "game": event.game,
        "why": event.why,
        "rule": event.rule,
        "seed": event.seed,
        "public": event.public,
        "told": None if told is None else digest_of(event.seed),
        "told_ms": None if told is None else told.at_ms,
        "drawn_ms": one.at_ms,
        "reason": event.reason,
        "players": list(given.players),
        "open": {table: list(seats) for table, seats in given.open.items()},
        "sit": dict(given.sit),
        "level": given.level,
        "places": {player: [place.table, place.seat] for player, place in seats.items() if place is not None},
    }


def proof_broken(given: Any, told: str) -> tuple[str, ...]:
    """What is wrong with a draw by its document, in sentences; `told` is the digest that was seen before, if any."""
    try:
        seed, listed = str(given["seed"]), _list_in(given)
        places = {str(player): Place(str(at[0]), int(at[1])) for player, at in given["places"].items()}
        promised = given["told"]
        found = dict(placed(Seed(seed, public=str(given.get("public", ""))).whole, listed))
    except RoomError as error:
        return (str(error),)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return ("This is no draw: print it with betline room proof ENTRY.",)
    problems = []
    digest = digest_of(seed)
    if promised is None and not told:
        problems.append("Its seed was not told before the draw.")
    if digest != (told or promised or digest):
        problems.append(f"The seed has the SHA-256 {digest}: it is not the one that was told before the draw.")
    moved = sorted(player for player in {*found, *places} if found.get(player) != places.get(player))
    if moved:
        problems.append(f"List and seed give other seats to {', '.join(moved)}.")
    return tuple(problems)


def _list_in(given: Mapping[str, Any]) -> DrawList:
    return DrawList(
        players=tuple(sorted(map(str, given["players"]))),
        open={str(table): tuple(map(int, seats)) for table, seats in given["open"].items()},
        sit={str(table): int(count) for table, count in given["sit"].items()},
        level=bool(given["level"]),
    )


def _as_it_was(room: Room, event: MovesOrdered) -> Room:
    """The room with the tables cut off that were so when a draw was made."""
    return replace(room, cut=dict.fromkeys(event.left_out, ""))


def _list(room: Room, event: MovesOrdered, rules: RoomRules) -> DrawList:
    room = _as_it_was(room, event)
    match event.why:
        case "break":
            source = event.moves[0].source
            return tournament.break_list(room, event.game, "" if source is None else source.table)
        case "redraw":
            return tournament.redraw_list(room, event.game, _tables(event))
        case _:
            return tournament.seats_list(room, event.game, rules, late=event.why == "late")


def _tables(event: MovesOrdered) -> list[str]:
    return sorted({move.to.table for move in event.moves if move.to is not None})


def _again(room: Room, event: MovesOrdered, rules: RoomRules) -> object:
    seed, room = Seed(event.seed, event.seed_named, event.public), _as_it_was(room, event)
    try:
        match event.why:
            case "draw" | "late":
                return tournament.draw_seats(room, event.game, rules, seed, late=event.why == "late").moves
            case "break":
                source = event.moves[0].source
                return () if source is None else tournament.break_table(room, event.game, source.table, seed).moves
            case _:
                return tournament.redraw(room, event.game, seed, _tables(event)).moves
    except RoomError:
        return None
