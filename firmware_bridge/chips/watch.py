"""Which chips on the felt a person should know of: unknown, retired, on the hot list, or copied.

Pure: the alerts that stand are a function of what lies where, so none is forgotten and none is raised twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from betline.messages.table import Alert
from firmware_bridge.chips.record import Chip, ChipState
from firmware_bridge.chips.register import ChipRegister
from firmware_bridge.chips.report import when
from firmware_bridge.chips.whereabouts import Whereabouts

UNKNOWN, RETIRED, HOT, COPIED = "unknown-chip", "retired-chip", "hot-chip", "cloned-chip"
NAMED: Final = 4
_SEVERITY: Final[Mapping[str, Literal["info", "warning", "error"]]] = {
    UNKNOWN: "error",
    RETIRED: "warning",
    HOT: "error",
    COPIED: "error",
}


class Key(NamedTuple):
    """What an alert is about; the UID is empty where it is about several chips."""

    code: str
    zone: str
    uid: str


class StandingAlert(NamedTuple):
    """What an alert says, and of which chips."""

    sentence: str
    uids: frozenset[str]


def standing(where: Whereabouts, register: ChipRegister) -> dict[Key, StandingAlert]:
    """All alerts that hold now, with their sentences."""
    return dict(_standing(where, register))


def _standing(where: Whereabouts, register: ChipRegister) -> Iterator[tuple[Key, StandingAlert]]:
    unknown: dict[str, list[str]] = {}
    for uid, zone in sorted(where.homes.items()):
        chip = register.chip(uid)
        if chip is None:
            unknown.setdefault(zone, []).append(uid)
        elif chip.state is not ChipState.ACTIVE:
            code = HOT if chip.state is ChipState.HOT else RETIRED
            yield Key(code, zone, uid), StandingAlert(_marked(chip, zone, where), frozenset({uid}))
    for zone, uids in unknown.items():
        yield Key(UNKNOWN, zone, ""), StandingAlert(_unknown(zone, uids), frozenset(uids))
    for uid, (one, other) in where.copies.items():
        chip = register.chip(uid)
        title = f"The chip {uid}" if chip is None else chip.title
        sentence = f"{title} lies {named(one)} and {named(other)} at once: one of them is a copy. Call the floor."
        yield Key(COPIED, one, uid), StandingAlert(sentence, frozenset({uid}))


def changed(old: Mapping[Key, StandingAlert], new: Mapping[Key, StandingAlert]) -> Iterator[Alert]:
    """The alerts to publish after a change: new ones, those of more chips than before, and those that have passed."""
    for key, alert in new.items():
        if key not in old or not alert.uids <= old[key].uids:
            yield _alert(key, alert.sentence, active=True)
    for key, (sentence, _) in old.items():
        if key not in new:
            yield _alert(key, f"It has passed: {sentence[:1].lower()}{sentence[1:]}", active=False)


def named(zone: str) -> str:
    """A zone in a sentence."""
    if zone.startswith("stack-"):
        return f"in the stack of seat {zone[6:]}"
    return f"at seat {zone[5:]}" if zone.startswith("seat-") else f"in the {zone}"


def _alert(key: Key, sentence: str, *, active: bool) -> Alert:
    seat = int(key.zone[5:]) if key.zone.startswith("seat-") else None
    severity = _SEVERITY[key.code] if active else "info"
    return Alert(
        severity=severity, code=key.code, seat=seat, zone=key.zone, uid=key.uid, sentence=sentence, active=active
    )


def _unknown(zone: str, uids: list[str]) -> str:
    chips = "1 chip lies" if len(uids) == 1 else f"{len(uids)} chips lie"
    more = f" and {len(uids) - NAMED} more" if len(uids) > NAMED else ""
    return f"{chips} {named(zone)} that the register does not know: {', '.join(uids[:NAMED])}{more}."


def _marked(chip: Chip, zone: str, where: Whereabouts) -> str:
    reason = f" ({chip.reason})" if chip.reason else ""
    if chip.state is ChipState.RETIRED:
        return f"{chip.title}, retired{reason}, lies {named(zone)}: it is worth nothing, change it."
    before = where.before(chip.uid, zone)
    last = ""
    if before is not None:
        last = f" Before that it was {named(before.zone)} of {before.table}, until {when(before.heard_ms)}."
    return f"{chip.title}, on the hot list{reason}, lies {named(zone)}: tell the floor, the hand goes on.{last}"
