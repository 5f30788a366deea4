"""The base of every settings model, and the one error that bad settings raise."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails


class SettingsError(Exception):
    """A settings file cannot be used; the text names the file and the key and says what would be right."""


class Settings(BaseModel):
    """A frozen piece of a settings file in which unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def nearest(word: str, candidates: Iterable[str]) -> str:
    """A hint that names the valid word nearest to ``word``, or all of them when none is near."""
    names = sorted(candidates)
    found = difflib.get_close_matches(word, names, n=1, cutoff=0.5)
    return f"did you mean {found[0]}?" if found else f"valid are {', '.join(names)}."


def describe(error: ErrorDetails, model: type[BaseModel]) -> str:
    """One finding of pydantic in a sentence that begins with the dotted key."""
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return f"{key} is not a known key; {nearest(str(error['loc'][-1]), _fields_at(model, error['loc'][:-1]))}"
    if error["type"] == "missing":
        return f"{key} is missing."
    if error["type"] == "literal_error":
        valid = [word.strip(" '") for word in error["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return f"{key} cannot be {error['input']!r}; {nearest(str(error['input']), valid)}"
    return f"{key}: {error['msg']} (it is {error['input']!r})."


def _fields_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The field names of the model that ``path`` leads to."""
    current = model
    for part in path:
        if isinstance(part, int) or part not in current.model_fields:
            continue
        for candidate in _models_in(current.model_fields[part].annotation):
            current = candidate
    return list(current.model_fields)


def _models_in(annotation: object) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for part in getattr(annotation, "__args__", ()) for found in _models_in(part)]
