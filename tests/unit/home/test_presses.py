"""Which presses of a button count, how the buttons are described, and who may send what they ask."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from betline.buttons import MEANINGS, verbs_of
from betline.home_assistant import Places
from betline.provision.rights import accounts_of, lines, shipped_accounts
from betline.settings import SettingsError, TableSettings, load_table
from betline.steps import VERBS
from table_controller.home.discovery import device_payload, without_old
from table_controller.home.person import Person, PinError
from table_controller.home.presses import AT_MOST_EVERY_S, PRESS, Press, Presses, Taken, Told

PLACES = Places("home", "home-six")
ALLOWED = Presses(("next-hand",))


def judged(*presses: Press, by: Presses = ALLOWED) -> list[str]:
    """What became of each: its button, or the code of the refusal."""
    said = list[str]()
    for press in presses:
        by, found = by.judged(press)
        said.append(found.button if isinstance(found, Taken) else found.code)
    return said


def press(button: str = "next-hand", payload: str = PRESS, retained: bool = False, came_s: float = 0.0) -> Press:
    return Press(button, payload, retained, came_s)


def test_a_press_counts_once_within_a_second() -> None:
    again = (0.0, AT_MOST_EVERY_S / 2, AT_MOST_EVERY_S, 2 * AT_MOST_EVERY_S)
    assert judged(*(press(came_s=at_s) for at_s in again)) == ["next-hand", "bounced", "next-hand", "next-hand"]


def test_another_button_is_not_held_up_by_the_first() -> None:
    both = Presses(("next-hand", "pause-clock"))
    assert judged(press(), press("pause-clock"), by=both) == ["next-hand", "pause-clock"]


def test_a_press_that_the_broker_had_kept_is_not_carried_out() -> None:
    assert judged(press(retained=True), press()) == ["retained", "next-hand"]


@pytest.mark.parametrize("payload", ["", "press", "ON", "PRESS "])
def test_what_is_no_press_is_refused_and_holds_up_none(payload: str) -> None:
    assert judged(press(payload=payload), press()) == ["unknown-press", "next-hand"]


def test_a_button_that_the_table_file_does_not_allow_is_refused() -> None:
    assert judged(press("pause-clock"), press("fold")) == ["unknown-button", "unknown-button"]
    assert not Told("fold", "unknown-button", "No.").done


# --- the table file


def table(text: str, folder: Path, base: str = "home-six") -> TableSettings:
    file = folder / "my.toml"
    file.write_text(f'based_on = "{base}"\nname = "my"\ntitle = "My table"\n{text}', encoding="utf-8")
    return load_table(file)


def test_a_table_has_no_buttons_unless_its_file_names_them(tmp_path: Path) -> None:
    assert load_table("home-six").home_assistant.buttons == ()
    named = table('[home_assistant]\nbuttons = ["next-hand"]\n', tmp_path)
    assert named.home_assistant.buttons == ("next-hand",)
    assert named.config_hash() == table("", tmp_path).config_hash(), "buttons make no other table"


@pytest.mark.parametrize(
    ("buttons", "sentence"),
    [
        ('["fold"]', "next-hand"),
        ('["next-hand", "next-hand"]', "buttons has next-hand twice; name it once"),
        (
            '["pause-clock", "resume-clock"]',
            "pause-clock and resume-clock would do nothing, as the table has no levels",
        ),
    ],
)
def test_buttons_that_cannot_be_are_refused_when_the_file_is_read(buttons: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=sentence):
        table(f"[home_assistant]\nbuttons = {buttons}\n", tmp_path)


def test_a_table_with_levels_may_have_the_buttons_of_the_clock(tmp_path: Path) -> None:
    table('[home_assistant]\nbuttons = ["pause-clock", "resume-clock"]\n', tmp_path, "tournament")


# --- how they are described


def components(*buttons: Any) -> dict[str, Any]:
    found: dict[str, Any] = device_payload(PLACES, "Six", range(1, 3), "0.1.0", buttons)["components"]
    return found


def test_without_buttons_nothing_can_be_pressed() -> None:
    assert not [one for one in components().values() if one["platform"] == "button"]
    assert "pressed" not in components()


def test_each_button_is_described_with_the_place_of_its_presses() -> None:
    one = components("next-hand", "pause-clock")["button_next_hand"]
    assert (one["platform"], one["name"], one["payload_press"], one["retain"]) == ("button", "Next hand", PRESS, False)
    assert one["command_topic"] == "betline-home/home/home-six/press/next-hand"
    assert components("next-hand")["pressed"]["event_types"] == ["done", "refused"]


def test_buttons_that_were_switched_off_are_taken_out() -> None:
    before = device_payload(PLACES, "Six", range(1, 3), "0.1.0", ("next-hand",))
    after = without_old(device_payload(PLACES, "Six", range(1, 3), "0.1.0"), before)["components"]
    assert (after["button_next_hand"], after["pressed"]) == ({"platform": "button"}, {"platform": "event"})


# --- who may send what they ask

BETWEEN = ("command/", "sign-in/", "press/")


def home(buttons: tuple[Any, ...]) -> list[str]:
    six = load_table("home-six")
    whole = six.model_copy(update={"home_assistant": six.home_assistant.model_copy(update={"buttons": buttons})})
    [account] = [one for one in accounts_of(whole) if one.name == "home"]
    return lines(account, "user", "home", "home-six")


def test_the_account_may_send_the_commands_of_its_buttons_and_no_other() -> None:
    said = {line for line in home(("next-hand", "pause-clock")) if any(one in line for one in BETWEEN)}
    assert said == {
        "topic write betline/v1/home/home-six/command/next-hand",
        "topic write betline/v1/home/home-six/command/clock",
        "topic write betline/v1/home/home-six/sign-in/+",
        "topic read betline-home/home/home-six/press/next-hand",
        "topic read betline-home/home/home-six/press/pause-clock",
    }
    assert set(home(("next-hand",))) - set(home(())) == {
        "topic write betline/v1/home/home-six/command/next-hand",
        "topic write betline/v1/home/home-six/sign-in/+",
        "topic read betline/v1/home/home-six/sign-in-answer/+",
        "topic read betline/v1/home/home-six/staff",
        "topic read betline/v1/home/home-six/reply/+",
        "topic read betline-home/home/home-six/press/next-hand",
    }


def test_without_buttons_the_account_can_ask_for_nothing() -> None:
    by_hand = [lines(one, "user", "+", "+") for one in shipped_accounts() if one.name == "home"]
    for given in (home(()), *by_hand):
        assert not any(one in line for line in given for one in BETWEEN)
        assert not any(line.startswith(("topic write betline/v1", "topic readwrite betline/v1")) for line in given)


def test_every_button_is_a_command_that_there_is() -> None:
    assert set(verbs_of(MEANINGS)) <= set(VERBS)


# --- in whose name


def test_a_pin_is_read_from_a_file_that_only_its_owner_can_use(tmp_path: Path) -> None:
    file = tmp_path / "pin"
    file.write_text("4711\n", encoding="utf-8")
    file.chmod(0o600)
    assert Person("Ann", file).pin() == "4711"
    file.chmod(0o640)
    with pytest.raises(PinError, match="chmod 600"):
        Person("Ann", file).pin()


@pytest.mark.parametrize("text", ["", "12", "one two", "12 34"])
def test_what_is_no_pin_is_said(text: str, tmp_path: Path) -> None:
    file = tmp_path / "pin"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(PinError, match="holds no PIN"):
        Person("Ann", file).pin()
    with pytest.raises(PinError):
        Person("Ann", tmp_path / "none").pin()
