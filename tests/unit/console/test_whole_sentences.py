"""What is said to the dealer is never cut and never said twice: alerts, answers, the floor's own question."""

import pytest

from betline.messages.table import Alert, Question, Ruling, SensorState
from table_controller.console.drawing.lines import attention_rows
from table_controller.console.view import view_of
from tests.unit.console.table import TABLE, playing, state

SIZES = [(80, 24), (100, 30), (106, 33), (120, 40), (200, 50)]
LONG = (
    "Seat 3: put 300 back or call the floor: 500 became 200, its bet of 500 stands, and nobody has taken the rest of "
    "it from the place where it lay."
)
WAITS = "Seat 2 waits for the floor: substantial action out of turn has gone past seat 2 (TDA 53)."
FLOOR = Question(id="f1", seat=2, kind="floor", sentence="Floor: seat 2, out of turn.", choices=("live", "dead"))
RULED = Ruling(seat=2, ruling="floor", to=0, sentence=WAITS, source="words", street="preflop", hand_no=3, act_no=1)


def alert(code, sentence, seat=3):
    return Alert(severity="warning", code=code, seat=seat, sentence=sentence)


def shown(table):
    """The screen as words, without the box of a dialog."""
    return " ".join(table.text.replace("┃", " ").split())


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", SIZES)
async def test_an_alert_stands_there_whole(size):
    async with playing(state(alerts=(alert("bet-swapped", LONG),)), size=size) as table:
        column = {120: 36, 200: 70}.get(size[0], size[0])
        assert LONG in " ".join(" ".join(line[-column:] for line in table.text.splitlines()).split())
        assert "…" not in table.text


async def test_alerts_without_room_are_counted_and_none_is_cut():
    alerts = tuple(alert(f"code-{number}", f"{LONG} ({number})") for number in range(4))
    rows = attention_rows(view_of(state(alerts=alerts), TABLE), 80, 4)
    assert [row.text[0] for row in rows] == ["▲", " ", "▲"]
    assert rows[-1].text == "▲ 3 more alerts: V lists them"
    assert " ".join(row.text[2:] for row in rows[:2]) == f"{LONG} (0)"


@pytest.mark.nightly
async def test_the_page_of_the_sensors_has_every_alert_whole_also_those_that_were_seen():
    alerts = tuple(alert(f"code-{number}", f"{LONG} ({number})") for number in range(4))
    broken = SensorState(name="reader-1", state="offline", detail=LONG)
    async with playing(state(alerts=alerts, sensors=(broken,)), size=(80, 40)) as table:
        await table.press("f2", "v")
        text = " ".join(table.text.split())
        assert [number for number in range(4) if f"{LONG} ({number})" not in text] == []
        assert f"reader-1 offline: {LONG}" in text


async def test_the_same_sentence_stands_there_once():
    twice = (alert("out-of-turn", LONG), alert("skipped-player", LONG))
    async with playing(state(alerts=twice), size=(120, 40)) as table:
        assert table.text.count("put 300 back") == 1


async def test_what_the_floor_is_asked_is_no_alert_beside_it():
    asked = state(questions=(FLOOR,), rulings=(RULED,), alerts=(alert("out-of-turn", WAITS, seat=2),))
    async with playing(asked, size=(80, 24)) as table:
        assert "▲" not in table.text
        await table.tells(asked.model_copy(update={"version": 2, "questions": ()}))
        assert "▲ Seat 2 waits for the floor" in table.text


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", SIZES)
async def test_the_floors_dialog_asks_its_question_once(size):
    async with playing(state(questions=(FLOOR,), rulings=(RULED,)), size=size) as table:
        await table.press("y")
        box = " ".join(line.split("┃")[1] for line in table.text.splitlines() if line.count("┃") > 1)
        assert box.count(FLOOR.sentence) == 1


@pytest.mark.one_in(5)
@pytest.mark.parametrize("size", SIZES)
async def test_the_answer_to_a_key_stands_there_whole(size):
    said = "Seat 2 folds. Seat 3 raises to 60: declared a raise to 60 (TDA 43); it owes 60. Seat 4 calls 60; it owes 6."
    async with playing(state(), size=size) as table:
        await table.press("f")
        await table.answers(sentence=said)
        assert f"✓ {said}" in shown(table)


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_a_long_answer_leaves_the_table_where_it_is(size):
    async with playing(state(), size=size) as table:
        before = table.text.splitlines()[:11]
        await table.press("f")
        await table.answers(sentence="Seat 2 folds. " * 10)
        assert table.text.splitlines()[:11] == before
