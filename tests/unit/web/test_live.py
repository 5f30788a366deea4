"""What readers of a channel get from a real server, and when."""

from __future__ import annotations

import json

from betline import topics
from betline.messages.common import Presence
from betline.messages.table import Prompt
from betline.topics import topic
from tests.unit.web.serving import served, view


def test_a_reader_gets_what_the_board_shows_and_then_each_change() -> None:
    with served() as server, server.following("board") as events:
        server.says(view(1))
        first = events.until(1)
        server.says(view(2, pot=900))

        assert events.answer.getheader("content-type") == "text/event-stream"
        assert first["view"]["pot"] == 750
        assert events.until(2)["view"]["pot"] == 900


def test_a_page_that_comes_again_gets_the_newest_at_once_and_nothing_twice() -> None:
    with served() as server:
        server.says(view(1))
        with server.following("board") as events:
            while "id" not in (block := events.block()) or not json.loads(block["data"])["view"]:
                pass
        server.says(view(2))
        server.says(view(3))
        with server.following("board", last_event_id=block["id"]) as events:
            assert events.until(3)["view"]["version"] == 3
        newest, _ = server.web.channels.newest("board")
        with server.following("board", last_event_id=newest) as events:
            assert events.block()["event"] == "beat"
            server.says(view(4))
            assert events.news()["view"]["version"] == 4


def test_a_seat_sees_its_own_prompt_and_no_other() -> None:
    with served() as server, server.following("seat-2") as own, server.following("seat-3") as other:
        server.controller.publish(
            topic(topics.SEAT_PROMPT, 2), Prompt(seat=2, active=True, text="300 to call.", call=300)
        )
        server.says(view(5))

        assert own.until(5)["prompt"]["call"] == 300
        assert other.until(5)["prompt"] is None


def test_a_reader_is_told_in_words_that_the_controller_is_away() -> None:
    with served() as server, server.following("board") as events:
        server.says(view(1))
        events.until(1)
        server.controller.publish(topic(topics.STATUS), Presence(state="offline"))

        assert events.news()["trouble"] == "The table's controller is away."


def test_a_channel_that_is_not_there_is_not_found() -> None:
    with served() as server:
        assert server.ask("/events/seat-9")[0] == 404
        assert server.ask("/events/state")[0] == 404
