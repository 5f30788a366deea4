"""Other keys: read from maps, refused in sentences, and named wherever keys are named."""

import string

import pytest

from betline.settings import config_dir, load_table, shipped
from table_controller.console.card import card
from table_controller.console.footer import footer, pressed
from table_controller.console.intents import Refused, intent
from table_controller.console.keymaps import KeysError, key_map, keys_for, load_keys, users_file
from table_controller.console.keys import KEYS, STANDARD, cap, using
from table_controller.console.view import view_of
from tests.unit.console.table import TABLE, playing, showdown, state


def turned():
    """Every letter is the key of another act."""
    letters = {key.action: key.binding for key in KEYS if len(key.binding) == 1}
    actions = list(letters)
    return key_map(dict(zip(actions, [*list(letters.values())[1:], letters[actions[0]]], strict=True)), "turned")


@pytest.mark.parametrize("name", shipped("keys"))
def test_a_shipped_map_is_whole_and_keeps_every_act(name):
    found = load_keys(name)
    assert [key.action for key in found.keys] == [key.action for key in KEYS]
    assert set("+") <= set(found.by_action["redo"].shown)


def test_a_foot_pedal_has_three_switches_and_a_numeric_pad_the_usual_acts():
    extra = {key.action for key in load_keys("foot-pedal").keys if key != STANDARD.by_action[key.action]}
    assert len(extra) == 3
    pad = load_keys("numpad")
    assert {pad.by_cap[sign] for sign in "/*.="} == {"call", "raise", "undo", "deal"}


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"call": "f"}, "F is the key of call and of fold. Give one of them another key."),
        ({"call": ["c", "C"]}, "C is the key of call and of call."),
        ({"calls": "c"}, "there is no act calls."),
        ({"call": "7"}, "the key 7 types a number. Take another one."),
        ({"call": "escape"}, "the key escape forgets the number."),
        ({"call": "backspace"}, "the key backspace takes back a digit."),
        ({"call": "hyper"}, "there is no key hyper."),
        ({"call": []}, "give call a key"),
        ({"call": [7]}, "give call a key"),
    ],
)
def test_a_map_that_cannot_be_used_is_refused_with_a_sentence(wanted, sentence):
    with pytest.raises(KeysError, match=sentence.replace(".", r"\.")):
        key_map(wanted, "mine.toml")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("keys = 3", "write one section"),
        ("[other]\na = 1", "write one section"),
        ("[keys", "cannot be read"),
        ('[keys]\nmap = "none"', "there is no shipped map none"),
    ],
)
def test_a_file_that_is_no_key_map_is_refused(tmp_path, content, sentence):
    file = tmp_path / "mine.toml"
    file.write_text(content)
    with pytest.raises(KeysError, match=sentence):
        load_keys(str(file))


def test_a_map_that_is_not_there_is_refused_with_the_names_of_those_that_are():
    with pytest.raises(KeysError, match="foot-pedal, numpad"):
        load_keys("numpads")


def test_the_option_goes_before_the_users_file_and_that_before_the_tables(tmp_path):
    users = tmp_path / "keys.toml"
    of_table = {"map": "foot-pedal", "fold": "end"}
    assert keys_for(None, of_table, users).by_action["fold"].shown == "End"
    assert keys_for(None, of_table, users).by_cap["F13"] == "undo"
    users.write_text('[keys]\nfold = ["f", "home"]')
    assert keys_for(None, of_table, users).by_action["fold"].shown == "F Home"
    assert keys_for("numpad", of_table, users).by_action["fold"].shown == "F"
    assert keys_for(None, {}, tmp_path / "none").keys == STANDARD.keys


def test_the_users_file_is_where_programs_keep_such_files(tmp_path):
    assert users_file({"XDG_CONFIG_HOME": str(tmp_path)}) == tmp_path / "betline" / "keys.toml"
    assert users_file({"HOME": str(tmp_path)}) == tmp_path / ".config" / "betline" / "keys.toml"


def test_the_tables_file_may_bear_a_map(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('based_on = "casino-oval"\nname = "mine"\ntitle = "Mine"\n[keys]\nfold = ["f", "end"]\n')
    table = load_table(str(file))
    assert keys_for(None, table.keys, tmp_path / "none").by_action["fold"].shown == "F End"
    assert table.model_copy(update={"keys": {}}).config_hash() == table.config_hash()


def test_every_sentence_names_the_keys_in_force():
    over = {"to_act": None, "call": None, "min_raise_to": None, "max_raise_to": None, "may": ()}
    states = [state(), state(phase="posting", **over), state(phase="hand-over", **over), showdown((40, (1, 2)))]
    with using(turned()):
        for now in states:
            for hint in footer(now):
                for action in pressed(hint):
                    assert action.startswith("press(")
        assert cap("fold") in dict(footer(state()))
        assert dict(footer(state()))[cap("fold")] == "fold"
        assert f"{cap('award')} awards the pots" in view_of(states[3], TABLE).headline
        assert intent("jump", None, state()) == Refused(
            f"Type the seat's number first, then {cap('jump')}: 7 {cap('jump')}."
        )
        assert f"| {cap('fold')} | fold; with" in card()
    assert "| F | fold; with" in card()


async def test_other_keys_do_what_they_say_and_the_old_ones_no_longer_do():
    with using(key_map({"call": ["slash", "f15"], "fold": "c", "raise": "end"}, "test")):
        async with playing(state()) as table:
            await table.press("slash")
            await table.press("f15")
            await table.press("c")
            await table.press("C")
            assert [args["action"] for _, args in table.asked] == ["call", "call", "fold", "fold"]
            await table.press("b", "f", "r")
            assert len(table.asked) == 4
            assert "/ F15 call" in table.text
            await table.click("End raise")
            await table.press("6", "0", "enter")
            assert table.asked[-1] == ("act", {"seat": 4, "action": "raise", "to": 60})


async def test_each_letter_may_be_the_key_of_another_act():
    with using(turned()):
        async with playing(state()) as table:
            await table.press(cap("fold").lower())
            await table.press(cap("rest-folds").lower())
            assert [verb for verb, _ in table.asked] == ["act", "rest-folds"]


async def test_the_list_of_keys_is_that_of_the_keys_in_force():
    with using(load_keys("foot-pedal")):
        async with playing(state(), size=(100, 60)) as table:
            await table.press("question_mark")
            assert "U F13" in table.text
            assert "Enter F14" in table.text


def test_the_shipped_maps_name_only_keys_that_terminals_send():
    for name in shipped("keys"):
        text = (config_dir() / "keys" / f"{name}.toml").read_text(encoding="utf-8")
        assert text.startswith("#")
        assert set(text) <= set(string.printable)


async def test_in_a_dialog_the_pedal_of_the_first_answer_is_enter():
    with using(load_keys("foot-pedal")):
        async with playing(state()) as table:
            await table.press("a", "f14")
            assert table.asked == [("act", {"seat": 4, "action": "all-in"})]


async def test_a_letter_that_answers_at_the_table_is_a_letter_in_a_line_of_words():
    with using(key_map({"answer-1": ["enter", "y"], "floor": "f10"}, "test")):
        async with playing(state()) as table:
            await table.press("4", "e", "c", *"yves", "enter")
            assert table.asked == [("name-player", {"seat": 4, "player": "yves"})]
