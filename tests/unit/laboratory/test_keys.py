"""The bench of keys: what a hand presses, by what it was pressed for, and that sparing keys changes no ruling."""

from collections import Counter

import pytest

from virtual_table.bench.keys import Pressed, Sitting, play, report, table_of
from virtual_table.laboratory.laboratory import Conditions, Laboratory
from virtual_table.play.habits import Habits

SEED = 7
HANDS = 2


def keys(mode, habits):
    came = Laboratory(table_of(mode), SEED, Conditions(habits=habits)).play(HANDS)
    assert came.wrong == 0, came.faults
    return sum(came.kinds_by_hand, Counter())


@pytest.mark.nightly
@pytest.mark.parametrize("mode", ["all", "no_camera"])
def test_what_chips_cards_and_the_dealers_hands_tell_needs_no_key(mode):
    spared, usual = keys(mode, Habits(spares_keys=True)), keys(mode, Habits())
    passes = ("jump", "passive", "rest-folds")
    assert sum(spared[verb] for verb in passes) < sum(usual[verb] for verb in passes)
    assert spared["next-hand"] < usual["next-hand"]
    assert spared.total() < usual.total()


@pytest.mark.nightly
def test_with_keys_alone_nothing_can_be_spared():
    assert keys("no_sensors", Habits(spares_keys=True)) == keys("no_sensors", Habits())


def test_a_sitting_of_nine_without_changes_needs_no_key_for_those_who_come_and_go_but_their_chips():
    pressed = play(Sitting("no_sensors", SEED, 2))
    assert not {"sit-down", "leave", "sit-out", "return"} & sum(pressed.hands, Counter()).keys()


@pytest.mark.nightly
def test_a_sitting_is_the_same_each_time():
    sitting = Sitting("no_sensors", SEED, 2)
    assert play(sitting) == play(sitting)


def test_the_document_has_each_mode_with_and_without_comings_and_goings():
    hands = [Counter({"deal": count, "sit-down": 20}) for count in range(1, 6)]
    made = report([Pressed("all", tuple(hands), 0), Pressed("no_sensors", tuple(hands), 1)])
    assert made.json["all"] == {"p50": 3, "p95": 5}
    assert made.json["by_kind"]["all"] == {
        "at_the_table": {"deal": 3.0},
        "comings_and_goings": {"sit-down": 20.0},
        "with_comings_and_goings": {"p50": 23, "p95": 25},
        "inferred": {},
    }
    assert made.json.keys() == {"all", "no_sensors", "wrong", "by_kind"}
    assert made.json["wrong"] == 1
    assert [figure.met for figure in made.figures] == [True, None, False]
