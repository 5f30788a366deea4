"""From a button of Home Assistant to the table: each press is one command, by the way of every console.

Where staff are enrolled, the command is signed by a person who has proven a PIN, and whose right it must be. Nothing is
sent twice: a command that the controller did not answer may have been done.
"""

from __future__ import annotations

import logging
import queue
import uuid
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from betline import topics
from betline.bus import Bus, Received
from betline.bus.sparing import SparingLog
from betline.buttons import MEANINGS
from betline.messages.common import Command, Presence, Reply
from betline.messages.people import StaffMember
from betline.settings import Button
from betline.steps import command_args, verb_of
from betline.topics import topic
from betline.units import NS_PER_S
from table_controller.console.clock import Clock, SystemClock
from table_controller.console.signing import SignedIn, Signing
from table_controller.home.person import Person, PinError
from table_controller.home.presses import LIFE_S, Press, Presses, Taken, Told

ANSWER_S: Final = 3.0
"""So long a command may be obeyed, and its answer is waited for."""
MOST_WAITING: Final = 20
SIGNED_OUT: Final = "signed-out"
WRONG_PIN: Final = "wrong-pin"

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A command that is not answered yet."""

    id: str
    taken: Taken
    sent_s: float
    by: SignedIn | None


class Desk:
    """Takes presses from any thread, and works on its owner's: `work` never waits."""

    def __init__(
        self,
        bus: Bus,
        buttons: Sequence[Button],
        person: Person | None,
        tell: Callable[[Told], object],
        clock: Clock | None = None,
    ) -> None:
        self._bus, self._person, self._tell = bus, person, tell
        self._clock = clock or SystemClock()
        self._presses = Presses(buttons)
        self._pressed: queue.Queue[Press] = queue.Queue(MOST_WAITING)
        self._replies: queue.SimpleQueue[Reply] = queue.SimpleQueue()
        self._waiting: deque[Taken] = deque()
        self._asked: _Asked | None = None
        self._signing = Signing(bus, lambda: None)
        self._proving, self._proving_s = "", 0.0
        """The PIN that is being proven, and since when."""
        self._wrong = ""
        """A PIN that was refused: it is not tried again, since that would lock its owner out."""
        self._life = ""
        """Of the controller that is online; empty while none is."""
        self._knows_staff = False
        self._log = SparingLog(log)
        self.refused: Counter[str] = Counter()
        """Presses that were not carried out, by code."""

    def start(self) -> None:
        """Begins to listen."""
        self._signing.start()
        self._bus.subscribe(topics.STAFF, self._on_staff)
        self._bus.subscribe(topics.STATUS, self._on_status)
        self._bus.subscribe(topics.REPLY, self._on_reply)

    def pressed(self, button: str, payload: str, *, retained: bool) -> None:
        """A button was pressed; on any thread."""
        try:
            self._pressed.put_nowait(Press(button, payload, retained, self._clock.steady_s()))
        except queue.Full:
            self.refused["too-many"] += 1
            self._log.warn("too-many", "Buttons are pressed faster than the table answers.", self._now_ns())

    def work(self) -> None:
        """Carries on with what was pressed and answered since the last time."""
        while not self._pressed.empty():
            self._presses, found = self._presses.judged(self._pressed.get_nowait())
            if isinstance(found, Taken):
                self._waiting.append(found)
            else:
                self._ended(found)
        self._hear_answers()
        if self._asked is None and self._waiting and self._serve(self._waiting[0]):
            self._waiting.popleft()

    def end(self) -> None:
        """Signs out."""
        self._signing.leave()

    # --- a press

    def _serve(self, taken: Taken) -> bool:
        """Asks for it, or refuses it; False where it must wait for a sign-in."""
        if taken.press.is_late(self._clock.steady_s()):
            return self._refuse(taken, "late", "The table did not answer in time: press again.")
        if not (self._life and self._bus.connected):
            return self._refuse(taken, "away", "The table is away: press again when it is back.")
        if not self._knows_staff:
            return False
        if self._person is None:
            if self._signing.state.people:
                why = "Staff are enrolled: start betline home with --person and --pin-file."
                return self._refuse(taken, "not-signed-in", why)
            return self._ask(taken, None)
        try:
            signed_in = self._signed_in(self._person)
        except PinError as error:
            return self._refuse(taken, "not-signed-in", str(error))
        return signed_in is not None and self._ask(taken, signed_in)

    def _signed_in(self, person: Person) -> SignedIn | None:
        """The sign-in of the buttons' person; None while it is under way. Raises PinError."""
        state = self._signing.state
        if state.accepted is not None:
            self._proving = ""
            self._signing.stay(state.accepted)
            return state.accepted
        if state.signed_in is not None:
            return state.signed_in
        if self._proving and state.stage == "waiting" and self._clock.steady_s() - self._proving_s <= LIFE_S:
            return None
        if self._proving and state.stage == "refused":
            tried, self._proving = self._proving, ""
            self._wrong = tried if state.code == WRONG_PIN else ""
            raise PinError(state.problem)
        pin = person.pin()
        if pin == self._wrong:
            raise PinError(f"The PIN in {person.pin_file} was refused before and is not tried again: correct it.")
        somebody = _one_of(state.people, person.name)
        self._proving, self._proving_s = pin, self._clock.steady_s()
        self._signing.begin(somebody, pin)
        return None

    def _ask(self, taken: Taken, by: SignedIn | None) -> bool:
        command = MEANINGS[taken.button].command
        verb, args, name = verb_of(type(command)), command_args(command), uuid.uuid4().hex
        expires_ms = self._clock.wall_ms() + int(ANSWER_S * 1000)
        signature = None if by is None else by.signature(self._bus.sender, verb, name, expires_ms, args)
        self._asked = _Asked(name, taken, self._clock.steady_s(), by)
        message = Command(id=name, expires_ms=expires_ms, args=args, signature=signature, controller=self._life)
        self._bus.publish(topic(topics.COMMAND, verb), message)
        return True

    # --- its answer

    def _hear_answers(self) -> None:
        while not self._replies.empty():
            reply, asked = self._replies.get_nowait(), self._asked
            if asked is None or reply.command_id != asked.id:
                continue
            self._asked = None
            if reply.code == SIGNED_OUT and asked.by is not None:
                self._signing.forget(asked.by.id)
                self._waiting.appendleft(asked.taken)  # it was refused, so it may be asked once more
            else:
                code = "ok" if reply.ok else reply.code
                self._ended(Told(asked.taken.button, code, reply.sentence or "Done."))
        asked = self._asked
        if asked is not None and self._clock.steady_s() - asked.sent_s > ANSWER_S:
            self._asked = None
            self._refuse(asked.taken, "no-answer", "No answer: look whether it was done before you press again.")

    def _refuse(self, taken: Taken, code: str, sentence: str) -> bool:
        self._ended(Told(taken.button, code, sentence))
        return True

    def _ended(self, told: Told) -> None:
        if told.done:
            log.info("Button %s: %s", told.button, told.sentence)
        else:
            self.refused[told.code] += 1
            sentence = f"The button {told.button!r} was refused ({told.code}): {told.sentence}"
            self._log.warn(told.code, sentence, self._now_ns())
        self._tell(told)

    def _now_ns(self) -> int:
        return int(self._clock.steady_s() * NS_PER_S)

    # --- on the bus's thread

    def _on_status(self, received: Received) -> None:
        if isinstance(received.body, Presence):
            self._life = received.envelope.boot_id if received.body.state == "online" else ""

    def _on_staff(self, _received: Received) -> None:
        self._knows_staff = True

    def _on_reply(self, received: Received) -> None:
        asked = self._asked
        if isinstance(received.body, Reply) and asked is not None and received.body.command_id == asked.id:
            self._replies.put(received.body)


def _one_of(people: Sequence[StaffMember], name: str) -> StaffMember:
    """The person of a name who has a PIN; raises PinError."""
    found = next((one for one in people if one.pin and one.name.casefold() == name.casefold()), None)
    if found is None:
        raise PinError(f"There is no {name} with a PIN among the staff of this table: betline people list.")
    return found
