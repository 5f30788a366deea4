"""Entries about what people were told: announcements and alerts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from table_controller.journal.entries.entry import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced(Entry):
    """What was said to the player to act."""

    kind: ClassVar[str] = "announced"
    hand_no: int
    act_no: int
    seat: int | None
    text: str
    call: int | None
    min_raise_to: int | None
    max_raise_to: int | None
    pot_bet: int | None
    wager: str = ""
    option: bool = False
    no_wager: bool = False
    all_in_to_call: bool = False
    least_is_all_in: bool = False
    most_is_pot: bool = False
    facing_all_in: bool = False
    in_the_middle: int | None = None
    counting: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alerted(Entry):
    """What people were alerted to."""

    kind: ClassVar[str] = "alert"
    severity: Literal["info", "warning", "error"]
    code: str
    seat: int | None
    sentence: str
    active: bool
    zone: str = ""
    uid: str = ""
