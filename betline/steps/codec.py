"""Plain data into values and back, by the fields of their classes: one description of a value for every reader.

A field's annotation says its kind and its key (`betline.steps.kinds`), its default what is meant where it is left out.
A class may say in ``check`` which fields belong together, and in ``unsaid`` which mean nothing in a value and are not
written. There are two forms: ``case``, as case files and the journal have a value, and ``bus``, as the arguments of a
command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from betline.fields import FieldError, Fields, Path
from betline.settings import GameSettings, HouseRules
from betline.steps.kinds import FLAG, GAME, HOUSE, TEXT, Key, Kind, Schema, listed, or_null, seated, words

Form: TypeAlias = Literal["case", "bus"]
Value = TypeVar("Value")
_PLAIN: Mapping[object, Kind] = {bool: FLAG, str: TEXT, GameSettings: GAME, HouseRules: HOUSE}


@dataclass(frozen=True, slots=True)
class Entry:
    """One field of a record: its name in the class, its key in plain data, and what it is where it is left out."""

    name: str
    key: str
    kind: Kind
    single: str
    default: Callable[[], object] | None
    """None: the key must be there."""

    def take(self, given: Fields) -> object:
        """The field's value out of plain data; raises FieldError."""
        if self.single and self.kind.item is not None and given.has(self.single):
            if given.has(self.key):
                raise FieldError((*given.path, self.key), f"stands beside {self.single}; name one of them.")
            return (given.required(self.single, self.kind.item.read),)
        if self.default is None or given.has(self.key):
            return given.required(self.key, self.kind.read)
        return self.default()

    def put(self, value: object, into: dict[str, object]) -> None:
        """Writes the field's value, unless it is what is meant anyway."""
        if self.default is not None and value == self.default():
            return
        if self.single and self.kind.item is not None and isinstance(value, tuple) and len(value) == 1:
            into[self.single] = self.kind.item.write(value[0])
        else:
            into[self.key] = self.kind.write(value)


class Record(Generic[Value]):
    """How the values of one class are read, written and described in one form."""

    def __init__(self, cls: type[Value], entries: tuple[Entry, ...]) -> None:
        self._cls = cls
        self._check: Callable[[Value, frozenset[str]], None] | None = getattr(cls, "check", None)
        self._unsaid: Callable[[Value], frozenset[str]] = getattr(cls, "unsaid", lambda _value: frozenset())
        self.entries = entries

    @property
    def all_optional(self) -> bool:
        """Whether nothing needs to be said."""
        return all(entry.default is not None for entry in self.entries)

    def read(self, data: object, path: Path = ()) -> Value:
        """A value from a mapping that holds nothing else; raises FieldError."""
        given = Fields(data, path)
        value = self._made(given)
        given.done()
        self._checked(value, given)
        return value

    def take(self, given: Fields) -> Value:
        """A value out of a mapping that may hold more; raises FieldError."""
        value = self._made(given)
        self._checked(value, given)
        return value

    def write(self, value: Value) -> dict[str, Any]:
        """The value as plain data, fit for JSON and YAML; `read` reads it back."""
        found: dict[str, object] = {}
        unsaid = self._unsaid(value)
        for entry in self.entries:
            if entry.name not in unsaid:
                entry.put(getattr(value, entry.name), found)
        return found

    @property
    def schema(self) -> Schema:
        """The JSON Schema of what `read` takes; what `check` says of several fields is not in it."""
        properties: dict[str, Schema] = {}
        for entry in self.entries:
            if entry.single and entry.kind.item is not None:
                properties[entry.single] = entry.kind.item.schema
            properties[entry.key] = entry.kind.schema
        required = [entry.key for entry in self.entries if entry.default is None]
        return {
            "type": "object",
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
        }

    def _made(self, given: Fields) -> Value:
        return self._cls(**{entry.name: entry.take(given) for entry in self.entries})

    def _checked(self, value: Value, given: Fields) -> None:
        if self._check is None:
            return
        keys = [key for entry in self.entries for key in (entry.key, entry.single) if key]
        try:
            self._check(value, frozenset([key for key in keys if given.has(key)]))
        except FieldError as error:
            if len(error.path) == 1 and not given.has(key := str(error.path[0])):
                raise given.missing(key, error.sentence) from None
            raise FieldError((*given.path, *error.path), error.sentence) from None


def record(cls: type[Value], form: Form, renamed: str = "", key: str = "") -> Record[Value]:
    """The record of a class; the field ``renamed`` stands under ``key`` instead of its own."""
    return cast("Record[Value]", _record(cast("Any", cls), form, renamed, key))


@cache
def _record(cls: Any, form: Form, renamed: str, key: str) -> Record[Any]:
    hints = get_type_hints(cls, include_extras=True)
    entries = []
    for field in fields(cls):
        about = _about(hints[field.name])
        if form == "bus" and about.case_only:
            continue
        default: Callable[[], object] | None = None
        if field.default_factory is not MISSING:
            default = field.default_factory
        elif field.default is not MISSING and not (field.name == renamed or (form == "case" and about.filled)):
            default = cast("Callable[[], object]", lambda value=field.default: value)
        name = key if field.name == renamed else about.name or field.name
        entries.append(Entry(field.name, name, kind_of(hints[field.name], form), about.single, default))
    return Record(cls, tuple(entries))


def _about(hint: object) -> Key:
    metadata = hint.__metadata__ if get_origin(hint) is Annotated else ()  # type: ignore[attr-defined]
    return next((one for one in metadata if isinstance(one, Key)), Key())


def kind_of(hint: object, form: Form) -> Kind:
    """The kind that an annotation names; raises TypeError for one that has none."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        named = next((one for one in arguments[1:] if isinstance(one, Kind)), None)
        return kind_of(arguments[0], form) if named is None else named
    if origin in (Union, UnionType):
        (some,) = [argument for argument in arguments if argument is not NoneType]
        return or_null(kind_of(some, form))
    if origin is Literal:
        return words(*arguments)
    if origin is tuple and arguments[1:] == (...,):
        return listed(kind_of(arguments[0], form))
    if origin is Mapping:
        return seated(kind_of(arguments[1], form))
    if isinstance(hint, type) and is_dataclass(hint):
        inner = _record(hint, form, "", "")
        return Kind(inner.read, inner.schema, inner.write)
    if hint in _PLAIN:
        return _PLAIN[hint]
    raise TypeError(f"no kind of value is known for {hint}")
