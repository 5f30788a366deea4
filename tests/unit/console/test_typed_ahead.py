"""Keys that come faster than dialogs open: none is lost, and none goes to what was there before."""

import pytest
from textual.events import Key
from textual.keys import key_to_character

from betline.messages.table import Ruling
from betline.settings import FloorSettings
from tests.unit.console.table import TABLE, playing, state

CALLED = Ruling(
    seat=3, ruling="call", to=10, sentence="Seat 3 calls 10.", street="preflop", source="keyed", hand_no=3, act_no=1
)


async def types(table, *keys):
    """All of them are on their way before the first is read."""
    for name in keys:
        event = Key(name, key_to_character(name))
        event.set_sender(table.app)
        table.app._driver.send_message(event)
    await table.pilot.pause()  # the driver hands them over in turns of the loop
    while table.app._keys or table.app._number:
        await table.pilot.pause()
    await table.draws()


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("keys", "asked"),
    [
        (("5", "e", "s", *"300", "space", *"Eve", "enter"), ("sit-down", {"seat": 5, "stack": 300, "player": "Eve"})),
        (("s", *"call", "enter"), ("says", {"seat": 4, "text": "call"})),
        (("m", "k", "3", "space", *"20", "enter"), ("correct-bet", {"seat": 3, "to": 20})),
        (("b", *"60", "enter"), ("act", {"seat": 4, "action": "raise", "to": 60})),
        (("a", "enter"), ("act", {"seat": 4, "action": "all-in"})),
    ],
)
async def test_a_command_that_is_typed_ahead_is_sent_whole(keys, asked):
    async with playing(state()) as table:
        await types(table, *keys)
        verb, args = table.asked[-1]
        assert (len(table.asked), verb) == (1, asked[0])
        assert {key: args.get(key) for key in asked[1]} == asked[1]


async def test_the_floors_digits_choose_one_after_the_other():
    async with playing(state(rulings=(CALLED,))) as table:
        table.app._table_screen._table = TABLE.model_copy(update={"floor": FloorSettings(people=("Ida", "Kim"))})
        await types(table, "y", "1", "4", *"60", "enter", "2", "1")
        verb, args = table.done[-1]
        assert (verb, args["ruling"], args["to"], args["by"]) == ("override", "raise", 60, "Kim")
        assert args["why"] == "the player had said so"


async def test_a_key_that_comes_before_the_answer_takes_its_enter_along():
    async with playing(state()) as table:
        await table.press("a", "enter", "a")
        await table.tells(state(version=2, to_act=1, call=1000))
        await table.answers()
        await table.press("enter")
        assert table.asked == [("act", {"seat": 4, "action": "all-in"})]
        assert "Key dropped" in table.text
        await table.press("a", "enter")
        assert table.asked[-1] == ("act", {"seat": 1, "action": "all-in"})
