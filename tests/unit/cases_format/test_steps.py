"""Steps and their written form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from betline.settings import GameSettings, HouseRules, load_house_rules
from betline.steps import (
    Act,
    AfterMinutes,
    Award,
    ColorUp,
    Count,
    Deal,
    MoneyBehind,
    MoveChips,
    NextHand,
    ReopenAward,
    SitDown,
    StepError,
    parse_step,
    step_to_mapping,
)

WRITTEN: list[dict[str, Any]] = [
    {"seat": 3, "chips": [1000, 500]},
    {"seat": 3, "motions": [[500], [100, 100]]},
    {"seat": 3, "chips": [100], "carries_back": [500]},
    {"seat": 3, "says": "raise eight thousand"},
    {"seat": 3, "chips": [1000], "says": "call", "first": "chips"},
    {"seat": 3, "chips": [1000], "says": "call", "takes_back": [300]},
    {"seat": 3, "changes": {"gives": [100], "takes": [25, 25, 25, 25]}},
    {"seat": 3, "says": "call", "splashes": [100]},
    {"seat": 3, "gesture": "muck"},
    {"seat": 3, "pays": [200, 100]},
    {"seat": 3, "action": "raise", "to": 600, "accepted": True},
    {"deal": "flop"},
    {"deal": "fourth", "first": 3, "open_pair": True},
    {"bring_in": 4},
    {"straddle": {"seat": 5, "to": 4, "kind": "live"}},
    {"award": [[2], [1, 3]]},
    {"award": [{"parts": [[1], [1, 2]]}]},
    {"award": [{"parts": [{"parts": [[1], [2, 3]]}, [2]]}, [4]]},
    {"award": [{"parts": [{"parts": [[1]]}]}]},
    {"next_hand": True},
    {"next_hand": {"game": {"limit": "no-limit", "blinds": [1, 2]}, "bomb_pot": 20}},
    {"next_hand": {"button": 4}},
    {"chop": True},
    {"button": 4},
    {"sits": {"seat": 5, "stack": 400, "buys_button": True}},
    {"sits": {"seat": 5, "stack": 400, "player": "f3a1"}},
    {"leaves": 2},
    {"away": 3},
    {"back": {"seat": 3, "post": False}},
    {"adds": {"seat": 3, "amount": 200}},
    {"borrows": {"seat": 3, "amount": 100, "from": "pot"}},
    {"borrows": {"seat": 3, "amount": 100, "from": "pot", "declined": [2, 5]}},
    {"undo": 1},
    {"records": {"street": "flop", "seat": 1, "to": 1200}},
    {"reopens": "last_hand"},
    {"counts": {"seat": 1, "bet": 495}},
    {"counts": {"seat": 1, "stack": 300}},
    {"moves": {"from": 3, "to": "tray", "amount": 5, "why": "tip"}},
    {"behind": {"seat": 3, "amount": 300}},
    {"behind": {"seat": 3, "amount": 300, "cash": True}},
    {"misdeal": True},
    {"fouled": True},
    {"pass_out": True},
    {"kills": {"seat": 3, "why": "unprotected"}},
    {"expires": 3},
    {"race": {"remove": 25, "wins": [2, 5]}},
    {"race": {"remove": 25, "wins": [], "to": 500}},
    {"penalty": {"seat": 3, "hands": 2}},
    {"penalty": {"seat": 3, "hands": 0}},
    {"rock": 4},
    {"kill": 2},
    {"after_minutes": 61},
    {"last_two": True},
    {"corrects": {"seat": 2, "to": 1200}},
    {"floor": {"ruling": "call"}},
    {"floor": {"ruling": "raise", "to": 600}},
    {"floor": {"ruling": "withdraw", "why": "it could not see the raise"}},
]


@pytest.mark.parametrize("profile", ["tda", "cash", "home"])
def test_a_next_hand_with_new_house_rules_says_every_option(profile: str) -> None:
    rules = load_house_rules(profile, {"kill": "half", "kill_trigger": {"wins": 2}, "rake": {"percent": 5, "cap": 4}})
    written = step_to_mapping(NextHand(house=rules))

    assert set(written["next_hand"]["house"]) == set(HouseRules.model_fields)
    assert parse_step(json.loads(json.dumps(written))) == NextHand(house=rules)


@pytest.mark.parametrize("written", WRITTEN, ids=lambda written: json.dumps(written)[:60])
def test_a_step_and_its_written_form_are_inverse(written: dict[str, Any]) -> None:
    assert step_to_mapping(parse_step(written)) == written
    assert step_to_mapping(parse_step(json.loads(json.dumps(written)))) == written


@pytest.mark.parametrize(
    ("written", "step"),
    [
        ({"seat": 3, "chips": {1000: 1, 500: 2}}, Act(seat=3, motions=((1000, 500, 500),))),
        ({"seat": 3, "chips": {"500": 2}}, Act(seat=3, motions=((500, 500),))),
        ({"seat": 3, "chips": [100, 500]}, Act(seat=3, motions=((500, 100),))),
        ({"seat": 3, "says": 300}, Act(seat=3, says="300")),
        ({"deal": "turn"}, Deal(street="turn")),
        ({"award": [[2]]}, Award(pots=(((2,),),))),
        ({"next_hand": {"bomb_pot": 0}}, NextHand(bomb_pot=0)),
        ({"sits": {"seat": 1, "stack": 5}}, SitDown(seat=1, stack=5)),
        ({"counts": {"seat": 1, "bet": 0}}, Count(seat=1, bet=0)),
        ({"moves": {"from": "rake", "to": 3, "amount": 5}}, MoveChips(source="rake", to=3, amount=5)),
        ({"behind": {"seat": 3, "amount": 1}}, MoneyBehind(seat=3, amount=1)),
        ({"race": {"remove": 25, "wins": []}}, ColorUp(remove=25, wins=())),
        ({"after_minutes": 3}, AfterMinutes(minutes=3)),
        ({"reopens": "last_hand"}, ReopenAward()),
    ],
)
def test_written_forms_are_read(written: dict[Any, Any], step: object) -> None:
    assert parse_step(written) == step


def test_the_game_of_the_next_hand_is_read() -> None:
    step = parse_step({"next_hand": {"game": {"limit": "no-limit", "blinds": [1, 2]}}})

    assert step == NextHand(game=GameSettings(limit="no-limit", blinds=(1, 2)))


@pytest.mark.parametrize(
    ("written", "key", "part"),
    [
        ([], "", "must be a mapping"),
        ({}, "", "is not a known step"),
        ({"dael": "flop"}, "dael", "did you mean deal?"),
        ({"seat": 11, "action": "fold"}, "seat", "1 to 10"),
        ({"seat": True, "action": "fold"}, "seat", "1 to 10"),
        ({"seat": 3}, "", "an act needs"),
        ({"seat": 3, "chip": [5]}, "chip", "did you mean chips?"),
        ({"seat": 3, "chips": [5, -1]}, "chips.1", "at least 1"),
        ({"seat": 3, "chips": {5: 0}}, "chips.5", "at least 1"),
        ({"seat": 3, "chips": {5: 10**9}}, "chips.5", "cross no line"),
        ({"seat": 3, "chips": []}, "chips", "at least one chip"),
        ({"seat": 3, "chips": [5], "motions": [[5]]}, "motions", "beside chips"),
        ({"seat": 3, "action": "rise"}, "action", "did you mean raise?"),
        ({"seat": 3, "action": "call", "chips": [5]}, "action", "unambiguous"),
        ({"seat": 3, "gesture": "tap", "chips": [5]}, "gesture", "alone"),
        ({"seat": 3, "chips": [5], "to": 5}, "to", "belongs to an action"),
        ({"seat": 3, "chips": [5], "pays": [5]}, "pays", "stands alone"),
        ({"award": [{"parts": [{"parts": [{"parts": [[1]]}]}]}]}, "award.0.parts.0.parts.0", "list"),
        ({"seat": 3, "chips": [5], "first": "says"}, "first", "words and chips"),
        ({"counts": {"seat": 1}}, "counts.bet", "one of bet and stack"),
        ({"straddle": {"seat": 1, "to": 4}}, "straddle.kind", "is missing"),
        ({"next_hand": False}, "next_hand", "must be a mapping"),
        ({"next_hand": {"game": {"limit": "no-limit"}}}, "next_hand.game.blinds", "is missing"),
        ({"next_hand": {"gme": {}}}, "next_hand.gme", "did you mean game?"),
        ({"counts": {"set": 1}}, "counts.set", "did you mean seat?"),
        ({"misdeal": "yes"}, "misdeal", "must be true"),
        ({"deal": "flop", "frist": 3}, "frist", "did you mean first?"),
    ],
)
def test_what_is_no_step_is_refused_with_its_key(written: object, key: str, part: str) -> None:
    with pytest.raises(StepError) as refused:
        parse_step(written)

    assert refused.value.key == key
    assert part in refused.value.sentence


def test_which_came_first_is_not_written_where_there_is_nothing_to_be_first_of() -> None:
    assert step_to_mapping(Act(seat=3, says="call", first="chips")) == {"seat": 3, "says": "call"}
