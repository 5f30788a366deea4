"""Who wins each pot of a hand that is shown down: PokerKit ranks, and each half of a split pot has its own winners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pokerkit.hands import Hand as RankedHand

from table_controller.betting import Hand, Parts
from table_controller.tools.replay.cards import Cards, Disagreement, is_known
from table_controller.tools.replay.games import Game

Rank = Mapping[int, RankedHand | None]
"""The hand of each player in one ranking; None where it does not qualify."""


def winners(hand: Hand, cards: Cards, game: Game) -> list[tuple[int, ...] | Parts]:
    """The winners of each pot, main pot first; high and low where some hand of that pot qualifies for low (R-264).

    Raises Disagreement for cards that are missing or not known.
    """
    contenders = sorted({seat for pot in hand.pots for seat in pot.seats})
    _check_board(hand, cards, game)
    hidden = [seat for seat in contenders if not _is_told(seat, cards, game)]
    if hidden:
        raise Disagreement(f"The cards of player {hidden[0]}, who is in the showdown, are not known.")
    high = _ranked(contenders, cards, game.ranking)
    if None in high.values():
        seat = next(seat for seat, ranked in high.items() if ranked is None)
        raise Disagreement(f"The cards of player {seat}, who is in the showdown, make no hand of this game.")
    low: Rank = _ranked(contenders, cards, game.low) if game.low else {}
    return [_split(pot.seats, high, low) for pot in hand.pots]


def _check_board(hand: Hand, cards: Cards, game: Game) -> None:
    if game.draws and hand.street != game.streets[-1]:
        raise Disagreement("The file ends before its hand does: draws are missing.")
    known = sum(map(is_known, cards.board))
    due = len(cards.board) if not game.board[-1] else game.board[-1]
    if known != due:
        raise Disagreement(f"The showdown has a board of {known} known cards, not {due}.")


def _is_told(seat: int, cards: Cards, game: Game) -> bool:
    hole = cards.hole[seat]
    shared = len(cards.board) if game.stud else 0
    return len(hole) + shared == game.hole[-1] and all(map(is_known, hole))


def _ranked(seats: Sequence[int], cards: Cards, ranking: type[RankedHand]) -> Rank:
    board = "".join(cards.board)
    return {seat: ranking.from_game_or_none("".join(cards.hole[seat]), board) for seat in seats}


def _split(seats: Sequence[int], high: Rank, low: Rank) -> tuple[int, ...] | Parts:
    lowest = _best(seats, low)
    return Parts((_best(seats, high), lowest)) if lowest else _best(seats, high)


def _best(seats: Sequence[int], ranks: Rank) -> tuple[int, ...]:
    hands = {seat: ranked for seat in seats if (ranked := ranks.get(seat)) is not None}
    if not hands:
        return ()
    best = max(hands.values())
    return tuple([seat for seat, ranked in hands.items() if ranked == best])
