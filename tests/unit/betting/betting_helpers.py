"""Short ways to say what happens in a hand: `played(hand, "check", "bet 20", "all-in")`."""

from __future__ import annotations

from collections.abc import Mapping

from table_controller.betting import Action, ActionKind, BettingOptions, Hand, Limit, Structure
from table_controller.betting.structure import HeadsUpCap, PotLimitPreflop, ShortAllIn

TDA = BettingOptions(
    short_all_in=ShortAllIn.FULL,
    max_raises=4,
    heads_up_cap=HeadsUpCap.ALWAYS,
    pot_limit_preflop=PotLimitPreflop.TRUE_POT,
)
CASH = BettingOptions()
LIMIT_20_40 = Structure(limit=Limit.FIXED_LIMIT, blinds=(10, 20), bets=(20, 20, 40, 40))


def no_limit(*blinds: int) -> Structure:
    return Structure(limit=Limit.NO_LIMIT, blinds=blinds)


def pot_limit(*blinds: int) -> Structure:
    return Structure(limit=Limit.POT_LIMIT, blinds=blinds)


def on_the_flop(
    structure: Structure,
    stacks: Mapping[int, int],
    *,
    button: int,
    pot: int = 0,
    options: BettingOptions = TDA,
    street: str = "flop",
) -> Hand:
    return Hand.resume(structure, options, stacks, button, street=street, pot=pot)


def played(hand: Hand, *acts: str) -> Hand:
    for text in acts:
        kind, _, to = text.partition(" ")
        hand = hand.act(Action(ActionKind(kind), int(to) if to else None))
    return hand


def chips(hand: Hand) -> int:
    return sum(hand.stacks.values()) + hand.pot


def call_and_range(hand: Hand) -> tuple[int | None, int | None, int | None]:
    return hand.to_call, hand.min_raise_to, hand.max_raise_to
