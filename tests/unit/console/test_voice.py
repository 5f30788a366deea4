"""One key chooses how much the voice says; the choice is kept on the bus, and the line says what is missing."""

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.messages.common import Presence
from betline.messages.table import VoiceSetting
from betline.settings.table import House
from betline.topics import topic
from table_controller.console.voice import NAMES, NOT_THERE, VoiceSwitch
from tests.unit.console.table import NAMESPACE, TABLE, playing, state


@pytest.fixture
def hub():
    return MemoryHub()


def switch(hub, name="console", table=TABLE):
    made = VoiceSwitch(MemoryBus(hub, NAMESPACE, name), table)
    made.start()
    return made


def voice(hub, detail=""):
    bus = MemoryBus(hub, NAMESPACE, "voice", presence=topic(topics.DEVICE_STATUS, "voice"))
    if detail:
        bus.publish(topic(topics.DEVICE_STATUS, "voice"), Presence(state="online", detail=detail))
    return bus


def chosen(hub):
    found = []
    MemoryBus(hub, NAMESPACE, "listener").subscribe(topics.VOICE, lambda received: found.append(received.body.says))
    return found[-1] if found else None


def test_the_key_goes_round_from_what_the_house_says(hub):
    voice(hub)
    house = TABLE.model_copy(update={"house": House(profile="cash", options={"voice": "bets"})})
    here = switch(hub, table=house)
    assert chosen(hub) is None
    lines, kept = zip(*[(here.press().text, chosen(hub)) for _ in range(4)], strict=True)
    assert kept == ("exceptions", "off", "all", "bets")
    assert lines == (
        "Voice: only questions.",
        "Voice: silent.",
        *(f"Voice: {NAMES[says]}." for says in ("all", "bets")),
    )


def test_consoles_go_on_from_what_another_chose(hub):
    one, other = switch(hub), switch(hub, "tablet")
    MemoryBus(hub, NAMESPACE, "someone").publish(topic(topics.VOICE), VoiceSetting(says="all"))
    one.press()
    assert chosen(hub) == "bets"
    other.press()
    assert chosen(hub) == "exceptions"
    late = switch(hub, "late")
    late.press()
    assert chosen(hub) == "off"


def test_what_is_missing_is_said_with_what_to_do(hub):
    here = switch(hub)
    MemoryBus(hub, NAMESPACE, "someone").publish(topic(topics.VOICE), VoiceSetting(says="all"))
    assert here.press().text == f"Voice: normal, bets and turns. {NOT_THERE}"
    bus = voice(hub, "Nothing is heard: install a player.")
    assert here.press().text == "Voice: only questions. Nothing is heard: install a player."
    assert here.press().text == "Voice: silent."
    bus.close()
    assert here.press().text.endswith(NOT_THERE)


def test_house_rules_that_this_machine_lacks_do_not_stop_the_console(hub):
    table = TABLE.model_copy(update={"house": House(profile="/nowhere/house.toml")})
    switch(hub, table=table).press()
    assert chosen(hub) == "off"


def test_on_request_the_turn_is_said_once_more(hub):
    voice(hub)
    asked = []
    MemoryBus(hub, NAMESPACE, "listener").subscribe(topics.VOICE_AGAIN, asked.append)
    here = switch(hub)
    assert here.again().text == "Said once more, with what is told on request."
    assert len(asked) == 1
    MemoryBus(hub, NAMESPACE, "someone").publish(topic(topics.VOICE), VoiceSetting(says="off"))
    assert here.again().text == "The voice is silent: F9 lets it speak."


def test_on_request_a_voice_that_is_not_there_is_named(hub):
    assert switch(hub).again().text == NOT_THERE


async def test_f9_on_the_table_screen_chooses_and_says_so():
    async with playing(state()) as table:
        voice(table.hub)
        await table.press("f9")
        assert chosen(table.hub) == "off"
        assert "Voice: silent." in table.text
        await table.press("f9")
        assert chosen(table.hub) == "all"
        assert table.commands == []
