"""The base of every settings model, and the one error that bad settings raise."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal, get_origin

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class SettingsError(Exception):
    """A settings file cannot be used; the text names the file and the key and says what would be right."""


class Settings(BaseModel):
    """A frozen piece of a settings file in which unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def none_word(value: object) -> object:
    """``none`` is how files write the absence of a value."""
    return None if value == "none" else value


def nearest(word: str, candidates: Iterable[str]) -> str:
    """A hint that names the valid word nearest to ``word``, or all of them when none is near."""
    names = sorted(candidates)
    found = difflib.get_close_matches(word, names, n=1, cutoff=0.55)
    return f"did you mean {found[0]}?" if found else f"valid are {', '.join(names)}."


def describe(error: ErrorDetails, model: type[BaseModel]) -> str:
    """One finding of pydantic in a sentence that begins with the dotted key."""
    key = ".".join(str(part) for part in place(error, model))
    sentence = complaint(error, model)
    if not key:
        return f"{sentence[:1].upper()}{sentence[1:]}"
    return f"{key}{':' if error['type'] == 'value_error' else ''} {sentence}"


def place(error: ErrorDetails, model: type[BaseModel]) -> tuple[int | str, ...]:
    """The path of keys that a finding is about, without the branches of a choice of types that pydantic puts in."""
    path: list[int | str] = []
    current: list[type[BaseModel]] = [model]
    for part in error["loc"]:
        fields = {field.alias or name: field for one in current for name, field in one.model_fields.items()}
        if isinstance(part, int):
            path.append(part)
        elif part in fields or (error["type"] == "extra_forbidden" and part == error["loc"][-1]):
            path.append(part)
            current = _models_in(fields[part].annotation) if part in fields else []
    return tuple(path)


def complaint(error: ErrorDetails, model: type[BaseModel]) -> str:
    """What is wrong with one key and what would be right, without the key."""
    kind, given = error["type"], shown(error["input"])
    context = error.get("ctx", {})
    if kind == "extra_forbidden":
        return f"is not a known key; {nearest(str(error['loc'][-1]), _fields_at(model, error['loc'][:-1]))}"
    if kind == "missing":
        return "is missing."
    if kind == "literal_error":
        valid = [word.strip(" '") for word in context["expected"].replace(" or ", ", ").split(",")]
        valid += _valid_besides(model, place(error, model))
        return f"cannot be {given}; {nearest(str(error['input']), valid)}"
    if kind == "value_error":
        return f"{context['error']}."
    if kind == "too_short":
        return f"needs at least {context['min_length']} entries; it has {context['actual_length']}."
    if kind == "too_long":
        return f"takes at most {context['max_length']} entries; it has {context['actual_length']}."
    if kind in _WANTED:
        return f"must be {_WANTED[kind]}, not {given}."
    message = re.sub(r"^(Input|String|Value|Number) should", "must", error["msg"])
    return f"{message}, not {given}."


def shown(value: object) -> str:
    """A value as a sentence quotes it: never more than a piece of it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


_WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a group of keys",
    "model_type": "a group of keys",
}


def _fields_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The field names of the model that ``path`` leads to."""
    current = model
    for part in path:
        if isinstance(part, int) or part not in current.model_fields:
            continue
        for candidate in _models_in(current.model_fields[part].annotation):
            current = candidate
    return [field.alias or name for name, field in current.model_fields.items()]


def _valid_besides(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """What the key at ``path`` may be besides its words: none, or a number."""
    current = [model]
    field = None
    for part in path:
        fields = {field.alias or name: field for one in current for name, field in one.model_fields.items()}
        if not isinstance(part, int):
            field = fields.get(part)
            current = _models_in(field.annotation) if field else []
    if field is None:
        return []
    takes_none = any(getattr(item, "func", None) is none_word for item in field.metadata)
    return ["none"] * takes_none + ["a whole number"] * (int in _types_in(field.annotation))


def _types_in(annotation: object) -> list[object]:
    """The types that an annotation names, but not those of literal values."""
    if get_origin(annotation) is Literal:
        return []
    parts = getattr(annotation, "__args__", ())
    return [found for part in parts for found in _types_in(part)] if parts else [annotation]


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in getattr(annotation, "__args__", ()) for found in _models_in(part)]
