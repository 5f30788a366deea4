"""Open Hand History 1.4.7 (hh-specs.handhistory.org): one JSON object a hand, a blank line between two.

The format has no word for stud and draw, for unknown cards (they are left out), nor for chips that a ruling moved
without an act. A board that was run again is told by further rounds with the same streets and the flag `Run_It_Twice`.
Amounts are whole chips; the currency is the one that is named, `XPM` (play money) where none is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

from betline.cards import parse_cards
from table_controller.accounts.histories.amounts import Amounts, Bet, Forced, amounts_of
from table_controller.accounts.histories.known import NO_CHOP, NotExpressible, Written, on_the_board, shown_at_showdown
from table_controller.accounts.histories.source import Source, each_hand
from table_controller.accounts.histories.told import Acted, Dealt, Told
from table_controller.betting import ActionKind, PayoutKind

VERSION: Final = "1.4.7"
_LIMITS = {"no-limit": "NL", "pot-limit": "PL", "fixed-limit": "FL"}
_GAMES = {
    ("holdem", "high"): "Holdem", ("omaha", "high"): "Omaha", ("omaha", "high-low"): "OmahaHiLo",
}  # fmt: skip
_STREETS = {"preflop": "Preflop", "flop": "Flop", "turn": "Turn", "river": "River"}
_ACTS = {
    ActionKind.FOLD: "Fold", ActionKind.CHECK: "Check", ActionKind.CALL: "Call", ActionKind.BET: "Bet",
    ActionKind.RAISE: "Raise", ActionKind.COMPLETE: "Raise",
}  # fmt: skip
_POSTS = {
    "ante": "Post Ante", "dead": "Post Dead", "straddle": "Straddle", "sleeper": "Straddle", "live": "Post Extra Blind",
}  # fmt: skip


def ohh(hands: Sequence[Told], source: Source) -> Written:
    """All hands."""
    texts, left_out = each_hand(hands, lambda told: json.dumps({"ohh": ohh_of(told, source)}, indent=1), "OHH")
    return "".join(f"{text}\n\n" for text in texts), left_out


def ohh_of(told: Told, source: Source) -> dict[str, Any]:
    """One hand; raises NotExpressible."""
    game, hand = told.start.game, told.hand
    kind = _GAMES.get((game.streets, game.showdown or "high"))
    if kind is None or game.limit not in _LIMITS:
        raise NotExpressible("it has no such game")
    if told.chopped:
        raise NotExpressible(f"it has {NO_CHOP}")
    amounts = amounts_of(told)
    if not amounts.whole:
        raise NotExpressible("it has no word for chips that a ruling moved without an act")
    flags = ["Observed"]
    flags += ["Run_It_Twice"] if told.runs > 1 else []
    flags += ["Anonymous"] if source.anonymous else []
    flags += ["Cap"] if game.cap else []
    blinds = sorted(game.blinds)
    return {
        "spec_version": VERSION,
        "site_name": "Betline",
        "network_name": source.site,
        "internal_version": source.version,
        "tournament": False,
        "game_number": str(told.hand_no),
        "start_date_utc": datetime.fromtimestamp(told.began_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "table_name": source.table,
        "game_type": kind,
        "bet_limit": {"bet_type": _LIMITS[game.limit], "bet_cap": game.cap or 0},
        "table_size": source.seats,
        "currency": source.currency,
        "dealer_seat": hand.button,
        "small_blind_amount": blinds[0] if len(blinds) > 1 else 0,
        "big_blind_amount": told.start.structure.big_blind,
        "ante_amount": told.start.bomb_pot or told.start.structure.ante,
        "hero_player_id": None,
        "flags": flags,
        "players": [
            {
                "id": number,
                "seat": seat,
                "name": source.name(told, seat),
                "starting_stack": hand.starting_stacks[seat],
            }
            for number, seat in enumerate(hand.seats)
        ],
        "rounds": _rounds(told, amounts),
        "pots": _pots(told),
    }


class _Rounds:
    """Rounds as they come, with the actions numbered through the hand."""

    def __init__(self, told: Told) -> None:
        self._ids = {seat: number for number, seat in enumerate(told.hand.seats)}
        self._number = 0
        self.all: list[dict[str, Any]] = []

    def begins(self, street: str, cards: Sequence[str]) -> None:
        self.all.append({"id": len(self.all), "street": street, "cards": list(cards), "actions": []})

    def acts(self, seat: int | None, action: str, amount: int | None = None, **more: Any) -> None:
        self._number += 1
        one: dict[str, Any] = {"action_number": self._number}
        if seat is not None:
            one["player_id"] = self._ids[seat]
        one["action"] = action
        if amount is not None:
            one["amount"] = amount
        self.all[-1]["actions"].append({**one, **more})


def _rounds(told: Told, amounts: Amounts) -> list[dict[str, Any]]:
    found = _Rounds(told)
    found.begins("Preflop", [])
    if amounts.carried_in:
        found.acts(None, "Add to Pot", amounts.carried_in)
    for one in amounts.forced:
        found.acts(one.seat, _post(one, amounts.forced), one.amount)
    for (seat, street, _), cards in told.cards.items():
        if seat is not None and not street:
            found.acts(seat, "Dealt Cards", cards=_cards(cards))
    if told.start.first_street != "preflop":
        found.begins(_STREETS[told.start.first_street], _cards(told.cards.get((None, told.start.first_street, 0), "")))
    for place, event in enumerate(told.events):
        if isinstance(event, Dealt):
            found.begins(_STREETS[event.street], _cards(on_the_board(told, event)))
        elif isinstance(event, Acted):
            _act(found, amounts.bets[place])
    for seat, amount in amounts.otherwise.items():
        found.acts(seat, "Player Adjustment", -amount)
    shown = [seat for seat in shown_at_showdown(told) if told.cards.get((seat, "", 0))]
    if shown:
        found.begins("Showdown", [])
        for seat in shown:
            found.acts(seat, "Shows Cards", cards=_cards(told.cards[seat, "", 0]))
    return found.all


def _post(one: Forced, forced: Sequence[Forced]) -> str:
    if one.kind != "blind":
        return _POSTS[one.kind]
    blinds = [other for other in forced if other.kind == "blind"]
    big = max(blinds, key=lambda other: (other.full, blinds.index(other)))
    return "Post BB" if one is big else "Post SB"


def _act(found: _Rounds, bet: Bet) -> None:
    act = bet.act
    kind = "Raise" if act.kind is ActionKind.BET and act.street == "preflop" else _ACTS[act.kind]
    if act.kind in (ActionKind.FOLD, ActionKind.CHECK):
        found.acts(act.seat, kind)
    else:
        found.acts(act.seat, kind, bet.adds, is_allin=bet.all_in)


def _pots(told: Told) -> list[dict[str, Any]]:
    """The pots with what each paid; `amount` has the house's share in it."""
    ids = {seat: number for number, seat in enumerate(told.hand.seats)}
    taken: dict[int, int] = {}
    for taking in told.end.takings:
        taken[taking.pot] = taken.get(taking.pot, 0) + taking.amount
    wins: dict[int, dict[int, int]] = {}
    for payout in told.hand.payouts:
        if payout.kind is PayoutKind.POT:
            of_pot = wins.setdefault(payout.pot or 0, {})
            of_pot[payout.seat] = of_pot.get(payout.seat, 0) + payout.amount
    return [
        {
            "number": number,
            "amount": sum(won.values()) + taken.get(number, 0),
            "rake": taken.get(number, 0),
            "player_wins": [{"player_id": ids[seat], "win_amount": amount} for seat, amount in won.items()],
        }
        for number, won in sorted(wins.items())
    ]


def _cards(known: str) -> list[str]:
    return list(map(str, parse_cards(known)))
