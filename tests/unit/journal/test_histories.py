"""`betline export`: each format is read back by somebody else's reader, or by its specification, to the same stacks."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from pokerkit.notation import PokerStarsParser

from betline.front_door import run
from table_controller.accounts.histories.amounts import amounts_of
from table_controller.accounts.histories.document import document_of
from table_controller.accounts.histories.formats import FORMATS
from table_controller.accounts.histories.ohh import ohh
from table_controller.accounts.histories.source import Source, without_names
from table_controller.accounts.histories.told import Told, told_hands
from tests.unit.journal.stories import Story
from tests.unit.journal.test_export import Table, all_in, chopped, with_cards, with_pokerkit
from tests.unit.session.desk import Pages

SCHEMAS = {
    "json": json.loads((Path(__file__).parents[3] / "hardware_docs/hand.schema.json").read_text(encoding="utf-8")),
    "ohh": json.loads((Path(__file__).parent / "ohh.schema.json").read_text(encoding="utf-8")),
}
POKERKIT_WARNS = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")
"""PokerKit's parser warns of a field that it has made itself."""
AT = Source("home-six", "home", 6, "0.1.0")


class Exported:
    """What `betline export` writes of a script's table."""

    def __init__(self, table: Table, capsys: pytest.CaptureFixture[str]) -> None:
        self.table, self._capsys = table, capsys
        table.export("any.csv")
        capsys.readouterr()

    def text(self, form: str, *more: str, status: int = 0) -> str:
        path = self.table.folder / "t.journal"
        assert run(["export", "--format", form, "--journal", str(path), *more]) == status
        captured = self._capsys.readouterr()
        self.said = captured.err
        return captured.out

    @property
    def stacks(self) -> dict[int, int]:
        hand = self.table.desk.hand
        return {seat: hand.stack(seat) for seat in hand.seats}


def test_a_chopped_hand_keeps_its_stacks_as_json_and_is_named_by_the_formats_without_a_word_for_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = Exported(chopped(tmp_path), capsys)
    told = json.loads(exported.text("json"))
    jsonschema.validate(told, SCHEMAS["json"])
    assert [(one["event"], one.get("seat")) for one in told["events"]] == [("act", 4), ("act", 1), ("chop", None)]
    assert [one["finishing"] for one in told["seats"]] == [one["stack"] for one in told["seats"]] == [200] * 4
    assert told["returned"] == [{"seat": 2, "amount": 1}, {"seat": 3, "amount": 2}]
    assert (told["won"], told["otherwise"], told["taken"]) == ([], [], 0)
    for form in ("ohh", "pokerstars", "phh"):
        assert exported.text(form, status=1) == ""
        assert "no word for blinds that are chopped" in exported.said


def folded(folder: Path) -> Table:
    """Four seats; the flop is bet, raised, and won by folds."""
    table = Table(folder, {"1": 200, "2": 200, "3": 200, "4": 200})
    table.acts((4, "raise", 6), (1, "fold"), (2, "call"), (3, "call"))
    table.keys("deal")
    table.acts((2, "check"), (3, "bet", 10), (4, "raise", 30), (2, "fold"), (3, "fold"))
    return table


def with_antes(folder: Path) -> Table:
    """Heads-up with antes, raised and folded."""
    table = Table(folder, {"1": 200, "2": 200}, {"limit": "no-limit", "blinds": [1, 2], "ante": 1})
    table.acts((1, "raise", 6), (2, "fold"))
    return table


def raked(folder: Path) -> Table:
    """A showdown with cards for 251."""
    return with_cards(folder, s1="AhJc", s2="QsQc", s3="KsTs")


def run_twice(folder: Path) -> Table:
    return all_in(folder, 2)


HANDS = (folded, with_antes, raked, run_twice)


