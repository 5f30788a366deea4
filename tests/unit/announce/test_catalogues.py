"""The catalogues: each language has every sentence, with the same numbers in it, and nothing that is not said."""

import re

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from table_controller.announce.hands import MANY, ONE
from table_controller.announce.numbers import LANGUAGES
from table_controller.announce.words import SOURCE, Words, catalogue, catalogue_file
from tests.unit.project.imports import ROOT

KEYWORDS = {"say": None, "seats": None, "marked": None, "count": (1, 2)}
TRANSLATED = tuple(language for language in LANGUAGES if language != SOURCE)
NAME = re.compile(r"\{(\w+)\}")


def in_the_program() -> set[str]:
    """The sentences of the program; of one with a plural its singular."""
    folder = ROOT / "table_controller" / "announce"
    found = extract_from_dir(folder, keywords=KEYWORDS)
    return {sentence if isinstance(sentence, str) else sentence[0] for _, _, sentence, _, _ in found}


def names(text: str) -> list[str]:
    return sorted(NAME.findall(text))


def test_the_sentences_of_the_program_are_found() -> None:
    assert {"Seat {seat}, {call} to call.", "One player.", "Correction.", "Flop."} <= in_the_program()


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_every_sentence_and_no_other(language: str) -> None:
    with catalogue_file(language).open("rb") as file:
        messages = {message.id: message for message in read_po(file, locale=language) if message.id}
    ids = {one if isinstance(one, str) else one[0] for one in messages}

    assert ids == in_the_program()
    for message in messages.values():
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        sentences = message.id if isinstance(message.id, tuple) else (message.id,)
        assert not message.fuzzy
        of_cards = sentences[0] in (*ONE.values(), *MANY.values())  # a word of a sentence, no sentence
        assert of_cards or all((form and form[0].isupper()) or form.startswith("{") for form in forms), message.id
        for sentence, form in zip(sentences, forms, strict=True):
            assert names(form) == names(sentence), message.id


def test_the_sentences_are_written_in_utf_8_without_fuzzy_marks() -> None:
    for language in TRANSLATED:
        text = catalogue_file(language).read_text(encoding="utf-8")
        assert "fuzzy" not in text
        assert f"Language: {language}" in text


@pytest.mark.parametrize(
    ("language", "one", "two"),
    [
        ("en", "One player.", "Two players."),
        ("de", "Ein Spieler.", "Zwei Spieler."),
        ("fr", "Un joueur.", "Deux joueurs."),
        ("es", "Un jugador.", "Dos jugadores."),
    ],
)
def test_a_number_takes_the_plural_of_its_language(language: str, one: str, two: str) -> None:
    words = Words(language)

    assert [words.count("One player.", "{number} players.", number) for number in (1, 2)] == [one, two]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Seats two, five, and seven win."),
        ("de", "Die Plätze zwei, fünf und sieben gewinnen."),
        ("fr", "Les sièges deux, cinq et sept gagnent."),
        ("es", "Ganan los asientos dos, cinco y siete."),
    ],
)
def test_seats_are_listed_as_the_language_lists(language: str, said: str) -> None:
    assert Words(language).seats("Seats {seats} win.", (2, 5, 7)) == said


def test_a_catalogue_is_compiled_once() -> None:
    assert catalogue("de") is catalogue("de")
