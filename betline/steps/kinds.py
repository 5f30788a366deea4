"""The kinds of a field's value: how one is read from plain data, written as it, and described as JSON Schema.

A field's annotation names its kind: ``Seat``, ``Positive``, ``tuple[Seat, ...]``, ``Literal["tap", "muck"]``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeAlias

from betline import fields
from betline.cards import CardError, parse_cards, written
from betline.fields import Chips, FieldError, Path, list_of, one_of
from betline.settings import BOARD_CARDS, STREETS, GameSettings, HouseRules, SettingsError, load_house_rules, shipped
from betline.settings.model import nearest, shown

Schema: TypeAlias = Mapping[str, Any]
Read: TypeAlias = Callable[[object, Path], Any]
HOUSE_PLACES = ("tray", "kitty", "rake")
"""Where chips of the house lie, beside the seats."""
DEFAULT_PROFILE = "cash"
MAX_LINE: Final = 200
MAX_NAME: Final = 80
MAX_SEATS: Final = 10


def _same(value: Any) -> Any:
    return value


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """``read`` raises FieldError, ``write`` gives what JSON and YAML can hold, ``item`` is that of a list's items."""

    read: Read
    schema: Schema
    write: Callable[[Any], object] = _same
    item: Kind | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """What a field's annotation says of its key."""

    name: str = ""
    """The key in plain data, where it is not the field's name."""
    single: str = ""
    """The key under which a list of one item is written as the item alone."""
    case_only: bool = False
    """No command of the bus has it."""
    filled: bool = False
    """A command may leave it out, what that means is its default; a case must say it."""


CASE_ONLY = Key(case_only=True)
FILLED = Key(filled=True)


def words(*valid: str) -> Kind:
    """One of some words."""
    return Kind(one_of(*valid), {"enum": list(valid)})


def listed(item: Kind, *, least: int = 0, most: int | None = None) -> Kind:
    """A list of values of one kind; read as a tuple."""

    def read(value: object, path: Path) -> tuple[Any, ...]:
        found = list_of(item.read, least=least)(value, path)
        if most is not None and len(found) > most:
            raise FieldError(path, f"takes at most {most} entries; it has {len(found)}.")
        return found

    limits = {"minItems": least} if most is None else {"minItems": least, "maxItems": most}
    schema = {"type": "array", "items": item.schema, **limits}
    return Kind(read, schema, lambda values: [item.write(value) for value in values], item)


def seated(item: Kind) -> Kind:
    """A mapping from seats; JSON has them as texts."""
    schema = {
        "type": "object",
        "propertyNames": {"enum": [str(number) for number in fields.SEATS]},
        "additionalProperties": item.schema,
    }
    return Kind(
        fields.by_seat(item.read),
        schema,
        lambda values: {str(seat): item.write(value) for seat, value in values.items()},
    )


def or_null(kind: Kind) -> Kind:
    """The same, or null where there is none."""

    def read(value: object, path: Path) -> Any:
        return None if value is None else kind.read(value, path)

    schema = {"anyOf": [kind.schema, {"type": "null"}]}
    return Kind(read, schema, lambda value: None if value is None else kind.write(value))


def line(most: int, *, blank: bool = False) -> Kind:
    """A text of at most so many characters; only where `blank` it may be empty."""

    def read(value: object, path: Path) -> str:
        found = value if blank and isinstance(value, str) else fields.text(value, path)
        if len(found) > most:
            raise FieldError(path, f"must be a text of at most {most} characters, not of {len(found)}.")
        return found

    return Kind(read, {"type": "string", "maxLength": most, **({} if blank else {"pattern": r"\S"})})


def up_to(most: int, *, least: int = 0) -> Kind:
    """A whole number within limits, both included."""

    def read(value: object, path: Path) -> int:
        if type(value) is not int or not least <= value <= most:
            raise FieldError(path, f"must be a whole number from {least} to {most}, not {shown(value)}.")
        return value

    return Kind(read, {"type": "integer", "minimum": least, "maximum": most})


def _spoken(value: object, path: Path) -> str:
    """YAML and JSON read a bare number as one: `says: 300` means the words "300"."""
    return str(value) if type(value) is int else fields.text(value, path)


def _place(value: object, path: Path) -> int | str:
    return one_of(*HOUSE_PLACES)(value, path) if isinstance(value, str) else fields.seat(value, path)


def _lender(value: object, path: Path) -> int | Literal["pot"]:
    return "pot" if value == "pot" else fields.seat(value, path)


def _cards(value: object, path: Path) -> str:
    """Cards in either case, with or without spaces, as hand histories write them."""
    text = line(MAX_LINE, blank=True).read(value, path)
    try:
        return written(parse_cards(text))
    except CardError as error:
        raise FieldError(path, str(error)) from None


def _winners(value: object, path: Path) -> Winners:
    return _parts(value, path, _part) if isinstance(value, Mapping) else (_WINNING_SEATS.read(value, path),)


