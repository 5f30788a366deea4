"""The pots in words: their names, the reckoning of a pot bet, and how the bets of a round are taken in. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from betline.messages.table import TableState
from table_controller.console.intents import listed

BACK = "back"
TAKE_IN, PAY_OUT = "take in the bets", "pay out"


@dataclass(frozen=True, slots=True)
class Taking:
    """One step of taking in the bets: the pot, or ``back``, and whose chips go there."""

    label: str
    text: str


def pot_names(count: int) -> tuple[str, ...]:
    """What so many pots are called, main pot first; a single side pot needs no number."""
    return ("main", *(f"side {place}" if count > 2 else "side" for place in range(1, count)))


def pot_lines(state: TableState) -> tuple[str, ...]:
    """The pots as they stand, with the bets on the felt, and who can win them; none where there is one pot only."""
    if len(state.pots_now) < 2:
        return ()
    names = pot_names(len(state.pots_now) + len(state.won))
    return tuple(
        f"{name} {pot.amount:,}: {' '.join(map(str, pot.seats))}"
        for name, pot in zip(names, state.pots_now, strict=False)
    )


# --- the pot bet -----------------------------------------------------------------------------------------------------


def reckoning(state: TableState) -> tuple[str, ...]:
    """The pot bet as a dealer reckons it: ``3×880``, ``+ 765``, ``+ 520`` (R-150); none where it is a single figure.

    Three times the last wager, the trail, what lay there when the round began, rounding (R-158); the sum only where
    the seat cannot make it just that.
    """
    count = state.pot_count
    if count is None:
        return ()
    terms = [f"3×{count.last_wager:,}"] if count.last_wager else []
    # a trail below 0 is a short blind: what lay there makes up for it
    for amount in (count.trail, count.start) if count.trail >= 0 else (count.trail + count.start,):
        if amount:
            sign = "−" if amount < 0 else "+"
            terms.append(f"{sign} {abs(amount):,}" if terms else f"{amount:,}")
    if count.rounded:
        terms.append(f"+ {count.rounded:,} rounded up")
    if count.maximum != state.pot_bet:
        terms.append(f"= {count.maximum:,}")
    return tuple(terms) if len(terms) > 1 else ()


# --- taking in the bets ----------------------------------------------------------------------------------------------


def taking_in(state: TableState) -> tuple[Taking, ...]:
    """How the bets of a finished round are taken in: main pot, side pots, what goes back (R-305).

    None where all of them go into one pot, and once the pots were awarded.
    """
    if state.to_act is not None or not _still_to_take_in(state):
        return ()
    count = max(len(state.pots) + len(state.won), *(pull.pot + 1 for pull in state.pulls if pull.pot is not None), 0)
    back = [f"{pull.amount:,} to {pull.seat}{_tick(pull.done)}" for pull in state.pulls if pull.pot is None]
    if count < 2 and not back:
        return ()
    rows = [Taking(name, _into(number, state)) for number, name in enumerate(pot_names(count))]
    if back:
        rows.append(Taking(BACK, " · ".join(back)))
    return tuple(row for row in rows if row.text)


def paying_out(state: TableState) -> tuple[Taking, ...]:
    """Who gets what once the hand is over, in the order of the pushes: the house's part before the winners (R-264)."""
    names = pot_names(max((push.pot + 1 for push in state.payouts if push.pot is not None), default=1))
    rows: dict[str, list[str]] = {}
    for push in state.payouts:
        label = BACK if push.pot is None else names[push.pot]
        to = f"to {push.to}" if isinstance(push.to, int) else push.to
        rows.setdefault(label, []).append(f"{push.amount:,} {to}{_tick(push.done)}")
    return tuple(Taking(label, " · ".join(parts)) for label, parts in rows.items())


def _still_to_take_in(state: TableState) -> bool:
    """Over is a hand by folds, with one seat left, or by an award, when the bets have been taken in before."""
    return state.phase != "hand-over" or sum(seat.status == "in" for seat in state.seats) == 1


def _tick(done: bool) -> str:
    """The sign of a step that the readers have seen done."""
    return " ✓" if done else ""


def _into(number: int, state: TableState) -> str:
    by_amount: dict[int, list[str]] = {}
    for pull in state.pulls:
        if pull.pot == number:
            by_amount.setdefault(pull.amount, []).append(f"{pull.seat}{_tick(pull.done)}")
    parts = [
        f"{amount:,} {'each ' if len(seats) > 1 else ''}from {listed(tuple(seats))}"
        for amount, seats in by_amount.items()
    ]
    alone = state.won[number - len(state.pots)] if 0 <= number - len(state.pots) < len(state.won) else None
    if alone is None:
        return " · ".join(parts)
    winner = listed(alone.seats)
    return f"{' · '.join(parts)}, all to {winner}" if parts else f"{alone.amount:,} to {winner}"
