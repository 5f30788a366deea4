"""The hands of a journal for other programs: PHH for what it can express, CSV for all.

PHH has no word for a board that is run more than once: its actions tell the first board, and the fields that a program
may add for itself (they begin with an underscore) how often it was run, which further boards came, and who won which
part. Where the house kept cards, board and shown hands are in it; others are unknown. What each seat won and has at the
end stands in `winnings` and `finishing_stacks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from betline.cards import parse_cards
from betline.phh import BetRaise, CheckCall, DealBoard, DealHole, Fold, HandHistory, PhhAction, ShowMuck, written
from betline.settings import BOARD_CARDS
from table_controller.accounts.histories.known import (
    NO_CHOP,
    UNKNOWN,
    NotExpressible,
    Written,
    antes_of,
    on_the_board,
    shown_at_showdown,
)
from table_controller.accounts.histories.told import Acted, Awarded, Dealt, Event, Told
from table_controller.betting import ActionKind, PostKind

_VARIANTS = {
    ("no-limit", "holdem", "high"): "NT", ("no-limit", "holdem", "short-deck"): "NS",
    ("pot-limit", "omaha", "high"): "PO", ("fixed-limit", "holdem", "high"): "FT",
    ("fixed-limit", "omaha", "high-low"): "FO/8",
}  # fmt: skip
"""By limit, streets and what wins at the showdown."""
_HOLE = {"NT": 2, "NS": 2, "PO": 4, "FT": 2, "FO/8": 4}
_FIRST_BIG_STREET = 2


def phh_text(told: Told, names: Mapping[str, str]) -> str:
    """A hand as a PHH file; raises NotExpressible."""
    history = _history(told, names)
    began = datetime.fromtimestamp(told.began_ms / 1000).astimezone()
    fields: dict[str, Any] = {
        "year": began.year, "month": began.month, "day": began.day, "hand": told.hand_no,
        "seats": list(told.hand.seats), "winnings": [told.won.get(seat, 0) for seat in told.hand.seats],
    }  # fmt: skip
    if told.runs > 1:
        fields["_run_it"] = told.runs
        fields["_boards"] = [_further_board(told, board) for board in range(2, told.runs + 1)]
    if taken := sum(taking.amount for taking in told.end.takings):
        fields["_taken"] = taken
    awards = [one.pots for one in told.events if isinstance(one, Awarded)]
    if awards:
        fields["_award"] = awards[-1]
    return written(history, fields)


def phhs(hands: Sequence[Told], names: Mapping[str, str]) -> Written:
    """All hands, each a table of its own under its number."""
    texts, left_out = _texts(hands, names)
    return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1)), left_out


def phh(hands: Sequence[Told], names: Mapping[str, str]) -> Written:
    """The last of the hands."""
    texts, left_out = _texts(hands[-1:], names)
    return "".join(texts), left_out


def _texts(hands: Sequence[Told], names: Mapping[str, str]) -> tuple[list[str], tuple[str, ...]]:
    texts, left_out = list[str](), list[str]()
    for told in hands:
        try:
            texts.append(phh_text(told, names))
        except NotExpressible as reason:
            left_out.append(f"Export hand {told.hand_no} as .csv: {reason}.")
    return texts, tuple(left_out)


def _history(told: Told, names: Mapping[str, str]) -> HandHistory:
    game, hand = told.start.game, told.hand
    variant = _VARIANTS.get((game.limit, game.streets, game.showdown or "high"))
    if variant is None or game.cap or told.start.bomb_pot is not None or told.start.carried:
        raise NotExpressible("PHH has no such game")
    if told.chopped:
        raise NotExpressible(f"PHH has {NO_CHOP}")
    seats = hand.seats
    dead = {post.seat: 0 for post in told.posts}
    for post in told.posts:
        dead[post.seat] += post.amount if post.kind in (PostKind.DEAD, PostKind.ANTE) else 0
    antes = [antes_of(told).get(seat, 0) + dead.get(seat, 0) for seat in seats]
    bets = game.bets or (0,)
    return HandHistory(
        file="", variant=variant, ante_trimming=len(set(antes)) == 1, antes=tuple(antes),
        blinds=tuple([_blind(told, seat) for seat in seats]), bring_in=0,
        min_bet=0 if game.bets else game.min_bet or told.start.structure.big_blind,
        small_bet=bets[0], big_bet=bets[min(_FIRST_BIG_STREET, len(bets) - 1)],
        starting_stacks=tuple([hand.starting_stacks[seat] for seat in seats]),
        actions=tuple(_actions(told, variant)), finishing_stacks=tuple([hand.stack(seat) for seat in seats]),
        players=tuple([names.get(told.persons.get(seat, ""), "") or f"Seat {seat}" for seat in seats]), scale=1,
    )  # fmt: skip


def _blind(told: Told, seat: int) -> int:
    """What the seat posted live; negative where it is a post out of position."""
    own = [post for post in told.posts if post.seat == seat and post.kind not in (PostKind.DEAD, PostKind.ANTE)]
    if any(post.acts_last or post.keeps_first_act or post.kind is PostKind.SLEEPER for post in own):
        raise NotExpressible("PHH has no word for a blind raise or a kill that changes who acts when")
    if any(post.kind is PostKind.LIVE and post.amount > told.start.structure.big_blind for post in own):
        raise NotExpressible("PHH has no word for a kill")
    live = sum(post.amount for post in own if post.kind is PostKind.LIVE)
    blind = max((post.amount for post in own if post.kind is not PostKind.LIVE), default=0)
    return blind or -live


def _actions(told: Told, variant: str) -> Iterable[PhhAction]:
    player = {seat: number for number, seat in enumerate(told.hand.seats, 1)}
    for seat, number in player.items():
        yield DealHole(number, _cards(told.cards.get((seat, "", 0), ""), _HOLE[variant]))
    for one in _in_turn(told):
        match one:
            case Dealt(board=1) if one.street in BOARD_CARDS:
                yield DealBoard(_cards(on_the_board(told, one), BOARD_CARDS[one.street]))
            case Acted():
                yield _action(player[one.seat], one)
    for seat in shown_at_showdown(told):
        yield ShowMuck(player[seat], () if seat in told.mucked else _cards(told.cards[seat, "", 0], _HOLE[variant]))


def _further_board(told: Told, board: int) -> str:
    """The cards of a board after the first, in the order of its streets."""
    dealt = [one for one in told.events if isinstance(one, Dealt) and one.board == board]
    return "".join(on_the_board(told, one) or UNKNOWN * BOARD_CARDS[one.street] for one in dealt)


def _cards(known: str, count: int) -> tuple[str, ...]:
    """Cards for PHH, unknown ones where nobody knows them."""
    found = tuple(map(str, parse_cards(known)))
    return found if len(found) == count else (UNKNOWN,) * count


def _in_turn(told: Told) -> Iterable[Event]:
    """What happened, but who folded out of turn folds when it is its turn: PHH knows no other fold."""
    seats, early = told.hand.seats, dict[int, Acted]()
    turn = seats.index(told.start.next_seat) if told.start.next_seat in seats else 0
    for one in told.events:
        if isinstance(one, Acted) and not one.in_turn:
            early[one.seat] = one
            continue
        place = seats.index(one.seat) if isinstance(one, Acted) else turn
        ahead = (place - turn) % len(seats) if isinstance(one, Acted) else len(seats)
        yield from _of_these(early, [seats[(turn + step) % len(seats)] for step in range(ahead)])
        yield one
        turn = place + 1 if isinstance(one, Acted) else 0
    if early:
        raise NotExpressible(f"PHH has no word for the fold of seat {min(early)} out of turn that ended the hand")


def _of_these(early: dict[int, Acted], seats: Iterable[int]) -> Iterable[Acted]:
    return [early.pop(seat) for seat in seats if seat in early]


def _action(player: int, act: Acted) -> PhhAction:
    if act.kind is ActionKind.FOLD:
        return Fold(player)
    return CheckCall(player) if act.kind in (ActionKind.CHECK, ActionKind.CALL) else BetRaise(player, act.to)
