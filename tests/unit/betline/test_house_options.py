"""Every option of docs/rulebook.md with every value that it lists, in a table file and under ``house`` of a case."""

import json
from typing import Any

import pytest

from betline.cases import CaseError
from betline.cases.read import parse_cases
from betline.settings import HouseRules, SettingsError, config_dir, load_house_rules, load_table

NUMBERS = (0, 1, 45)
BOTH = (True, False)

OPTIONS: dict[str, tuple[Any, ...]] = {
    "form": ("tournament", "cash"),
    "commit": ("cross-line", "cross-and-release", "floor"),
    "motion_gap_ms": NUMBERS,
    "raise_motions": ("single", "call-then-raise", "multi-after-raise"),
    "bare_raise_amount": ("to", "by"),
    "half_standard": BOTH,
    "same_denomination_exempt": BOTH,
    "big_blind_overchip": ("raise", "check"),
    "big_blind_swap": ("raise", "check"),
    "ambiguous_amount": ("at-most-pot", "below-pot"),
    "unclear_amount": ("lowest", "minimum", "ask", "floor"),
    "undercall": ("tda", "bound", "full-call", "floor"),
    "short_open_all_in": ("add-minimum", "to-minimum"),
    "short_all_in": ("full", "half"),
    "max_raises": (3, 4, 5, 6, "none"),
    "heads_up_cap": ("always", "off-if-round-started-heads-up", "off-if-heads-up-before-cap"),
    "straddle_counts_as_raise": BOTH,
    "stud_open_pair_double": BOTH,
    "pot_limit_preflop": ("true-pot", "assumed-call"),
    "pot_limit_small_blind": ("as-call", "as-pot"),
    "small_blind": ("live", "dead"),
    "short_blind_pot": ("full", "actual"),
    "pot_limit_overbet": ("return", "stands", "stands-when-all-acted"),
    "pot_below_minimum": ("minimum-bet", "no-bet"),
    "pot_round_to": ("none", 1, 5),
    "pot_limit_ante": ("counted", "not-counted"),
    "big_blind_ante_order": ("blind-first", "ante-first"),
    "three_blind_first": ("on-button", "left-of-button"),
    "button_rule": ("dead", "moving", "simplified"),
    "moving_both_due": ("big-now-small-next", "post-both"),
    "three_to_two": ("big-blind-moves", "simplified"),
    "replacement": ("pay-in-stead", "sit-out", "live-big-blind"),
    "new_player": ("post", "post-in-limit", "wait", "free"),
    "missed_blinds": ("none", "big-live-small-dead", "one-per-hand", "single-big"),
    "absent_players": ("dealt-in", "sit-out"),
    "big_blind_must_cover": ("none", "small-blind", "small-blind-and-ante"),
    "chop_blinds": BOTH,
    "straddle_positions": ("none", "utg", "button", "utg-or-button", "button-or-cutoff", "any"),
    "straddle_size": ("exact", "at-least"),
    "heads_up_straddle": BOTH,
    "short_straddle": ("refused", "full", "as-put"),
    "straddle_min_raise": ("increment", "double"),
    "restraddles": (0, 1, 5),
    "restraddle_size": ("double", "min-raise"),
    "mississippi_order": ("left-of-straddle", "left-of-big-blind"),
    "mississippi_restraddle": ("left", "right"),
    "sleepers": BOTH,
    "rock": BOTH,
    "kill": ("none", "half", "full", 20),
    "kill_trigger": ("none", {"pot_at_least": 200}, {"scoop_at_least": 150}, {"wins": 2}),
    "kill_acts": ("last", "in-turn"),
    "kill_in_blind": ("kill-only", "both", "defer-blind"),
    "bring_in_tie": ("suit", "position"),
    "bring_in_equal": ("may-raise", "live-option"),
    "out_of_turn": ("tda", "wsop-heads-up"),
    "all_in_hands_open": ("required", "optional"),
    "odd_chip": ("left-of-button", "high-card-suit"),
    "stakes": ("table", "open"),
    "buy_in": ("none", [20, 100]),
    "buy_in_most": ("range", "biggest-stack"),
    "lockout_minutes": NUMBERS,
    "rake": (
        "none",
        {"percent": 10, "cap": 4, "no_flop_no_drop": True},
        {"percent": 2.5, "cap_big_blinds": 3, "no_flop_no_drop": False},
        {"percent": 5, "cap": 0},
        {"time": 6, "minutes": 30},
        {"drop": 5},
        {"drop": 5, "no_flop_no_drop": True},
        {"percent": 10, "cap": 4, "drop": 1},
        {"steps": [[20, 1], [40, 2], [60, 3]], "no_flop_no_drop": True},
        {"steps": [[20, 1]], "drop": 2},
        {"by_players": [{"players": 2, "percent": 5, "cap": 2}, {"players": 5, "steps": [[10, 1]], "drop": 1}]},
    ),
    "kitty": ("none", "lowest-chip"),
    "clock_seconds": NUMBERS,
    "clock_starts": ("asked", "each-turn"),
    "time_banks": NUMBERS,
    "rebuy_levels": NUMBERS,
    "time_bank_seconds": NUMBERS,
    "pot_count": ("pot-limit-only", "always"),
    "short_buys": ("none", 1, "any"),
    "cash_plays": BOTH,
    "marker_least": NUMBERS,
    "implied_passive": ("ask", "assume", "skipped"),
    "substantial_action": ("tda", "wsop-live"),
    "tiny_chip": ("floor", "call"),
    "announce_all_in": ("on-request", "always"),
    "pot_announcement": ("on-request", "always"),
    "stack_display": ("facing-all-in", "on-request", "public"),
    "voice": ("off", "exceptions", "bets", "all"),
    "run_it": (1, 2, 3),
    "cards": ("off", "board", "board-and-shown"),
    "bomb_pot": ("none", {"ante": 0, "button_moves": False}, {"ante": 20, "button_moves": True}),
    "mandatory_straddle": BOTH,
}
EVERY_VALUE = [(option, value) for option, values in OPTIONS.items() for value in values]
WRONG_RAKES: tuple[Any, ...] = (
    {"percent": 5, "steps": [[20, 1]]},
    {"steps": [[40, 2], [20, 1]]},
    {"steps": []},
    {"steps": [[20]]},
    {"steps": [[20, 1]], "cap": 3},
    {"drop": 5, "time": 6, "minutes": 30},
    {"time": 6, "minutes": 30, "no_flop_no_drop": True},
    {"percent": 5, "by_players": [{"players": 2, "drop": 1}]},
    {"by_players": [{"players": 2}]},
    {"by_players": [{"players": 5, "drop": 2}, {"players": 3, "drop": 1}]},
    {"by_players": [{"players": 2, "time": 5}]},
)
WRONG: dict[str, tuple[Any, ...]] = {
    "motion_gap_ms": (-1, "700", 1.5, True),
    "max_raises": (2, 7, "3", True),
    "pot_round_to": (0, -5, "up"),
    "kill": ("hlf", 0, -1, True),
    "kill_trigger": ({}, {"wins": 0}, {"pot": 5}, {"wins": 2, "pot_at_least": 9}, "pot"),
    "buy_in": ([20], [20, 30, 40], [100, 20], ["20", 100], 20),
    "rake": ({}, {"percent": 101}, {"percent": "5"}, {"time": 6}, {"cap": 4}, {"dropp": 5}, *WRONG_RAKES),
    "short_buys": (2, "two", True),
    "run_it": (0, 4, "twice", True),
    "bomb_pot": ({"ante": 5}, {"ante": -1, "button_moves": True}, {"button_moves": True, "ante": "5"}),
    "restraddles": (-1, "n", False),
    "clock_seconds": ("none", -1),
    "clock_starts": ("never", 1),
    "time_banks": ("none", -1),
    "rebuy_levels": ("none", -1),
    "time_bank_seconds": ("none", -1),
}
EVERY_WRONG = [(option, value) for option, values in WRONG.items() for value in values]
CASE = """
- id: one
  game: {limit: no-limit, blinds: [1, 2]}
  house: {profile: home, %s: %s}
  button: 1
  seats: {1: 100, 2: 100}
  play: [{seat: 1, action: call}]
"""


