"""The plain console at work: lines from standard input, the bus, lines to standard output."""

from __future__ import annotations

import queue
import sys
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Final

from betline.bus import Bus
from betline.messages.cards import CardsView
from betline.messages.recall import RecalledHand
from betline.messages.table import TableState
from betline.options import DONE, Address
from betline.settings import TableSettings
from betline.steps import Command
from betline.topics import Namespace
from table_controller.console.cards import board_lines, of_this_hand, with_cards
from table_controller.console.client import Client
from table_controller.console.clock import Clock, SystemClock
from table_controller.console.joined import joined
from table_controller.console.plain.story import changes, seats, standing, tells
from table_controller.console.plain.talk import Looks, Talk, everything, possible, possible_now
from table_controller.console.view import Line, sensor_line
from table_controller.console.voice import VoiceSwitch

FIRST_STATE_S: Final = 15.0
"""So long lines wait for the table to be known and there: its state may come before its presence."""
TICK_S: Final = 0.5
LOG_ROWS: Final = 20
SIGN_IN: Final = "To sign in type: sign in, the name and the PIN."


class _Came(Enum):
    """What came, where it is no line."""

    NEWS = auto()
    NOTHING = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Seen:
    """How it stands at a console, for whoever shows it otherwise than by its lines."""

    trouble: str
    """What is missing so that nothing typed is sent; empty where nothing is."""
    state: TableState | None
    now: tuple[str, ...]
    """What is asked now, and who acts."""
    asks: tuple[str, ...]
    """What this console asks before it sends something; nothing where it does not."""
    keys: tuple[tuple[str, str], ...]
    """The lines that are of use now, and what each does."""
    who: str
    """Who is signed in; empty where nobody has to."""
    people: tuple[str, ...]
    """Who may sign in with a PIN."""


