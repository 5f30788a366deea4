"""The console's side of the bus: what arrived since the last look, and commands with their answers.

The bus calls on its own thread; everything it brings is put into a mailbox under a lock, newest state kept, and the
screen is woken once until it has looked.
"""

from __future__ import annotations

import threading
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from betline import topics
from betline.bus import Bus, Received
from betline.messages.cards import CardsView
from betline.messages.common import Command as CommandMessage
from betline.messages.common import Presence, Reply
from betline.messages.pictures import PictureWanted, SmallPicture
from betline.messages.recall import Recalled, RecalledHand
from betline.messages.table import Alert, Announcement, Event, Ruling, TableState
from betline.steps import Command, Recall, command_args, verb_of
from betline.topics import topic
from table_controller.console.clock import Clock
from table_controller.console.link import Link
from table_controller.console.signing import SignedIn, Signing
from table_controller.console.view import Line, alert_line, ruling_line

COMMAND_LIFE_MS = 3000
LOG_LINES = 500
LAST_HANDS = 10
DONE = "Done."
"""What the controller answers where it has nothing to say."""
PICTURE_LIFE_MS = 5000
HERE: Final = "here"
"""Of whoever is signed in at this console."""
SIGNED_OUT: Final = "signed-out"
"""The controller's answer where it knows a sign-in no longer."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the console's log, with the time of day at which it came."""

    time: str
    line: Line


@dataclass(frozen=True, slots=True)
class LookBack:
    """The last hands, newest first; ``line`` says what is missing, None once all have come."""

    hands: tuple[RecalledHand, ...] = ()
    line: Line | None = None


