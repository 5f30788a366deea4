"""Staff at the plain console: signing in by a line, a command beyond one's right, signing out."""

from betline import topics
from betline.bus import MemoryBus, MemoryHub
from betline.topics import topic
from table_controller.console.plain.run import SIGN_IN, PlainConsole
from tests.unit.console.table import NAMESPACE, TABLE, FrozenClock, state
from tests.unit.console.test_sign_in import ANN, BOB, Doorman, Staff


class AtTheDoor:
    """A plain console with the controller's door at the other end of the bus."""

    def __init__(self, *people):
        hub = MemoryHub()
        self.controller = MemoryBus(hub, NAMESPACE, "controller", presence=topic(topics.STATUS))
        self.controller.publish(topic(topics.STATE), state())
        self.written = []
        self.console = PlainConsole(MemoryBus(hub, NAMESPACE, "console"), TABLE, self.written.append, FrozenClock())
        self.console.start()
        self.doorman = Doorman(self, Staff(people))
        self.type("seats")

    def type(self, line):
        self.written.clear()
        self.console.hear(line)
        self.console.tell()
        return list(self.written)


def test_a_line_signs_in_and_the_next_command_is_of_that_person():
    door = AtTheDoor(ANN, BOB)
    assert door.type("sign in ann 4711") == ["Ann is signed in as floor."]
    door.type("menu x")
    door.type("yes")
    assert [(one.name, one.role) for one in door.doorman.authors] == [("Ann", "floor")]
    assert door.type("sign in") == ["Ann is signed out."]


def test_a_wrong_pin_is_told_once():
    door = AtTheDoor(ANN)
    (told,) = door.type("sign in Ann 1111")
    assert told.endswith(".")
    door.written.clear()
    door.console.tell()
    assert door.written == []


def test_a_command_beyond_ones_right_says_how_to_sign_in():
    door = AtTheDoor(ANN, BOB)
    (told,) = door.type("call")
    assert told.endswith(SIGN_IN)


def test_who_has_a_pin_is_listed_and_an_open_table_says_that_it_is_open():
    assert AtTheDoor(ANN, BOB).type("sign in Zoe 1") == [f"{SIGN_IN} With a PIN: Ann (floor), Bob (dealer)."]
    assert AtTheDoor().type("sign in Zoe 1")[0].startswith("Nobody is enrolled")