class PlainConsole:
    """Tells every change in a line, and takes a command a line."""

    def __init__(
        self,
        bus: Bus,
        table: TableSettings,
        write: Callable[[str], object],
        clock: Clock | None = None,
        looked: Callable[[], object] = lambda: None,
    ) -> None:
        """``looked`` is called each time when what the bus has brought was told."""
        self._table = table
        self._write = write
        self._clock = clock or SystemClock()
        self._looked = looked
        self._came: queue.SimpleQueue[str | _Came] = queue.SimpleQueue()
        self._client = Client(bus, self._clock, lambda: self._came.put(_Came.NEWS))
        self._voice = VoiceSwitch(bus, table)
        self._talk = Talk(table.floor)
        self._public: TableState | None = None
        self._told: TableState | None = None
        self._lost: str | None = ""
        """What is not there, as it was told last; empty before anything was."""
        self._waiting: dict[str, bool] = {}
        """Commands without an answer; true for one that a prompt has sent."""
        self._hands_told = True
        self._problem = ""
        """Why the last sign-in was refused, once that was told."""
        self._held = ""
        """The answer to the last command, until the state that came of it."""
        self._held_s = float("inf")

    def start(self) -> None:
        """Begins to listen to the bus."""
        self._client.start()
        self._voice.start()

    def run(self, lines: Iterable[str]) -> None:
        """Takes lines until they end or one quits: each once the answer to the one before has come."""
        self.start()
        waits_until_s = self._clock.steady_s() + FIRST_STATE_S
        while (self._told is None or self._lost) and self._clock.steady_s() < waits_until_s:
            self._next()
        threading.Thread(target=self._read, args=(lines,), daemon=True, name="input").start()
        typed: deque[str | _Came] = deque()
        while True:
            came = self._next()
            if isinstance(came, str) or came is _Came.END:
                typed.append(came)
            while typed and not self._waiting and not self._held:
                line = typed.popleft()
                if not isinstance(line, str) or not self.hear(line):
                    return

    def hear(self, line: str) -> bool:
        """Follows one line; false for the one that quits."""
        if not line.strip() and self._talk.prompt is None:
            self._say(*(standing(self._told, self._table) if self._told else ()), possible(self._told))
            return True
        if self._talk.prompt is None and line.strip().lower() in ("seats", "stacks"):
            self._say(*(seats(self._told) if self._told else ()))
            return True
        self._talk, said, does = self._talk.hear(line, self._clock.steady_s())
        self._say(*said)
        if isinstance(does, Looks):
            return self._look(does)
        if does is not None:
            self._send(does)
        return True

    def tell(self) -> None:
        """Tells what the bus has brought."""
        lost = self._client.link.trouble(self._clock.steady_s())
        gone = None if lost is None else lost.partition(" since")[0]
        if gone != self._lost:
            self._say(f"{gone}: what is typed is not sent." if gone else "Connected.")
            self._lost = gone
        news = self._client.look()
        if news.message is not None:
            self._reply(news.message)
        if news.state is not None or self._clock.steady_s() > self._held_s:
            self._release(news.state or self._told)
        if news.state is not None:
            self._public = news.state
        if self._public is not None and (news.state is not None or news.cards is not None):
            self._tell_cards(of_this_hand(self._public, self._client.cards))
            state = with_cards(self._public, self._talk.cards)
            self._say(*changes(self._told, state, self._table, self._clock.wall_ms()))
            self._told = state
            self._talk, said = self._talk.after_state(state, self._clock.steady_s())
            self._say(*said)
        while (denied := self._client.denied()) is not None:
            self._say(f"{self._client.give_up(denied).text} {SIGN_IN}")
        self._answers()
        self._staff()
        self._tell_hands()
        self._looked()

    def seen(self) -> Seen:
        """How it stands now; to be asked on the thread on which the console runs."""
        state, staff, prompt = self._told, self._client.signing.state, self._talk.prompt
        return Seen(
            trouble=self._lost or "",
            state=state,
            now=standing(state, self._table) if state is not None else (),
            asks=prompt.asks if prompt is not None else (),
            keys=possible_now(state),
            who=staff.who,
            people=tuple(one.name for one in staff.able(())),
        )

    # --- inside ------------------------------------------------------------------------------------------------------

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._came.put(line)
        self._came.put(_Came.END)

    def _next(self) -> str | _Came:
        """Waits a little for what comes next; what the bus has brought is told on the way."""
        try:
            came = self._came.get(timeout=TICK_S)
        except queue.Empty:
            came = _Came.NOTHING
        late = self._client.overdue()
        if late is not None:
            self._say(late.text)
        self.tell()
        return came

    def _tell_cards(self, view: CardsView) -> None:
        """What lies on the table, where that has changed."""
        known = board_lines(self._talk.cards)
        self._talk = replace(self._talk, cards=view)
        self._say(*(f"{line.rstrip('.')}." for line in board_lines(view) if line not in known))

    def _reply(self, line: Line) -> None:
        """A refusal is said at once; the answer to what was done waits a moment for the ruling that says the same."""
        if line.tone != "good":
            self._say(line.text)
            return
        self._held = line.text if line.text.endswith(".") else f"Done: {line.text}."
        self._held_s = self._clock.steady_s() + TICK_S

    def _release(self, state: TableState | None) -> None:
        if self._held and not tells(state, self._held):
            self._say(self._held)
        self._held = ""

    def _send(self, command: Command) -> None:
        command_id = uuid.uuid4().hex
        self._waiting[command_id] = self._talk.sent
        line = self._client.send(command, command_id)
        if line.tone == "bad":
            self._say(line.text)
        self.tell()

    def _answers(self) -> None:
        for command_id, answer in self._client.answers().items():
            if self._waiting.pop(command_id, False):
                self._talk, said = self._talk.answered(answer.ok)
                self._say(*said)

    def _look(self, looks: Looks) -> bool:
        match looks.action:
            case "help":
                self._say(*everything())
            case "log":
                lines = self._client.log(journal=False)[:LOG_ROWS]
                self._say(*(f"{one.time} {one.line.text}" for one in reversed(lines)))
            case "sensors":
                self._say(*(sensor_line(one).text for one in (self._told.sensors if self._told else ())))
                self._say(*(line.text for line in self._client.traffic))
            case "hands":
                self._client.ask_hands()
                self._hands_told = False
            case "sign-in":
                self._sign_in_or_out(looks.rest)
            case "again":
                self._say(self._voice.again().text)
            case "voice":
                self._say(self._voice.press().text)
            case "quit":
                return False
        return True

    def _sign_in_or_out(self, typed: str) -> None:
        """``Ann 4711`` signs in, nothing signs out; the PIN itself is not sent."""
        signing, (name, _, pin) = self._client.signing, typed.rpartition(" ")
        gone = None if typed else signing.leave()
        person = next((one for one in signing.state.able(()) if one.name.lower() == name.strip().lower()), None)
        if gone is not None:
            self._say(f"{gone.person.name} is signed out.")
        elif not signing.state.people:
            self._say("Nobody is enrolled, so the table is open to everybody: betline people add enrols the staff.")
        elif person is None:
            names = ", ".join(f"{one.name} ({one.role})" for one in signing.state.able(()))
            self._say(f"{SIGN_IN} With a PIN: {names or 'nobody'}.")
        else:
            signing.begin(person, pin)

    def _staff(self) -> None:
        """Tells how signing in went."""
        staff = self._client.signing.state
        if staff.stage == "accepted" and staff.accepted is not None:
            self._client.signing.stay(staff.accepted)
            self._say(f"{staff.accepted.person.name} is signed in as {staff.accepted.person.role}.")
        elif staff.stage == "refused" and staff.problem != self._problem:
            self._say(staff.problem)
        self._problem = staff.problem if staff.stage == "refused" else ""

    def _tell_hands(self) -> None:
        """The last hands once they have all come, the oldest first: the newest is heard last."""
        known = self._client.look_back()
        if self._hands_told or (known.line is not None and known.line.mark == "…"):
            return
        self._hands_told = True
        self._say(*((known.line.text,) if known.line else ()))
        for hand in reversed(known.hands):
            self._say(*_hand(hand))

    def _say(self, *lines: str) -> None:
        for line in lines:
            self._write(line)


def run_plain(table: TableSettings, address: Address, namespace: Namespace, metrics: Address | None = None) -> int:
    """The console on standard input and output until the input ends; returns the exit status."""
    with joined(table, address, namespace, metrics) as bus, suppress(KeyboardInterrupt, BrokenPipeError):
        PlainConsole(bus, table, lambda line: print(line, flush=True)).run(sys.stdin)
    return DONE


def _hand(hand: RecalledHand) -> Sequence[str]:
    won = ", ".join(f"seat {seat} won {amount:,}" for seat, amount in (hand.winners or {}).items())
    end = "goes on" if hand.winners is None else f"pot {hand.pot:,}: {won}" if won else "no pot"
    cards = board_lines(CardsView(hand_no=hand.hand, places=hand.cards))
    return (f"Hand {hand.hand}, {end}.", *(f"{line}." for line in cards), *(act.text for act in hand.acts))
