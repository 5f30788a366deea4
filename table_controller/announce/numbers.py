"""Amounts as a dealer says them: 880 "eight hundred eighty", 1640 "sixteen forty", 2000 "two thousand".

The words are those of the Unicode CLDR (`unicode_rbnf`); only how thousands are grouped is the dealer's own.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, get_args

from unicode_rbnf import RbnfEngine

Language = Literal["en", "de", "fr", "es"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


def language_of(text: str) -> Language | None:
    """The language of that name; None where it is not spoken."""
    return next((language for language in LANGUAGES if language == text), None)


def in_words(amount: int, language: Language) -> str:
    """A whole number of at least 0 in words, with the grouping that is usual at a table in that language."""
    hundreds, rest = divmod(amount, 100)
    if language == "en" and 10 < hundreds < 100 and hundreds % 10:
        return _in_hundreds(hundreds, rest)
    if language == "de" and 10 < hundreds < 20:
        return f"{_spelt(hundreds, language)}hundert{_spelt(rest, language) if rest else ''}"
    return _spelt(amount, language)


def _in_hundreds(hundreds: int, rest: int) -> str:
    """1600 "sixteen hundred", 1605 "sixteen hundred five", 1640 "sixteen forty"."""
    between = " " if rest >= 10 else " hundred "
    return f"{_spelt(hundreds, 'en')}{between}{_spelt(rest, 'en') if rest else ''}".strip()


def _spelt(number: int, language: Language) -> str:
    return str(_engine(language).format_number(number).text)


@cache
def _engine(language: Language) -> RbnfEngine:
    return RbnfEngine.for_language(language)
