"""What must hold after a step (docs/case-format.md, `expect`): a key and a value each, checked for their form only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from betline.fields import FieldError, Fields, Path, by_seat, flag, list_of, one_of, seat, seat_or_none, text, whole
from betline.settings import STREETS

RULINGS = ("check", "call", "bet", "raise", "complete", "fold", "post", "floor", "none", "illegal")
OFFERS = ("check", "call", "fold", "withdraw", "live", "passive", "dead")
SIZED_OFFERS = ("bet", "raise")
ALERTS = frozenset(
    {
        *(
            "amount-pending",
            "out-of-turn",
            "skipped-player",
            "string-bet",
            "overbet",
            "pick-up",
            "underbet",
            "undercall",
        ),
        *("fold-without-bet", "pot-in-no-limit", "raise-not-open", "chips-owed", "change-due", "splash", "ledger-off"),
        *("must-table", "string-suspect", "time-due", "not-understood"),
    }
)


@dataclass(frozen=True, slots=True)
class Expect:
    """The named expectations, in the order in which the file names them."""

    values: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ExpectedPot:
    """One pot: its amount and the seats that can win it."""

    amount: int
    seats: tuple[int, ...]


def read_expect(value: object, path: Path) -> Expect:
    """Reads an `expect`; raises FieldError."""
    fields = Fields(value, path)
    found = {key: fields.required(key, read) for key, read in _READERS.items() if fields.has(key)}
    fields.done()
    if not isinstance(value, Mapping) or not found:
        raise FieldError(path, "expects nothing.")
    return Expect({key: found[key] for key in value})


def _amount_or_none(value: object, path: Path) -> int | None:
    return None if value is None else whole(value, path)


def _pots(value: object, path: Path) -> tuple[ExpectedPot, ...]:
    return list_of(_pot)(value, path)


def _pot(value: object, path: Path) -> ExpectedPot:
    fields = Fields(value, path)
    seats = fields.required("seats", list_of(seat))
    pot = ExpectedPot(fields.required("amount", whole), tuple(sorted(seats)))
    fields.done()
    return pot


def _seat_set(value: object, path: Path) -> frozenset[int]:
    return frozenset(list_of(seat)(value, path))


def _word_set(value: object, path: Path) -> frozenset[str]:
    return frozenset(list_of(text)(value, path))


def _offers(value: object, path: Path) -> frozenset[str]:
    return frozenset(list_of(_offer)(value, path))


def _offer(value: object, path: Path) -> str:
    word = text(value, path)
    kind, _, size = word.partition(":")
    if kind in SIZED_OFFERS and size.isdecimal():
        return word
    return one_of(*OFFERS, *(f"{kind}:N" for kind in SIZED_OFFERS))(value, path)


def _alert_set(value: object, path: Path) -> frozenset[str]:
    return frozenset(list_of(one_of(*sorted(ALERTS)))(value, path))


def _may(value: object, path: Path) -> frozenset[str]:
    return frozenset(list_of(one_of("check", "call", "bet", "raise", "complete", "fold"))(value, path))


def _integer(value: object, path: Path) -> int:
    if type(value) is not int:
        raise FieldError(path, f"must be a whole number, not {value!r}.")
    return value


_READERS: dict[str, Callable[[object, Path], object]] = {
    "ruling": one_of(*RULINGS),
    "offers": _offers,
    "all_in": flag,
    "to": whole,
    "adds": _integer,
    "returned": whole,
    "owes": whole,
    "held": _seat_set,
    "binding": flag,
    "cites": _word_set,
    "alerts": _alert_set,
    "next": seat_or_none,
    "call": _amount_or_none,
    "min_raise_to": _amount_or_none,
    "max_raise_to": _amount_or_none,
    "may": _may,
    "substantial": flag,
    "bets": by_seat(whole),
    "stacks": by_seat(whole),
    "pot": whole,
    "pots": _pots,
    "round_over": flag,
    "hand_over": flag,
    "button": seat_or_none,
    "small_blind": seat_or_none,
    "big_blind": seat_or_none,
    "posts": by_seat(list_of(whole)),
    "street": one_of(*sorted({name for names in STREETS.values() for name in names})),
    "announce": text,
    "error": text,
}
