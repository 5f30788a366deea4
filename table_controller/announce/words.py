"""The sentences of a language: gettext catalogues, filled in with numbers in words."""

from __future__ import annotations

import gettext
import io
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from babel.lists import format_list
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from table_controller.announce.numbers import Language, in_words

CATALOGUES: Final = Path(__file__).with_name("locale")
SOURCE: Final[Language] = "en"
"""The language in which the sentences stand in the program; it needs no catalogue."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is said in one language."""

    language: Language

    def say(self, sentence: str, **numbers: int) -> str:
        """The sentence, with each number in words in its place."""
        return self._filled(catalogue(self.language).gettext(sentence), numbers)

    def count(self, one: str, many: str, number: int) -> str:
        """The sentence for so many, in the plural form that the number takes."""
        return self._filled(catalogue(self.language).ngettext(one, many, number), {"number": number})

    def seats(self, sentence: str, seats: tuple[int, ...]) -> str:
        """The sentence, with the seats listed in it."""
        listed = format_list([in_words(seat, self.language) for seat in seats], locale=self.language)
        return catalogue(self.language).gettext(sentence).format(seats=listed)

    def named(self, sentence: str, **words: str) -> str:
        """The sentence, with words of the language, which are translated themselves, in their places."""
        here = catalogue(self.language)
        text = here.gettext(sentence).format(**{name: here.gettext(word) for name, word in words.items()})
        return text[:1].upper() + text[1:]

    def _filled(self, sentence: str, numbers: dict[str, int]) -> str:
        text = sentence.format(**{name: in_words(number, self.language) for name, number in numbers.items()})
        return text[:1].upper() + text[1:]


@cache
def catalogue(language: Language) -> gettext.NullTranslations:
    """The catalogue of a language, compiled when it is first used."""
    if language == SOURCE:
        return gettext.NullTranslations()
    compiled = io.BytesIO()
    with catalogue_file(language).open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def catalogue_file(language: Language) -> Path:
    """Where the sentences of a language stand."""
    return CATALOGUES / language / "LC_MESSAGES" / "betline.po"


def marked(sentence: str) -> str:
    """A sentence that stands in a table and is translated where it is used."""
    return sentence
