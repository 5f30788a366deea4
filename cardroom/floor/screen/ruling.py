"""Taking a ruling that waits for the floor: what is on offer by its digit, or something else by name and reason.

Whoever has no right to it yet proves one with a PIN, for this one command: this screen stands where people pass.
"""

from __future__ import annotations

import uuid
from typing import ClassVar, Literal

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Static

from betline.messages.people import StaffMember
from betline.messages.table import Question, TableState
from betline.settings import FloorSettings
from betline.steps import MAX_LINE, Command, Override
from cardroom.floor.table import waiting_in
from table_controller.console.client import Client, Denied
from table_controller.console.intents import Refused
from table_controller.console.overruling import Overruling
from table_controller.console.typed import floor_decision

Stage = Literal["choose", "otherwise", "sent", "who", "pin", "proving"]
MOST_DIGITS = 12
NOT_REACHED = "The table is not reached yet: press again."
GONE = "The ruling no longer waits for the floor: nothing was sent."
NAMELESS = "Nobody is enrolled at this table: what is on offer is decided without a name. O asks for one."


class RulingDialog(ModalScreen[str | None]):
    """Ends with the table's answer once it has done what was decided, or with None."""

    BINDINGS: ClassVar = [Binding("escape", "back", show=False)]

    def __init__(self, table: str, question: Question, client: Client, floor: FloorSettings) -> None:
        super().__init__()
        self._table, self._question, self._client, self._floor = table, question, client, floor
        self._stage: Stage = "choose"
        self._state: TableState | None = None
        self._so_far: Overruling | None = None
        self._line = ""
        self._sent = ""
        self._denied: Denied | None = None
        self._person: StaffMember | None = None
        self._void = False
        self._problem = ""

    def compose(self) -> ComposeResult:
        """Title, what can be chosen, what was wrong, the keys."""
        with Vertical(id="dialog"):
            for part in ("title", "content", "problem", "hint"):
                yield Static(id=part, markup=False)

    def on_mount(self) -> None:
        self._write()

    # --- from the table ----------------------------------------------------------------------------------------------

    def hear(self) -> None:
        """Something has come from the table."""
        self._state = self._client.look().state or self._state
        self._client.overdue()
        if self._state is not None and self._stage != "sent":
            waits = waiting_in(self._state)
            self._void = waits is None or waits.id != self._question.id
        denied = self._client.denied()
        if denied is not None:
            self._ask_who(denied)
        if self._stage == "proving":
            self._hear_door()
        answer = self._client.answers().get(self._sent) if self._sent else None
        if answer is not None:
            self._sent = ""
            if answer.ok:
                self.dismiss(answer.sentence)
                return
            self._stage, self._problem = "choose", answer.sentence
        self._write()

    def _ask_who(self, denied: Denied) -> None:
        self._denied = denied
        people = self._able
        if not people:
            self._client.give_up(denied)
            return
        self._person = people[0] if len(people) == 1 else None
        self._stage, self._line, self._problem = "pin" if self._person else "who", "", ""

    def _hear_door(self) -> None:
        staff = self._client.signing.state
        if staff.stage == "accepted" and staff.accepted is not None and self._denied is not None:
            self._stage = "sent"
            self._client.send_again(self._denied, staff.accepted)
            self._client.signing.end(staff.accepted)
        elif staff.stage == "refused":
            self._stage, self._line, self._problem = "pin", "", staff.problem

    @property
    def _able(self) -> tuple[StaffMember, ...]:
        roles = () if self._denied is None else self._denied.roles
        return self._client.signing.state.able(roles)[:10]

    # --- from the keys -----------------------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Digits choose; where words or a PIN are asked for, they are typed."""
        if event.key == "escape":
            return
        event.stop()
        event.prevent_default()
        self._problem = ""
        char = event.character if event.is_printable and event.character else ""
        match self._stage:
            case "choose":
                self._choose(char)
            case "otherwise":
                self._say(event.key, char)
            case "who" if char.isdigit():
                place = int(char) or 10
                if place <= len(self._able):
                    self._person, self._stage, self._line = self._able[place - 1], "pin", ""
            case "pin":
                self._type_pin(event.key, char)
        self._write()

    def action_back(self) -> None:
        """A step back; from the first nothing is sent."""
        self._problem = ""
        before = None if self._so_far is None else self._so_far.back()
        if self._stage == "otherwise" and before is not None and not self._line:
            self._so_far = before
        elif self._stage == "otherwise":
            self._stage, self._so_far, self._line = (
                ("otherwise", self._so_far, "") if self._line else ("choose", None, "")
            )
        elif self._stage in ("who", "pin", "proving") and self._denied is not None:
            self._client.give_up(self._denied)
            self._stage, self._sent = "choose", ""
        else:
            self.dismiss(None)
            return
        self._write()

    def _choose(self, char: str) -> None:
        offers = self._question.choices
        if char in ("o", "O") and self._state is not None:
            signs = self._client.signing.state.signs
            self._so_far = Overruling.begun(self._state, self._floor, self._question.seat, signs)
            self._stage, self._line = "otherwise", ""
        elif char in ("o", "O"):
            self._problem = NOT_REACHED
        elif char.isdigit() and 1 <= int(char) <= len(offers):
            self._send(floor_decision(offers[int(char) - 1]))

    def _say(self, key: str, char: str) -> None:
        """One key of another ruling: a digit on an empty line chooses from the list, Enter takes the line."""
        if self._so_far is None:
            return
        if key == "backspace":
            self._line = self._line[:-1]
        elif char.isdigit() and not self._line and self._so_far.rows:
            self._follow(self._so_far.chosen(int(char) or 10))
        elif key == "enter":
            self._follow(self._so_far.typed(self._line.strip()))
        else:
            self._line = (self._line + char)[:MAX_LINE]

    def _follow(self, said: Overruling | Override | Refused) -> None:
        match said:
            case Refused():
                self._problem = said.sentence
            case Override():
                self._send(said)
            case _:
                self._so_far, self._line = said, ""

    def _type_pin(self, key: str, char: str) -> None:
        if key == "backspace":
            self._line = self._line[:-1]
        elif char.isdigit():
            self._line = (self._line + char)[:MOST_DIGITS]
        elif key == "enter" and self._line and self._person is not None:
            self._stage, pin, self._line = "proving", self._line, ""
            self._client.signing.begin(self._person, pin)

    def _send(self, wanted: Command) -> None:
        if self._void:
            return
        if self._state is None or not self._client.link.well:
            self._problem = NOT_REACHED
            return
        self._sent, self._stage = uuid.uuid4().hex, "sent"
        self._client.send(wanted, self._sent)

    # --- the box -----------------------------------------------------------------------------------------------------

    def _write(self) -> None:
        title, rows, hint = self._words()
        self._put("title", f"{self._table} · {title}")
        self._put("content", "\n".join(rows))
        self._put("problem", f"✖ {GONE} Esc" if self._void else f"✖ {self._problem}" if self._problem else "")
        self._put("hint", hint)

    def _put(self, part: str, text: str) -> None:
        self.query_one(f"#{part}", Static).update(text)

    def _words(self) -> tuple[str, list[str], str]:
        """Title, rows and hint of the stage."""
        title = self._question.sentence
        match self._stage:
            case "otherwise" if self._so_far is not None:
                rows = [f"{place % 10}  {row}" for place, row in enumerate(self._so_far.rows, 1)]
                return self._so_far.title, [*rows, f"> {self._line}▏"], self._so_far.hint
            case "who":
                rows = [f"{place % 10}  {one.name}, {one.role}" for place, one in enumerate(self._able, 1)]
                return f"{title} · who decides?", rows, "the digit · Esc"
            case "pin" if self._person is not None:
                return (
                    f"{title} · {self._person.name}",
                    [f"PIN  {'●' * len(self._line) or '—'}"],
                    "the PIN · Enter · Esc",
                )
            case "sent" | "proving":
                return title, ["…"], "Esc"
        rows = [f"{place}  {offer.replace(':', ' to ')}" for place, offer in enumerate(self._question.choices, 1)]
        reached = self._state is not None and self._client.link.well
        nameless = reached and not self._client.signing.state.people
        rows += ["", NAMELESS] if nameless else [] if reached else ["", "The table is being reached …"]
        return title, rows, "its digit decides · O: something else, by name and reason · Esc"
