"""The shell of `betline chips enrol` and `verify`: a reader, the register, and a person at a terminal or none."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol, TextIO

from betline.units import NS_PER_MS
from firmware_bridge.chips.enrol import Enrolment
from firmware_bridge.chips.listening import Listening
from firmware_bridge.chips.record import Chip, RegisterError
from firmware_bridge.chips.stack import Stack, counted
from firmware_bridge.chips.store import RegisterFile

POLL_S: Final = 0.05
HELP: Final = "Enter enrols the stack, u undoes the last one, q ends."


class Unsettled(Exception):
    """No stack could be believed in time; the text says what was seen last."""


class Person(Protocol):
    """Who is at the terminal."""

    def typed(self) -> str | None:
        """A line that was typed, without its end; None if none was."""
        ...

    def progress(self, line: str) -> None:
        """Show how it stands; the next one takes its place."""
        ...

    def say(self, sentence: str) -> None:
        """Print a line that stays."""
        ...


@dataclass(slots=True)
class Terminal:
    """A terminal, by lines only, so that any ssh will do: progress is written over itself where it is a terminal."""

    out: TextIO = field(default_factory=lambda: sys.stderr)
    keys: int | None = 0
    """File descriptor of the keyboard; None: nobody types."""
    _shown: str = ""
    _buffer: bytes = b""

    def typed(self) -> str | None:
        if self.keys is None:
            return None
        if b"\n" not in self._buffer and select.select([self.keys], [], [], 0)[0]:
            data = os.read(self.keys, 1024)
            if not data:
                self.keys = None
                return "q"
            self._buffer += data
        line, end, rest = self._buffer.partition(b"\n")
        if not end:
            return None
        self._buffer = rest
        self._shown = ""  # the terminal has gone to the next line
        return line.decode(errors="replace").strip()

    def progress(self, line: str) -> None:
        if line == self._shown:
            return
        if self.out.isatty():
            self.out.write(f"\r\x1b[K{line}")
            self.out.flush()
        self._shown = line

    def say(self, sentence: str) -> None:
        self.clear()
        self.out.write(f"{sentence}\n")
        self.out.flush()

    def clear(self) -> None:
        """Take the progress off the line, for what comes next on it."""
        if self._shown and self.out.isatty():
            self.out.write("\r\x1b[K")
            self.out.flush()
        self._shown = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A stack that was believed, what was written of it, and how many rounds it took."""

    stack: Stack
    chips: tuple[Chip, ...]
    rounds: int


def settled_stack(
    listening: Listening,
    timeout_s: float,
    unfit: Callable[[Stack], str | None],
    progress: Callable[[Stack], None],
    hopeless: Callable[[Stack], str | None] = lambda _: None,
) -> tuple[Stack, int]:
    """The first stack that is fit, and the rounds that it took.

    Raises Unsettled at once where a stack is `hopeless`, else when the time is up, and ListeningError.
    """
    stack, rounds = Stack(), 0
    deadline_s = time.monotonic() + timeout_s
    while (left_s := deadline_s - time.monotonic()) > 0:
        over = listening.next_round(min(left_s, POLL_S))
        if over is None:
            continue
        stack, rounds = stack.after(over), rounds + 1
        progress(stack)
        if unfit(stack) is None:
            return stack, rounds
        reason = hopeless(stack)
        if reason is not None:
            raise Unsettled(reason)
    raise Unsettled(f"{unfit(stack) or 'The reader gave no rounds.'} Nothing was settled in {timeout_s:.0f} s.")


def enrol_unattended(
    listening: Listening, file: RegisterFile, enrolment: Enrolment, user: str, timeout_s: float, person: Person
) -> Settled:
    """Enrol one stack of the expected number without a prompt; one that is enrolled already is done too.

    Raises Unsettled, ListeningError, RegisterError; then nothing was written.
    """
    chips = file.chips()

    def unfit(stack: Stack) -> str | None:
        found = enrolment.sorted(stack, chips)
        if stack.stable and not found.foreign and not found.new and len(stack.tags) == enrolment.wanted.expect:
            return None
        return enrolment.refusal(stack, chips)

    def hopeless(stack: Stack) -> str | None:
        found = enrolment.sorted(stack, chips)
        return enrolment.refusal(stack, chips) if stack.stable and found.foreign else None

    stack, rounds = settled_stack(
        listening, timeout_s, unfit, lambda stack: person.progress(enrolment.progress(stack, chips)), hopeless
    )
    new = enrolment.sorted(stack, chips).new
    return Settled(stack, _write(file, enrolment, stack, user) if new else (), rounds)


def enrol_by_hand(
    listening: Listening, file: RegisterFile, enrolment: Enrolment, user: str, person: Person
) -> Enrolment:
    """Enrol stack after stack as the person says, until it ends; the enrolment with what was written."""
    stack, chips = Stack(), file.chips()
    person.say(f"Put a stack of {enrolment.wanted.chip_type} on the reader. {HELP}")
    while True:
        over = listening.next_round(POLL_S)
        if over is not None:
            stack = stack.after(over)
            person.progress(enrolment.progress(stack, chips))
        key = person.typed()
        if key is None:
            continue
        try:
            if key == "q":
                return enrolment
            if key == "u":
                enrolment = _undo(file, enrolment, user, person)
            elif key == "":
                written = _write(file, enrolment, stack, user)
                enrolment = enrolment.with_stack(written)
                person.say(
                    f"{counted(stack.tags)}: {len(written)} enrolled as {enrolment.wanted.chip_type}, "
                    f"{enrolment.count} in all. Put the next stack on. {HELP}"
                )
            else:
                person.say(HELP)
        except RegisterError as error:
            person.say(str(error))
        chips = file.chips()


def _write(file: RegisterFile, enrolment: Enrolment, stack: Stack, user: str) -> tuple[Chip, ...]:
    """Write what is new of a stack; the chips as the register has them now."""
    before = file.chips()
    file.apply(enrolment.changes(stack, before, now_ms(), user))
    now = file.chips()
    return tuple(now[tag.uid] for tag in stack.tags if tag.uid not in before)


def _undo(file: RegisterFile, enrolment: Enrolment, user: str, person: Person) -> Enrolment:
    file.apply(enrolment.undoing(now_ms(), user))
    gone = enrolment.stacks[-1]
    enrolment = enrolment.without_last()
    person.say(f"Undone: {len(gone)} taken out of the register again, {enrolment.count} enrolled in all. {HELP}")
    return enrolment


def now_ms() -> int:
    """The wall clock, milliseconds since 1970."""
    return time.time_ns() // NS_PER_MS