def test_the_options_are_those_of_the_page():
    assert set(OPTIONS) == set(HouseRules.model_fields)


def table_with(tmp_path, option, value):
    text = (config_dir() / "tables" / "home-six.toml").read_text()
    written = json.dumps(value) if not isinstance(value, dict) else inline(value)
    file = tmp_path / "mine.toml"
    file.write_text(f"{text}\n[house.options]\n{option} = {written}\n")
    return file


def inline(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(inline, value)) + "]" if isinstance(value, list) else json.dumps(value)


def test_a_mistyped_profile_of_a_house_rules_file_is_named(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('profle = "tda"\n')
    with pytest.raises(SettingsError, match="did you mean profile"):
        load_house_rules(file)


@pytest.mark.parametrize("option", ["voice", "cards"])
def test_an_off_without_quotes_is_off_in_a_case(option, tmp_path):
    (case,) = parse_cases(CASE % (option, "off"), tmp_path / "one.yaml")
    assert getattr(case.setup.house, option) == "off"


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("max_raises", 7, "valid are 3, 4, 5, 6, none."),
        ("max_raises", "non", "did you mean none?"),
        ("kill", -2, "valid are a whole number, full, half, none."),
        ("kill", "hlf", "did you mean half?"),
        ("commit", "never", "valid are cross-and-release, cross-line, floor."),
    ],
    ids=str,
)
def test_a_wrong_value_is_told_all_that_is_valid_none_and_numbers_too(option, value, words):
    with pytest.raises(SettingsError) as told:
        load_house_rules("home", {option: value})
    assert words in str(told.value)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("option", "value"), EVERY_VALUE, ids=str)
