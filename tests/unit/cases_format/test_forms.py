"""Every value of the vocabulary goes through both of its forms unchanged; what is generated comes from its fields."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from betline.cards import DECK, written
from betline.fields import FieldError
from betline.settings import GameSettings, load_house_rules
from betline.steps import (
    COMMANDS,
    FORMER_VERBS,
    STEPS,
    UNASKED,
    VERBS,
    Command,
    CommandError,
    KillHand,
    NextHand,
    NoStep,
    Setup,
    SitDown,
    Step,
    args_schema,
    command_args,
    parse_step,
    read_command,
    step_to_mapping,
    verb_of,
)
from betline.steps.codec import record
from tests.nightly import examples

GAMES = st.sampled_from(
    [
        {"limit": "no-limit", "blinds": [1, 2]},
        {"limit": "fixed-limit", "blinds": [], "streets": "stud", "bring_in": 1, "bets": [5, 5, 10, 10, 10]},
    ]
)
HOUSES = st.sampled_from([{"profile": "tda"}, {"odd_chip": "left-of-button"}, {}])


def written_as(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Plain data that a schema describes."""
    if "$ref" in schema:
        return GAMES
    if "anyOf" in schema:
        return st.one_of([written_as(one) for one in schema["anyOf"]])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    match schema["type"]:
        case "null":
            return st.none()
        case "boolean":
            return st.booleans()
        case "integer":
            return st.integers(schema.get("minimum"), schema.get("maximum"))
        case "string" if schema.get("format") == "cards":
            return st.lists(st.sampled_from(DECK), max_size=7, unique=True).map(written)
        case "string":
            text = st.text(max_size=schema.get("maxLength", 300))
            return text.filter(lambda value: bool(value.strip())) if "pattern" in schema else text
        case "array":
            few = min(schema.get("maxItems", 4), 4)
            return st.lists(written_as(schema["items"]), min_size=schema.get("minItems", 0), max_size=few)
    if "properties" not in schema:
        seats = schema.get("propertyNames")
        return HOUSES if seats is None else st.dictionaries(
            written_as(seats), written_as(schema["additionalProperties"]), max_size=3
        )  # fmt: skip
    required = {key: written_as(schema["properties"][key]) for key in schema.get("required", ())}
    optional = {key: written_as(one) for key, one in schema["properties"].items() if key not in required}
    return st.fixed_dictionaries(required, optional=optional)


def values_of(cls: type[Any], form: Any) -> st.SearchStrategy[Any]:
    """Values of a class, by the description of its fields; what `check` refuses is no value."""

    def read(data: object) -> object:
        try:
            return record(cls, form).read(data)
        except FieldError:
            if not hasattr(cls, "check"):
                raise
            reject()

    return written_as(record(cls, form).schema).map(read)


def through_json(data: object) -> Any:
    return json.loads(json.dumps(data))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("cls", STEPS, ids=verb_of)
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_a_step_goes_through_the_case_form_unchanged(cls: type[Step], data: st.DataObject) -> None:
    step = data.draw(values_of(cls, "case"))

    assert parse_step(through_json(step_to_mapping(step))) == step


@pytest.mark.one_in(4)
@pytest.mark.parametrize("cls", [cls for cls in COMMANDS if cls is not Setup], ids=verb_of)
@settings(max_examples=examples(40), deadline=None)
@given(data=st.data())
def test_a_command_goes_through_the_bus_unchanged(cls: type[Command], data: st.DataObject) -> None:
    command = data.draw(values_of(cls, "bus"))

    assert read_command(verb_of(cls), through_json(command_args(command))) == command


@settings(max_examples=examples(40), deadline=None)
@given(
    seats=st.dictionaries(st.integers(1, 10), st.integers(0, 10**6), min_size=1),
    game=GAMES,
    house=HOUSES,
    extra=written_as(args_schema(Setup)["properties"]["names"]),
    data=st.data(),
)
def test_a_setup_goes_through_the_bus_unchanged(
    seats: dict[int, int], game: Any, house: Any, extra: Any, data: st.DataObject
) -> None:
    def some(values: st.SearchStrategy[Any]) -> Any:
        return data.draw(st.dictionaries(st.sampled_from(sorted(seats)), values, max_size=2))

    pot = data.draw(st.integers(0, 100)) * len(seats)
    last_hand = {"button": 1, "small_blind": None, "big_blind": 2}
    start = {"street": "preflop" if game["blinds"] else "third", "pot": pot, "first": min(seats)}
    where = data.draw(st.sampled_from([{"button": 1}, {"last_hand": last_hand}, {"button": 1, "start": start}]))
    setup = read_command(
        "setup",
        {"game": game, "house": house, "seats": seats, "names": extra, **where, "legs": some(st.integers(0, 5)),
         "in_front": some(st.lists(st.integers(1, 500), min_size=1)), "missed": some(st.lists(st.integers(1, 9)))},
    )  # fmt: skip

    assert read_command("setup", through_json(command_args(setup))) == setup


def test_a_next_hand_keeps_every_option_of_its_house() -> None:
    step = NextHand(house=load_house_rules("tda", {"rake": {"percent": 5, "cap": 4}}), game=GameSettings(
        limit="no-limit", blinds=(1, 2)))  # fmt: skip

    assert parse_step(through_json(step_to_mapping(step))) == step


def test_the_verb_of_a_command_is_its_name() -> None:
    assert (verb_of(SitDown), verb_of(KillHand)) == ("sit-down", "kill-hand")
    assert set(VERBS.values()) == ({*STEPS} | {*get_args(NoStep)}) - {*UNASKED}


def test_no_former_verb_is_a_verb_and_each_names_one() -> None:
    assert not set(FORMER_VERBS) & set(VERBS)
    assert set(FORMER_VERBS.values()) <= set(VERBS)
    for verb, now in FORMER_VERBS.items():
        with pytest.raises(CommandError, match=f"There is no command {verb}; it is called {now} now."):
            read_command(verb, {})


def test_what_a_command_may_leave_out_a_case_must_say() -> None:
    """Every field that is filled in from the table is there in the case form of a command without it."""
    for verb, args, key in (
        ("deal", {}, "deal"),
        ("clock-expired", {}, "expires"),
        ("straddle", {"seat": 3}, "straddle"),
        ("correct-record", {"seat": 3, "to": 5}, "records"),
        ("kill-hand", {"seat": 3}, "kills"),
    ):
        command = read_command(verb, args)
        assert isinstance(command, STEPS)
        written = step_to_mapping(command)
        assert key in written
        without = {key: args} if isinstance(written[key], dict) else args
        with pytest.raises(FieldError):
            parse_step(without)


def test_chips_and_words_of_a_player_come_from_sensors_not_from_a_command() -> None:
    for args in ({"chips": [5]}, {"says": "call"}, {"splashes": [5]}, {"action": "raise", "to": 5, "accepted": True}):
        with pytest.raises(CommandError, match="is not a known key"):
            read_command("act", {"seat": 3, **args})


def test_a_name_of_nobody_may_be_empty() -> None:
    assert read_command("sit-down", {"seat": 3, "stack": 5, "player": ""}) == SitDown(seat=3, stack=5)
