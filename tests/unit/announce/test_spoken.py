"""What is said aloud of an event: the words of each language, and what the house keeps for who asks."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from betline.messages.table import Alert, Announcement, Question, RuledBefore, Ruling
from betline.settings import load_house_rules
from table_controller.announce.spoken import ACTS, LOUDNESS, QUESTIONS, Dealt, Manner, Says, Spoken, Won, in_speech
from table_controller.console.asked import QUESTIONS as ASKED
from table_controller.rulings.values.ruling import RulingKind

PUBLIC = {"announce_all_in": "always", "pot_announcement": "always", "stack_display": "public"}
PRIVATE = {"announce_all_in": "on-request", "pot_announcement": "on-request", "stack_display": "on-request"}


def said(event: Spoken, says: Says = "bets", language: str = "en", **house: Any) -> str:
    rules = load_house_rules("cash", {**PUBLIC, **house})
    return in_speech(event, Manner.of(rules, says, language))  # type: ignore[arg-type]


def turn(**changes: Any) -> Announcement:
    plain = {
        "hand_no": 1, "act_no": 2, "seat": 4, "text": "", "call": 880, "min_raise_to": 1640, "max_raise_to": 9000,
        "wager": "raise",
    }  # fmt: skip
    return Announcement(**{**plain, **changes})


def ruling(kind: str, **changes: Any) -> Ruling:
    plain = {"hand_no": 1, "act_no": 2, "street": "flop", "seat": 3, "source": "chips", "sentence": ""}
    return Ruling(**{**plain, "ruling": kind, **changes})


def question(kind: str, seat: int | None = 4) -> Question:
    return Question(id="1", seat=seat, kind=kind, sentence="Seat 4: what of 30 in the zone?", choices=())


NO_WAGER = {"min_raise_to": None, "max_raise_to": None, "wager": ""}
FREE = {"call": 0, "min_raise_to": 20, "wager": "bet"}


# --- the words of each language


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        (
            "en",
            "Seat four, eight hundred eighty to call. Minimum raise to sixteen forty. Pot is thirty-nine twenty-five.",
        ),
        (
            "de",
            "Platz vier, achthundertachtzig zum Mitgehen. Mindesterhöhung auf sechzehnhundertvierzig. "
            "Im Pot sind dreitausendneunhundertfünfundzwanzig.",
        ),
        (
            "fr",
            "Siège quatre, huit cent quatre-vingts à payer. Relance minimum à mille six cent quarante. "
            "Le pot est de trois mille neuf cent vingt-cinq.",
        ),
        (
            "es",
            "Asiento cuatro, ochocientos ochenta para igualar. Subida mínima a mil seiscientos cuarenta. "
            "El bote es de tres mil novecientos veinticinco.",
        ),
    ],
)
def test_a_turn_is_said_as_a_dealer_says_it(language: str, sentence: str) -> None:
    assert said(turn(in_the_middle=3925), language=language) == sentence


@pytest.mark.parametrize(
    ("language", "free", "option", "raised", "all_in", "back", "asked"),
    [
        (
            "en", "Action on seat four.", "Seat four, your option. Minimum raise to twenty.",
            "Seat three raises to sixteen forty.", "Seat three is all-in, two thousand.", "Twenty back to seat three.",
            "Dealer, please count seat four.",
        ),
        (
            "de", "Platz vier ist dran.", "Platz vier, Ihre Option. Mindesterhöhung auf zwanzig.",
            "Platz drei erhöht auf sechzehnhundertvierzig.", "Platz drei ist all-in, zweitausend.",
            "Zwanzig zurück an Platz drei.", "Dealer, bitte Platz vier zählen.",
        ),
        (
            "fr", "Parole au siège quatre.", "Siège quatre, vous avez l'option. Relance minimum à vingt.",
            "Siège trois relance à mille six cent quarante.", "Siège trois, tapis à deux mille.",
            "Vingt à rendre au siège trois.", "Croupier, comptez le siège quatre, s'il vous plaît.",
        ),
        (
            "es", "Habla el asiento cuatro.", "Asiento cuatro, tiene la opción. Subida mínima a veinte.",
            "Asiento tres sube a mil seiscientos cuarenta.", "Asiento tres va con el resto, dos mil.",
            "Veinte de vuelta al asiento tres.", "Crupier, cuente el asiento cuatro, por favor.",
        ),
    ],
)  # fmt: skip
def test_acts_and_questions_are_said_in_each_language(
    language: str, free: str, option: str, raised: str, all_in: str, back: str, asked: str
) -> None:
    assert said(turn(**FREE), language=language) == free
    assert said(turn(call=0, option=True, min_raise_to=20), "all", language).startswith(option)
    assert said(ruling("raise", to=1640), language=language) == raised
    assert said(ruling("raise", to=2000, all_in=True), language=language) == all_in
    assert said(ruling("call", to=880, returned=20), language=language) == back
    assert said(question("count"), "exceptions", language) == asked


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_no_digit_and_no_empty_place_is_ever_said(language: str) -> None:
    events: list[Spoken] = [
        turn(in_the_middle=30),
        turn(**NO_WAGER, no_wager=True),
        turn(all_in_to_call=True, **NO_WAGER),
        turn(facing_all_in=True),
        turn(least_is_all_in=True),
        turn(most_is_pot=True, pot_bet=9000),
        turn(call=None),
        *(turn(counting=act) for act in ("all-in", "bet", "raise", "complete")),
        *(turn(wager=wager) for wager in ("bet", "raise", "complete")),
        *(turn(wager=wager, max_raise_to=1640) for wager in ("bet", "raise", "complete")),
        *(turn(wager=wager, least_is_all_in=True) for wager in ("bet", "raise", "complete")),
        *(ruling(kind, to=55) for kind in ("bet", "raise", "complete", "call")),
        *(ruling(kind, to=55, all_in=True) for kind in ("bet", "raise", "complete", "call")),
        *(ruling(kind, owes=5, returned=5) for kind in ("check", "fold")),
        *(question(kind, seat) for kind in (*QUESTIONS, "rules-changed") for seat in (4, None)),
        Alert(severity="error", code="hot-chip", seat=4, sentence="Seat 4 has a stolen chip."),
        Alert(severity="warning", code="reader-stale", sentence="Reader 4 is silent."),
        *(Dealt(street, 3) for street in ("flop", "turn", "river", "third")),
        Won((4,)),
        Won((2, 4)),
    ]  # fmt: skip
    for house in (PUBLIC, PRIVATE):
        for event in events:
            sentence = said(event, "all", language, **house)
            assert sentence
            assert sentence[0].isupper() or sentence[0] == "¿", sentence
            assert not set(sentence) & set("{}0123456789_"), sentence
            assert sentence[-1] in ".?", sentence


# --- what the house keeps for who asks


def test_the_pot_is_said_only_where_the_house_announces_it() -> None:
    assert "Pot is" in said(turn(in_the_middle=30))
    assert "Pot is" not in said(turn(in_the_middle=30), pot_announcement="on-request")
    assert "Pot is" not in said(turn())


def test_the_amount_of_an_all_in_is_said_only_where_the_house_announces_it() -> None:
    facing = turn(facing_all_in=True, in_the_middle=3925)
    assert said(facing).startswith("Seat four, eight hundred eighty to call.")
    assert said(facing, announce_all_in="on-request") == "Seat four, facing an all-in."
    assert said(ruling("raise", to=880, all_in=True)) == "Seat three is all-in, eight hundred eighty."
    assert said(ruling("raise", to=880, all_in=True), announce_all_in="on-request") == "Seat three is all-in."
    assert said(ruling("call", to=880, all_in=True), announce_all_in="on-request") == "Seat three calls, all-in."


def test_a_stack_is_said_only_where_stacks_are_public() -> None:
    short = turn(call=60, all_in_to_call=True, **NO_WAGER)
    assert said(short) == "Seat four, sixty to call, all-in."
    assert said(short, stack_display="on-request") == "Seat four, all-in to call."
    shove = turn(min_raise_to=1000, max_raise_to=1000, least_is_all_in=True)
    assert said(shove) == "Seat four, eight hundred eighty to call. The raise is to one thousand."
    assert said(shove, stack_display="facing-all-in") == "Seat four, eight hundred eighty to call. Any raise is all-in."
    assert said(turn(), "all").endswith("Maximum nine thousand.")
    assert "Maximum" not in said(turn(), "all", stack_display="facing-all-in")


def test_the_pot_bet_is_said_only_where_the_pot_is() -> None:
    limit = turn(pot_bet=9000, most_is_pot=True)
    assert said(limit).endswith("Maximum nine thousand, the pot.")
    assert "Maximum" not in said(limit, "all", pot_announcement="on-request")


@pytest.mark.parametrize("house", [PUBLIC, PRIVATE])
def test_what_is_suspected_of_a_player_is_not_said_aloud(house: dict[str, Any]) -> None:
    alert = Alert(
        severity="error", code="cloned-chip", seat=4, sentence="Seat 4 bets a copied chip of 500.", amount=500
    )
    assert said(alert, "all", **house) == "Dealer, please check seat four."
    assert said(question("moved-chips"), "all", **house) == "Dealer, is that a bet by seat four?"


def test_an_alert_that_has_passed_or_only_informs_is_not_said() -> None:
    assert said(Alert(severity="warning", code="x", sentence="y", active=False), "all") == ""
    assert said(Alert(severity="info", code="restarted", sentence="y"), "all") == ""


def test_every_question_that_the_dealer_is_asked_has_its_words() -> None:
    assert set(QUESTIONS) == set(ASKED) - {"rules-changed"}  # of the books, not of a seat
    assert said(question("rules-changed", None), "exceptions") == "Dealer, please look at the screen."


def test_every_act_is_said_or_is_none() -> None:
    assert set(RulingKind) - set(ACTS) == {"post", "floor", "none", "illegal"}


# --- how much is said


@pytest.mark.parametrize(
    ("event", "least"),
    [
        (question("floor"), "exceptions"),
        (Alert(severity="warning", code="x", seat=2, sentence="y"), "exceptions"),
        (ruling("call", to=50, returned=50), "exceptions"),
        (ruling("call", to=50, owes=50), "exceptions"),
        (turn(), "bets"),
        (turn(counting="all-in"), "bets"),
        (ruling("raise", to=50), "bets"),
        (ruling("call", to=50, all_in=True), "bets"),
        (ruling("call", to=50), "all"),
        (ruling("fold"), "all"),
        (ruling("check"), "all"),
        (Dealt("flop", 3), "all"),
        (Won((2,)), "all"),
    ],
)
def test_an_event_is_said_from_one_loudness_on(event: Spoken, least: Says) -> None:
    loud = [says for says in LOUDNESS if said(event, says)]
    assert loud == list(LOUDNESS[LOUDNESS.index(least) :])
    assert set(LOUDNESS) == set(get_args(Says))


def test_the_least_bet_goes_without_saying_until_every_act_is_said() -> None:
    assert said(turn(**FREE), stack_display="on-request") == "Action on seat four."
    assert said(turn(**FREE), "all", stack_display="on-request") == "Action on seat four. Minimum bet twenty."


def test_a_correction_is_said_by_whoever_speaks_at_all() -> None:
    was = RuledBefore(ruling="call", to=50, sentence="")
    corrected = ruling("raise", to=150, owes=100, instead_of=was)
    assert said(corrected, "exceptions") == (
        "Correction. Seat three raises to one hundred fifty. Seat three, one hundred more, please."
    )


def test_chips_are_asked_for_where_chips_fell_short_not_where_they_follow_words() -> None:
    assert said(ruling("call", to=50, owes=20), "exceptions") == "Seat three, twenty more, please."
    assert said(ruling("raise", to=50, owes=50, source="words")) == "Seat three raises to fifty."
    assert said(ruling("call", to=50, owes=50, source="keyed"), "exceptions") == ""


def test_what_is_no_act_is_not_said() -> None:
    assert [said(ruling(kind), "all") for kind in ("none", "floor", "post", "illegal")] == [""] * 4


def test_a_turn_that_may_not_raise_is_told_so() -> None:
    assert said(turn(**NO_WAGER, no_wager=True)) == "Seat four, eight hundred eighty to call. No raise."


def test_one_size_is_no_minimum() -> None:
    assert said(turn(min_raise_to=20, max_raise_to=20, call=10)) == "Seat four, ten to call. The raise is to twenty."
    assert said(turn(min_raise_to=20, max_raise_to=20, call=10, wager="complete")) == (
        "Seat four, ten to call. The completion is to twenty."
    )


def test_a_pile_that_is_counted_has_no_amount() -> None:
    assert said(turn(counting="all-in", call=None, **NO_WAGER)) == "Seat four is all-in, counting."
    assert said(turn(call=None)) == "Seat four, how much? Minimum raise to sixteen forty."
