"""Mouse and touch do what keys do: every key is a button, seats, questions, alerts and rows answer to clicks."""

import pytest

from betline.messages.table import Alert, Question
from table_controller.console.footer import footer, pressed
from table_controller.console.hints import spots
from table_controller.console.intents import COMMANDING, Ask, Refused, intent
from table_controller.console.keys import KEYS
from table_controller.console.screens.help import HelpScreen
from table_controller.console.screens.table import TableScreen
from tests.unit.console.table import playing, showdown, state
from tests.unit.console.test_footer import CASES

SIZES = [(80, 24), (106, 33)]
QUESTION = Question(id="q1", seat=4, kind="unreported", sentence="2 and 3 folded?", choices=("folded", "out-of-turn"))
FLOOR = Question(id="f1", seat=4, kind="floor", sentence="Floor: seat 4, unclear.", choices=("call", "raise:20"))
STREET = {"phase": "round-over", "to_act": None, "call": None, "min_raise_to": None, "max_raise_to": None, "may": ()}


@pytest.mark.nightly
@pytest.mark.parametrize("size", SIZES)
async def test_a_whole_hand_is_dealt_by_mouse_alone(size):
    async with playing(state(phase="posting", to_act=None, call=None, may=()), size=size) as table:
        await table.click("D cards are out")
        await table.tells(state(version=2))
        await table.click("B/R raise")
        for digit in "60":
            await table.click(digit, within="DigitPad")
        await table.click("Enter", within="#hint")
        await table.answers()
        await table.tells(state(version=3, to_act=1, call=60))
        await table.click("C call")
        await table.tells(state(version=4, to_act=2, call=55))
        await table.click("Space fold")
        await table.tells(state(version=5, to_act=3, call=50))
        await table.click("A all-in")
        await table.click("Enter or Y: yes")
        await table.answers()
        await table.tells(state(version=6, **STREET, pot=180))
        await table.click("D next street")
        await table.tells(showdown((300, (1, 3, 4)), (80, (3, 4))).model_copy(update={"version": 7}))
        await table.click("W award", within="#keys")
        for clicked in ("3", "4"):
            await table.click(clicked, within="DigitPad")
            await table.click("Enter", within="#hint")
        await table.answers()
        await table.tells(state(version=8, phase="hand-over", to_act=None, call=None, may=(), pot=0))
        await table.click("N next hand")
        await table.click("U undo")
        assert table.asked == [
            ("cards-out", {}),
            ("act", {"seat": 4, "action": "raise", "to": 60}),
            ("act", {"seat": 1, "action": "call"}),
            ("passive", {"seat": 2}),
            ("act", {"seat": 3, "action": "all-in"}),
            ("deal", {}),
            ("award", {"pots": [[3], [4]]}),
            ("next-hand", {}),
            ("undo-key", {}),
        ]


@pytest.mark.one_in(13)
@pytest.mark.parametrize("action", [key.action for key in KEYS])
async def test_every_key_is_reached_by_mouse(action, monkeypatch):
    pressed_keys = []
    monkeypatch.setattr(TableScreen, "action_press", lambda _screen, name, number=None: pressed_keys.append(name))
    async with playing(state(), size=(100, 60)) as table:
        table.app._open("help")
        await table.pilot.pause()
        key = next(one for one in KEYS if one.action == action)
        await table.click(f"{key.shown:<8}{key.meaning[:40]}")
        assert pressed_keys == [action]
        assert isinstance(table.app.screen, TableScreen)


@pytest.mark.nightly
async def test_the_list_of_keys_is_opened_by_a_click_at_every_size():
    for size in (*SIZES, (120, 40), (200, 50)):
        async with playing(state(), size=size) as table:
            await table.click("? help")
            assert isinstance(table.app.screen, HelpScreen)
            await table.click("Esc: back to the table")
            assert isinstance(table.app.screen, TableScreen)


async def test_a_page_scrolls_by_the_wheel_and_by_its_named_keys():
    async with playing(state()) as table:
        await table.click("? help")
        first = table.text
        await table.click("PgDn")
        assert table.text != first
        await table.click("Home")
        assert table.text == first
        await table.pilot._post_mouse_events([_wheel()], offset=(10, 10))
        await table.pilot.pause()
        assert table.text != first


def _wheel():
    from textual.events import MouseScrollDown

    return MouseScrollDown


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", SIZES)
async def test_a_number_before_a_key_is_clicked_too(size):
    async with playing(state(), size=size) as table:
        await table.click("#", within="#keys")
        await table.click("1", within="DigitPad")
        await table.click("Enter", within="#hint")
        assert "seat 1 acts" in table.text
        await table.click("? help")
        await table.click("J       that seat acts now")
        assert table.asked == [("jump", {"seat": 1})]


