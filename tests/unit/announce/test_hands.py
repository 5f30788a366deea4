"""The hands that won, said in each language, once the hand is over."""

from __future__ import annotations

from typing import get_args

import pytest

from betline.messages.cards import HandKind, HandMade
from betline.settings import load_house_rules
from table_controller.announce.hands import hand_spoken
from table_controller.announce.numbers import Language
from table_controller.announce.spoken import Manner, Won, in_speech
from table_controller.announce.words import Words
from table_controller.voice.ear import Ear
from tests.unit.console.table import paid_out, state

ACES_UP = HandMade(seat=4, kind="two-pair", ranks=("A", "9"))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Seat four wins. Two pair, aces and nines."),
        ("de", "Platz vier gewinnt. Zwei Paare, Asse und Neuner."),
        ("fr", "Siège quatre gagne. Deux paires, as et neuf."),
        ("es", "Asiento cuatro gana. Doble pareja, ases y nueves."),
    ],
)
def test_who_wins_is_said_with_the_hand(language: Language, said: str) -> None:
    manner = Manner.of(load_house_rules("home"), "all", language)
    with_hand, alone = in_speech(Won((4,), ACES_UP), manner), in_speech(Won((4,)), manner)

    assert with_hand.split(". ", 1)[1] == said.split(". ", 1)[1]
    assert with_hand.startswith(alone)


@pytest.mark.parametrize("language", get_args(Language))
def test_every_kind_of_hand_has_its_words(language: Language) -> None:
    for kind in get_args(HandKind):
        said = hand_spoken(HandMade(seat=1, kind=kind, ranks=("K", "8", "3", "A")), Words(language))
        assert said.endswith(".")
        assert "{" not in said
        assert said[0] == said[0].upper()


def test_a_badugi_of_three_cards_has_no_name_aloud() -> None:
    assert hand_spoken(HandMade(seat=1, kind="badugi", ranks=("7", "3", "A")), Words("en")) == ""


def test_the_voice_says_the_winning_hand_of_the_state() -> None:
    ear = Ear.of(load_house_rules("home", {"voice": "all"}), "en").heard(
        state(phase="showdown", to_act=None, call=None)
    )
    over = paid_out().model_copy(
        update={
            "payouts": tuple(one for one in paid_out().payouts if one.to == 2),
            "won_with": (ACES_UP.model_copy(update={"seat": 2}),),
        }
    )

    said = [one.text for one in ear.heard(over).waiting.sentences]

    assert "Seat two wins. Two pair, aces and nines." in said
