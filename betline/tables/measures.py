"""The size of a felt as people write it: 2100x1050, 84x42in, a round one's diameter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_SIZE: Final = re.compile(r"(\d+(?:\.\d+)?)(?:x(\d+(?:\.\d+)?))?(in|mm)?")


class MeasureError(Exception):
    """A text is no size; it says what would be one."""


@dataclass(frozen=True, slots=True)
class Size:
    """Width and depth in millimetres or inches; a round table's are alike."""

    width: float
    depth: float
    in_inches: bool = False


def read_size(form: str, text: str) -> Size:
    """The size of a felt of this form; raises MeasureError."""
    found = _SIZE.fullmatch(text.strip().lower().replace(" ", ""))
    if found is None or (found[2] is None) != (form == "round"):
        example = "1300 or 51in" if form == "round" else "2100x1050 or 84x42in"
        raise MeasureError(f"{text} is no size; write it as {example}.")
    return Size(float(found[1]), float(found[2] or found[1]), found[3] == "in")