def played_ohh(hand: dict[str, Any]) -> dict[int, int]:
    """The stacks to which the actions and pots of an OHH hand lead, read by its specification alone: an amount is what
    the action puts in; what nobody matched goes back before a street is over.
    """
    seat_of = {one["id"]: one["seat"] for one in hand["players"]}
    stacks = {one["seat"]: one["starting_stack"] for one in hand["players"]}
    put: Counter[int] = Counter()
    dead = {"Post Ante", "Post Dead"}
    for street in hand["rounds"]:
        bets: Counter[int] = Counter()
        for act in street["actions"]:
            seat = seat_of.get(act.get("player_id"))
            if act["action"] == "Player Adjustment":
                stacks[seat] += act["amount"]
            elif seat is not None and "amount" in act:
                stacks[seat] -= act["amount"]
                put[seat] += act["amount"]
                bets[seat] += 0 if act["action"] in dead else act["amount"]
        if bets:
            (first, most), *rest = bets.most_common()
            second = max((amount for _, amount in rest), default=0)
            stacks[first] += most - second
            put[first] -= most - second
    for pot in hand["pots"]:
        assert pot["amount"] == pot["rake"] + sum(win["win_amount"] for win in pot["player_wins"])
        for win in pot["player_wins"]:
            stacks[seat_of[win["player_id"]]] += win["win_amount"]
    assert sum(put.values()) == sum(pot["amount"] for pot in hand["pots"])
    return stacks


@pytest.mark.parametrize("script", HANDS)
def test_ohh_holds_its_specification_and_leads_to_the_same_stacks(
    script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = Exported(script(tmp_path), capsys)
    [hand] = [json.loads(text) for text in exported.text("ohh", "--currency", "eur").split("\n\n") if text.strip()]
    jsonschema.validate(hand, SCHEMAS["ohh"])
    assert played_ohh(hand["ohh"]) == exported.stacks
    assert hand["ohh"]["currency"] == "EUR"


def test_r_268_ohh_tells_a_board_that_was_run_twice_by_rounds_of_the_same_street(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hand = json.loads(Exported(run_twice(tmp_path), capsys).text("ohh"))["ohh"]
    assert "Run_It_Twice" in hand["flags"]
    assert [one["street"] for one in hand["rounds"]] == ["Preflop", *["Flop", "Turn", "River"] * 2]
    assert [one["id"] for one in hand["rounds"]] == list(range(7))


def test_ohh_has_shown_hands_in_a_showdown_round_and_unknown_ones_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = with_cards(tmp_path, s1="AhJc", s2="QsQc", s3="")
    hand = json.loads(Exported(table, capsys).text("ohh"))["ohh"]
    shown = [act["cards"] for act in hand["rounds"][-1]["actions"]]
    assert hand["rounds"][-1]["street"] == "Showdown"
    assert sorted(shown) == [["Ah", "Jc"], ["Qs", "Qc"]]
    assert [one["cards"] for one in hand["rounds"][1:4]] == [["As", "Kd", "7c"], ["2c"], ["2h"]]


@POKERKIT_WARNS
def test_pokerstars_text_is_read_back_by_pokerkit_to_the_same_stacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = Exported(raked(tmp_path), capsys)
    text = exported.text("pokerstars")
    [history] = PokerStarsParser()(text)
    assert history.variant == "NT"
    assert dict(zip(history.seats, list(history)[-1].stacks, strict=True)) == exported.stacks


@POKERKIT_WARNS
def test_pokerstars_text_of_a_hand_won_by_folds_before_the_flop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200})
    table.acts((1, "raise", 6), (2, "raise", 20), (3, "fold"), (1, "fold"))
    exported = Exported(table, capsys)
    text = exported.text("pokerstars")
    [history] = PokerStarsParser()(text)
    assert dict(zip(history.seats, list(history)[-1].stacks, strict=True)) == exported.stacks
    assert "Seat 2: raises 14 to 20" in text
    assert "Uncalled bet (14) returned to Seat 2" in text
    assert exported.said == ""


