"""A hand history in the PHH format as a script; PokerKit says who won which pot and what everybody has in the end."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pokerkit

from betline.phh import BetRaise, CheckCall, DealBoard, DealHole, Fold, HandHistory, load
from betline.settings import STREETS, GameSettings
from betline.steps import Setup
from virtual_table.scripts.expected_chips import ExpectedChips
from virtual_table.scripts.random_play import winners_by_pot
from virtual_table.scripts.script import Awarded, HandScript, Kind, PlayerAct, ScriptError, Step, StreetDealt

_GAMES = {"NT": ("no-limit", "holdem", 2), "PO": ("pot-limit", "omaha", 4), "FT": ("fixed-limit", "holdem", 2)}


def script_of(path: Path) -> HandScript:
    """The script of a PHH file: player 1 takes seat 1, the last player has the button.

    Raises ScriptError for what cannot be acted out, and PhhError for a file that is not a hand history.
    """
    history = load(path)
    game = _game(history)
    seats = dict(enumerate(history.starting_stacks, start=1))
    posts = {seat: min(blind, seats[seat]) for seat, blind in enumerate(history.blinds, start=1) if blind}
    antes = {seat: min(ante, seats[seat]) for seat, ante in enumerate(history.antes, start=1) if ante}
    if len(seats) == 2:
        posts = dict(sorted(posts.items(), reverse=True))
    final = _final_state(path)
    order = sorted(seats)
    steps = _steps(history, game, ExpectedChips(seats), antes, posts)
    steps.append(Awarded(tuple(winners_by_pot(final, order))))
    return HandScript(
        title=path.name,
        game=game,
        seats=seats,
        button=history.button,
        steps=tuple(steps),
        hole_cards=_GAMES[history.variant][2],
        antes=antes,
        posts=posts,
        setup=Setup(game=game, seats=seats, button=history.button),
        player_order=tuple(order),
        finishing=_finishing(final, history, order),
    )


def _game(history: HandHistory) -> GameSettings:
    if history.variant not in _GAMES:
        raise ScriptError(
            f"{history.file}: the virtual table cannot act out the variant {history.variant} yet; "
            f"it plays {', '.join(_GAMES)}."
        )
    first, *rest = history.blinds if len(history.blinds) > 2 else history.blinds[::-1]
    blinds = [first, rest[0]]
    if any(rest[1:]) or min(blinds) < 0:
        raise ScriptError(f"{history.file}: the virtual table cannot act out straddles and posts yet.")
    ante, ante_by = _ante(history)
    limit, streets, _ = _GAMES[history.variant]
    small, big = history.small_bet, history.big_bet
    return GameSettings.model_validate(
        {
            "limit": limit,
            "streets": streets,
            "blinds": [blind for blind in blinds if blind],
            "ante": ante,
            "ante_by": ante_by,
            "min_bet": history.min_bet or None,
            "bets": [small, small, big, big] if limit == "fixed-limit" else None,
        }
    )


def _ante(history: HandHistory) -> tuple[int, str]:
    antes = set(history.antes)
    if len(antes) == 1:
        return antes.pop(), "each"
    big_blind = history.blinds.index(max(history.blinds))
    if antes - {0} == {history.antes[big_blind]}:
        return history.antes[big_blind], "big-blind"
    raise ScriptError(f"{history.file}: the virtual table cannot act out antes that differ from seat to seat.")


def _steps(
    history: HandHistory, game: GameSettings, chips: ExpectedChips, antes: Mapping[int, int], posts: Mapping[int, int]
) -> list[Step]:
    for seat, ante in antes.items():
        chips.post(seat, ante, dead=True)
    for seat, blind in posts.items():
        chips.post(seat, min(blind, chips.stacks[seat]))
    streets = iter(STREETS[game.streets][1:])
    steps: list[Step] = []
    for number, action in enumerate(history.actions):
        match action:
            case Fold(player):
                steps.append(PlayerAct(player, "fold", chips.bets[player]))
            case CheckCall(player):
                steps.append(_check_or_call(chips, player))
            case BetRaise(player, to):
                kind: Kind = "raise" if chips.level else "bet"
                everything = to == chips.bets[player] + chips.stacks[player]
                chips.bet_to(player, to)
                steps.append(PlayerAct(player, kind, to, all_in=everything))
            case DealBoard(cards):
                back = chips.uncalled()
                if back:
                    chips.take_back(*back)
                chips.gather()
                later = history.actions[number:]
                betting = any(isinstance(a, Fold | CheckCall | BetRaise) for a in later)
                steps.append(StreetDealt(next(streets), len(cards), betting))
            case DealHole():
                pass
            case _:
                continue
    return steps


def _check_or_call(chips: ExpectedChips, seat: int) -> PlayerAct:
    bet, stack = chips.bets[seat], chips.stacks[seat]
    if chips.level == bet:
        return PlayerAct(seat, "check", bet)
    to = min(chips.level, bet + stack)
    chips.bet_to(seat, to)
    return PlayerAct(seat, "call", to, all_in=to == bet + stack)


def _final_state(path: Path) -> Any:
    with path.open("rb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        history = pokerkit.HandHistory.load(file)
        *_, state = history
    return state


def _finishing(state: Any, history: HandHistory, order: list[int]) -> dict[int, int]:
    stacks = [stack * history.scale for stack in state.stacks]
    if any(stack != int(stack) for stack in stacks):
        raise ScriptError(f"{history.file}: a pot was split into fractions of a chip.")
    return {seat: int(stack) for seat, stack in zip(order, stacks, strict=True)}
