"""The table of a moment, as the console draws it and as words say it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, Literal

from betline.messages.table import PotView, SeatState, TableState
from betline.settings import TableSettings, load_table
from table_controller.rulings import Table
from table_controller.session.seats import status

SMALL, LARGE = "home-six", "casino-oval"
SMALL_SEATS: Final = 6


@cache
def furniture(highest: int) -> TableSettings:
    """The smallest shipped table that has a seat of this number."""
    return load_table(SMALL if highest <= SMALL_SEATS else LARGE)


def seen(table: Table, *, pots: bool = True, acting: bool = True) -> TableState:
    """What everybody at the table sees; without `pots` only what lies there in all, without `acting` not whose turn."""
    state = table.state
    hand = state.hand
    placed = state.placed or state.last
    phase: Literal["idle", "betting", "round-over"] = "idle" if hand is None else "betting"
    return TableState(
        version=0, journal_seq=0, journal_head="", phase=phase, hand_no=0, game="", street=hand.street if hand else "",
        button=placed.button if placed else None, small_blind=placed.small_blind if placed else None,
        big_blind=placed.big_blind if placed else None,
        seats=tuple(
            SeatState(
                seat=seat, stack=state.stacks.get(seat, 0), status=status(seat, state, hand),
                bet=hand.bet(seat) if hand is not None and seat in hand.seats else 0,
            )
            for seat in sorted(state.players)
        ),
        to_act=state.next_seat if acting else None, call=None, min_raise_to=None, max_raise_to=None,
        pot=hand.pot if hand is not None else 0,
        pots=tuple(PotView(amount=pot.amount, seats=pot.seats) for pot in hand.pots) if hand and pots else (),
        rulings=(),
    )  # fmt: skip


def in_words(state: TableState) -> Iterator[str]:
    """Every seat in a line, for who cannot see the drawing."""
    for seat in state.seats:
        marks = {state.button: "button", state.small_blind: "small blind", state.big_blind: "big blind"}
        named = [marks[seat.seat]] if seat.seat in marks else []
        if seat.seat == state.button and seat.seat == state.small_blind:
            named = ["button and small blind"]
        named += [seat.status] if seat.status in ("folded", "all-in") else []
        named += ["not in the hand"] if seat.status == "out" else []
        named += ["to act"] if seat.seat == state.to_act else []
        bet = f", {seat.bet:,} in front" if seat.bet else ""
        marked = f" ({', '.join(named)})" if named else ""
        yield f"Seat {seat.seat}: {seat.stack:,} behind{bet}{marked}"
    yield f"Pot: {state.pot:,}"
