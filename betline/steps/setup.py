"""How a table stands when a story begins: game, house, seats, and what earlier hands left (docs/case-format.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from betline.fields import (
    Chips,
    FieldError,
    Fields,
    Path,
    by_seat,
    chips,
    game,
    list_of,
    positive,
    seat,
    seat_or_none,
    text,
    whole,
)
from betline.settings import STREETS, GameSettings, HouseRules, SettingsError, load_house_rules, shipped
from betline.settings.model import nearest

DEFAULT_PROFILE = "cash"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """A hand that begins in its middle: `pot` came from all seats alike, or from those of `paid`."""

    street: str
    pot: int
    paid: Mapping[int, int] | None = None
    folded: tuple[int, ...] = ()
    first: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHand:
    """Where button and blinds were in the hand before; None for a blind that nobody posted."""

    button: int
    small_blind: int | None
    big_blind: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSetup:
    """A table before the first step; with neither `button` nor `last_hand` nothing has been dealt here yet."""

    game: GameSettings
    house: HouseRules
    seats: Mapping[int, int]
    """Seat: stack."""
    button: int | None = None
    start: Start | None = None
    last_hand: LastHand | None = None
    in_front: Mapping[int, Chips] = field(default_factory=dict)
    """Chips that lie in front of a seat because they have not been changed yet."""
    missed: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Seats that sit out, and the blinds that they owe on their return."""
    rock: int | None = None
    kill: int | None = None
    legs: Mapping[int, int] = field(default_factory=dict)
    """Pots won in a row."""


def read_setup(fields: Fields) -> TableSetup:
    """Takes the keys of a setup out of a mapping; raises FieldError."""
    the_game = fields.required("game", game)
    house = fields.optional("house", house_rules, None)
    seats = fields.required("seats", by_seat(whole))
    setup = TableSetup(
        game=the_game,
        house=load_house_rules(DEFAULT_PROFILE) if house is None else house,
        seats=seats,
        button=fields.optional("button", seat, None),
        start=fields.optional("start", _start, None),
        last_hand=fields.optional("last_hand", _last_hand, None),
        in_front=fields.optional("in_front", by_seat(chips), {}),
        missed=fields.optional("missed", by_seat(list_of(positive)), {}),
        rock=fields.optional("rock", seat, None),
        kill=fields.optional("kill", seat, None),
        legs=fields.optional("legs", by_seat(whole), {}),
    )
    if (setup.button is None) == (setup.last_hand is None):
        raise fields.missing("button", "name one of button and last_hand.")
    if setup.start is not None:
        _check_start(setup, setup.start, (*fields.path, "start"))
    for key in ("in_front", "missed", "legs"):
        for number in getattr(setup, key):
            _require_seated(setup, number, (*fields.path, key))
    for key in ("rock", "kill"):
        if (number := getattr(setup, key)) is not None:
            _require_seated(setup, number, (*fields.path, key))
    return setup


def parse_setup(data: object, path: Path = ()) -> TableSetup:
    """Reads a setup that stands by itself; raises FieldError."""
    fields = Fields(data, path)
    setup = read_setup(fields)
    fields.done()
    return setup


def house_rules(value: object, path: Path) -> HouseRules:
    """A profile and the options set otherwise; every error names its option."""
    if not isinstance(value, Mapping):
        raise FieldError(path, "must be a mapping such as {profile: cash}.")
    profile = value.get("profile", DEFAULT_PROFILE)
    profiles = shipped("house_rules")
    if profile not in profiles:
        raise FieldError((*path, "profile"), f"there is no profile {profile}; {nearest(str(profile), profiles)}")
    options = {key: setting for key, setting in value.items() if key != "profile"}
    for key in options:
        if key not in HouseRules.model_fields:
            raise FieldError((*path, key), f"is not a house rule option; {nearest(str(key), HouseRules.model_fields)}")
    try:
        return load_house_rules(profile, options)
    except SettingsError:
        for key, setting in options.items():
            try:
                load_house_rules(profile, {key: setting})
            except SettingsError as error:
                where, sentence = str(error).removeprefix("house: ").split(" ", 1)
                raise FieldError((*path, *where.rstrip(":").split(".")), sentence) from None
        raise


def _start(value: object, path: Path) -> Start:
    fields = Fields(value, path)
    start = Start(
        street=fields.required("street", text),
        pot=fields.required("pot", whole),
        paid=fields.optional("from", by_seat(whole), None),
        folded=fields.optional("folded", list_of(seat), ()),
        first=fields.optional("first", seat, None),
    )
    fields.done()
    return start


def _last_hand(value: object, path: Path) -> LastHand:
    fields = Fields(value, path)
    last = LastHand(
        button=fields.required("button", seat),
        small_blind=fields.required("small_blind", seat_or_none),
        big_blind=fields.required("big_blind", seat_or_none),
    )
    fields.done()
    return last


def _check_start(setup: TableSetup, start: Start, path: Path) -> None:
    names = STREETS[setup.game.streets]
    if start.street not in names:
        raise FieldError((*path, "street"), f"there is no street {start.street}; {nearest(start.street, names)}")
    if start.paid is None and start.pot % max(len(setup.seats), 1):
        raise FieldError((*path, "pot"), f"{len(setup.seats)} seats do not divide {start.pot} equally; say `from`.")
    if start.paid is not None and sum(start.paid.values()) != start.pot:
        raise FieldError((*path, "from"), f"makes {sum(start.paid.values())}, not the pot of {start.pot}.")
    for number in (*(start.paid or ()), *start.folded):
        _require_seated(setup, number, path)
    if start.first is not None:
        _require_seated(setup, start.first, (*path, "first"))


def _require_seated(setup: TableSetup, number: int, path: Path) -> None:
    if number not in setup.seats:
        raise FieldError(path, f"nobody sits in seat {number}.")
