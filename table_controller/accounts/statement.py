"""The ledger and who pays whom, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from table_controller.accounts.ledger import DIFFERENCE, POT, Account, Ledger, Stay
from table_controller.accounts.read import time_of
from table_controller.accounts.settle import BANK, Payment, kept_by_bank
from table_controller.journal.entries import person_in_clear

_PLACES = {
    "rake": "the rake",
    "time": "the time charge",
    "kitty": "the kitty",
    "tray": "the tray",
    "race": "the chip race",
    "removed": "chips removed",
    POT: "the pot",
    DIFFERENCE: "the count",
    BANK: "the bank",
}
_ALWAYS = ("bought", "cashed_out", "on_table")
_AT_TIMES = {"borrowed": "borrowed", "lent": "lent", "received": "moved", "given": "tips", "charged": "charges"}


class Called:
    """What accounts and places are called: a name, without one the seat or the id."""

    def __init__(self, ledger: Ledger, names: Mapping[str, str]) -> None:
        self._accounts = ledger.accounts
        self._names = names

    def name(self, key: str) -> str | None:
        """The name that the person gave; None where there is none or it was erased."""
        person = self._accounts[key].person
        return self._names.get(person) or person_in_clear(person)

    def label(self, key: str) -> str:
        """One party for people."""
        account = self._accounts.get(key)
        if account is None:
            return _PLACES.get(key, key)
        return self.name(key) or (key if account.person else key.replace("-", " ", 1).replace("-", " player "))


def text_of(ledger: Ledger, names: Mapping[str, str]) -> str:
    """The table of `betline journal ledger`."""
    called = Called(ledger, names)
    shown = [name for name in _AT_TIMES if any(getattr(one, name) for one in ledger.accounts.values())]
    rows = [["player", "seats", "bought", "cashed out", "on table", *(_AT_TIMES[name] for name in shown), "result"]]
    for key, account in ledger.accounts.items():
        amounts = [str(getattr(account, name)) for name in (*_ALWAYS, *shown)]
        rows.append([called.label(key), _seats(account), *amounts, f"{account.result:+d}"])
    lines = [since(ledger), *_aligned(rows, left=2)]
    if ledger.house:
        lines.append("; ".join(f"{_PLACES.get(place, place)} {amount:+d}" for place, amount in ledger.house.items()))
    return "\n".join([*lines, *_notes(ledger)])


def payments_text(ledger: Ledger, names: Mapping[str, str], payments: Iterable[Payment], *, bank: bool) -> str:
    """What `betline journal settle` says."""
    called = Called(ledger, names)
    rows = [[called.label(one.payer), f"pays {called.label(one.payee)}", str(one.amount)] for one in payments]
    lines = [since(ledger), *(_aligned(rows, left=2) or ["Nobody owes anybody anything."])]
    kept = kept_by_bank(ledger)
    if bank and kept:
        parts = ", ".join(f"{_PLACES.get(place, place)} {amount}" for place, amount in ledger.house.items())
        lines.append(f"The bank keeps {kept}: {parts}.")
    return "\n".join([*lines, *_notes(ledger)])


def as_json(ledger: Ledger, names: Mapping[str, str]) -> dict[str, Any]:
    """One document for `betline journal ledger --json`."""
    called = Called(ledger, names)
    return {
        **_span(ledger),
        "players": [_account(key, account, called) for key, account in ledger.accounts.items()],
        "house": ledger.house,
    }


def payments_as_json(
    ledger: Ledger, names: Mapping[str, str], payments: Iterable[Payment], *, bank: bool
) -> dict[str, Any]:
    """One document for `betline journal settle --json`."""
    called = Called(ledger, names)
    return {
        **_span(ledger),
        "bank": kept_by_bank(ledger) if bank else None,
        "house": ledger.house,
        "payments": [
            {
                "from": called.label(one.payer),
                "from_id": one.payer,
                "to": called.label(one.payee),
                "to_id": one.payee,
                "amount": one.amount,
            }
            for one in payments
        ],
    }


def since(ledger: Ledger) -> str:
    """The time and the hands that a ledger is about, as its heading."""
    if not ledger.stays or ledger.to_ms is None:
        return "Nobody has sat at this table yet."
    first, last = ledger.from_hand, ledger.to_hand
    hands = "no hand" if last < first else f"hand {first}" if first == last else f"hands {first} to {last}"
    return f"From {time_of(ledger.from_ms)[:16]} to {time_of(ledger.to_ms)[:16]}, {hands}, in chips."


def _notes(ledger: Ledger) -> list[str]:
    """What else must be known to trust the figures."""
    notes = []
    if ledger.in_hand:
        notes.append(f"Hand {ledger.to_hand} goes on: its chips count as their players' still.")
    if ledger.house.get(POT):
        notes.append("The pot was passed out: it belongs to the next hand, or divide it.")
    if ledger.house.get(DIFFERENCE):
        notes.append("The count: chips that a count found too few (+) or too many (-) against the books.")
    return notes


def _span(ledger: Ledger) -> dict[str, Any]:
    known = bool(ledger.stays) and ledger.to_ms is not None
    return {
        "from": time_of(ledger.from_ms) if known else None,
        "to": time_of(ledger.to_ms or 0) if known else None,
        "hands": [ledger.from_hand, ledger.to_hand] if known and ledger.to_hand >= ledger.from_hand else None,
        "in_hand": ledger.in_hand,
    }


def _account(key: str, account: Account, called: Called) -> dict[str, Any]:
    return {
        "id": key,
        "name": called.name(key),
        "seats": [
            {
                "seat": stay.seat,
                "from": time_of(stay.from_ms),
                "to": None if stay.to_ms is None else time_of(stay.to_ms),
                "from_hand": stay.from_hand,
                "to_hand": stay.to_hand,
            }
            for stay in account.stays
        ],
        **{name: getattr(account, name) for name in (*_ALWAYS, *_AT_TIMES)},
        "result": account.result,
    }


def _seats(account: Account) -> str:
    return ", ".join(_stay(stay) for stay in account.stays)


def _stay(stay: Stay) -> str:
    if stay.to_hand is None:
        return f"{stay.seat} (hand {stay.from_hand}-)"
    if stay.to_hand < stay.from_hand:
        return f"{stay.seat} (no hand)"
    return f"{stay.seat} (hand {stay.from_hand}-{stay.to_hand})"


def _aligned(rows: list[list[str]], left: int) -> list[str]:
    """Columns of text, the first so many to the left and the rest to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    return [
        "  ".join(
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
