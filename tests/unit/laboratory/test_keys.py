"""The bench of keys: what a hand presses, by what it was pressed for, and that sparing keys changes no ruling."""

from collections import Counter

import pytest

from virtual_table.bench.keys import Pressed, Sitting, play, report, table_of
from virtual_table.laboratory.laboratory import Conditions, Laboratory
from virtual_table.play.habits import Habits

SEED = 7
HANDS = 3


def keys(mode, habits):
    came = Laboratory(table_of(mode), SEED, Conditions(habits=habits)).play(HANDS)
    assert came.wrong == 0, came.faults
    return sum(came.kinds_by_hand, Counter())


@pytest.mark.parametrize("mode", ["all", "no_camera"])
def test_folds_and_checks_that_later_chips_tell_need_no_key(mode):
    spared, usual = keys(mode, Habits(spares_keys=True)), keys(mode, Habits())
    assert spared["jump"] + spared["passive"] < usual["jump"] + usual["passive"]
    assert spared.total() < usual.total()


def test_with_keys_alone_nothing_can_be_spared():
    assert keys("no_sensors", Habits(spares_keys=True)) == keys("no_sensors", Habits())


def test_a_sitting_is_the_same_each_time():
    sitting = Sitting("no_sensors", SEED, 2)
    assert play(sitting) == play(sitting)


def test_the_document_has_each_mode_with_and_without_comings_and_goings():
    hands = [Counter({"deal": count, "sit-down": 20}) for count in range(1, 6)]
    made = report([Pressed("all", tuple(hands), 0), Pressed("no_sensors", tuple(hands), 1)])
    assert made.json["all"] == {"p50": 3, "p95": 5, "with_comings_and_goings": {"p50": 23, "p95": 25}}
    assert made.json["by_kind"]["all"] == {"sit-down": 20.0, "deal": 3.0}
    assert made.json["wrong"] == 1
    assert [figure.met for figure in made.figures] == [True, None, False]
