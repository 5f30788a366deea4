"""What a test expects, in the words of a case's `expect` (docs/case-format.md): read here, compared as cases are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from betline.cases.expect import ALERTS, Expect, read_expect
from betline.fields import FieldError


class NotExpectable(Exception):
    """An expectation cannot be read; the text is a sentence."""


def read_wanted(said: Mapping[str, Any]) -> Expect:
    """What a test expects, as values to compare; raises NotExpectable.

    Besides the keys of a case: alerts of the felt, of readers and of cheats, and `questions` by their kind.
    """
    beside = {"questions": _words(said["questions"])} if "questions" in said else {}
    of_case = {key: _as_yaml(value) for key, value in said.items() if key != "questions"}
    if "alerts" in of_case:
        beside["alerts"] = _words(of_case["alerts"])
        of_case["alerts"] = [code for code in of_case["alerts"] if code in ALERTS]
    if not of_case and not beside:
        raise NotExpectable("expect() expects nothing: name what must hold, such as ruling='call'.")
    try:
        values = read_expect(of_case, ()).values if of_case else {}
    except FieldError as error:
        raise NotExpectable(f"expect() cannot be understood: {error}") from None
    return Expect({**values, **beside})


def _words(value: Any) -> frozenset[str]:
    return frozenset((value,) if isinstance(value, str) else value)


def _as_yaml(value: Any) -> Any:
    """Tuples and sets of a test as lists, which is what a case file has."""
    if isinstance(value, Mapping):
        return {key: _as_yaml(item) for key, item in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, tuple | list):
        return [_as_yaml(item) for item in value]
    return value
