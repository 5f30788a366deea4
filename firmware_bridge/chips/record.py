"""One chip of the register, and its changes: replaying its history from nothing gives the register.

Pure. A change names the element, its old and its new value, when and by whom (hardware_docs/chips.md). A chip comes
with the change of its type from nothing, and goes with the change back to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from betline.messages.common import UID_PATTERN

UID: Final = re.compile(UID_PATTERN)
CHIP_TYPE: Final = re.compile(r"^[a-z0-9-]+$")


class ChipState(StrEnum):
    """Whether a chip may play."""

    ACTIVE = "active"
    RETIRED = "retired"
    """Taken out of play: worn, lost, or of an old set. It is worth nothing."""
    HOT = "hot"
    """Stolen or under suspicion: it keeps its value, and an alert names whoever plays it."""


class RegisterError(Exception):
    """The register cannot be used, or not changed like that; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One chip as the house knows it."""

    uid: str
    chip_type: str
    """Key of its denomination in a chip set."""
    state: ChipState = ChipState.ACTIVE
    name: str = ""
    """What people call it, if it has a name of its own."""
    reason: str = ""
    """Why it is retired or hot."""
    batch: str = ""
    """With which delivery or stack it was enrolled."""
    kind: str | None = None
    """The air interface of its tag, as `bridge once` names it; None where the reader does not say."""
    enrolled_ms: int = 0
    """Wall clock, milliseconds since 1970."""
    enrolled_by: str = ""

    @property
    def title(self) -> str:
        """How a sentence calls it: its type, its own name, its number."""
        own = f'"{self.name}" ' if self.name else ""
        return f"{self.chip_type} {own}{self.uid}"


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of the history."""

    uid: str
    element: str
    old: str | None
    new: str | None
    at_ms: int
    user: str


_TEXTS: Final = ("state", "name", "reason", "batch", "kind")
"""The elements of a chip besides its type, in the order in which an enrolment records them."""
_NOTHING: Final = Chip("", "")


def enrolled(chips: Mapping[str, Chip], new: Iterable[Chip], at_ms: int, user: str) -> Iterator[Change]:
    """The changes that bring new chips in. Raises RegisterError for a UID that is unfit or already there."""
    seen: set[str] = set()
    for chip in new:
        if not UID.match(chip.uid):
            raise RegisterError(f"{chip.uid!r} is no UID: it needs 8 to 64 hex digits.")
        if not CHIP_TYPE.match(chip.chip_type):
            raise RegisterError(f"{chip.chip_type!r} is no chip type: lower-case letters, digits and - only.")
        known = chips.get(chip.uid)
        if known is not None or chip.uid in seen:
            what = "twice in what comes" if known is None else f"registered as {known.chip_type} already"
            raise RegisterError(f"{chip.uid} is {what}: a chip has one type.")
        seen.add(chip.uid)
        yield Change(chip.uid, "chip_type", None, chip.chip_type, at_ms, user)
        for element in _TEXTS:
            value = getattr(chip, element)
            if value != getattr(_NOTHING, element):
                yield Change(chip.uid, element, _text(getattr(_NOTHING, element)), _text(value), at_ms, user)


def removed(chips: Iterable[Chip], at_ms: int, user: str) -> Iterator[Change]:
    """The changes that take chips out again: an enrolment undone, never a retirement."""
    for chip in chips:
        yield Change(chip.uid, "chip_type", chip.chip_type, None, at_ms, user)


def set_state(chip: Chip, state: ChipState, reason: str, at_ms: int, user: str) -> Iterator[Change]:
    """The changes that give a chip another state, or another reason for the one that it has."""
    for element, old, new in (("state", chip.state.value, state.value), ("reason", chip.reason, reason)):
        if old != new:
            yield Change(chip.uid, element, old, new, at_ms, user)


def set_name(chip: Chip, name: str, at_ms: int, user: str) -> Iterator[Change]:
    """The change that names a chip."""
    if chip.name != name:
        yield Change(chip.uid, "name", chip.name, name, at_ms, user)


def after(chip: Chip | None, change: Change) -> Chip | None:
    """A chip after a change, None for one that is in the register no more.

    Raises RegisterError where the change does not follow from what was: its old value is not the present one.
    """
    if change.element == "chip_type":
        if (None if chip is None else chip.chip_type) != change.old:
            raise _does_not_follow(change)
        if change.new is None:
            return None
        if chip is None:
            return Chip(change.uid, change.new, enrolled_ms=change.at_ms, enrolled_by=change.user)
        return replace(chip, chip_type=change.new)
    if chip is None or change.element not in _TEXTS or _text(getattr(chip, change.element)) != change.old:
        raise _does_not_follow(change)
    match change.element:
        case "state":
            return replace(chip, state=_state(change))
        case "kind":
            return replace(chip, kind=change.new)
        case "name":
            return replace(chip, name=change.new or "")
        case "reason":
            return replace(chip, reason=change.new or "")
        case _:
            return replace(chip, batch=change.new or "")


def replayed(history: Iterable[Change]) -> dict[str, Chip]:
    """The register that a history makes. Raises RegisterError where an entry does not follow from those before."""
    chips: dict[str, Chip] = {}
    for change in history:
        chip = after(chips.get(change.uid), change)
        if chip is None:
            del chips[change.uid]
        else:
            chips[change.uid] = chip
    return chips


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _state(change: Change) -> ChipState:
    try:
        return ChipState(change.new or "")
    except ValueError:
        raise _does_not_follow(change) from None


def _does_not_follow(change: Change) -> RegisterError:
    return RegisterError(
        f"The change of {change.element} of {change.uid} from {change.old} to {change.new} does not follow from what "
        "the register has."
    )
