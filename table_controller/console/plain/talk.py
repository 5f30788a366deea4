"""A conversation by lines: what is asked of the dealer now, and what a line does. Pure; times are seconds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from betline.messages.cards import CardsView
from betline.messages.table import TableState
from betline.settings import FloorSettings
from betline.steps import Command
from table_controller.console.cards import NO_CARDS
from table_controller.console.footer import footer
from table_controller.console.guard import Guard
from table_controller.console.intents import COMMANDING, Ask, Intent, Refused, intent, seat_range
from table_controller.console.keys import keys_in_force
from table_controller.console.plain.prompts import Prompt, Taken, prompt_for
from table_controller.console.plain.wording import NUMBERS, Spoken, number_of, understood

_LEAVE = frozenset({"cancel", "esc", "escape"})
SIGNING = "sign-in"
NOT_UNDERSTOOD = "That is not understood: ? lists what can be typed."


@dataclass(frozen=True, slots=True)
class Looks:
    """Something is to be looked at: the log, the sensors, the last hands, the voice, quitting; or somebody signs in."""

    action: str
    rest: str = ""


Does = Command | Looks | None
"""What follows from a line beside words."""


@dataclass(frozen=True, slots=True)
class Talk:
    """The state that was told last, the prompt that waits for a line, and what came too shortly before a line."""

    floor: FloorSettings
    state: TableState | None = None
    cards: CardsView = NO_CARDS
    """Of this hand."""
    prompt: Prompt | None = None
    sent: bool = False
    """The prompt's command is on its way: its answer closes the prompt, or leaves it open."""
    guard: Guard = field(default_factory=Guard)

    def after_state(self, state: TableState, now_s: float) -> tuple[Talk, tuple[str, ...]]:
        """Once this state was told; a prompt that nobody asks any more is over."""
        talk = replace(self, state=state, guard=self.guard.shown(state, now_s))
        void = "" if self.prompt is None or self.sent else self.prompt.void(state)
        return (replace(talk, prompt=None), (void,)) if void else (talk, ())

    def answered(self, ok: bool) -> tuple[Talk, tuple[str, ...]]:
        """After the controller's answer to what a prompt had sent."""
        if not self.sent:
            return self, ()
        if ok:
            return replace(self, prompt=None, sent=False), ()
        return replace(self, sent=False), self.prompt.asks if self.prompt else ()

    def hear(self, line: str, now_s: float) -> tuple[Talk, tuple[str, ...], Does]:
        """What a line leads to: the talk after it, what is said, and a command or a look."""
        line = line.strip()
        asked = understood(line)
        if asked is not None and asked.action == SIGNING:
            return self, (), Looks(asked.action, asked.rest)  # whatever is asked: a PIN is no answer to it
        if self.prompt is not None:
            if line.lower() in _LEAVE:
                return replace(self, prompt=None, sent=False), ("Left: nothing was sent.",), None
            return self._taken(self._take(self.prompt, line))
        if asked is None:
            return self, (NOT_UNDERSTOOD,), None
        if asked.action not in COMMANDING:
            return self, (), Looks(asked.action, asked.rest)
        stopped = self.guard.stops(asked.action, asked.number, now_s)
        wanted = stopped or _intent(asked, self.state)
        if not isinstance(wanted, Ask):
            return self._taken(wanted)
        if self.state is None:
            return self, (), None
        prompt = prompt_for(wanted, self.state, self.floor, self.cards)
        if isinstance(prompt, Refused):
            return self._taken(prompt)
        return self._taken(self._take(prompt, asked.rest) if asked.rest else prompt)

    def _take(self, prompt: Prompt, line: str) -> Taken:
        if self.state is None:
            return Refused("Nothing is known of the table yet: wait for the controller.")
        return prompt.take(line, self.state)

    def _taken(self, taken: Taken) -> tuple[Talk, tuple[str, ...], Does]:
        if isinstance(taken, Refused):
            again = self.prompt.asks[:1] if self.prompt is not None else ()
            return self, (taken.sentence, *again), None
        if isinstance(taken, Prompt):
            return replace(self, prompt=taken), taken.asks, None
        return replace(self, sent=self.prompt is not None), (), taken


def _intent(asked: Spoken, state: TableState | None) -> Intent:
    if asked.seats:
        return seat_range(asked.seats, state)
    return intent(asked.action, asked.number, state)


def possible_now(state: TableState | None) -> tuple[tuple[str, str], ...]:
    """The lines that are of use now, by their numbers, and what each does."""
    hints = [(cap.split("/")[0].split()[-1], words) for cap, words in footer(state)]
    by_cap = {name: key.action for key in keys_in_force().keys for name in key.shown.split()}
    return tuple((str(number_of(by_cap[cap])), words) for cap, words in hints if by_cap.get(cap) in _ACTIONS)


def possible(state: TableState | None) -> str:
    """The keys that work now, with their numbers."""
    return f"Now: {', '.join(f'{number} {words}' for number, words in possible_now(state))}."


def everything() -> tuple[str, ...]:
    """Every number with its letters and its meaning."""
    rows = tuple(f"{number} or {key.shown}: {key.meaning}." for number, key in NUMBERS.items())
    return (
        *rows,
        "A number behind belongs to it: 3 165, raise 165, 165 b; fold 7; 4 e l. The other letters of menus work too.",
        "sign in Ann 4711 signs in, sign in alone signs out. 1-6 e seats players.",
        "seats lists stacks and bets. Enter says again who acts. cancel leaves a question of this console.",
    )


_ACTIONS = frozenset(key.action for key in NUMBERS.values())
