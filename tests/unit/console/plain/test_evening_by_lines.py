"""Hands played by lines alone, with the true session at the other end of the bus."""

import threading

from betline.bus import HostClock, MemoryBus, MemoryHub
from betline.topics import STATUS, Namespace, topic
from betline.units import NS_PER_MS
from table_controller.console.plain.run import PlainConsole
from tests.unit.console.controller import TABLE, Controller
from tests.unit.console.table import FrozenClock


class Lines:
    """A console, and what it has written."""

    def __init__(self):
        hub, namespace, self.clock = MemoryHub(), Namespace("home", TABLE.name), FrozenClock()
        self.controller = Controller(MemoryBus(hub, namespace, "controller", presence=topic(STATUS)))
        self.written = []
        host = HostClock(wall_ns=lambda: self.clock.wall_ms() * NS_PER_MS)
        bus = MemoryBus(hub, namespace, "console", clock=host)
        self.console = PlainConsole(bus, TABLE, self.written.append, self.clock)
        self.console.start()
        self.console.tell()

    def type(self, *lines):
        """What is written after these lines."""
        self.written.clear()
        for line in lines:
            self.clock.now_s += 1
            assert self.console.hear(line)
            self.console.tell()
        return list(self.written)

    @property
    def state(self):
        return self.controller.session.table_state(0, 1, "0")


def seated():
    lines = Lines()
    for seat, name in ((1, "Ann"), (2, "Bob"), (3, "Cleo")):
        lines.type(f"{seat} e s 1000 {name}")
    return lines


def test_three_sit_down_and_play_a_hand_to_its_award():
    lines = seated()
    assert [one.name for one in lines.state.seats if one.status != "empty"] == ["Ann", "Bob", "Cleo"]
    lines.type("next hand")
    assert any(line.startswith("Hand 1: ") for line in lines.written)
    lines.type("deal")
    written = lines.type("3 30")
    assert any(line.startswith("Seat 1 raises to 30") for line in written)
    assert written[-1].startswith("Seat 2, Bob: ")
    lines.type("fold", "call")
    assert lines.state.phase == "round-over"
    for _ in range(3):
        lines.type("deal", "1", "1")
    assert lines.state.phase == "showdown"
    written = lines.type("award")
    assert written == ["The pot of 65: which of seats 1 and 3 wins? Digits, 0 is seat 10; high/low."]
    written = lines.type("1")
    assert "Pay out: main 65 to 1." in written
    assert lines.state.phase == "hand-over"


def test_undo_names_what_it_took_back_and_redo_brings_it_back():
    lines = seated()
    lines.type("next hand", "deal")
    assert lines.state.to_act == 1
    lines.type("fold")
    assert lines.type("undo")[0] == "Took back: seat 1 folds."
    assert lines.state.to_act == 1
    lines.type("redo")
    assert lines.state.to_act == 2


def test_a_refused_command_of_a_prompt_asks_again():
    lines = seated()
    lines.type("next hand", "deal", "fold", "call")
    lines.type("menu d")
    written = lines.type("3 1200 river")
    assert written[-1].startswith("Table: the record is put right?")
    assert not lines.controller.replies[-1].ok
    assert lines.type("cancel") == ["Left: nothing was sent."]


def test_a_refused_line_that_was_whole_leaves_nothing_open():
    lines = Lines()
    written = lines.type("1 e s 9000 Ann")
    assert written == [lines.controller.replies[-1].sentence]
    answer, *changes = lines.type("1 e s 200 Ann")
    assert answer == "Seat 1 sits down with 200."
    assert sorted(changes) == ["No hand: N begins the next hand.", "Seat 1, Ann: stack 200."]


def test_seats_are_listed_and_an_empty_line_says_again_who_acts():
    lines = seated()
    lines.type("next hand", "deal")
    assert lines.type("seats")[0] == "Seat 1, Ann: stack 1,000."
    written = lines.type("")
    assert written[0].startswith("Seat 1, Ann: ")
    assert written[-1].startswith("Now: 1 fold, 2 call")


def test_everything_that_can_be_typed_is_listed():
    written = Lines().type("?")
    assert any(line.startswith("3 or B R: ") for line in written)


def test_quit_ends_the_console():
    assert not Lines().console.hear("quit")


def test_lines_wait_for_a_controller_whose_state_comes_before_its_presence():
    hub, namespace = MemoryHub(), Namespace("home", TABLE.name)
    controller = Controller(MemoryBus(hub, namespace, "controller", presence=topic(STATUS), announces=False))
    written = []
    console = PlainConsole(MemoryBus(hub, namespace, "console"), TABLE, written.append)
    threading.Timer(0.3, controller.bus.announce).start()
    console.run(["1 e s 400 Ann"])
    assert written[0] == "NO CONTROLLER: what is typed is not sent."
    assert "Seat 1, Ann: stack 400." in written[written.index("Connected.") :]


def test_a_controller_that_goes_away_is_told_once_and_nothing_is_sent():
    lines = seated()
    lines.controller.bus.close()
    lines.written.clear()
    lines.console.tell()
    lines.console.tell()
    assert lines.written == ["NO CONTROLLER: what is typed is not sent."]
    assert lines.type("next hand")[0].startswith("Not sent: no controller")


def test_that_it_is_connected_is_said_though_the_table_was_there_before():
    assert Lines().written[0] == "Connected."
