"""PokerStars' text: what most programs that study hands read.

It has no word for unknown board cards, nor for games other than hold'em and Omaha, for straddles, and for chips that a
ruling moved without an act: such hands are left out by name. Hands that were not shown are simply not told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo

from betline.cards import parse_cards
from betline.settings import BOARD_CARDS
from table_controller.accounts.histories.amounts import Amounts, Bet, Forced, amounts_of
from table_controller.accounts.histories.known import NO_CHOP, NotExpressible, Written, on_the_board, shown_at_showdown
from table_controller.accounts.histories.source import Source, each_hand
from table_controller.accounts.histories.told import Acted, Dealt, Told
from table_controller.betting import ActionKind

_GAMES = {
    ("holdem", "high"): "Hold'em", ("omaha", "high"): "Omaha", ("omaha", "high-low"): "Omaha Hi/Lo",
}  # fmt: skip
_LIMITS = {"no-limit": "No Limit", "pot-limit": "Pot Limit", "fixed-limit": "Limit"}
_TIMES: Final = ("FIRST", "SECOND", "THIRD", "FOURTH")
_SITE: Final = "PokerStars"
"""Readers of the format look for this word; the table's name says whose hand it is."""


def pokerstars(hands: Sequence[Told], source: Source) -> Written:
    """All hands, three blank lines between two."""
    texts, left_out = each_hand(hands, lambda told: "\n".join(lines_of(told, source)) + "\n", "PokerStars' text")
    return "\n\n\n".join(texts), left_out


def lines_of(told: Told, source: Source) -> tuple[str, ...]:
    """The lines of one hand; raises NotExpressible."""
    game = told.start.game
    name = _GAMES.get((game.streets, game.showdown or "high"))
    if name is None or game.limit not in _LIMITS or len(game.blinds) != 2:
        raise NotExpressible("it has no such game")
    if told.chopped:
        raise NotExpressible(f"it has {NO_CHOP}")
    amounts = amounts_of(told)
    if not amounts.whole or amounts.carried_in or amounts.carried_out or told.start.bomb_pot is not None:
        raise NotExpressible("it has no word for chips that came into the pot without an act")
    if any(one.kind in ("straddle", "sleeper", "live", "dead") for one in amounts.forced):
        raise NotExpressible("it has no word for straddles and posts that all its readers know")
    return tuple(_lines(told, source, amounts, f"{name} {_LIMITS[game.limit]}"))


def _lines(told: Told, source: Source, amounts: Amounts, game: str) -> Iterator[str]:
    hand, names = told.hand, {seat: source.name(told, seat) for seat in told.hand.seats}
    small, big = told.start.game.blinds
    began = datetime.fromtimestamp(told.began_ms // 1000, UTC)
    eastern = began.astimezone(ZoneInfo("America/New_York"))
    when = f"{began:%Y/%m/%d %H:%M:%S} UTC [{eastern:%Y/%m/%d %H:%M:%S} ET]"
    yield f"{_SITE} Hand #{told.hand_no}:  {game} ({small}/{big}) - {when}"
    yield f"Table '{source.table}' {source.seats}-max Seat #{hand.button} is the button"
    for seat in sorted(hand.seats):
        yield f"Seat {seat}: {names[seat]} ({hand.starting_stacks[seat]} in chips)"
    for one in amounts.forced:
        yield f"{names[one.seat]}: posts {_post(one, amounts.forced)} {one.amount}"
    yield "*** HOLE CARDS ***"
    for seat in shown_at_showdown(told):
        if cards := told.cards.get((seat, "", 0)):
            yield f"Dealt to {names[seat]} [{_shown(cards)}]"
    boards: dict[int, str] = {}
    for place, event in enumerate(told.events):
        if isinstance(event, Dealt):
            yield _street(told, event, boards)
        elif isinstance(event, Acted):
            yield f"{names[event.seat]}: {_act(amounts.bets[place])}"
    for seat, amount in amounts.returned.items():
        yield f"Uncalled bet ({amount}) returned to {names[seat]}"
    shown = shown_at_showdown(told)
    if shown:
        yield "*** SHOW DOWN ***"
    for seat in shown:
        cards = told.cards.get((seat, "", 0))
        yield f"{names[seat]}: shows [{_shown(cards)}] (shown)" if cards else f"{names[seat]}: mucks hand"
    for seat, amount in amounts.won.items():
        yield f"{names[seat]} collected {amount} from pot"
    yield "*** SUMMARY ***"
    yield f"Total pot {amounts.pot} | Rake {amounts.taken}"
    for board, cards in sorted(boards.items()):
        yield f"{f'{_TIMES[board - 1]} ' if len(boards) > 1 else ''}Board [{_shown(cards)}]"
    for seat in sorted(hand.seats):
        yield f"Seat {seat}: {names[seat]}{_end(told, amounts, seat)}"


def _end(told: Told, amounts: Amounts, seat: int) -> str:
    """How the hand ended for a seat, in the words that readers of the format look for."""
    button = " (button)" if seat == told.hand.button else ""
    cards, won = told.cards.get((seat, "", 0)), amounts.won.get(seat, 0)
    if cards:
        return f"{button} showed [{_shown(cards)}] and {f'won ({won})' if won else 'lost'}"
    if won:
        return f"{button} collected ({won})"
    return f"{button} {'mucked' if seat in told.hand.in_hand else 'folded'}"


def _street(told: Told, dealt: Dealt, boards: dict[int, str]) -> str:
    cards = on_the_board(told, dealt)
    if len(parse_cards(cards)) != BOARD_CARDS[dealt.street]:
        raise NotExpressible("it has no word for unknown board cards")
    before = boards.get(dealt.board, "")
    if not before and dealt.board > 1 and dealt.street != "flop":
        before = boards[1][: 2 * (3 if dealt.street == "turn" else 4)]
    boards[dealt.board] = before + cards
    which = f"{_TIMES[dealt.board - 1]} " if told.runs > 1 else ""
    lay = f" [{_shown(before)}]" if before else ""
    return f"*** {which}{dealt.street.upper()} ***{lay} [{_shown(cards)}]"


def _post(one: Forced, forced: Sequence[Forced]) -> str:
    if one.kind == "ante":
        return "the ante"
    blinds = [other for other in forced if other.kind == "blind"]
    big = max(blinds, key=lambda other: (other.full, blinds.index(other)))
    return "big blind" if one is big else "small blind"


def _act(bet: Bet) -> str:
    act, all_in = bet.act, " and is all-in" if bet.all_in else ""
    match act.kind:
        case ActionKind.FOLD:
            return "folds"
        case ActionKind.CHECK:
            return "checks"
        case ActionKind.CALL:
            return f"calls {bet.adds}{all_in}"
    if bet.level == 0:
        return f"bets {act.to}{all_in}"
    return f"raises {act.to - bet.level} to {act.to}{all_in}"


def _shown(cards: str) -> str:
    return " ".join(map(str, parse_cards(cards)))
