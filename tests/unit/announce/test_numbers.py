"""Amounts in words, as dealers of four languages say them."""

import pytest

from table_controller.announce.numbers import LANGUAGES, in_words


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (0, "zero"),
        (20, "twenty"),
        (100, "one hundred"),
        (105, "one hundred five"),
        (880, "eight hundred eighty"),
        (1000, "one thousand"),
        (1005, "one thousand five"),
        (1050, "one thousand fifty"),
        (1100, "eleven hundred"),
        (1605, "sixteen hundred five"),
        (1610, "sixteen ten"),
        (1640, "sixteen forty"),
        (2000, "two thousand"),
        (2050, "two thousand fifty"),
        (2500, "twenty-five hundred"),
        (3925, "thirty-nine twenty-five"),
        (9999, "ninety-nine ninety-nine"),
        (10_000, "ten thousand"),
        (12_500, "twelve thousand five hundred"),
        (125_000, "one hundred twenty-five thousand"),
        (1_000_000, "one million"),
    ],
)
def test_an_english_dealer_says_hundreds_up_to_ten_thousand(amount: int, said: str) -> None:
    assert in_words(amount, "en") == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (105, "einhundertfünf"),
        (880, "achthundertachtzig"),
        (1000, "eintausend"),
        (1050, "eintausendfünfzig"),
        (1100, "elfhundert"),
        (1605, "sechzehnhundertfünf"),
        (1640, "sechzehnhundertvierzig"),
        (2000, "zweitausend"),
        (3925, "dreitausendneunhundertfünfundzwanzig"),
        (12_500, "zwölftausendfünfhundert"),
        (1_000_000, "eine Million"),
    ],
)
def test_a_german_dealer_says_hundreds_up_to_two_thousand(amount: int, said: str) -> None:
    assert in_words(amount, "de") == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (71, "soixante-et-onze"),
        (80, "quatre-vingts"),
        (200, "deux cents"),
        (280, "deux cent quatre-vingts"),
        (880, "huit cent quatre-vingts"),
        (1640, "mille six cent quarante"),
        (2000, "deux mille"),
        (3925, "trois mille neuf cent vingt-cinq"),
        (80_000, "quatre-vingt mille"),
        (1_000_000, "un million"),
    ],
)
def test_french_hundreds_and_eighties_take_their_plural(amount: int, said: str) -> None:
    assert in_words(amount, "fr").replace("\xad", "") == said


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (100, "cien"),
        (105, "ciento cinco"),
        (500, "quinientos"),
        (880, "ochocientos ochenta"),
        (1000, "mil"),
        (1640, "mil seiscientos cuarenta"),
        (3925, "tres mil novecientos veinticinco"),
        (21_000, "veintiún mil"),
        (1_000_000, "un millón"),
    ],
)
def test_spanish_numbers_are_shortened_before_thousands(amount: int, said: str) -> None:
    assert in_words(amount, "es") == said


@pytest.mark.one_in(4)
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_two_amounts_sound_the_same(language: str) -> None:
    amounts = (*range(3000), *range(3000, 20_000, 5), *range(20_000, 1_000_000, 25_000))
    said = {in_words(amount, language): amount for amount in amounts}

    assert len(said) == len(amounts)
    assert not [text for text in said if any(letter.isdigit() for letter in text)]
