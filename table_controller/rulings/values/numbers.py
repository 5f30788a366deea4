"""Amounts as people say them: figures, number words, and how dealers shorten them.

"Fourteen hundred", "two fifty" and "two and a half" are amounts too; what a short one stands for: `readings`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_ONES = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
_SCALES = {
    "hundred": 100, "hundreds": 100, "thousand": 1000, "thousands": 1000, "k": 1000, "grand": 1000,
    "million": 1_000_000, "m": 1_000_000,
}  # fmt: skip
_ALONE = frozenset({"hundred", "thousand", "grand"})
_AND_A_HALF = ("and", "a", "half")
_FIGURES = re.compile(r"(\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(\.\d{1,15})?(k|m)?")
"""Fifteen digits are more than any table has; what is longer is a fault of who wrote it down, and no amount."""


@dataclass(frozen=True, slots=True)
class Number:
    """An amount that was said; `loose`: a small bare number such as "five", which may stand for thousands."""

    value: int | Fraction
    """A fraction only where a half, or figures with a point, were said of no scale ("two and a half")."""
    loose: bool


def is_number(word: str) -> bool:
    """Whether a word can begin an amount."""
    return word in _ONES or word in _TENS or word in _ALONE or _FIGURES.fullmatch(word) is not None


def read_number(words: Sequence[str]) -> tuple[Number, int] | None:
    """The amount at the beginning of some words, and how many words it takes; None where they make none."""
    total, group = Fraction(0), Fraction(0)
    last = ""
    scaled = shortened = False
    used = 0
    for place, word in enumerate(words):
        if place < used:
            continue
        if word == "and" and last == "scale" and place + 1 < len(words) and is_number(words[place + 1]):
            continue
        if tuple(words[place : place + 3]) == _AND_A_HALF and last in ("ones", "tens", "figures"):
            group, last, used = group + Fraction(1, 2), "half", place + 3
            continue
        if (figures := _FIGURES.fullmatch(word)) is not None and not last:
            whole, decimals, suffix = figures.groups()
            group = Fraction(whole.replace(",", "") + (decimals or ""))
            last = "figures"
            if suffix:
                total, group, last, scaled = total + group * _SCALES[suffix], Fraction(0), "scale", True
        elif word in _SCALES and (last or word in _ALONE):
            scale = _SCALES[word]
            scaled = True
            if scale == 100:
                group = (group or Fraction(1)) * scale
            else:
                total, group = total + (group or Fraction(1)) * scale, Fraction(0)
            last = "scale"
        elif (value := _ONES.get(word, _TENS.get(word))) is not None:
            is_last_digit = value < 10 and words[place - 1] != "and" and not _goes_on(words, place)
            if total and last == "scale" and is_last_digit:
                return None  # "five thousand two" may be 5002 or 5200
            if (last == "tens" and value < 10) or last in ("", "scale"):
                group += value
            elif last in ("ones", "tens") and value >= 10 and not shortened:
                group, shortened = group * 100 + value, True
            else:
                return None
            last = "tens" if word in _TENS else "ones"
        else:
            break
        used = place + 1
    amount = total + group
    if not used or amount < 1:
        return None
    loose = not scaled and not shortened and amount < 100
    return Number(int(amount) if amount.denominator == 1 else amount, loose), used


def _goes_on(words: Sequence[str], place: int) -> bool:
    following = words[place + 1] if place + 1 < len(words) else ""
    return following in _SCALES or following in _TENS or following in _ONES
