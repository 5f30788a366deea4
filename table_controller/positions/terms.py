"""The settings of a table in the terms of the betting engine."""

from __future__ import annotations

from betline.settings import STREETS, GameSettings, HouseRules
from table_controller.betting import BettingOptions, Illegal, Limit, Structure
from table_controller.betting.structure import (
    AnteBy,
    BigBlindAnteOrder,
    BringInEqual,
    HeadsUpCap,
    OddChip,
    PotBelowMinimum,
    PotLimitAnte,
    PotLimitPreflop,
    PotLimitSmallBlind,
    ShortAllIn,
    ShortBlindPot,
    ShortOpenAllIn,
    SmallBlind,
    StraddleMinRaise,
    SubstantialAction,
    ThreeBlindFirst,
)


def structure_of(game: GameSettings) -> Structure:
    """The betting structure of a game; raises Illegal (`setup`) with a sentence where the numbers make no game."""
    spread: tuple[tuple[int, int], ...] = ()
    for entry in game.spread or ():
        if isinstance(entry, int):
            spread = ((game.spread[0], game.spread[1]),)  # type: ignore[index,assignment]
            break
        spread += ((entry[0], entry[1]),)
    try:
        return Structure(
            limit=Limit(game.limit), blinds=game.blinds, ante=game.ante, ante_by=AnteBy(game.ante_by),
            bring_in=game.bring_in or 0, min_bet=game.min_bet, bets=game.bets or (), spread=spread, unit=game.unit,
            cap=game.cap, streets=STREETS[game.streets],
        )  # fmt: skip
    except ValueError as error:
        raise Illegal("setup", str(error)) from None


def options_of(house: HouseRules, *, last_two: bool = False) -> BettingOptions:
    """The options on which betting depends; `last_two`: the event is down to two players (TDA 48, R-121)."""
    cap = HeadsUpCap(house.heads_up_cap)
    if last_two and cap is HeadsUpCap.ALWAYS:
        cap = HeadsUpCap.OFF_IF_ROUND_STARTED_HEADS_UP
    return BettingOptions(
        short_open_all_in=ShortOpenAllIn(house.short_open_all_in),
        short_all_in=ShortAllIn(house.short_all_in),
        max_raises=house.max_raises,
        heads_up_cap=cap,
        straddle_counts_as_raise=house.straddle_counts_as_raise,
        straddle_min_raise=StraddleMinRaise(house.straddle_min_raise),
        pot_limit_preflop=PotLimitPreflop(house.pot_limit_preflop),
        pot_limit_small_blind=PotLimitSmallBlind(house.pot_limit_small_blind),
        small_blind=SmallBlind(house.small_blind),
        short_blind_pot=ShortBlindPot(house.short_blind_pot),
        pot_below_minimum=PotBelowMinimum(house.pot_below_minimum),
        pot_round_to=house.pot_round_to,
        pot_limit_ante=PotLimitAnte(house.pot_limit_ante),
        big_blind_ante_order=BigBlindAnteOrder(house.big_blind_ante_order),
        three_blind_first=ThreeBlindFirst(house.three_blind_first),
        bring_in_equal=BringInEqual(house.bring_in_equal),
        odd_chip=OddChip(house.odd_chip),
        substantial_action=SubstantialAction(house.substantial_action),
    )
