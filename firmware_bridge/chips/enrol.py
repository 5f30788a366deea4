"""Enrolment: what of a stack on the reader is new, what is known already, and what must not lie in it.

Pure. Nothing is enrolled from a stack that is not stable, that has another number of chips than was expected, or in
which a foreign chip lies: one that is registered with another type, or is retired or hot. Such a chip is named and must
be taken out, for a stack that was mixed once may be mixed twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from firmware_bridge.chips.record import Change, Chip, ChipState, RegisterError, enrolled, removed
from firmware_bridge.chips.stack import STEADY_ROUNDS, Stack, StackTag, counted

NAMED = 4
"""How many chips a sentence names before it only counts."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is being enrolled."""

    chip_type: str
    batch: str = ""
    expect: int | None = None
    """How many chips each stack has; None where nobody said."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """A stack against the register."""

    new: tuple[StackTag, ...]
    already: tuple[Chip, ...]
    """Enrolled with this very type before."""
    foreign: tuple[Chip, ...]
    """Registered with another type, retired or hot."""

    @property
    def named_foreign(self) -> str:
        """The foreign chips with what they are."""
        return _listed([_as_foreign(chip) for chip in self.foreign])


@dataclass(frozen=True, slots=True)
class Enrolment:
    """Enrolment of one denomination, stack by stack."""

    wanted: Wanted
    stacks: tuple[tuple[Chip, ...], ...] = ()
    """The chips of each stack that was written, as they were written."""

    @property
    def count(self) -> int:
        """How many chips were enrolled."""
        return sum(len(stack) for stack in self.stacks)

    def sorted(self, stack: Stack, chips: Mapping[str, Chip]) -> Sorted:
        """The stack against the register as it is."""
        known = [chips[tag.uid] for tag in stack.tags if tag.uid in chips]
        fits = [chip for chip in known if chip.chip_type == self.wanted.chip_type and chip.state is ChipState.ACTIVE]
        return Sorted(
            tuple(tag for tag in stack.tags if tag.uid not in chips),
            tuple(fits),
            tuple(chip for chip in known if chip not in fits),
        )

    def refusal(self, stack: Stack, chips: Mapping[str, Chip]) -> str | None:
        """Why the stack cannot be enrolled now, in a sentence that says what to do; None if it can."""
        if not stack.tags and not stack.unsure:
            return "No chip lies on the reader: put a stack on it."
        if stack.unsure and len(stack.evidence.rounds) >= STEADY_ROUNDS:
            named = _listed([f"{tag.uid} in {tag.hits} of {tag.rounds} rounds" for tag in stack.unsure])
            return f"Not sure of {counted(stack.unsure)}: {named}. Spread the stack, or move other chips away."
        if not stack.stable:
            return f"Not stable yet ({self._seen(stack)}): leave the stack as it lies."
        found = self.sorted(stack, chips)
        if found.foreign:
            return f"Take {'this' if len(found.foreign) == 1 else 'these'} out of the stack: {found.named_foreign}."
        if self.wanted.expect is not None and len(stack.tags) != self.wanted.expect:
            return (
                f"{counted(stack.tags)} lie on the reader, {self.wanted.expect} were expected: count them, "
                "and spread the stack if some are not read."
            )
        if not found.new:
            return f"All {len(stack.tags)} are {self.wanted.chip_type} already: put the next stack on."
        return None

    def changes(self, stack: Stack, chips: Mapping[str, Chip], at_ms: int, user: str) -> tuple[Change, ...]:
        """What to write for the stack. Raises RegisterError where it cannot be enrolled."""
        refusal = self.refusal(stack, chips)
        if refusal is not None:
            raise RegisterError(refusal)
        new = [
            Chip(tag.uid, self.wanted.chip_type, batch=self.wanted.batch, kind=tag.kind and tag.kind.value)
            for tag in self.sorted(stack, chips).new
        ]
        return tuple(enrolled(chips, new, at_ms, user))

    def with_stack(self, chips: tuple[Chip, ...]) -> Enrolment:
        """After a stack was written."""
        return Enrolment(self.wanted, (*self.stacks, chips))

    def undoing(self, at_ms: int, user: str) -> tuple[Change, ...]:
        """What to write to take the last stack out again. Raises RegisterError where there is none."""
        if not self.stacks:
            raise RegisterError("No stack was enrolled since this program began: there is nothing to undo.")
        return tuple(removed(self.stacks[-1], at_ms, user))

    def without_last(self) -> Enrolment:
        """After the last stack was taken out again."""
        return Enrolment(self.wanted, self.stacks[:-1])

    def progress(self, stack: Stack, chips: Mapping[str, Chip]) -> str:
        """One line: what is seen, how sure it is, and what of it is new."""
        return ", ".join(self._progress(stack, chips))

    def _progress(self, stack: Stack, chips: Mapping[str, Chip]) -> Iterator[str]:
        found = self.sorted(stack, chips)
        yield self._seen(stack)
        if found.new:
            yield f"{len(found.new)} new"
        if found.already:
            yield f"{len(found.already)} already {self.wanted.chip_type}"
        if found.foreign:
            yield f"FOREIGN: {found.named_foreign}"
        if stack.unsure:
            yield f"{len(stack.unsure)} unsure"
        if stack.strays:
            yield f"{len(stack.strays)} stray, not of the stack"
        if stack.warned:
            yield "the reader warns of its field"

    def _seen(self, stack: Stack) -> str:
        of = "" if self.wanted.expect is None else f" of {self.wanted.expect}"
        return f"{counted(stack.tags)}{of}, stable in {stack.steady} of {STEADY_ROUNDS} rounds"


def _as_foreign(chip: Chip) -> str:
    if chip.state is ChipState.ACTIVE:
        return chip.title
    return f"{chip.title}, {chip.state.value}{f' ({chip.reason})' if chip.reason else ''}"


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{'; '.join(names[:NAMED])}{more}"
