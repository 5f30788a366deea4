"""Values to JSON and back, by the annotations of their fields: nothing is written out by hand, a kind at a time.

Known are numbers, words, `Literal`, enumerations, tuples, frozen sets, mappings, dataclasses, named tuples, pydantic
models, and unions of these; of a union the class is written with its fields (`is`). A field that has its default is
left out. Fields that a reader does not know are passed over: what entries and checkpoints mean is in their versions.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from betline.messages.common import Body
from betline.settings import HouseRules, load_house_rules

CODEC: Final = "codec"
"""The key of a field's metadata under which a pair of functions (write, read) stands where the field has its own."""
_IS, _SAME_AS = "is", "="
_SCALARS = (int, str, bool, float)
_NO_DEFAULT: Final = object()


class CodecError(ValueError):
    """Data is not the written form of a value; the text says where and why."""


class Shared:
    """The values that one document has already: each is written once, later ones refer to it by its number.

    With it mappings are written as pairs in their order, without as JSON objects.
    """

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.values: list[Any] = []


Write = Callable[[Any, Shared | None], Any]
Read = Callable[[Any, Shared | None], Any]


@dataclass(frozen=True, slots=True)
class Codec:
    """How values of one type are written and read."""

    write: Write
    read: Read


def own_form(write: Callable[[Any], Any], read: Callable[[Any], Any]) -> dict[str, Any]:
    """The metadata of a field that has a written form of its own."""
    return {CODEC: (write, read)}


def write(kind: Any, value: Any) -> Any:
    """A value of that type as JSON."""
    return codec_of(kind).write(value, None)


def read(kind: Any, data: Any) -> Any:
    """The value that `write` wrote; raises CodecError."""
    return codec_of(kind).read(data, None)


def write_shared(kind: Any, value: Any) -> Any:
    """A value as JSON in which parts that occur several times are written once."""
    return codec_of(kind).write(value, Shared())


def read_shared(kind: Any, data: Any) -> Any:
    """The value that `write_shared` wrote; raises CodecError."""
    try:
        return codec_of(kind).read(data, Shared())
    except (IndexError, TypeError, KeyError, AttributeError) as error:
        raise CodecError(f"it refers to what it does not hold ({error!r})") from None


@cache
def codec_of(kind: Any) -> Codec:
    """The codec of a type; raises TypeError for a type that has none."""
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _union(args)
    if origin is tuple:
        return _sequence(args)
    if origin is frozenset:
        return _set(args[0])
    if origin is not None and issubclass(origin if isinstance(origin, type) else object, Mapping):
        return _mapping(*args)
    if origin is Literal:
        return _scalar(lambda data: data in args, f"one of {', '.join(map(str, args))}")
    if kind is Any:
        return Codec(lambda value, _: value, lambda data, _: data)
    if kind is None or kind is types.NoneType:
        return _scalar(lambda data: data is None, "null")
    if isinstance(kind, type):
        return _of_class(kind)
    raise TypeError(f"values of {kind!r} have no written form")


def _of_class(kind: type) -> Codec:
    if issubclass(kind, Enum):
        return Codec(lambda value, _: value.value, lambda data, _: _made(kind, data))
    if kind in _SCALARS:
        return _scalar(lambda data: type(data) is kind, kind.__name__)
    if issubclass(kind, Fraction):
        return Codec(lambda value, _: str(value), lambda data, _: _made(kind, data))
    if issubclass(kind, BaseModel):
        return _shared(Codec(_model_writer(kind), _model_reader(kind)))
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        record = _Record(kind)
        return _shared(Codec(record.write, record.read))
    raise TypeError(f"values of {kind!r} have no written form")


def _made(kind: Callable[[Any], Any], data: Any) -> Any:
    try:
        return kind(data)
    except (ValueError, TypeError) as error:
        raise CodecError(str(error)) from None


def _model_writer(kind: type[BaseModel]) -> Write:
    """A message whole, in a shared document without its defaults; of settings what was set, for defaults may change."""
    if not issubclass(kind, Body):
        return lambda value, _: value.model_dump(mode="json", exclude_unset=True)
    return lambda value, shared: value.model_dump(mode="json", exclude_defaults=shared is not None)


