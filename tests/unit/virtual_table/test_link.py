"""What the virtual people hear when the broker was away while the controller spoke: the state says it again."""

import threading

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub, Received
from betline.messages.common import Presence, Reply
from betline.messages.table import Alert, Ruling, TableState
from betline.steps import CardsOut
from betline.topics import Namespace, topic
from virtual_table.cases.listening import CaseLink
from virtual_table.play.clock import HostClock
from virtual_table.play.link import KEPT, ControllerLink

NAMES = Namespace("home", "home-six")
CALL = Ruling(hand_no=1, act_no=3, street="flop", seat=2, ruling="call", to=4, source="chips", sentence="Seat 2 calls.")
KEY_IT = Alert(severity="warning", code="reader-down", seat=2, sentence="reader-2 is silent.")


def state(**fields: object) -> TableState:
    plain = {
        "version": 1, "journal_seq": 1, "journal_head": "", "phase": "betting", "hand_no": 1, "game": "",
        "street": "flop", "button": 1, "small_blind": 1, "big_blind": 2, "seats": (), "to_act": 2, "call": 0,
        "min_raise_to": None, "max_raise_to": None, "pot": 0, "pots": (), "rulings": (), **fields,
    }  # fmt: skip
    return TableState.model_validate(plain)


class Table:
    def __init__(self) -> None:
        self.hub = MemoryHub()
        self.controller = MemoryBus(self.hub, NAMES, "controller", presence=topic(topics.STATUS))
        self.world = MemoryBus(self.hub, NAMES, "world")
        self.link = ControllerLink(self.world, HostClock())

    def says(self, body: Ruling | Alert | TableState) -> None:
        kinds = {Ruling: topics.RULING, Alert: topics.ALERT, TableState: topics.STATE}
        self.controller.publish(topic(kinds[type(body)]), body)

    def comes_back(self) -> None:
        self.controller.publish(topic(topics.STATUS), Presence(state="online"))


@pytest.fixture
def table() -> Table:
    return Table()


def test_a_ruling_that_was_missed_is_taken_from_the_state(table: Table) -> None:
    table.says(state(rulings=(CALL,)))
    assert table.link.rulings() == [CALL]


@pytest.mark.parametrize("state_first", [True, False])
def test_a_ruling_that_was_heard_is_not_taken_again(table: Table, state_first: bool) -> None:
    spoken: list[Ruling | TableState] = [CALL, state(rulings=(CALL,))]
    for body in reversed(spoken) if state_first else spoken:
        table.says(body)
    table.says(state(rulings=(CALL,), journal_seq=2))
    assert table.link.rulings() == [CALL]


def test_the_same_act_ruled_again_after_an_undo_is_heard_again(table: Table) -> None:
    for body in (CALL, state(rulings=(CALL,)), CALL):
        table.says(body)
    assert table.link.rulings() == [CALL, CALL]


def test_an_alert_that_stands_is_known_once_the_controller_is_back(table: Table) -> None:
    table.says(state())
    table.says(state(alerts=(KEY_IT,)))
    assert table.link.alerts() == []
    table.comes_back()
    assert table.link.alerts() == [KEY_IT]
    table.comes_back()
    assert table.link.alerts() == [KEY_IT]


def test_it_is_known_whether_the_controller_is_there(table: Table) -> None:
    assert table.link.there
    table.controller.drop()
    assert not table.link.there


def test_of_a_long_evening_the_newest_are_kept_and_the_count_goes_on(table: Table) -> None:
    for number in range(3 * KEPT):
        table.says(CALL.model_copy(update={"hand_no": number}))
        table.says(KEY_IT.model_copy(update={"uid": str(number)}))
    link = table.link
    assert len(link.rulings()) <= 2 * KEPT
    assert len(link.alerts()) <= 2 * KEPT
    assert link.marks()[0] == link.alerts_heard() == 3 * KEPT
    assert [one.hand_no for one in link.rulings(3 * KEPT - 2)] == [3 * KEPT - 2, 3 * KEPT - 1]
    assert link.alerts(link.alerts_heard()) == []


def test_who_plays_cases_waits_for_the_state_of_the_ruling_that_was_heard(table: Table) -> None:
    link = CaseLink(table.world, HostClock())
    table.says(state())
    mark = link.mark()
    table.says(CALL)
    late = threading.Timer(0.1, lambda: table.says(state(rulings=(CALL,), to_act=3)))
    late.start()

    link.catch_up(mark)

    late.join()
    assert link.now.to_act == 3


def test_only_the_first_answer_to_a_command_under_way_is_kept(table: Table) -> None:
    def answers(received: Received) -> None:
        for command_id in (received.body.id, "somebody-elses", received.body.id):
            reply = Reply(command_id=command_id, verb="cards-out", ok=True, code="ok", sentence="Done.")
            table.controller.publish(topic(topics.REPLY, command_id), reply)

    table.controller.subscribe(topics.COMMAND, answers)
    assert all(table.link.command(CardsOut()).ok for _ in range(20))
    assert len(table.link._replies) == 0
