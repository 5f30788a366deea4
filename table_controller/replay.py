"""Hand histories played through the betting engine, to the stacks with which they end.

The engine bets; PokerKit only ranks the hands that are shown, and, where a file names no finishing stacks, replays the
whole hand by itself as the oracle.
"""

from __future__ import annotations

import json as json_text
import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pokerkit
from pokerkit.hands import Hand as RankedHand
from pokerkit.hands import OmahaHoldemHand, ShortDeckHoldemHand, StandardHighHand

from betline import phh
from betline.phh import BetRaise, CheckCall, DealBoard, DealHole, Fold, HandHistory, PhhError, ShowMuck
from table_controller.betting import (
    STREETS,
    Action,
    ActionKind,
    BettingOptions,
    Hand,
    Illegal,
    Limit,
    PayoutKind,
    Post,
    PostKind,
    Structure,
)
from table_controller.betting.structure import PotLimitPreflop, ShortBlindPot


@dataclass(frozen=True, slots=True)
class ReplayResult:
    """How a hand ended: stacks in the file's player order and whole units, the pots won, main pot first.

    `ok`: the file's own finishing stacks were reached, or, where it names none, those that PokerKit reaches. `error`
    says in one sentence what went wrong; then stacks and pots may be missing.
    """

    file: str
    ok: bool
    finishing_stacks: tuple[int, ...] | None
    pots: tuple[int, ...] | None
    error: str | None

    def as_json(self) -> dict[str, object]:
        """The JSON object of `betline replay --json`."""
        return {
            "file": self.file,
            "ok": self.ok,
            "finishing_stacks": None if self.finishing_stacks is None else list(self.finishing_stacks),
            "pots": None if self.pots is None else list(self.pots),
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class _Game:
    """A variant that can be replayed: its limit, and how its hands are ranked."""

    limit: Limit
    ranking: type[RankedHand]
    hole_cards: int


GAMES = {
    "NT": _Game(Limit.NO_LIMIT, StandardHighHand, 2),
    "NS": _Game(Limit.NO_LIMIT, ShortDeckHoldemHand, 2),
    "PO": _Game(Limit.POT_LIMIT, OmahaHoldemHand, 4),
    "FT": _Game(Limit.FIXED_LIMIT, StandardHighHand, 2),
}

_OPTIONS = BettingOptions(
    max_raises=None,
    pot_limit_preflop=PotLimitPreflop.TRUE_POT,
    short_blind_pot=ShortBlindPot.ACTUAL,
)


class _Disagreement(Exception):
    """The file does something that the engine does not allow, or leaves out what it needs."""


def replay(history: HandHistory) -> ReplayResult:
    """Play one hand to its end. What cannot be played is told in the result, never raised."""
    game = GAMES.get(history.variant)
    if game is None:
        sentence = f"The variant {history.variant} is not supported; {', '.join(GAMES)} are."
        return ReplayResult(history.file, False, None, None, sentence)
    try:
        hand = _played(history, game)
    except _Disagreement as error:
        return ReplayResult(history.file, False, None, None, str(error))
    except Illegal as error:
        return ReplayResult(history.file, False, None, None, error.sentence)
    stacks = tuple([hand.stack(seat) for seat in sorted(hand.seats)])
    error_sentence = _compare(history, stacks)
    return ReplayResult(history.file, error_sentence is None, stacks, _pots_won(hand), error_sentence)


def replay_line(path: str | Path) -> dict[str, object]:
    """The JSON object of one file, as `betline replay --json` prints it."""
    return replay_file(path).as_json()


def replay_file(path: str | Path) -> ReplayResult:
    """Read and play one file; one that is no hand history is told in the result."""
    try:
        history = phh.load(path)
    except PhhError as error:
        return ReplayResult(str(path), False, None, None, str(error))
    return replay(history)


def replay_files(paths: Sequence[str | Path], *, json: bool = False) -> int:
    """Play files and print one line each; errors go to standard error. Exit status 0, or 1 when any did not agree."""
    failed = 0
    for path in paths:
        result = replay_file(path)
        failed += not result.ok
        if json:
            print(json_text.dumps(result.as_json()), flush=True)
        elif result.finishing_stacks is not None and result.pots is not None:
            stacks = " ".join(map(str, result.finishing_stacks))
            pots = " ".join(map(str, result.pots))
            print(f"{'OK' if result.ok else 'FAIL'} {path}: stacks {stacks}; pots {pots}", flush=True)
        if result.error is not None:
            place = "" if result.error.startswith(str(path)) else f"{path}: "
            print(f"{place}{result.error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


def structure_of(history: HandHistory) -> Structure:
    """The betting structure that a history names. Raises KeyError for a variant that is not in GAMES."""
    limit = GAMES[history.variant].limit
    streets = STREETS["omaha" if history.variant == "PO" else "holdem"]
    if limit is Limit.FIXED_LIMIT:
        bets = (history.small_bet, history.small_bet, history.big_bet, history.big_bet)
        return Structure(limit=limit, bets=bets, streets=streets)
    return Structure(limit=limit, min_bet=history.min_bet, streets=streets)


def posts_of(history: HandHistory) -> tuple[Post, ...]:
    """The forced bets of a history, seat = player: antes, blinds, straddles above them, live posts out of position."""
    ante = PostKind.ANTE if history.ante_trimming else PostKind.DEAD
    posts = [Post(player, amount, ante) for player, amount in enumerate(history.antes, 1) if amount]
    live = [(player, amount) for player, amount in enumerate(history.blinds, 1) if amount]
    highest = 0
    for number, (player, amount) in enumerate(sorted(live, key=lambda post: abs(post[1]))):
        if amount < 0:
            posts.append(Post(player, -amount, PostKind.LIVE))
        else:
            straddles = number > 1 and amount > highest
            posts.append(Post(player, amount, PostKind.STRADDLE if straddles else PostKind.BLIND))
            highest = max(highest, amount)
    return tuple(posts)


def _played(history: HandHistory, game: _Game) -> Hand:
    stacks = dict(enumerate(history.starting_stacks, 1))
    hand = Hand.start(structure_of(history), _OPTIONS, stacks, history.button, posts_of(history))
    hole: dict[int, tuple[str, ...]] = dict.fromkeys(stacks, ())
    board: tuple[str, ...] = ()
    for number, action in enumerate(history.actions, 1):
        try:
            match action:
                case DealHole(player, cards):
                    hole[player] += cards
                case DealBoard(cards):
                    board += cards
                    hand = hand.deal(_street_with(len(board), hand))
                case Fold(player):
                    hand = hand.act(Action(ActionKind.FOLD), player)
                case CheckCall(player):
                    hand = hand.act(Action(ActionKind.CALL if hand.to_call else ActionKind.CHECK), player)
                case BetRaise(player, to):
                    hand = hand.act(Action(_wager(hand), to), player)
                case ShowMuck(player, ()):
                    hand = hand if hand.hand_over else hand.fold(player)
                case ShowMuck(player, cards):
                    hole[player] = cards
                case _:
                    raise _Disagreement(f"Action {number} does not belong to {history.variant}.")
        except Illegal as error:
            raise _Disagreement(f"Action {number} is refused: {error.sentence}") from None
    if hand.hand_over:
        return hand
    if not hand.betting_over:
        waits = f"player {hand.next_seat} is to act" if hand.next_seat else "streets are missing"
        raise _Disagreement(f"The file ends before its hand does: {waits}.")
    return hand.award([_winners(pot.seats, hole, board, game) for pot in hand.pots])


def _street_with(cards: int, hand: Hand) -> str:
    by_cards = dict(zip((3, 4, 5), hand.structure.streets[1:], strict=True))
    if cards not in by_cards:
        raise _Disagreement(f"A board of {cards} cards begins no street.")
    return by_cards[cards]


def _wager(hand: Hand) -> ActionKind:
    """What the format's `cbr` is here."""
    kinds = hand.may & {ActionKind.BET, ActionKind.RAISE, ActionKind.COMPLETE}
    return next(iter(kinds), ActionKind.RAISE)


def _winners(
    seats: Sequence[int], hole: dict[int, tuple[str, ...]], board: tuple[str, ...], game: _Game
) -> tuple[int, ...]:
    for seat in seats:
        if len(hole[seat]) != game.hole_cards or "?" in "".join(hole[seat]):
            raise _Disagreement(f"The cards of player {seat}, who is in the showdown, are not known.")
    if len(board) != 5 or "?" in "".join(board):
        raise _Disagreement(f"The showdown has a board of {len(board)} known cards, not 5.")
    hands = {seat: game.ranking.from_game("".join(hole[seat]), "".join(board)) for seat in seats}
    best = max(hands.values())
    return tuple([seat for seat, ranked in hands.items() if ranked == best])


def _pots_won(hand: Hand) -> tuple[int, ...]:
    amounts: dict[int, int] = {}
    for payout in hand.payouts:
        if payout.kind is PayoutKind.POT and payout.pot is not None:
            amounts[payout.pot] = amounts.get(payout.pot, 0) + payout.amount
    return tuple([amounts[number] for number in sorted(amounts)])


def _compare(history: HandHistory, stacks: tuple[int, ...]) -> str | None:
    """None where the stacks are those of the file, or of PokerKit where it names none; else the difference."""
    if history.finishing_stacks is not None:
        truth, whose = [Decimal(stack) for stack in history.finishing_stacks], "the file records"
    else:
        try:
            truth, whose = _pokerkit_stacks(history), "PokerKit reaches"
        except (ValueError, OSError) as error:
            return f"The file names no finishing stacks and PokerKit cannot replay it: {error}"
    differences = [
        f"player {player} has {history.in_file_unit(ours)} and {whose} {history.in_file_unit(theirs)}"
        for player, (ours, theirs) in enumerate(zip(stacks, truth, strict=True), 1)
        if ours != theirs
    ]
    if not differences:
        return None
    return f"Finishing stacks differ: {'; '.join(differences)}."


def _pokerkit_stacks(history: HandHistory) -> list[Decimal]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Path(history.file).open("rb") as source:
            *_, last = pokerkit.HandHistory.load(source, parse_float=Decimal)
    return [Decimal(str(stack)) * history.scale for stack in last.stacks]
