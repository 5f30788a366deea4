"""People of the staff at a table on the bus in memory: a hand-made client that signs in and signs what it asks."""

import itertools
from collections.abc import Callable
from typing import Any, Protocol

from betline import topics
from betline.bus import Bus, HostClock, Received
from betline.messages.common import Command, Reply, Signature
from betline.messages.people import SignIn, SignInAnswer
from betline.people import srp
from betline.people.record import Person, Staff
from betline.people.signature import farewell, sign
from betline.topics import topic
from betline.units import NS_PER_MS

ANN = Person("p-00000000000000aa", "Ann", "floor").with_pin("4711", b"salt of Ann")
BOB = Person("p-00000000000000bb", "Bob", "dealer", badges=("04A2B3C4",)).with_pin("0815", b"salt of Bob")
TIM = Person("p-00000000000000cc", "Tim", "technician", badges=("04FFFFFF",))
STAFF = Staff((ANN, BOB, TIM))
_ids = itertools.count(1)


class Place(Protocol):
    """A controller on a bus, in memory or of a broker."""

    console: Bus
    elsewhere: HostClock

    def until(self, holds: Callable[[], bool]) -> None:
        """Lets the controller work until this holds."""


class Visitor:
    """One of the staff at a console."""

    def __init__(self, room: Place, bus: Bus | None = None) -> None:
        self.room, self.bus = room, bus or room.console
        self.answers: list[SignInAnswer] = []
        self.replies: list[Reply] = []
        self.bus.subscribe(topics.SIGN_IN_ANSWER, self._answered)
        self.bus.subscribe(topics.REPLY, lambda received: self.replies.append(received.body))
        self.sign_in_id = ""
        self.key = b""
        self.number = 0

    def _answered(self, received: Received) -> None:
        if received.topic.name == self.sign_in_id and isinstance(received.body, SignInAnswer):
            self.answers.append(received.body)

    def says(self, **body: Any) -> SignInAnswer:
        before = len(self.answers)
        self.bus.publish(topic(topics.SIGN_IN, self.sign_in_id), SignIn(**body))
        self.room.until(lambda: len(self.answers) > before)
        return self.answers[before]

    def signs_in(self, person: Person, pin: str) -> SignInAnswer:
        self.sign_in_id, self.number = f"sign-in-{next(_ids)}", 0
        side = srp.PersonSide(person.id, pin, 2**200 + next(_ids))
        begun = self.says(step="begin", person=person.id, public=f"{side.public:x}")
        if not begun.ok:
            return begun
        proven = side.proven(bytes.fromhex(begun.salt), srp.public_from(begun.public))
        answer = self.says(step="prove", proof=proven.of_person.hex())
        if answer.ok:
            assert answer.proof == proven.of_table.hex()
            self.key = proven.key
        return answer

    def signs_out(self) -> SignInAnswer:
        return self.says(step="end", proof=farewell(self.key))

    def command(self, verb: str, **args: Any) -> Command:
        """A command as this person's console signs it."""
        self.number += 1
        name = f"visit-{next(_ids):08}"
        expires_ms = self.room.elsewhere.wall_ns() // NS_PER_MS + 10_000
        mac = sign(self.key, self.bus.sender, verb, self.number, name, expires_ms, args)
        signature = Signature(sign_in=self.sign_in_id, number=self.number, mac=mac)
        return Command(id=name, expires_ms=expires_ms, args=args, signature=signature)

    def asks(self, verb: str, **args: Any) -> Reply:
        return self.sends(verb, self.command(verb, **args))

    def sends(self, verb: str, command: Command) -> Reply:
        before = len(self.replies)
        self.bus.publish(topic(topics.COMMAND, verb), command)
        self.room.until(lambda: bool(self._to(command, before)))
        return self._to(command, before)[0]

    def _to(self, command: Command, before: int) -> list[Reply]:
        """Everybody's replies are heard: those to this command."""
        return [reply for reply in self.replies[before:] if reply.command_id == command.id]