@pytest.mark.parametrize("case", CASES)
def test_each_key_at_the_bottom_is_a_button_for_what_it_says(case):
    now = state(**{"street": "predraw", "seats": (), **CASES[case][0]} if case == "round over" else CASES[case][0])
    for hint in footer(now):
        for action in pressed(hint):
            name, _, number = action.removeprefix("press(").removesuffix(")").partition(", ")
            if (name := name.strip("'")) in COMMANDING:
                assert not isinstance(intent(name, int(number) if number else None, now), Refused), hint


async def test_of_several_keys_on_one_button_each_has_its_part():
    async with playing(state(questions=(QUESTION,))) as table:
        table.clock.now_s += 1.0
        await table.click("Enter O answer", at=13)
        assert table.asked == [("answer", {"question": "q1", "choice": "out-of-turn"})]


async def test_a_seat_is_clicked_for_its_menu_and_a_row_of_it_chosen():
    async with playing(state()) as table:
        await table.click("3 Cleo")
        await table.click("O  is away")
        assert table.asked == [("sit-out", {"seat": 3})]


@pytest.mark.nightly
async def test_names_and_amounts_are_typed_by_clicks():
    async with playing(state()) as table:
        await table.click("5  empty")
        await table.click("W  sits down")
        for letter in "400":
            await table.click(letter, within="LetterPad")
        await table.click("Space", within="LetterPad")
        for letter in "amy":
            await table.click(letter, within="LetterPad")
        await table.click("Enter", within="LetterPad")
        assert table.asked == [("sit-down", {"seat": 5, "stack": 400, "post": False, "player": "amy"})]


async def test_a_hand_on_the_keyboard_sees_no_letters_until_the_line_is_clicked():
    async with playing(state()) as table:
        await table.press("s")
        assert not table.app.screen.query_one("LetterPad").display
        await table.pilot.click("Input")
        await table.pilot.pause()
        assert table.app.screen.query_one("LetterPad").display


@pytest.mark.one_in(3)
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (106, 33), (120, 40), (200, 50)])
@pytest.mark.parametrize(("answer", "choice"), [("Enter = folded", "folded"), ("O = out of turn", "out-of-turn")])
async def test_an_answer_is_clicked(size, answer, choice):
    async with playing(state(questions=(QUESTION,)), size=size) as table:
        table.clock.now_s += 1.0
        await table.click(answer)
        assert table.asked[-1] == ("answer", {"question": "q1", "choice": choice})


async def test_the_floors_question_and_its_offers_are_clicked():
    async with playing(state(questions=(FLOOR,))) as table:
        await table.click("Y = call / raise:20")
        await table.click("2  raise:20")
        assert table.done == [("floor-decision", {"ruling": "raise", "to": 20})]


async def test_an_alert_that_is_clicked_is_seen():
    alert = Alert(severity="warning", code="reader-down", sentence="reader-5 is silent: key seat 5's amounts.")
    async with playing(state(alerts=(alert,))) as table:
        await table.click("▲ reader-5 is silent")
        assert "1 alert seen" in table.text
        await table.click("1 alert seen")
        assert "reader-5 is silent" in table.text


async def test_where_nothing_answers_a_click_does_nothing():
    async with playing(state()) as table:
        before = table.text
        await table.click("dealer")
        await table.click("hand 3")
        assert (table.text, table.asked) == (before, [])


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ("M min 20 · P pot 35 · max 35 · Enter · Esc", ["m", "p", "enter", "escape"]),
        ("Enter or Y: yes · Esc or N: no", ["enter", "y", "escape", "n"]),
        ("↑ ↓ PgUp PgDn Home: scroll · Esc: back", ["up", "down", "pageup", "pagedown", "home", "escape"]),
        ("its letter · Esc", ["escape"]),
        ("the amount, e.g. A big one", []),
    ],
)
def test_the_keys_in_a_line_of_hints(line, keys):
    assert [spot.key for spot in spots(line)] == keys


def test_a_spot_covers_its_words():
    line = "M min 20 · Esc or N: no"
    assert [line[one.start : one.start + one.length] for one in spots(line)] == ["M min 20", "Esc", "N: no"]


# --- questions under dialogs -----------------------------------------------------------------------------------------


@pytest.mark.one_in(11)
@pytest.mark.parametrize("key", ["b", "a", "s", "m", "q"])
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (106, 33), (120, 40), (200, 50)])
async def test_no_dialog_covers_a_question(size, key):
    async with playing(state(questions=(QUESTION,)), size=size) as table:
        await table.press(key)
        await table.pilot.pause()
        shown = " ".join(table.text.replace("┃", " ").split())
        assert "2 and 3 folded?" in shown
        assert "Enter = folded · O = out of turn" in shown


def test_asking_is_an_intent_of_its_own():
    assert intent("seating", 3, state()) == Ask("seating", 3)
