"""Draws of seats: from the seed that was told beforehand, once for each list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from cardroom.room import events as e
from cardroom.room.errors import RoomError
from cardroom.room.events import Event, MovesOrdered
from cardroom.room.lots import Seed
from cardroom.room.room import Room, drawn_list
from cardroom.room.seeds import Seeds
from cardroom.room.verbs.desk import Desk

MOST_PUBLIC: Final = 100


def order_drawn(
    desk: Desk,
    game: str | None,
    decide: Callable[[Room, Seed], Iterable[Event]],
    seed: str | None,
    reason: str,
    public: str = "",
    *,
    plan: bool = False,
) -> None:
    """Orders what a draw comes to, and tells the digest of the next draw's seed; ``public``: its second part.

    Raises RoomError: `plan` for a draw that somebody would see first, `reason` for a seed that a person names without
    saying why, `drawn` for a second draw of one list without a reason, `seed-lost`, `not-told`.
    """
    if plan:
        raise RoomError("plan", "Nobody may see a draw before it is made; leave --plan out, and it is made once.")
    if seed is not None and not reason:
        raise RoomError(
            "reason", "Say why this draw is not made from the seed that was told beforehand: --reason TEXT."
        )
    public = " ".join(public.split())
    if len(public) > MOST_PUBLIC or not public.isprintable():
        raise RoomError("public", f"What was said in public is one line of at most {MOST_PUBLIC} signs.")
    seeds = Seeds(desk.path)

    def decision(room: Room) -> tuple[Event, ...]:
        of = desk.game(room, game)
        told = room.committed.get(of.name, "")
        if seed is not None:
            return _reasoned(room, decide(room, Seed(seed, named=True, public=public)), reason)
        if not told:
            raise RoomError("not-told", f"No seed was told for {of.name} before: betline room commit, then draw.")
        events = _reasoned(room, decide(room, Seed(seeds.of(told), public=public)), reason)
        if not any(isinstance(one, MovesOrdered) and one.seed for one in events):
            return events
        return (e.DrawCommitted(game=of.name, digest=seeds.new()), *events)

    desk.order(decision)


def _reasoned(room: Room, events: Iterable[Event], reason: str) -> tuple[Event, ...]:
    found: list[Event] = []
    for one in events:
        if isinstance(one, MovesOrdered) and one.seed:
            if drawn_list(room, one) in room.drawn and not reason:
                raise RoomError(
                    "drawn", "This list was drawn already; say why it is drawn again: --reason TEXT, with --by NAME."
                )
            found.append(replace(one, reason=reason))
        else:
            found.append(one)
    return tuple(found)
