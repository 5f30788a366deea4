"""What the register says, for people and for other programs: by denomination, chip by chip, and of a stack.

Pure. A chip's worth is what the chip set in force says of its type; the tag says nothing of it.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, Final

from betline.settings import ChipSet
from firmware_bridge.chips.record import CHIP_TYPE, UID, Change, Chip, ChipState, RegisterError
from firmware_bridge.chips.stack import Stack

COLUMNS: Final = ("uid", "chip_type", "state", "name", "reason", "batch", "kind", "enrolled_ms", "enrolled_by")


@dataclass(frozen=True, slots=True)
class Denomination:
    """The chips of one type."""

    chip_type: str
    value: int | None
    """Worth of one by the chip set; None where it has no such type, or none was named."""
    active: int
    retired: int
    hot: int

    @property
    def total(self) -> int | None:
        """Worth of those in play: the active and the hot ones."""
        return None if self.value is None else self.value * (self.active + self.hot)


def denominations(chips: Iterable[Chip], chip_set: ChipSet | None) -> tuple[Denomination, ...]:
    """The register by type: those of the chip set in its order, also where there is no chip, then the others."""
    counts = Counter((chip.chip_type, chip.state) for chip in chips)
    own = [one.key for one in chip_set.chips] if chip_set is not None else []
    others = sorted({chip_type for chip_type, _ in counts} - set(own))
    return tuple(
        Denomination(
            chip_type,
            None if chip_set is None else chip_set.value_of(chip_type),
            *(counts[chip_type, state] for state in (ChipState.ACTIVE, ChipState.RETIRED, ChipState.HOT)),
        )
        for chip_type in (*own, *others)
    )


@dataclass(frozen=True, slots=True)
class Verified:
    """One chip of a stack and what the house knows of it."""

    uid: str
    chip_type: str | None
    state: str
    """`unknown` for a UID that is not in the register."""
    name: str
    reason: str
    value: int
    """What it counts: nothing where it is unknown, retired, or of a type that the chip set does not have."""

    @property
    def good(self) -> bool:
        """Whether it may play as it is."""
        return self.state == ChipState.ACTIVE and self.value > 0


def verified(stack: Stack, chips: Mapping[str, Chip], chip_set: ChipSet) -> tuple[Verified, ...]:
    """Each chip of a stack."""
    return tuple(_verified(tag.uid, chips.get(tag.uid), chip_set) for tag in stack.tags)


def _verified(uid: str, chip: Chip | None, chip_set: ChipSet) -> Verified:
    if chip is None:
        return Verified(uid, None, "unknown", "", "", 0)
    value = 0 if chip.state is ChipState.RETIRED else chip_set.value_of(chip.chip_type) or 0
    return Verified(uid, chip.chip_type, chip.state.value, chip.name, chip.reason, value)


def as_csv(chips: Iterable[Chip]) -> str:
    """The register as CSV with a line of names."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(chip) for chip in chips)
    return out.getvalue()


def as_json(chips: Iterable[Chip]) -> str:
    """The register as one JSON list."""
    return json.dumps([asdict(chip) for chip in chips], indent=1, ensure_ascii=False) + "\n"


def from_text(text: str, where: str) -> tuple[Chip, ...]:
    """Chips of an exported CSV or JSON list, or of JSON lines; when and by whom is not taken over.

    Raises RegisterError with the place where something is wrong.
    """
    chips = []
    for place, row in _rows(text, where):
        uid, chip_type = str(row.get("uid", "")).upper(), row.get("chip_type")
        state = row.get("state") or ChipState.ACTIVE.value
        known = isinstance(chip_type, str) and CHIP_TYPE.match(chip_type) and state in {*ChipState}
        if not UID.match(uid) or not known:
            raise RegisterError(f'{where}, {place}: expected uid "E004..." and chip_type "red-5" at least.')
        name, reason, batch = (str(row.get(column) or "") for column in ("name", "reason", "batch"))
        chips.append(Chip(uid, str(chip_type), ChipState(state), name, reason, batch, row.get("kind") or None))
    return tuple(chips)


def _rows(text: str, where: str) -> list[tuple[str, dict[str, Any]]]:
    beginning = text.lstrip()[:1]
    try:
        if beginning == "[":
            rows = list(enumerate(json.loads(text), start=1))
            named = [(f"entry {number}", row) for number, row in rows]
        elif beginning == "{":
            lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
            named = [(f"line {number}", json.loads(line)) for number, line in lines]
        else:
            named = [(f"line {number}", row) for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2)]
    except (ValueError, csv.Error) as error:
        raise RegisterError(f"{where} is neither CSV nor JSON ({error}).") from None
    for place, row in named:
        if not isinstance(row, dict):
            raise RegisterError(f"{where}, {place}: expected one chip.")
    return named


def told_change(change: Change) -> str:
    """One change in one line."""
    if change.element == "chip_type":
        what = f"enrolled as {change.new}" if change.new is not None else f"taken out of the register ({change.old})"
    else:
        what = f"{change.element}: {change.old or 'nothing'} -> {change.new or 'nothing'}"
    return f"{when(change.at_ms)}  {change.user or 'nobody named'}  {what}"


def when(at_ms: int) -> str:
    """A wall clock reading in local time."""
    return datetime.fromtimestamp(at_ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M:%S")
