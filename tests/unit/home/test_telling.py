"""What a house is told of a table, and how Home Assistant is told to show it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from betline import topics
from betline.home_assistant import Places
from betline.messages.common import Presence
from betline.messages.table import Alert, LevelState
from betline.messages.views import ActView, TableView
from betline.provision.rights import Account, lines
from betline.topics import topic
from table_controller.happenings.telling import HAPPENINGS, LONGEST_TEXT, Happening, Telling
from table_controller.home.discovery import device_payload, without_old
from tests.unit.web.serving import view

PLACES = Places("home", "home-six")
HOME = Account("home", "home", ())
BOARD = topic(topics.VIEW, "board")
RAISE = ActView(seat=3, act="raise", to=300, text="Seat 3 raises to 300")


def told(*views: TableView) -> tuple[Telling, list[Happening]]:
    telling, all_of_it = Telling(), list[Happening]()
    for one in views:
        telling, happened = telling.heard(BOARD, one)
        all_of_it += happened
    return telling, all_of_it


def test_the_state_has_the_turn_the_pot_and_the_level_as_the_board_may_show_them() -> None:
    level = LevelState(
        number=3, stakes="100/200", next_number=4, next_stakes="150/300", started=True, ends_ms=None, left_ms=1
    )
    telling, _ = told(view(level=level))
    assert telling.state() == {
        "to_act": 2, "to_call": 300, "minimum": 600, "maximum": 900, "pot": 750, "street": "flop", "hand": 7,
        "level": "3: 100/200", "announcement": "Seat 2: call 300, minimum raise to 600, maximum 900", "alerts": 0,
        "alert": None, "sensors": 0, "sensors_text": None,
    }  # fmt: skip


def test_what_is_not_so_now_is_null() -> None:
    telling, _ = told(view(turn=None, pot=None, street="", hand_no=0))
    state = telling.state()
    assert {name for name, value in state.items() if value is None} == {
        "to_act", "to_call", "minimum", "maximum", "pot", "street", "hand", "level", "announcement", "alert",
        "sensors_text",
    }  # fmt: skip


def test_the_view_of_another_audience_is_not_told() -> None:
    telling, happened = Telling().heard(topic(topics.VIEW, "stream"), view())
    assert (telling.view, happened) == (None, ())


def test_an_act_is_told_once_and_an_all_in_as_that_too() -> None:
    all_in = ActView(seat=2, act="raise", to=900, all_in=True, text="Seat 2 raises to 900, all-in")
    _, happened = told(view(1), view(2, last_act=RAISE), view(3, last_act=RAISE), view(4, last_act=all_in))
    assert [(one.kind, one.data["text"]) for one in happened] == [
        ("act", "Seat 3 raises to 300"),
        ("act", "Seat 2 raises to 900, all-in"),
        ("all-in", "Seat 2 raises to 900, all-in"),
    ]


def test_the_same_act_in_the_next_hand_is_another_one() -> None:
    _, happened = told(view(1, last_act=RAISE), view(2, last_act=RAISE, hand_no=8))
    assert [one.kind for one in happened] == ["act"]


def test_what_was_so_before_this_program_began_is_no_news() -> None:
    _, happened = told(view(9, last_act=RAISE))
    assert happened == []


@pytest.mark.parametrize(
    ("winners", "text"), [((2,), "Seat 2 wins"), ((1, 3), "Seats 1 and 3 split"), ((), "Hand over")]
)
def test_a_hand_that_is_over_is_told_once(winners: tuple[int, ...], text: str) -> None:
    over = {"phase": "hand-over", "turn": None, "winners": winners}
    _, happened = told(view(1), view(2, **over), view(3, **over))
    assert [one.as_json() for one in happened] == [
        {"event_type": "hand-over", "text": text, "hand": 7, "winners": list(winners)}
    ]


def test_alerts_are_counted_while_they_stand() -> None:
    one = Alert(severity="warning", code="antenna-weak", seat=3, sentence="Seat 3: check its antenna.")
    telling, happened = Telling().heard(topic(topics.ALERT), one)
    assert [event.kind for event in happened] == ["alert"]
    assert (telling.state()["alerts"], telling.state()["alert"]) == (1, "Seat 3: check its antenna.")
    telling, happened = telling.heard(topic(topics.ALERT), one.model_copy(update={"active": False}))
    assert (telling.state()["alerts"], happened) == (0, ())


def test_a_sensor_that_is_away_is_a_problem_until_it_is_back() -> None:
    telling = Telling()
    for name, state in (("overhead", "online"), ("bridge", "starting"), ("seat-3", "offline"), ("seat-4", "stale")):
        telling, _ = telling.heard(topic(topics.DEVICE_STATUS, name), Presence(state=state))
    assert (telling.state()["sensors"], telling.state()["sensors_text"]) == (2, "seat-3 is offline, seat-4 is stale")
    telling, _ = telling.heard(topic(topics.DEVICE_STATUS, "seat-3"), Presence(state="online"))
    assert telling.state()["sensors"] == 1


def test_no_text_is_longer_than_home_assistant_takes() -> None:
    turn = view().turn
    assert turn is not None
    telling, _ = told(view(turn=turn.model_copy(update={"text": "x" * 400})))
    assert len(telling.state()["announcement"]) == LONGEST_TEXT


# --- how it is shown


def payload(seats: range = range(1, 7)) -> dict[str, Any]:
    return device_payload(PLACES, "Six-seat home table", seats, "0.1.0")


def test_every_field_of_the_state_has_its_entity_and_every_happening_its_trigger() -> None:
    components = payload()["components"]
    shown = json.dumps(components)
    for name in Telling().state():
        assert f"value_json.{name}" in shown or name in ("alert",), name
    assert components["event"]["event_types"] == list(HAPPENINGS)
    triggers = [one["payload"] for one in components.values() if one["platform"] == "device_automation"]
    assert triggers == list(HAPPENINGS)


def test_every_entity_has_a_name_of_its_own_for_good() -> None:
    ids = [one["unique_id"] for one in payload()["components"].values() if "unique_id" in one]
    assert len(set(ids)) == len(ids) > 15
    assert all(one.startswith("betline_home_home-six_") for one in ids)


def test_no_two_tables_are_one_device_in_home_assistant() -> None:
    tables = (("my", "home-six"), ("my-home", "six"), ("my-home-six", "x"))
    devices = {Places(site, table).device for site, table in tables}
    rights = {line for site, table in tables for line in lines(HOME, "user", site, table) if "/device/betline" in line}
    assert len(devices) == len(rights) == 3


def test_a_seat_that_is_gone_is_taken_out_by_a_farewell() -> None:
    smaller = without_old(payload(range(1, 6)), payload(range(1, 7)))
    assert smaller["components"]["seat_6"] == {"platform": "binary_sensor"}
    assert without_old(payload(), payload()) == payload()
    assert without_old(payload(), {"components": "none"}) == payload()


def test_a_farewell_that_comes_back_from_the_broker_is_not_said_again() -> None:
    fewer = payload(range(1, 6))
    farewell = without_old(fewer, payload(range(1, 7)))
    assert farewell != fewer
    assert without_old(fewer, farewell) == fewer


def test_the_account_may_describe_this_table_and_no_other() -> None:
    rights = lines(HOME, "home.home-six.home", "home", "home-six")
    beyond = [line for line in rights if "betline/v1/" not in line and line.startswith("topic")]
    assert beyond == [
        "topic readwrite homeassistant/device/betline_home_home-six/config",
        "topic read homeassistant/status",
        "topic write betline-home/home/home-six/#",
    ]
    assert not any(line.startswith("topic write betline/v1") for line in rights)
    others = lines(Account("display", "display", ()), "home.home-six.display", "home", "home-six")
    assert not any("homeassistant" in line for line in others)
