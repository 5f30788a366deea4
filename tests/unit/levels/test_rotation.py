"""Which game comes next, by hands, by orbits of the button and by the dealer's choice."""

import pytest

from betline.settings import GameSettings, Rotation
from table_controller.levels import after_hand, due, stakes

HOLDEM = {"name": "Hold'em", "limit": "no-limit", "blinds": (1, 2)}
OMAHA = {"name": "Omaha", "limit": "pot-limit", "blinds": (1, 2), "streets": "omaha"}
STUD = {"name": "Stud", "limit": "fixed-limit", "blinds": (), "bets": (2, 2, 4, 4, 4), "streets": "stud"}


def rotation(by, count=None, games=(HOLDEM, OMAHA)):
    return Rotation.model_validate({"by": by, "count": count, "games": games})


def evening(turns, buttons, seats=4, chosen=None):
    """The games of hands whose buttons are given; `chosen` names a game before some of them."""
    played, names = None, []
    for hand, button in enumerate(buttons):
        turn = due(turns, played, (chosen or {}).get(hand), button)
        played = after_hand(turns, played, turn, button, seats)
        names.append(turn.game[0])
    return "".join(names)


def test_by_hands_each_game_lasts_so_many_hands_wherever_the_button_is():
    assert evening(rotation("hands", 3), [1, 2, 3, 4, 1, 2, 3]) == "HHHOOOH"


def test_by_orbits_a_game_ends_when_the_button_comes_back_to_where_it_began():
    assert evening(rotation("orbits", 1), [3, 4, 1, 2, 3, 4, 1, 2, 3]) == "HHHHOOOOH"
    assert evening(rotation("orbits", 2), [1, 2, 1, 2, 1, 2]) == "HHHHOO"


def test_an_orbit_ends_when_the_button_passes_a_seat_that_has_been_left():
    assert evening(rotation("orbits", 1), [2, 3, 5, 7, 1, 3]) == "HHHHHO"


def test_a_button_that_goes_past_the_end_of_the_table_has_not_passed_a_seat_before_it():
    assert evening(rotation("orbits", 1), [6, 9, 2, 4, 6]) == "HHHHO"


def test_a_dead_button_that_stands_still_ends_no_orbit():
    assert evening(rotation("orbits", 1), [1, 2, 2, 3, 1]) == "HHHHO"


def test_a_frozen_button_makes_an_orbit_of_as_many_hands_as_were_dealt_in():
    turns = rotation("orbits", 1, (STUD, HOLDEM))
    assert evening(turns, [1, 1, 1, 1, 1, 2, 3, 4, 1], seats=4) == "SSSSHHHHS"


def test_without_a_choice_the_game_stays_and_a_choice_holds_from_that_hand_on():
    assert evening(rotation("choice"), [1, 2, 3, 4], chosen={2: "Omaha"}) == "HHOO"


def test_a_game_that_is_chosen_in_a_rotation_begins_its_whole_turn():
    assert evening(rotation("hands", 2), [1, 2, 3, 4, 1], chosen={1: "Omaha"}) == "HOOHH"


def test_a_game_that_the_file_no_longer_has_gives_way_to_the_first():
    played = after_hand(rotation("hands", 3), None, due(rotation("hands", 3), None, "Omaha", 1), 1, 4)
    turns = rotation("hands", 3, (STUD, HOLDEM))
    assert due(turns, played, None, 2).game == "Stud"
    assert due(turns, None, "Omaha", 2).game == "Stud"


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"limit": "no-limit", "blinds": (100, 200), "ante": 200, "ante_by": "big-blind"}, "100/200 ante 200"),
        ({"limit": "pot-limit", "blinds": (5, 10), "cap": 300}, "5/10 cap 300"),
        ({"limit": "fixed-limit", "blinds": (5, 10), "bets": (10, 10, 20, 20)}, "10/20 blinds 5/10"),
        (
            {
                "limit": "fixed-limit",
                "blinds": (),
                "bets": (4, 4, 8, 8, 8),
                "streets": "stud",
                "ante": 1,
                "bring_in": 2,
            },
            "4/8 ante 1 bring-in 2",
        ),
        ({"limit": "spread-limit", "blinds": (1, 2), "spread": (2, 6)}, "2-6 blinds 1/2"),
        ({"limit": "spread-limit", "blinds": (), "spread": ((1, 5), (1, 5), (1, 5), (1, 10))}, "1-5 1-10"),
        ({"limit": "no-limit", "blinds": (), "ante": 5, "min_bet": 20}, "minimum bet 20 ante 5"),
    ],
)
def test_stakes_in_words(keys, words):
    assert stakes(GameSettings.model_validate(keys)) == words