def test_every_listed_value_is_read_in_a_table_file_and_in_a_case(option, value, tmp_path):
    expected = load_house_rules("home", {option: value})
    table = load_table(table_with(tmp_path, option, value))
    assert load_house_rules(table.house.profile, table.house.options) == expected
    (case,) = parse_cases(CASE % (option, json.dumps(value)), tmp_path / "one.yaml")
    assert case.setup.house == expected


@pytest.mark.parametrize(
    ("option", "value"),
    [(option, value) for option, value in EVERY_VALUE if not isinstance(value, dict | list)],
    ids=str,
)
def test_a_listed_value_is_what_the_rules_then_hold(option, value):
    held = getattr(load_house_rules("cash", {option: value}), option)
    absent = value == "none" and option not in (
        "missed_blinds",
        "straddle_positions",
        "big_blind_must_cover",
        "short_buys",
    )
    assert held == (None if absent else value)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("option", OPTIONS)
def test_a_mistyped_option_is_refused_with_the_nearest(option, tmp_path):
    mistyped = option.replace(option[1], "", 1)
    with pytest.raises(
        SettingsError, match=rf"mine\.toml.*{mistyped} is not a house rule option; did you mean {option}\?"
    ):
        load_table(table_with(tmp_path, mistyped, "none"))
    with pytest.raises(CaseError, match=rf"one\.yaml:4: house\.{mistyped}: is not .* did you mean {option}\?"):
        parse_cases(CASE % (mistyped, "none"), tmp_path / "one.yaml")


@pytest.mark.one_in(5)
@pytest.mark.parametrize("option", [name for name, values in OPTIONS.items() if isinstance(values[-1], str)])
def test_a_mistyped_word_is_refused_with_the_nearest(option, tmp_path):
    for value in OPTIONS[option]:
        if not isinstance(value, str) or value == "none":
            continue
        with pytest.raises(SettingsError, match=rf"mine\.toml.*{option} cannot be '{value}x'; did you mean {value}\?"):
            load_table(table_with(tmp_path, option, f"{value}x"))
        with pytest.raises(
            CaseError, match=rf"one\.yaml:4: house\.{option}: cannot be '{value}x'; did you mean {value}\?"
        ):
            parse_cases(CASE % (option, f"{value}x"), tmp_path / "one.yaml")


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("option", "value"), EVERY_WRONG, ids=str)
def test_a_value_that_is_not_listed_is_refused_by_the_option_s_name(option, value, tmp_path):
    with pytest.raises(SettingsError, match=rf"mine\.toml.*{option}"):
        load_table(table_with(tmp_path, option, value))
    with pytest.raises(CaseError, match=rf"one\.yaml:4: house\.{option}"):
        parse_cases(CASE % (option, json.dumps(value)), tmp_path / "one.yaml")


def test_a_sites_own_profile_is_read_again_when_it_has_changed(tmp_path):
    file = tmp_path / "ours.toml"
    for rule in ("left-of-button", "high-card-suit"):
        file.write_text(f'profile = "cash"\nodd_chip = "{rule}"\n', encoding="utf-8")
        assert load_house_rules(file).odd_chip == rule
