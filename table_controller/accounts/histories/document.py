"""A hand as JSON of our own, all that the journal knows of it, one object a line: hardware_docs/hand.schema.json."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final

from betline.cards import parse_cards
from table_controller.accounts.histories.amounts import Amounts, amounts_of
from table_controller.accounts.histories.known import Written, on_the_board, shown_at_showdown
from table_controller.accounts.histories.source import Source
from table_controller.accounts.histories.told import Acted, Awarded, Chopped, Dealt, RunAgain, Told
from table_controller.betting import PayoutKind

VERSION: Final = 1


def documents(hands: Sequence[Told], source: Source) -> Written:
    """All hands, one a line."""
    return "".join(f"{json.dumps(document_of(told, source))}\n" for told in hands), ()


def document_of(told: Told, source: Source) -> dict[str, Any]:
    """One hand."""
    game, hand, start = told.start.game, told.hand, told.start
    amounts = amounts_of(told)
    shown = shown_at_showdown(told)
    return {
        "betline_hand": VERSION,
        "site": source.site,
        "table": source.table,
        "hand": told.hand_no,
        "began": datetime.fromtimestamp(told.began_ms / 1000).astimezone().isoformat(timespec="milliseconds"),
        "game": {
            "limit": game.limit,
            "streets": game.streets,
            "showdown": game.showdown or "high",
            "blinds": list(game.blinds),
            "ante": {"amount": start.structure.ante, "by": str(start.structure.ante_by)},
            "bomb_pot": start.bomb_pot,
        },
        "button": hand.button,
        "small_blind": start.placed.small_blind if start.placed else None,
        "big_blind": start.placed.big_blind if start.placed else None,
        "seats": [
            {
                "seat": seat,
                "player": source.name(told, seat),
                "stack": hand.starting_stacks[seat],
                "finishing": told.finishing(seat),
                "cards": _cards(told.cards.get((seat, "", 0), "")) or None,
                "mucked": seat in told.mucked,
            }
            for seat in hand.seats
        ],
        "forced": [
            {"seat": one.seat, "kind": one.kind, "amount": one.amount, "dead": one.dead} for one in amounts.forced
        ],
        "events": list(_events(told, amounts)),
        "showdown": list(shown),
        "returned": [{"seat": seat, "amount": amount} for seat, amount in amounts.returned.items()],
        "won": [
            {"seat": payout.seat, "pot": payout.pot, "amount": payout.amount}
            for payout in hand.payouts
            if payout.kind is PayoutKind.POT
        ],
        "taken": amounts.taken,
        "carried_in": amounts.carried_in,
        "carried_out": amounts.carried_out,
        "otherwise": [{"seat": seat, "paid": amount} for seat, amount in amounts.otherwise.items()],
    }


def _events(told: Told, amounts: Amounts) -> Iterator[dict[str, Any]]:
    for place, event in enumerate(told.events):
        match event:
            case Acted():
                bet = amounts.bets[place]
                yield {
                    "event": "act", "street": event.street, "seat": event.seat, "act": str(event.kind),
                    "adds": bet.adds, "to": event.to, "all_in": bet.all_in, "in_turn": event.in_turn,
                }  # fmt: skip
            case Dealt():
                cards = _cards(on_the_board(told, event)) or None
                yield {"event": "deal", "street": event.street, "board": event.board, "cards": cards}
            case RunAgain():
                yield {"event": "run-it", "times": event.times}
            case Awarded():
                yield {"event": "award", "pots": event.pots}
            case Chopped():
                yield {"event": "chop"}


def _cards(known: str) -> list[str]:
    return list(map(str, parse_cards(known)))
