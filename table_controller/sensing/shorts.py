"""Bets that were keyed or said, and of which less lies there (R-036, R-042, R-074).

Stacks are pushed in several motions, so less is reported only when nothing has come for a while. An all-in is waited
for before others act: what lies there may show that the stack was another one than the books say.
"""

from __future__ import annotations

from dataclasses import replace

from betline.units import NS_PER_MS
from table_controller.sensing.account import Account
from table_controller.sensing.observations import Short
from table_controller.sensing.state import SensingState
from table_controller.sensing.view import SeatBook

QUIET_NS = 2_000 * NS_PER_MS
"""Nothing has come for so long: the seat has put out what it puts out."""
FIRST_CHIPS_NS = 3_000 * NS_PER_MS
"""So long the first chips of an all-in are waited for; where none come nobody reads them."""


def told(sensing: SensingState, now_ns: int) -> tuple[SensingState, tuple[Short, ...]]:
    """The bets that are short now and were not reported so, and the state in which they have been."""
    found: list[Short] = []
    accounts = dict(sensing.accounts)
    for seat, account in sensing.accounts.items():
        book = sensing.hand.book(seat)
        figures = book.bet, account.total
        if account.short_told == figures or not _is_short(sensing, account, book, now_ns):
            continue
        found.append(Short(seat, *figures))
        accounts[seat] = replace(account, short_told=figures)
    return (replace(sensing, accounts=accounts) if found else sensing), tuple(found)


def waits_for_all_in(sensing: SensingState, now_ns: int) -> bool:
    """Whether the chips of an all-in are still coming."""
    for seat, account in sensing.accounts.items():
        book = sensing.hand.book(seat)
        if not book.all_in or book.keyed is None or not account.awaited or not _is_read(sensing, seat, now_ns):
            continue
        last_ns = max(account.paid_ns, account.moved_ns)
        if last_ns < account.keyed_ns and now_ns - account.keyed_ns < FIRST_CHIPS_NS:
            return True
        if last_ns >= account.keyed_ns and account.short_told != (book.bet, account.total):
            return True
    return False


def _is_short(sensing: SensingState, account: Account, book: SeatBook, now_ns: int) -> bool:
    if book.keyed is None or not account.awaited or account.paid_ns < account.keyed_ns or account.new or account.gone:
        return False
    if not _is_read(sensing, account.seat, now_ns) or not sensing.belief(account.seat).settled:
        return False
    seen = sensing.seen(account.seat, now_ns)
    if seen is not None and seen.hand:
        return False
    return now_ns - max(account.paid_ns, account.moved_ns) >= QUIET_NS


def _is_read(sensing: SensingState, seat: int, now_ns: int) -> bool:
    return sensing.belief(seat).fresh(now_ns, sensing.setup.thresholds.stale_ms)
