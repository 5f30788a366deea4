"""What the virtual people hear when the broker was away while the controller spoke: the state says it again."""

import threading
from collections.abc import Callable
from random import Random

import pytest

from betline import topics
from betline.bus import MemoryBus, MemoryHub, Received
from betline.messages.common import Presence, Reply
from betline.messages.table import Alert, Question, Ruling, TableState
from betline.steps import CardsOut
from betline.topics import Namespace, topic
from virtual_table.cases.listening import CaseLink
from virtual_table.play.clock import HostClock, Stopped
from virtual_table.play.dealer import Dealer
from virtual_table.play.link import KEPT, ControllerLink, ControllerSilent
from virtual_table.play.pace import Pace, Pauses
from virtual_table.play.report import Report

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


def asking(*questions: str) -> TableState:
    choices = ("folded", "still-in") if questions and questions[0].startswith("mucked") else ("no-bet", "bet")
    asked = [
        Question(id=one, seat=2, kind="mucked" if "mucked" in one else "moved-chips", sentence="?", choices=choices)
        for one in questions
    ]
    return state(questions=asked)


def answers_of(table: Table) -> list[str]:
    """What is answered from now on."""
    answered: list[str] = []

    def heard(received: Received) -> None:
        answered.append(received.body.args["choice"])
        table.says(state())
        reply = Reply(command_id=received.body.id, verb="answer", ok=True, code="ok", sentence="Done.")
        table.controller.publish(topic(topics.REPLY, received.body.id), reply)

    table.controller.subscribe(topics.COMMAND, heard)
    return answered


def dealer_at(table: Table) -> Dealer:
    return Dealer(table.link, Report(), Random(1), Pace(Pauses.short(), 1.0, Waiting()), {})


def test_the_dealer_answers_the_same_question_again_where_it_is_asked_anew(table: Table) -> None:
    dealer, answered = dealer_at(table), answers_of(table)
    for _ in range(2):
        table.says(asking("moved-chips-4-preflop-2"))
        dealer.answer()
        dealer.answer()
    assert answered == ["bet", "bet"]


def test_what_was_no_bet_when_it_was_first_asked_about_may_be_one_when_it_is_asked_anew(table: Table) -> None:
    dealer, answered = dealer_at(table), answers_of(table)
    for toys in (True, False):
        dealer.no_bet = lambda _seat, toys=toys: toys
        table.says(asking("moved-chips-4-preflop-2"))
        dealer.answer()
        dealer.answer()
    assert answered == ["no-bet", "bet"]


@pytest.mark.parametrize(("seats", "choice"), [((2,), "folded"), ((2, 3), "still-in"), ((4,), "still-in")])
def test_the_dealer_says_of_cards_in_the_muck_who_has_folded(table: Table, seats: tuple[int, ...], choice: str) -> None:
    dealer, answered = dealer_at(table), answers_of(table)
    dealer.folded.add(2)
    table.says(asking("mucked-1-flop-" + "-".join(map(str, seats))))
    dealer.answer()
    assert answered == [choice]


class Waiting:
    """A clock that moves while somebody waits, and lets happen what is due meanwhile."""

    def __init__(self) -> None:
        self.stopped = False
        self._now_s = 0.0
        self._due: list[tuple[float, Callable[[], None]]] = []

    def at(self, moment_s: float, happens: Callable[[], None]) -> None:
        self._due.append((moment_s, happens))

    def now_s(self) -> float:
        return self._now_s

    def wall_ms(self) -> int:
        return round(self._now_s * 1000)

    def sleep(self, seconds: float) -> None:
        self._now_s += seconds

    def wait(self, _changed: threading.Condition, seconds: float) -> None:
        self._now_s += seconds
        due = [happens for moment_s, happens in self._due if moment_s <= self._now_s]
        self._due = [one for one in self._due if one[0] > self._now_s]
        for happens in due:
            happens()


class Patient:
    """A table whose dealer keys while its controller is away, by a clock of its own."""

    def __init__(self, **patience: float) -> None:
        self.clock = Waiting()
        self.hub = MemoryHub()
        self.link = ControllerLink(MemoryBus(self.hub, NAMES, "world"), self.clock, **patience)
        self.killed()

    def killed(self) -> None:
        MemoryBus(self.hub, NAMES, "controller", presence=topic(topics.STATUS)).drop()

    def starts(self) -> None:
        controller = MemoryBus(self.hub, NAMES, "controller", presence=topic(topics.STATUS))

        def answers(received: Received) -> None:
            reply = Reply(command_id=received.body.id, verb="cards-out", ok=True, code="ok", sentence="Done.")
            controller.publish(topic(topics.REPLY, received.body.id), reply)

        controller.subscribe(topics.COMMAND, answers)


def test_a_controller_that_is_away_for_longer_than_a_minute_is_waited_for_where_one_is_to() -> None:
    table = Patient(away_s=600.0)
    table.clock.at(75.0, table.starts)
    assert table.link.command(CardsOut()).ok
    assert 75.0 <= table.clock.now_s() < 78.0


def test_the_dealer_waits_as_long_for_a_ruling_while_the_controller_is_away() -> None:
    table = Patient(away_s=600.0)
    table.clock.at(75.0, table.starts)
    dealer = Dealer(table.link, Report(), Random(1), Pace(Pauses.short(), 1.0, table.clock), {})
    assert dealer.wait(lambda: table.clock.now_s() > 76.0, 5.0)


def test_the_dealer_does_not_wait_longer_than_a_minute_where_nothing_else_is_said() -> None:
    table = Patient()
    dealer = Dealer(table.link, Report(), Random(1), Pace(Pauses.short(), 1.0, table.clock), {})
    assert not dealer.wait(lambda: table.clock.now_s() > 76.0, 5.0)


def test_it_is_not_waited_for_longer_than_one_is_to() -> None:
    table = Patient()
    table.clock.at(75.0, table.starts)
    with pytest.raises(ControllerSilent, match="was away for 60 of 60 s and did not answer cards-out"):
        table.link.command(CardsOut())
    assert table.clock.now_s() == pytest.approx(60.0)


def test_a_controller_that_is_there_and_says_nothing_for_a_minute_is_silent() -> None:
    table = Patient(away_s=600.0)
    table.clock.at(75.0, lambda: MemoryBus(table.hub, NAMES, "controller", presence=topic(topics.STATUS)) and None)
    with pytest.raises(ControllerSilent, match="was away for 75 of 135 s"):
        table.link.command(CardsOut())
    assert table.clock.now_s() == pytest.approx(135.0, abs=1.5)


def test_after_the_broker_was_lost_the_controller_is_away_until_it_says_that_it_is_there() -> None:
    class Losing(MemoryBus):
        def on_connection(self, handler: Callable[[bool], None]) -> None:
            self.tells = handler

    hub = MemoryHub()
    controller = MemoryBus(hub, NAMES, "controller", presence=topic(topics.STATUS))
    world = Losing(hub, NAMES, "world")
    link = ControllerLink(world, HostClock())
    assert link.there
    world.tells(False)
    world.tells(True)
    assert not link.there
    controller.publish(topic(topics.STATUS), Presence(state="online"))
    assert link.there


def test_who_waits_for_an_answer_stops_when_the_evening_is_ended() -> None:
    table = Patient(away_s=600.0)
    table.clock.at(5.0, lambda: setattr(table.clock, "stopped", True))
    with pytest.raises(Stopped):
        table.link.command(CardsOut())
    assert table.clock.now_s() < 7.0