def _model_reader(kind: type[BaseModel]) -> Read:
    """Keys that a model does not know any more are passed over; an option of settings that it misses or does not take
    is that of the usual house.
    """

    def reader(data: Any, _: Shared | None) -> Any:
        if not isinstance(data, Mapping):
            raise CodecError(f"{data!r} is no {kind.__name__}")
        known = {key: value for key, value in data.items() if key in kind.model_fields}
        try:
            return kind.model_validate(known)
        except ValidationError as error:
            if issubclass(kind, Body):
                raise CodecError(f"{kind.__name__}: {error.errors()[0]['msg']}") from None
            refused = {str(one["loc"][0]) for one in error.errors() if one["loc"]}
        taken = {key: value for key, value in known.items() if key not in refused}
        usual = {key: value for key, value in _usual(kind).items() if key in refused}
        try:
            return kind.model_validate({**taken, **usual})
        except ValidationError as error:
            raise CodecError(f"{kind.__name__}: {error.errors()[0]['msg']}") from None

    return reader


@cache
def _usual(kind: type[BaseModel]) -> Mapping[str, Any]:
    """The settings of a house of which nothing is known."""
    return load_house_rules().model_dump(mode="json") if kind is HouseRules else {}


def _scalar(fits: Callable[[Any], bool], name: str) -> Codec:
    def reader(data: Any, _: Shared | None) -> Any:
        if not fits(data):
            raise CodecError(f"{data!r} is not {name}")
        return data

    return Codec(lambda value, _: value, reader)


def _sequence(args: tuple[Any, ...]) -> Codec:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _later(args[0])

        def write_all(value: Any, shared: Shared | None) -> Any:
            writer = item().write
            return [writer(one, shared) for one in value]

        def read_all(data: Any, shared: Shared | None) -> Any:
            reader = item().read
            return tuple([reader(one, shared) for one in _listed(data)])

        whole = Codec(write_all, read_all)
        return whole if args[0] in _SCALARS else _shared(whole, empty=())
    items = [_later(arg) for arg in args]

    def write_each(value: Any, shared: Shared | None) -> Any:
        return [item().write(one, shared) for item, one in zip(items, value, strict=True)]

    def read_each(data: Any, shared: Shared | None) -> Any:
        if len(_listed(data)) != len(items):
            raise CodecError(f"{data!r} has not {len(items)} parts")
        return tuple([item().read(one, shared) for item, one in zip(items, data, strict=True)])

    return Codec(write_each, read_each)


def _set(kind: Any) -> Codec:
    item = _later(kind)
    return Codec(
        lambda value, shared: [item().write(one, shared) for one in sorted(value)],
        lambda data, shared: frozenset([item().read(one, shared) for one in _listed(data)]),
    )


def _mapping(key: Any, value: Any) -> Codec:
    inner, numbered = _later(value), key is int

    def writer(found: Any, shared: Shared | None) -> Any:
        write_one = inner().write
        if shared is None:
            return {str(one): write_one(item, shared) for one, item in found.items()}
        return [[one, write_one(item, shared)] for one, item in found.items()]

    def reader(data: Any, shared: Shared | None) -> Any:
        read_one = inner().read
        if shared is not None:
            return {one: read_one(item, shared) for one, item in _listed(data)}
        if not isinstance(data, Mapping):
            raise CodecError(f"{data!r} is no object")
        return {(_made(int, one) if numbered else one): read_one(item, shared) for one, item in data.items()}

    return _shared(Codec(writer, reader), empty={})


def _listed(data: Any) -> Any:
    if not isinstance(data, list | tuple):
        raise CodecError(f"{data!r} is no list")
    return data


def _union(args: tuple[Any, ...]) -> Codec:
    """None and scalars as they are; a class alone as its fields, one of several with its name."""
    others = [arg for arg in args if arg is not types.NoneType]
    classes = {arg.__name__: arg for arg in others if isinstance(arg, type) and _is_record(arg)}
    plain = [arg for arg in others if arg not in classes.values()]
    if len(others) == 1:
        only = _later(others[0])
        return Codec(
            lambda value, shared: None if value is None else only().write(value, shared),
            lambda data, shared: None if data is None else only().read(data, shared),
        )
    if len(plain) > 0 and classes:
        raise TypeError(f"a union of {args!r} has no written form")
    if plain:
        return _scalar(lambda data: any(_fits(one, data) for one in args), " or ".join(map(str, args)))
    return Codec(_one_of_writer(classes), _one_of_reader(classes))


def _one_of_writer(classes: Mapping[str, type]) -> Write:
    def writer(value: Any, shared: Shared | None) -> Any:
        if value is None:
            return None
        name = type(value).__name__
        data = codec_of(classes[name]).write(value, shared)
        return data if _SAME_AS in data else {_IS: name, **data}

    return writer