NOT_ASKED = LookBack()


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command."""

    ok: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Denied:
    """A command that was refused for want of a right, and the roles that have it; any where none is named."""

    command: Command
    command_id: str
    roles: tuple[str, ...]
    sentence: str
    once: bool
    """Somebody else is signed in here, whose right it is not: another may prove to have it for this one command."""


@dataclass(frozen=True, slots=True)
class News:
    """What arrived since the last look; ``state`` is the newest, None where none came."""

    state: TableState | None
    message: Line | None
    cards: CardsView | None = None
    """The cards of the hand in progress, where they have changed."""


def _turn_of(state: TableState) -> tuple[int, int | None]:
    return state.hand_no, state.to_act


class Client:
    """Subscribes, remembers, sends. ``wake`` is called on the bus's thread when there is something to look at."""

    def __init__(self, bus: Bus, clock: Clock, wake: Callable[[], object]) -> None:
        self._bus = bus
        self._clock = clock
        self._wake = wake
        self._lock = threading.Lock()
        self._woken = False
        self.signing = Signing(bus, self._ring)
        self._link = Link(lost_s=clock.steady_s())
        self._state: TableState | None = None
        self._turn: tuple[int, int | None] | None = None
        """Hand and seat to act of the state that was looked at last."""
        self._hurried = False
        self._newest: tuple[str, int] = ("", -1)
        self._cards = CardsView(hand_no=0)
        self._new_cards: CardsView | None = None
        self._message: Line | None = None
        self._asked: dict[str, tuple[Command, float]] = {}
        self._denied: list[Denied] = []
        self._again: dict[str, str] = {}
        """Commands that were sent again with a right to them: by their id that of the first time."""
        self._answers: dict[str, Answer] = {}
        self._look_back = NOT_ASKED
        self._recall: str | None = None
        self._picture: SmallPicture | None = None
        self._picture_of = ""
        self._camera: str | None = None
        self._pictures_s = self._asked_until_s = clock.steady_s()
        self._log: deque[LogLine] = deque(maxlen=LOG_LINES)
        self._journal: deque[LogLine] = deque(maxlen=LOG_LINES)

    def start(self) -> None:
        """Begins to listen."""
        for kind, handler in (
            (topics.STATUS, self._on_status),
            (topics.STATE, self._on_state),
            (topics.PRIVATE_CARDS, self._on_cards),
            (topics.REPLY, self._on_reply),
            (topics.RULING, self._on_word),
            (topics.ALERT, self._on_word),
            (topics.ANNOUNCEMENT, self._on_word),
            (topics.EVENT, self._on_event),
        ):
            self._bus.subscribe(kind, handler)
        self.signing.start()
        self._bus.on_connection(self._on_connection)

    def look(self) -> News:
        """Takes what arrived since the last look."""
        with self._lock:
            self._woken = self._hurried = False
            news = News(self._state, self._message, self._new_cards)
            self._turn = self._turn if self._state is None else _turn_of(self._state)
            self._state = self._message = self._new_cards = None
            return news

    @property
    def has_turned(self) -> bool:
        """Whether somebody else is to act than in the state that was looked at last."""
        with self._lock:
            return self._state is not None and _turn_of(self._state) != self._turn

    @property
    def cards(self) -> CardsView:
        """The newest that was heard of the cards."""
        with self._lock:
            return self._cards

    def answers(self) -> Mapping[str, Answer]:
        """Takes what has become of commands since the last time, by the command's id."""
        with self._lock:
            answers, self._answers = self._answers, {}
            return answers

    def ask_hands(self, count: int = LAST_HANDS) -> None:
        """Asks for the last hands anew; what is known of them is `look_back`, till they come the old ones."""
        command_id = uuid.uuid4().hex
        with self._lock:
            first, self._recall = self._recall is None, command_id
            waits = Line("…", "The hands are being read back from the journal.")
            self._look_back = LookBack(self._look_back.hands, waits)
            trouble = self._link.trouble(self._clock.steady_s())
            if trouble is not None:
                self._look_back = LookBack(line=_not_sent(trouble))
        if first:
            self._bus.subscribe(topics.RECALL, self._on_recalled)
        if trouble is None:
            self._publish(Recall(hands=count), command_id, self.signing.state.signed_in)

    def look_back(self) -> LookBack:
        """The last hands, as far as they have come."""
        with self._lock:
            return self._look_back

    def send(self, command: Command, command_id: str = "", by: SignedIn | Literal["here"] | None = HERE) -> Line:
        """Publishes a command; the line to show until its answer comes says what was sent, or why it was not.

        It is of whoever is signed in here, of somebody who has signed in for it, or of nobody but the badge.
        """
        verb, args = verb_of(type(command)), command_args(command)
        now_s = self._clock.steady_s()
        command_id = command_id or uuid.uuid4().hex
        with self._lock:
            trouble = self._link.trouble(now_s)
            if trouble is not None:
                line = _not_sent(trouble)
                self._answers[self._again.pop(command_id, command_id)] = Answer(False, line.text)
                return line
            self._asked[command_id] = (command, now_s)
        signer = self.signing.state.signed_in if isinstance(by, str) else by
        self._publish(command, command_id, signer)
        return Line("…", f"{_spoken(verb)} {_listed(args)}".rstrip())

    def send_again(self, denied: Denied, by: SignedIn | None) -> Line:
        """Sends a command once more, with the right to it; whoever awaits the answer gets that of this one."""
        command_id = uuid.uuid4().hex
        with self._lock:
            self._again[command_id] = denied.command_id
        return self.send(denied.command, command_id, by)

    def give_up(self, denied: Denied) -> Line:
        """Nobody has proven to have the right: the command stays refused."""
        line = Line("✖", denied.sentence, "warn")
        with self._lock:
            self._answers[denied.command_id] = Answer(False, denied.sentence)
        self._note(line)
        return line

    def denied(self) -> Denied | None:
        """Takes a command that was refused for want of a right, where somebody could prove to have it."""
        with self._lock:
            return self._denied.pop(0) if self._denied else None

    def _publish(self, command: Command, command_id: str, by: SignedIn | None = None) -> None:
        verb, args = verb_of(type(command)), command_args(command)
        expires_ms = self._clock.wall_ms() + COMMAND_LIFE_MS
        signature = by.signature(self._bus.sender, verb, command_id, expires_ms, args) if by is not None else None
        with self._lock:
            asked, _ = self._newest
        message = CommandMessage(id=command_id, expires_ms=expires_ms, args=args, signature=signature, controller=asked)
        self._bus.publish(topic(topics.COMMAND, verb), message)

    def ask_picture(self, camera: str, width_px: int, of: str = "") -> None:
        """Asks a camera for small pictures for the next seconds, so many pixels wide, or for the one of an event."""
        now_s = self._clock.steady_s()
        with self._lock:
            first = self._camera is None
            if (camera, of) != (self._camera, self._picture_of) or now_s >= self._asked_until_s:
                self._camera, self._picture_of, self._picture, self._pictures_s = camera, of, None, now_s
            self._asked_until_s = now_s + PICTURE_LIFE_MS / 1000
        if first:
            self._bus.subscribe(topics.DEVICE_PICTURE, self._on_picture)
        if self.link.broker:
            wish = PictureWanted(for_ms=PICTURE_LIFE_MS, width_px=width_px, of=of)
            self._bus.publish(topic(topics.DEVICE_PICTURE_WANTED, camera), wish)

    def picture(self) -> tuple[SmallPicture | None, int]:
        """The newest small picture, and the seconds since it came or was first asked for."""
        with self._lock:
            return self._picture, int(self._clock.steady_s() - self._pictures_s)

    def overdue(self) -> Line | None:
        """The sentence for a command that nobody has answered within its life, shown once."""
        now_s = self._clock.steady_s()
        with self._lock:
            late = [key for key, (_, sent_s) in self._asked.items() if (now_s - sent_s) * 1000 > COMMAND_LIFE_MS]
            verbs = [verb_of(type(self._asked.pop(key)[0])) for key in late]
            sentence = f"No answer to {verbs[-1]}: look whether it was done before you press again." if verbs else ""
            firsts = [self._again.pop(key, key) for key in late]
            self._answers |= dict.fromkeys(firsts, Answer(False, sentence))
        if not verbs:
            return None
        line = Line("✖", sentence, "bad")
        self._note(line)
        return line

    def log(self, *, journal: bool) -> list[LogLine]:
        """The log, newest first: people's words, or the controller's raw stream."""
        with self._lock:
            return list(reversed(self._journal if journal else self._log))

    @property
    def link(self) -> Link:
        """How the connection stands now."""
        with self._lock:
            return self._link

    @property
    def traffic(self) -> tuple[Line, ...]:
        """What this console sent, received and dropped."""
        counters = self._bus.counters
        dropped = ", ".join(f"{count} {kind}" for kind, count in sorted(dict(counters.problems).items()))
        lines = [
            Line("●", f"{counters.received:,} received, {counters.published:,} sent, {counters.connects} connects"),
            Line("▲" if dropped else "●", f"dropped: {dropped or 'nothing'}", "warn" if dropped else "plain"),
        ]
        if counters.last_problem:
            lines.append(Line("▲", counters.last_problem, "warn"))
        return tuple(lines)

    # --- on the bus's thread -----------------------------------------------------------------------------------------

    def _on_connection(self, connected: bool) -> None:
        with self._lock:
            self._link = self._link.with_broker(connected, self._clock.steady_s())
        self._ring()

    def _on_status(self, received: Received) -> None:
        if isinstance(received.body, Presence):
            with self._lock:
                self._link = self._link.with_controller(received.body.state, self._clock.steady_s())
            self._ring()

    def _on_state(self, received: Received) -> None:
        state, boot_id = received.body, received.envelope.boot_id
        if not isinstance(state, TableState):
            return
        with self._lock:
            known_boot, known_version = self._newest
            if boot_id == known_boot and state.version < known_version:
                return
            self._newest = (boot_id, state.version)
            self._state = state
            if _turn_of(state) != self._turn and not self._hurried:
                self._hurried, self._woken = True, False  # who will look soon is asked to look now
        self._ring()

    def _on_cards(self, received: Received) -> None:
        if isinstance(received.body, CardsView):
            with self._lock:
                self._cards = self._new_cards = received.body
            self._ring()

    def _on_reply(self, received: Received) -> None:
        reply = received.body
        if not isinstance(reply, Reply):
            return
        with self._lock:
            if reply.command_id == self._recall and not reply.ok:
                self._look_back = LookBack(line=Line("✖", reply.sentence, "warn"))
            asked = self._asked.pop(reply.command_id, None)
            if asked is None:
                return
        denied = self._denied_by(reply, asked[0])
        if denied is not None:
            with self._lock:
                self._denied.append(denied)
            self._ring()
            return
        with self._lock:
            if reply.ok:
                plain = reply.sentence in ("", DONE)
                line = Line("✓", _spoken(reply.verb) if plain else reply.sentence, "good")
            else:
                line = Line("✖", reply.sentence, "warn")
            self._message = line
            first = self._again.pop(reply.command_id, reply.command_id)
            self._answers[first] = Answer(reply.ok, reply.sentence)
        self._note(line)
        self._ring()

    def _denied_by(self, reply: Reply, command: Command) -> Denied | None:
        """What must be proven before a refused command is sent again; None where that would not help."""
        staff, ended = self.signing.state, reply.code == SIGNED_OUT
        if reply.ok or not (reply.needs or ended) or reply.command_id in self._again or not staff.able(reply.needs):
            return None
        if ended and staff.signed_in is not None:
            self.signing.forget(staff.signed_in.id)
        once = staff.signed_in is not None and not ended
        return Denied(command, reply.command_id, reply.needs, reply.sentence, once)

    def _on_word(self, received: Received) -> None:
        match received.body:
            case Ruling() as ruling:
                self._note(ruling_line(ruling))
            case Alert() as alert:
                self._note(alert_line(alert))
            case Announcement() as announcement:
                self._note(Line("“", announcement.text))
        self._ring()

    def _on_recalled(self, received: Received) -> None:
        told = received.body
        with self._lock:
            if not isinstance(told, Recalled) or told.command_id != self._recall:
                return
            known = self._look_back.hands if told.number > 1 else ()
            hands = known if told.hand is None else (told.hand, *known)
            self._look_back = LookBack(hands, _missing(told, len(hands)))
        self._ring()

    def _on_event(self, received: Received) -> None:
        event = received.body
        if isinstance(event, Event):
            text = f"{event.journal_seq} {event.type} {_listed(event.data)}".rstrip()
            with self._lock:
                self._journal.append(LogLine(self._clock.time_of_day(), Line("·", text)))
            self._ring()

    def _on_picture(self, received: Received) -> None:
        picture = received.body
        if not isinstance(picture, SmallPicture):
            return
        if (received.topic.name, picture.of) == (self._camera, self._picture_of):
            with self._lock:
                self._picture, self._pictures_s = picture, self._clock.steady_s()
            self._ring()

    def _note(self, line: Line) -> None:
        with self._lock:
            self._log.append(LogLine(self._clock.time_of_day(), line))

    def _ring(self) -> None:
        with self._lock:
            if self._woken:
                return
            self._woken = True
        self._wake()


def _not_sent(trouble: str) -> Line:
    return Line("✖", f"Not sent: {trouble.lower()}. Press again when it is back.", "bad")


def _spoken(verb: str) -> str:
    """A verb as people say it."""
    return {"undo-key": "undo"}.get(verb, verb.replace("-", " "))


def _missing(told: Recalled, count: int) -> Line | None:
    """What is to be said once this has come, with so many hands."""
    if told.problem:
        return Line("✖", told.problem, "bad")
    if not told.of:
        return Line("·", "No hand has been played yet.")
    return None if count >= told.of else Line("…", f"{count} of {told.of} hands have come.")


def _listed(values: dict[str, Any]) -> str:
    return " ".join(f"{key} {value}" for key, value in values.items())
