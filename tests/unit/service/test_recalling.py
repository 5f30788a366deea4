"""The last hands over the bus: the same as `betline journal recall --json` shows, and no ruling waits for them."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from betline import topics
from betline.bus.wire import encode
from betline.front_door import run
from betline.messages.common import Command, Envelope
from betline.messages.recall import Recalled, RecalledHand
from betline.steps import MAX_RECALLED
from betline.topics import topic
from tests.unit.service.room import NAMES, SETUP, Room


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    room.told = []
    room.console.subscribe(topics.RECALL, lambda received: room.told.append(received.body))
    yield room
    room.close()


def waited_for(condition: Callable[[], bool]) -> bool:
    deadline_s = time.monotonic() + 10
    while not condition() and time.monotonic() < deadline_s:
        time.sleep(0.01)
    return condition()


def recalled(room: Room, **args: int) -> list[Recalled]:
    before = len(room.told)
    assert room.key("recall", **args).ok
    assert waited_for(lambda: len(room.told) > before and len(room.told) - before >= room.told[-1].of)
    return room.told[before:]


def play_hands(room: Room, count: int) -> None:
    room.key("setup", **SETUP)
    for number in range(count):
        if number:
            room.key("next-hand")
        room.key("cards-out")
        room.key("rest-folds")


def test_the_last_hands_come_as_the_command_line_has_them(room: Room, capsys: pytest.CaptureFixture[str]) -> None:
    play_hands(room, 4)
    told = recalled(room, hands=3)
    assert [(one.number, one.of) for one in told] == [(1, 3), (2, 3), (3, 3)]
    assert [one.hand.hand for one in told if one.hand] == [2, 3, 4]

    run(["journal", "recall", "--hands", "3", "--json", "--journal", str(room.path)])
    shown = [RecalledHand.model_validate_json(line) for line in capsys.readouterr().out.splitlines()]
    assert [one.hand for one in told] == shown


def test_each_act_says_what_was_ruled(room: Room) -> None:
    play_hands(room, 1)
    (hand,) = recalled(room)
    assert hand.hand is not None
    ruled = [(ruling.seat, ruling.ruling) for act in hand.hand.acts for ruling in act.rulings]
    assert "fold" in {kind for _, kind in ruled}
    assert all(act.text for act in hand.hand.acts)


def test_at_a_table_without_a_hand_the_answer_says_so(room: Room) -> None:
    (none,) = recalled(room)
    assert (none.number, none.of, none.hand, none.problem) == (0, 0, None, "")


def test_looking_back_is_not_journalled_and_can_be_repeated(room: Room) -> None:
    play_hands(room, 1)
    before = room.journalled()
    assert recalled(room)[0].hand == recalled(room)[0].hand
    assert room.journalled() == before


def test_a_wish_that_the_broker_delivers_twice_is_answered_twice(room: Room) -> None:
    play_hands(room, 1)
    now, at = room.now(), NAMES.full(topic(topics.COMMAND, "recall").path)
    envelope = Envelope(sender="console", boot_id="a-life", seq=7, ts_ms=now.at_ms, mono_ns=now.mono_ns)
    wish = encode(envelope, Command(id="one-wish", expires_ms=now.at_ms + 10_000))
    for times in (1, 2):
        room.hub.inject(at, wish)
        room.controller.pump(0)
        assert waited_for(lambda times=times: len(room.told) >= times), times
    assert [one.command_id for one in room.told] == ["one-wish", "one-wish"]
    assert [reply.ok for reply in room.said(topics.REPLY)[-2:]] == [True, True]


def test_a_refused_wish_that_is_delivered_twice_shows_no_hands(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("table_controller.session.session.REFUSALS_REMEMBERED", 0)
    play_hands(room, 1)
    now, at = room.now(), NAMES.full(topic(topics.COMMAND, "recall").path)
    envelope = Envelope(sender="console", boot_id="a-life", seq=7, ts_ms=now.at_ms, mono_ns=now.mono_ns)
    late = encode(envelope, Command(id="one-wish", expires_ms=now.at_ms - 1))
    for _ in range(2):
        room.hub.inject(at, late)
        room.controller.pump(0)
    assert room.told == []
    assert "expired" in [reply.code for reply in room.said(topics.REPLY)]


@pytest.mark.parametrize("hands", [0, MAX_RECALLED + 1, "all"])
def test_too_many_hands_are_refused(room: Room, hands: object) -> None:
    assert room.key("recall", hands=hands).code == "bad-arguments"


def test_a_journal_that_cannot_be_read_is_said_in_a_sentence(room: Room) -> None:
    play_hands(room, 1)
    room.path.rename(room.path.with_suffix(".away"))
    (told,) = recalled(room)
    assert told.hand is None
    assert told.problem.startswith("The hands cannot be read: ")


def test_each_step_has_the_table_as_it_was_after_it(room: Room) -> None:
    room.key("setup", **SETUP)
    room.key("cards-out")
    acting = room.state.to_act
    assert room.key("act", seat=acting, action="call").ok
    after = room.state
    room.key("rest-folds")
    ((told,),) = [recalled(room, hands=1)]
    assert told.hand is not None
    then = next(act.table for act in told.hand.acts if act.rulings and act.rulings[0].ruling == "call")
    assert then is not None
    assert (then.street, then.pot, then.to_act, then.button) == (after.street, after.pot, after.to_act, after.button)
    assert [(one.seat, one.stack, one.bet, one.status) for one in then.seats] == [
        (one.seat, one.stack, one.bet, one.status) for one in after.seats if one.status != "empty"
    ]