def test_an_independent_reader_finds_the_same_players_pot_and_winner(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stars = pytest.importorskip("poker.room.pokerstars", reason="the package poker is not installed")
    hand = stars.PokerStarsHandHistory(Exported(raked(tmp_path), capsys).text("pokerstars"))
    hand.parse()
    assert [(player.seat, player.stack) for player in hand.players if player.stack] == [(1, 51), (2, 100), (3, 100)]
    assert int(hand.total_pot) == 251
    assert "".join(map(str, hand.board)) == "A♠K♦7♣2♣2♥"
    assert {one.removesuffix(" (button)") for one in hand.winners} == {"Seat 1", "Seat 3"}


def test_what_pokerstars_text_cannot_tell_is_named_and_the_rest_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = Exported(folded(tmp_path), capsys)
    assert exported.text("pokerstars", status=1) == ""
    assert (
        "Hand 1 is left out of PokerStars' text, csv and json have it: it has no word for unknown board"
        in exported.said
    )
    assert "Export as json or csv instead" in exported.said


@pytest.mark.parametrize("script", HANDS)
def test_json_holds_its_schema_and_tells_where_every_chip_went(
    script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exported = Exported(script(tmp_path), capsys)
    hand = json.loads(exported.text("json"))
    jsonschema.validate(hand, SCHEMAS["json"])
    stacks = {one["seat"]: one["stack"] for one in hand["seats"]}
    for one in hand["forced"]:
        stacks[one["seat"]] -= one["amount"]
    for one in hand["events"]:
        if one["event"] == "act":
            stacks[one["seat"]] -= one["adds"]
    for one in (*hand["returned"], *hand["won"]):
        stacks[one["seat"]] += one["amount"]
    assert stacks == exported.stacks == {one["seat"]: one["finishing"] for one in hand["seats"]}
    assert hand["otherwise"] == []


def test_phh_of_one_hand_and_of_many(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200})
    table.acts((1, "fold"), (2, "fold"))
    table.keys("next-hand")
    table.keys("cards-out")
    table.acts((2, "fold"), (3, "fold"))
    exported = Exported(table, capsys)
    history, state = with_pokerkit(exported.text("phh", "--hand", "2"))
    assert history.hand == 2
    assert dict(zip(history.seats or [], state.stacks, strict=True)) == exported.stacks
    assert exported.text("phh").startswith("[1]\n")


@pytest.mark.parametrize("form", list(FORMATS))
def test_names_are_written_and_an_anonymous_export_has_none(form: str, tmp_path: Path) -> None:
    table = Table(tmp_path, {"1": 200, "2": 200, "3": 200})
    table.acts((1, "fold"), (2, "fold"))
    table.keys("sit-down", seat=5, stack=100, player="Wanda")
    table.keys("next-hand")
    table.keys("cards-out")
    while (seat := table.desk.hand.next_seat) is not None:
        table.acts((seat, "fold"))
    hands = tuple(told_hands(Pages(table.desk.entries)))[-1:]
    [person] = {*hands[0].persons.values()}
    named, _ = FORMATS[form](hands, replace(AT, names={person: "Wanda"}))
    hidden, _ = FORMATS[form](hands, replace(AT, names=without_names(hands), anonymous=True))
    assert "Wanda" in named
    assert "Wanda" not in hidden
    assert "Player 1" in hidden


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--format", "xml"], "--format is one of phh, ohh, pokerstars, csv, json, not xml."),
        (["--format", "ohh", "--currency", "euros"], "three letters such as EUR"),
    ],
)
def test_a_word_that_is_none_is_refused_in_a_sentence(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", *words, "--journal", "nowhere.journal"]) == 2
    assert said in capsys.readouterr().err


def test_a_hand_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported = Exported(folded(tmp_path), capsys)
    assert exported.text("json", "--hand", "9", status=1) == ""
    assert "this journal has no hand 9 that is over" in exported.said


def hands_of(seed: int) -> tuple[Told, ...]:
    """The hands of a random evening, with floor's decisions, corrections, rebuys and time charges."""
    return tuple(told_hands(Pages(Story(seed, 150).draft.entries)))


@pytest.mark.parametrize("seed", range(1, 9))
def test_whatever_happens_in_an_evening_each_hand_is_told_or_named(seed: int) -> None:
    hands = hands_of(seed)
    for told in hands:
        hand = document_of(told, AT)
        jsonschema.validate(hand, SCHEMAS["json"])
        amounts = amounts_of(told)
        if amounts.whole:
            paid = sum(amounts.put_in.values()) - sum(amounts.returned.values()) + amounts.carried_in
            assert paid == sum(amounts.won.values()) + amounts.taken + amounts.carried_out
    text, left_out = ohh(hands, AT)
    written = [json.loads(one) for one in text.split("\n\n") if one.strip()]
    for one in written:
        jsonschema.validate(one, SCHEMAS["ohh"])
    assert len(written) + len(left_out) == len(hands) > 2
    text, left_out = FORMATS["pokerstars"](hands, AT)
    assert text.count(" is the button") + len(left_out) == len(hands)
