"""Alerts are acknowledged once: they collapse into one row, and come back when they grow."""

import pytest

from betline.messages.table import Alert
from table_controller.console.seen import Seen
from tests.unit.console.table import playing, state


def alert(code="pot-short", seat=None, amount=0, count=0, sentence="Count the pot: 20 are missing."):
    return Alert(severity="warning", code=code, seat=seat, amount=amount, count=count, sentence=sentence)


def texts(seen, *alerts):
    return [line.text for line in seen.lines(alerts)]


def test_new_alerts_are_shown_whole():
    assert texts(Seen(), alert(), alert("late-bet", 4, sentence="Give it back.")) == [
        "Count the pot: 20 are missing.", "Seat 4: Give it back.",
    ]  # fmt: skip


def test_seen_alerts_are_one_row_and_the_key_shows_them_again():
    both = (alert(), alert("late-bet", 4))
    seen = Seen().after_key(both)
    assert texts(seen, *both) == ["2 alerts seen: F2 shows them"]
    assert texts(seen, both[0]) == ["1 alert seen: F2 shows it"]
    assert texts(seen.after_key(both), *both) == texts(Seen(), *both)


@pytest.mark.parametrize("grown", [{"amount": 30}, {"count": 3}])
def test_an_alert_that_grows_comes_back(grown):
    first = {"amount": 20, "count": 2}
    seen = Seen().after_key([alert(**first)])
    assert texts(seen, alert(**first)) == ["1 alert seen: F2 shows it"]
    assert len(seen.new([alert(**{**first, **grown})])) == 1


def test_an_alert_of_another_seat_is_another_one():
    seen = Seen().after_key([alert("late-bet", 4)])
    assert seen.new([alert("late-bet", 5)])


def test_an_alert_that_was_over_is_new_when_it_comes_again():
    seen = Seen().after_key([alert()]).still([])
    assert seen.new([alert()])


async def test_at_the_console_one_key_gives_the_rows_back():
    down = alert("reader-down", sentence="Reader home-3 is down: key seat 3's acts and look at its cable and power.")
    async with playing(state(alerts=(down,))) as table:
        assert "Reader home-3 is down" in table.text
        await table.press("f2")
        assert "Reader home-3 is down" not in table.text
        assert "1 alert seen: F2 shows it" in table.text
        await table.tells(state(version=2, alerts=(down, alert())))
        assert "Count the pot" in table.text
        assert "Reader home-3 is down" not in table.text
        await table.press("f2", "f2")
        assert "Reader home-3 is down" in table.text
        assert table.asked == []


async def test_where_no_alert_stands_the_key_says_so():
    async with playing(state()) as table:
        await table.press("f2")
        assert "No alert stands." in table.text