def _one_of_reader(classes: Mapping[str, type]) -> Read:
    def reader(data: Any, shared: Shared | None) -> Any:
        if data is None:
            return None
        if not isinstance(data, Mapping):
            raise CodecError(f"{data!r} is no object")
        if _SAME_AS in data and shared is not None:
            return shared.values[data[_SAME_AS]]
        kind = classes.get(data.get(_IS, ""))
        if kind is None:
            raise CodecError(f"{data.get(_IS)!r} is none of {', '.join(classes)}")
        return codec_of(kind).read(data, shared)

    return reader


def _is_record(kind: type) -> bool:
    return is_dataclass(kind) or hasattr(kind, "_fields") or issubclass(kind, BaseModel)


def _fits(kind: Any, data: Any) -> bool:
    try:
        codec_of(kind).read(data, None)
    except CodecError:
        return False
    return True


def _later(kind: Any) -> Callable[[], Codec]:
    """The codec of a type when it is first needed: a class may hold values of its own kind."""
    return lambda: codec_of(kind)


def _shared(inner: Codec, empty: Any = _NO_DEFAULT) -> Codec:
    """Writes a value once a document; an empty one costs no more than a reference."""

    def writer(value: Any, shared: Shared | None) -> Any:
        if shared is None or (empty is not _NO_DEFAULT and value == empty):
            return inner.write(value, shared)
        known = shared.numbers.get(id(value))
        if known is not None:
            return {_SAME_AS: known}
        data = inner.write(value, shared)
        shared.numbers[id(value)] = len(shared.numbers)
        return data

    def reader(data: Any, shared: Shared | None) -> Any:
        if shared is None:
            return inner.read(data, shared)
        if isinstance(data, Mapping) and _SAME_AS in data:
            return shared.values[data[_SAME_AS]]
        value = inner.read(data, shared)
        if empty is _NO_DEFAULT or value != empty:
            shared.values.append(value)
        return value

    return Codec(writer, reader)


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of a record; `default` is `_NO_DEFAULT` where it must be written."""

    name: str
    codec: Codec
    default: Any


class _Record:
    """A dataclass or a named tuple, field by field in their order."""

    def __init__(self, kind: type) -> None:
        self._kind = kind
        self._known: tuple[_Field, ...] | None = None

    def write(self, value: Any, shared: Shared | None) -> Any:
        """The fields that have not their defaults."""
        data = {}
        for field in self._fields():
            found = getattr(value, field.name)
            if field.default is _NO_DEFAULT or (found is not field.default and found != field.default):
                data[field.name] = field.codec.write(found, shared)
        return data

    def read(self, data: Any, shared: Shared | None) -> Any:
        """The record with those fields; raises CodecError where one is missing or does not fit."""
        if not isinstance(data, Mapping):
            raise CodecError(f"{data!r} is no {self._kind.__name__}")
        found = {}
        for field in self._fields():
            if field.name in data:
                try:
                    found[field.name] = field.codec.read(data[field.name], shared)
                except CodecError as error:
                    raise CodecError(f"{field.name}: {error}") from None
            elif field.default is _NO_DEFAULT:
                raise CodecError(f"{field.name} of {self._kind.__name__} is missing")
        return _made(lambda _: self._kind(**found), None)

    def _fields(self) -> tuple[_Field, ...]:
        if self._known is None:
            hints = get_type_hints(self._kind)
            self._known = tuple(_fields_of(self._kind, hints))
        return self._known


def _fields_of(kind: Any, hints: Mapping[str, Any]) -> list[_Field]:
    if not is_dataclass(kind):
        defaults: Mapping[str, Any] = kind._field_defaults
        return [_Field(name, codec_of(hints[name]), defaults.get(name, _NO_DEFAULT)) for name in kind._fields]
    found = []
    for one in fields(kind):
        if not one.init:
            continue
        default = one.default if one.default is not MISSING else _NO_DEFAULT
        if one.default_factory is not MISSING:
            default = one.default_factory()
        own = one.metadata.get(CODEC)
        found.append(_Field(one.name, _own(own) if own else codec_of(hints[one.name]), default))
    return found


def _own(pair: tuple[Callable[[Any], Any], Callable[[Any], Any]]) -> Codec:
    """The codec of a field that has functions of its own."""
    writer, reader = pair
    return Codec(lambda value, _: writer(value), lambda data, _: reader(data))