def _part(value: object, path: Path) -> Part:
    """A part of a pot: who splits it, or, of a board that is divided once more, its own parts."""
    if isinstance(value, Mapping):
        return _parts(value, path, _WINNING_SEATS.read)
    seats: tuple[int, ...] = _WINNING_SEATS.read(value, path)
    return seats


def _parts(value: object, path: Path, read: Read) -> tuple[Any, ...]:
    inner = fields.Fields(value, path)
    parts = inner.required("parts", list_of(read, least=1))
    if len(parts) > MAX_SEATS:
        raise FieldError((*path, "parts"), f"takes at most {MAX_SEATS} entries; it has {len(parts)}.")
    inner.done()
    return parts


def _winners_form(winners: Winners) -> object:
    parts = [_part_form(part) for part in winners]
    return parts[0] if len(parts) == 1 and isinstance(parts[0], list) else {"parts": parts}


def _part_form(part: Part) -> object:
    names = [seat for seat in part if isinstance(seat, int)]
    return names or {"parts": [list(half) for half in part if not isinstance(half, int)]}


def _divided(part: Schema) -> Schema:
    parts = {"type": "array", "items": part, "minItems": 1, "maxItems": MAX_SEATS}
    return {"type": "object", "properties": {"parts": parts}, "required": ["parts"], "additionalProperties": False}


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


FLAG = Kind(fields.flag, {"type": "boolean"})
TEXT = Kind(fields.text, {"type": "string", "pattern": r"\S"})
SEAT = Kind(fields.seat, {"type": "integer", "minimum": fields.SEATS.start, "maximum": fields.SEATS.stop - 1})
POSITIVE = Kind(fields.positive, {"type": "integer", "minimum": 1})
WHOLE = Kind(fields.whole, {"type": "integer", "minimum": 0})
CHIPS = Kind(fields.chips, {"type": "array", "items": POSITIVE.schema, "minItems": 1}, list)
STREET = words(*sorted({name for names in STREETS.values() for name in names}))
GAME = Kind(
    fields.game,
    {"$ref": f"#/components/schemas/{GameSettings.__name__}"},
    lambda game: game.model_dump(mode="json", exclude_defaults=True),
)
HOUSE = Kind(
    house_rules,
    {"type": "object", "description": "a profile, and the options of docs/rules.md set otherwise"},
    lambda house: house.model_dump(mode="json", exclude_unset=True),
)
_WINNING_SEATS = listed(SEAT, least=1, most=MAX_SEATS)
_PART_SCHEMA = {"anyOf": [_WINNING_SEATS.schema, _divided(_WINNING_SEATS.schema)]}
_WINNERS = Kind(_winners, {"anyOf": [_WINNING_SEATS.schema, _divided(_PART_SCHEMA)]}, _winners_form)

Seat: TypeAlias = Annotated[int, SEAT]
Positive: TypeAlias = Annotated[int, POSITIVE]
Whole: TypeAlias = Annotated[int, WHOLE]
Street: TypeAlias = Annotated[str, STREET]
BoardStreet: TypeAlias = Annotated[str, words(*BOARD_CARDS)]
Line: TypeAlias = Annotated[str, line(MAX_LINE)]
CardText: TypeAlias = Annotated[str, Kind(_cards, {"type": "string", "maxLength": MAX_LINE, "format": "cards"})]
"""Cards: `AsKdTc`; none is the empty text."""
Name: TypeAlias = Annotated[str, line(MAX_NAME)]
NameOrNone: TypeAlias = Annotated[str, line(MAX_NAME, blank=True)]
Remark: TypeAlias = Annotated[str, line(MAX_LINE, blank=True)]
Spoken: TypeAlias = Annotated[str, Kind(_spoken, {"anyOf": [TEXT.schema, {"type": "integer"}]})]
ChipList: TypeAlias = Annotated[Chips, CHIPS]
Seats: TypeAlias = Annotated[tuple[int, ...], listed(SEAT, most=MAX_SEATS)]
Place: TypeAlias = Annotated[int | str, Kind(_place, {"anyOf": [SEAT.schema, {"enum": list(HOUSE_PLACES)}]})]
Lender: TypeAlias = Annotated[int | Literal["pot"], Kind(_lender, {"anyOf": [SEAT.schema, {"enum": ["pot"]}]})]
Part: TypeAlias = tuple[int, ...] | tuple[tuple[int, ...], ...]
"""One equal part of a pot: the seats that split it, or the equal parts that it is divided into (a board's halves)."""
Winners: TypeAlias = Annotated[tuple[Part, ...], _WINNERS]
"""Who wins one pot: its equal parts, usually one."""
Game: TypeAlias = Annotated[GameSettings, GAME]
House: TypeAlias = Annotated[HouseRules, HOUSE]


@dataclass(frozen=True, slots=True)
class CaseKey:
    """How a case file names a step: ``{key: {field: value, ...}}``, ``{key: true}`` where nothing needs to be said.

    ``value`` is the field that stands behind the key itself, the others beside it: ``{deal: fourth, first: 3}``;
    ``word`` stands there instead of ``true``.
    """

    key: str
    value: str = ""
    word: str = ""
