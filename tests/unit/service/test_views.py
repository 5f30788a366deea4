"""What a controller lets board and stream see, on the bus."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from betline import topics
from betline.bus import HOST_CLOCK, HostClock
from betline.messages.views import TableView
from betline.settings.stream import StreamSettings
from betline.units import NS_PER_MS
from tests.unit.service.room import SETUP, Room
from tests.unit.session.desk import home_table


def views(room: Room, audience: str) -> list[TableView]:
    return [one for one in room.said(topics.VIEW) if isinstance(one, TableView) and one.audience == audience]


def room_with(folder: Path, here: HostClock = HOST_CLOCK, **stream: Any) -> Room:
    table = home_table().model_copy(update={"stream": StreamSettings(**stream)})
    return Room(folder, at=table, here=here)


def begin(room: Room) -> None:
    assert room.key("setup", **SETUP).ok
    assert room.key("cards-out").ok


def test_board_and_stream_are_shown_each_act_and_no_view_twice(tmp_path: Path) -> None:
    room = room_with(tmp_path)
    begin(room)
    room.key("act", seat=4, action="call")
    for audience in ("board", "stream"):
        seen = views(room, audience)
        assert seen[-1].last_act is not None
        assert seen[-1].last_act.text == "Seat 4 calls"
        alike = [one.model_copy(update={"version": 0}) for one in seen]
        assert all(one != after for one, after in pairwise(alike))


def test_a_stream_that_is_behind_shows_nothing_before_its_delay_and_all_of_it_after(
    tmp_path: Path,
) -> None:
    gone_ms = [0]
    clock = HostClock(lambda: HOST_CLOCK.mono_ns() + gone_ms[0] * NS_PER_MS)
    room = room_with(tmp_path, here=clock, delay_s=60)
    begin(room)
    room.key("act", seat=4, action="call")
    assert views(room, "stream") == []
    gone_ms[0] = 59_000
    room.controller.pump(0)
    assert views(room, "stream") == []
    gone_ms[0] = 61_000
    room.controller.pump(0)
    (late,) = views(room, "stream")
    now = views(room, "board")[-1]
    assert late.last_act == now.last_act
    assert {seat.stack for seat in late.seats} == {seat.stack for seat in now.seats}


def test_a_stream_far_behind_may_show_amounts_that_the_board_does_not(tmp_path: Path) -> None:
    gone_ms = [0]
    clock = HostClock(lambda: HOST_CLOCK.mono_ns() + gone_ms[0] * NS_PER_MS)
    room = room_with(tmp_path, here=clock, delay_s=60, all_amounts=True)
    house = {"profile": "home", "stack_display": "on-request", "pot_announcement": "on-request"}
    assert room.key("setup", **SETUP, house=house).ok
    assert room.key("cards-out").ok
    gone_ms[0] = 61_000
    room.controller.pump(0)
    stream, board = views(room, "stream")[-1], views(room, "board")[-1]
    assert (board.pot, {seat.stack for seat in board.seats}) == (None, {None})
    assert stream.pot == 3
    assert [seat.stack for seat in stream.seats][:4] == [200, 199, 198, 200]


def test_all_amounts_are_refused_for_a_stream_that_a_player_could_use(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="needs delay_s = 30 or more"):
        StreamSettings(delay_s=29, all_amounts=True)
