"""Whom the cards make the winner of each pot: a proposal for the dealer, never an award by itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from betline.cards import Card, Cards
from table_controller.cards.ranking import Evaluate, Ranked, Ranking

Part = tuple[int, ...] | tuple[tuple[int, ...], ...]
"""A part of a pot as `Award` names it: who splits it, or of a board with a low the winners of its high and its low."""


@dataclass(frozen=True, slots=True)
class Showdown:
    """What is known of the cards when the betting is over."""

    pots: Sequence[tuple[int, ...]]
    """The seats that may win each pot, main pot first."""
    boards: Sequence[Cards | None]
    """The whole board of each run, None where a card of it is not known; one empty board in a game without."""
    hands: Mapping[int, Cards]
    """The hands that were shown, by seat."""
    mucked: Collection[int] = ()
    """Seats that have put their cards into the muck unseen: they win nothing by cards."""


@dataclass(frozen=True, slots=True)
class Won:
    """A seat wins a part of a pot; `ranked` is with what, None where nobody else was left to beat."""

    pot: int
    board: int
    """From 0; 0 where the board was run once."""
    half: str
    """``high`` or ``low`` where both have a winner, else empty."""
    seat: int
    ranked: Ranked | None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Who wins, as `Award` takes it, and why."""

    pots: tuple[tuple[Part, ...], ...]
    wins: tuple[Won, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """What must be known before the cards decide: hands by seat, boards by number from 0, or a pot nobody claims."""

    seats: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()
    unclaimed: int | None = None
    """A pot, 0 the main pot, whose every hand was mucked."""
    no_hand: int | None = None
    """A seat whose cards make no hand of this game."""


def propose(shown: Showdown, ranking: Ranking, *, by_suit: bool = False) -> Proposal | Missing:
    """The winners of every pot by the cards, or what is missing for that.

    A pot that one seat alone may win, all others having mucked, needs no card. ``by_suit``: of hands that split, the
    one with the highest card by suit stands first and takes the odd chip (TDA 20; R-264).
    """
    live = [tuple(seat for seat in pot if seat not in shown.mucked) for pot in shown.pots]
    unclaimed = next((number for number, seats in enumerate(live) if not seats), None)
    if unclaimed is not None:
        return Missing(unclaimed=unclaimed)
    fought = [seats for seats in live if len(seats) > 1]
    needed = sorted({seat for seats in fought for seat in seats})
    hidden = tuple(seat for seat in needed if len(shown.hands.get(seat, ())) != ranking.hole_cards)
    unknown = tuple(run for run, board in enumerate(shown.boards) if board is None) if fought else ()
    if hidden or unknown:
        return Missing(hidden, unknown)
    pots: list[tuple[Part, ...]] = []
    wins: list[Won] = []
    for number, seats in enumerate(live):
        parts: list[tuple[tuple[int, ...], ...]] = []
        for run, board in enumerate(shown.boards):
            if len(seats) == 1:
                parts.append((seats,))
                wins.append(Won(number, run, "", seats[0], None))
                continue
            high = _ranked(seats, shown.hands, board or (), ranking.high)
            without = next((seat for seat in seats if seat not in high), None)
            if without is not None:
                return Missing(no_hand=without)
            low = _ranked(seats, shown.hands, board or (), ranking.low)
            halves = [("high", high), ("low", low)] if low else [("", high)]
            parts.append(tuple([_best(ranked, by_suit=by_suit) for _, ranked in halves]))
            for (half, ranked), best in zip(halves, parts[-1], strict=True):
                wins += [Won(number, run, half, seat, ranked[seat]) for seat in best]
        pots.append(_winners(parts))
    return Proposal(tuple(pots), tuple(wins))


def _ranked(
    seats: Sequence[int], hands: Mapping[int, Cards], board: Cards, evaluate: Evaluate | None
) -> dict[int, Ranked]:
    if evaluate is None:
        return {}
    return {seat: ranked for seat in seats if (ranked := evaluate(hands[seat], board)) is not None}


def _best(ranked: Mapping[int, Ranked], *, by_suit: bool) -> tuple[int, ...]:
    """The seats that win, the one that takes an odd chip first where that goes by suit."""
    best = max(one.strength for one in ranked.values())
    seats = [seat for seat, one in ranked.items() if one.strength == best]
    return tuple(sorted(seats, key=lambda seat: _highest(ranked[seat].cards), reverse=True) if by_suit else seats)


def _highest(cards: Cards) -> tuple[int, int]:
    return max(map(_height, cards))


def _height(card: Card) -> tuple[int, int]:
    return card.height


def _winners(parts: Sequence[tuple[tuple[int, ...], ...]]) -> tuple[Part, ...]:
    """The parts of a pot as `Award` names them: its halves, or one part for each board."""
    if len(parts) == 1:
        return parts[0]
    return tuple([halves if len(halves) > 1 else halves[0] for halves in parts])
