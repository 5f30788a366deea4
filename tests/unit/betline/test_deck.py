"""The file of the cards: for its owner only, one card a tag, written as a whole."""

import stat

import pytest

from betline.cards import DECK, parse_cards
from betline.deck import DeckError, read_deck, write_deck
from betline.options import UserError
from firmware_bridge.cards.cli import new_tag

ACE, KING = "04A1A1A1A1A180", "04B2B2B2B2B280"


def test_a_deck_is_read_as_it_was_written_and_is_its_owners_only(tmp_path):
    path = tmp_path / "house" / "cards.toml"
    deck = {f"04{number:012X}": card for number, card in enumerate(DECK)}
    write_deck(path, deck)

    assert read_deck(path) == deck
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert read_deck(tmp_path / "none.toml") == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[cards]\n04A1 = "Zs"', "tag 04A1 needs one card, such as \"As\", not 'Zs'."),
        ('[cards]\n04A1 = "AsKd"', "tag 04A1 needs one card, such as \"As\", not 'AsKd'."),
        ("[cards]\n04A1 = 7", 'tag 04A1 needs one card, such as "As", not 7.'),
        ("cards = 7", "is no file of cards; betline cards enrol begins one."),
    ],
)
def test_a_file_that_cannot_be_used_says_what_to_mend(tmp_path, text, sentence):
    path = tmp_path / "cards.toml"
    path.write_text(text)
    path.chmod(0o600)

    with pytest.raises(DeckError) as refused:
        read_deck(path)
    assert str(refused.value).endswith(sentence)


def test_a_file_that_others_can_read_is_not_trusted(tmp_path):
    path = tmp_path / "cards.toml"
    write_deck(path, {ACE: parse_cards("As")[0]})
    path.chmod(0o644)

    with pytest.raises(DeckError) as refused:
        read_deck(path)
    assert "chmod 600" in str(refused.value)


def test_a_card_is_enrolled_when_it_lies_alone_on_the_reader():
    seen = iter([[], [ACE, KING], [ACE], [KING]])

    assert new_tag(lambda: next(seen), {ACE: parse_cards("As")[0]}, lambda: 0.0) == KING


def test_a_card_that_never_comes_is_said():
    clock = iter(range(0, 1000, 20))

    with pytest.raises(UserError) as refused:
        new_tag(list, {}, lambda: float(next(clock)))
    assert "what was enrolled is kept" in str(refused.value)
