"""The hands of a journal as CSV: a line a forced bet, act, street, run and win."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from table_controller.accounts.histories.known import Written, antes_of, on_the_board, shown_at_showdown
from table_controller.accounts.histories.told import Acted, Chopped, Dealt, RunAgain, Told
from table_controller.accounts.read import time_of

COLUMNS = ("hand", "began", "seat", "name", "street", "board", "act", "amount", "cards")


def rows(hands: Sequence[Told], names: Mapping[str, str]) -> Written:
    """All hands, a line a forced bet, act, street, run and win, under one line of `COLUMNS`."""
    out = io.StringIO()
    out_rows = csv.writer(out, lineterminator="\n")
    out_rows.writerow(COLUMNS)
    for told in hands:
        for seat, street, board, act, amount, cards in _lines(told):
            name = names.get(told.persons.get(seat or 0, ""), "")
            began = time_of(told.began_ms)
            out_rows.writerow([told.hand_no, began, seat or "", name, street, board or "", act, amount, cards])
    return out.getvalue(), ()


def _lines(told: Told) -> Iterable[tuple[int | None, str, int | None, str, int, str]]:
    street = told.start.first_street
    for seat, amount in antes_of(told).items():
        if amount:
            yield seat, street, None, "ante", amount, ""
    for post in told.posts:
        yield post.seat, street, None, str(post.kind), post.amount, ""
    for one in told.events:
        match one:
            case Acted():
                yield one.seat, one.street, None, str(one.kind), one.to, ""
            case Dealt():
                yield None, one.street, one.board, "deal", 0, on_the_board(told, one)
            case RunAgain():
                yield None, told.hand.street, None, "run-it", one.times, ""
            case Chopped():
                for seat in sorted(told.hand.in_hand):
                    yield seat, street, None, "chops", told.hand.bet(seat), ""
    for shown in shown_at_showdown(told):
        act = "mucks" if shown in told.mucked else "shows"
        yield shown, told.hand.street, None, act, 0, told.cards.get((shown, "", 0), "")
    for seat, amount in told.won.items():
        yield seat, told.hand.street, None, "wins", amount, ""
