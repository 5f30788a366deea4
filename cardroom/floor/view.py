"""What the floor shows, in words: a row for each table, those that need a person first. Pure: no screen here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from betline.messages.table import Alert, HoldState, Question, TableState
from cardroom.floor.floor import Floor
from cardroom.floor.table import FloorTable, Trouble

Need = Literal["ruling", "away", "error", "warning", ""]
"""Why a table needs a person, the most urgent first: a ruling waits, the table is not heard, alerts, sensors."""
NEEDS: Final[tuple[Need, ...]] = ("ruling", "away", "error", "warning", "")
MARKS: Final[Mapping[Need, str]] = {"ruling": "F", "away": "✖", "error": "✖", "warning": "▲", "": "·"}
Order = Literal["need", "name", "pot", "hands"]
ORDERS: Final[tuple[Order, ...]] = ("need", "name", "pot", "hands")
Only = Literal["all", "needs", "rulings", "away"]
ONLY: Final[Mapping[Only, tuple[Need, ...]]] = {
    "all": NEEDS,
    "needs": ("ruling", "away", "error", "warning"),
    "rulings": ("ruling",),
    "away": ("away",),
}
_TROUBLES: Final[Mapping[Trouble, str]] = {
    "offline": "OFFLINE",
    "silent": "SILENT",
    "unheard": "not heard yet",
    "stale": "CONTROLLER SILENT",
    "starting": "starting",
    "unread": "NOT UNDERSTOOD",
}
_WAITS: Final[frozenset[Trouble]] = frozenset({"unheard", "starting"})
"""Troubles that pass by themselves: nobody is needed yet."""
_HELD: Final = {"hand-for-hand": "WAITS hand for hand", "short": "HALTED too short"}
_STREETS: Final = {"preflop": "pre-flop", "predraw": "draw", "postdraw": "draw"}
_PHASES: Final = {"idle": "no hand", "posting": "blinds", "hand-over": "hand over", "showdown": "showdown"}


@dataclass(frozen=True, slots=True)
class SensorCount:
    """How many readers and cameras a table has that are well, stale, and away."""

    well: int = 0
    stale: int = 0
    away: int = 0

    @property
    def words(self) -> str:
        """Such as ``7●``, or ``5● 1◐ 1✖`` where not all are well."""
        parts = (self.well, "●"), (self.stale, "◐"), (self.away, "✖")
        return " ".join(f"{count}{mark}" for count, mark in parts if count) or "none"


@dataclass(frozen=True, slots=True)
class Row:
    """One table as it is shown; ``fresh`` says whether it may be so now."""

    name: str
    need: Need
    fresh: bool
    what: str
    """What happens there, or why nothing is known."""
    waits: Question | None = None
    waits_for_s: int = 0
    hands_an_hour: int | None = None
    average_pot: int | None = None
    pot: int = 0
    alerts: tuple[Alert, ...] = ()
    sensors: SensorCount = SensorCount()
    dealer: str = ""
    hold: HoldState | None = None
    """What holds the table between two hands."""
    heard: str = ""
    """How long ago it was heard, such as ``40 s``; ``now`` where that is as usual."""
    more: tuple[str, ...] = ()
    """What else is known, a sentence a line."""


def rows_of(floor: Floor, now_s: float, order: Order = "need") -> tuple[Row, ...]:
    """The tables in their order."""
    kept = [
        row_of(table, now_s, lost=floor.lost_s is not None, cut=_cut_pit(floor, table.name))
        for table in floor.tables.values()
    ]
    match order:
        case "need":
            kept.sort(key=lambda row: (NEEDS.index(row.need), -row.waits_for_s, in_order(row.name)))
        case "name":
            kept.sort(key=lambda row: in_order(row.name))
        case "pot":
            kept.sort(key=lambda row: (-row.pot, in_order(row.name)))
        case "hands":
            kept.sort(key=lambda row: (-(row.hands_an_hour or 0), in_order(row.name)))
    return tuple(kept)


def only(rows: Iterable[Row], which: Only, find: str = "") -> tuple[Row, ...]:
    """Of these tables those that need what is meant, and have that in their names."""
    return tuple(row for row in rows if row.need in ONLY[which] and find in row.name)


def row_of(table: FloorTable, now_s: float, *, lost: bool = False, cut: str = "") -> Row:
    """One table; without a broker nothing of it is fresh. ``cut``: its pit, where that is known to be cut off."""
    trouble, state = table.trouble(now_s), table.state
    fresh = not trouble and not lost and state is not None
    alerts = () if state is None else tuple(one for one in state.alerts if one.active)
    sensors = SensorCount() if state is None else sensors_of(state)
    waits = table.waiting
    waits_for_s = 0 if table.waits_s is None else max(0, int(now_s - table.waits_s))
    return Row(
        name=table.name,
        need=_need(trouble, waits, alerts, sensors),
        fresh=fresh,
        what=_what(table, trouble, waits, waits_for_s),
        waits=waits,
        waits_for_s=waits_for_s,
        hands_an_hour=table.pace.hands_an_hour(now_s),
        average_pot=table.pace.average_pot(now_s),
        pot=0 if state is None else state.pot,
        alerts=alerts,
        sensors=sensors,
        dealer=table.dealer,
        hold=None if state is None else state.hold,
        heard=_heard(table, trouble, now_s, lost=lost),
        more=((f"Its pit {cut} is cut off from the site: the table plays on by itself.",) if cut else ())
        + _more(table, trouble, now_s),
    )


def summary(floor: Floor, rows: tuple[Row, ...], now_s: float) -> tuple[str, str]:
    """The head of the screen: how the site does, and what is missing between here and it."""
    rulings = sum(row.need == "ruling" for row in rows)
    away = sum(row.need == "away" for row in rows)
    parts = [f"{len(rows)} table{'' if len(rows) == 1 else 's'}"]
    parts += [f"{rulings} ruling{' waits' if rulings == 1 else 's wait'}"] if rulings else []
    parts += [f"{away} not heard"] if away else []
    parts += [f"messages of tables beyond the first {len(floor.tables)} left out"] if floor.beyond else []
    lost = "" if floor.lost_s is None else f"NO BROKER for {spell(now_s - floor.lost_s)}: all of this is old"
    return " · ".join(parts), lost


def cut_off(floor: Floor, now_s: float) -> str:
    """The pits whose bridge to the site is down, the first that went first, and for how long; empty where none is.

    Without a broker nothing is known of bridges.
    """
    down = sorted((one for one in floor.links.values() if not one.stands), key=lambda one: (one.since_s, one.pit))
    if not down or floor.lost_s is not None:
        return ""
    said = []
    for one in down:
        tables = ", ".join(sorted(floor.tables_of(one.pit), key=in_order))
        for_s = f"{'over ' if one.longer else ''}{spell(now_s - one.since_s)}"
        said.append(f"{one.pit} {for_s}{f' ({tables})' if tables else ''}")
    return f"CUT OFF FROM THE SITE: {', '.join(said)}. Tables there play on."


def _cut_pit(floor: Floor, table: str) -> str:
    """The pit of a table, where it is known and its bridge is down."""
    pit = floor.pit_of(table)
    link = floor.links.get(pit)
    return pit if link is not None and not link.stands and floor.lost_s is None else ""


def sensors_of(state: TableState) -> SensorCount:
    """The sensors of a table by how they do."""
    states = [one.state for one in state.sensors]
    well, stale = states.count("online"), states.count("stale")
    return SensorCount(well, stale, len(states) - well - stale)


def offers_in(question: Question) -> str:
    """What the floor may choose between, such as ``call · raise to 400``."""
    return " · ".join(one.replace(":", " to ") for one in question.choices)


def in_order(name: str) -> tuple[tuple[int, str], ...]:
    """By which names are put in order: table-2 before table-10."""
    return tuple((int(part), "") if part.isdigit() else (-1, part) for part in re.findall(r"\d+|\D+", name))


def spell(seconds: float) -> str:
    """A time in short: ``40 s``, ``5 min``, ``2 h 10``."""
    whole = max(0, int(seconds))
    if whole < 120:
        return f"{whole} s"
    minutes = whole // 60
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02}"


def _need(trouble: Trouble, waits: Question | None, alerts: tuple[Alert, ...], sensors: SensorCount) -> Need:
    if trouble and trouble not in _WAITS:
        return "away"
    if waits is not None:
        return "ruling"
    if any(one.severity == "error" for one in alerts):
        return "error"
    return "warning" if sensors.stale or sensors.away or any(one.severity == "warning" for one in alerts) else ""


def _what(table: FloorTable, trouble: Trouble, waits: Question | None, waits_for_s: int) -> str:
    state = table.state
    played = "" if state is None else _played(state)
    if trouble:
        return f"{_TROUBLES[trouble]}{f' · was {played}' if played else ''}"
    if waits is not None:
        seat = "" if waits.seat is None else f" seat {waits.seat}"
        return f"RULING{seat} · {spell(waits_for_s)} · {played}"
    if state is not None and state.hold is not None and state.hold.waits:
        return f"{_HELD[state.hold.why]} · {played}"
    return played or "nothing known yet"


def _played(state: TableState) -> str:
    where = _PHASES.get(state.phase) or _STREETS.get(state.street, state.street)
    acts = f" ►{state.to_act}" if state.to_act else ""
    pot = f" pot {state.pot:,}" if state.pot else ""
    return f"H{state.hand_no} {where}{acts}{pot}" if state.hand_no else where


def _heard(table: FloorTable, trouble: Trouble, now_s: float, *, lost: bool) -> str:
    if table.heard_s is None:
        return "never"
    ago_s = now_s - table.heard_s
    return "now" if not lost and trouble not in ("silent", "offline") and ago_s < 5 else spell(ago_s)


def _more(table: FloorTable, trouble: Trouble, now_s: float) -> tuple[str, ...]:
    """What stands below the rows of the table that is chosen."""
    lines = []
    state = table.state
    if trouble in ("offline", "silent") and table.heard_s is not None:
        gone = "Its controller has gone" if trouble == "offline" else "Nothing comes from it"
        lines.append(f"{gone}: last heard {spell(now_s - table.heard_s)} ago. What stands here was so then.")
    elif trouble in ("offline", "silent"):
        lines.append(
            f"Nothing has come from it for {spell(now_s - table.since_s)}: what stands here is what its broker kept."
        )
    elif trouble == "unread":
        said = f" It runs {table.version}." if table.version else ""
        lines.append(
            f"It says what this program does not understand ({table.unread}).{said} Bring both to one version."
        )
    elif trouble == "stale":
        lines.append("Its controller is there and serves nothing.")
    if state is None:
        return tuple(lines)
    if table.waiting is not None:
        lines.append(f"Waits for the floor: {table.waiting.sentence} {offers_in(table.waiting)}")
    players = sum(one.status != "empty" for one in state.seats)
    level = "" if state.level is None else f" · level {state.level.number} {state.level.stakes}"
    lines.append(f"{state.game or 'no game yet'}{level} · {players} of {len(state.seats)} seats taken")
    lines += [] if state.hold is None else [state.hold.sentence]
    lines += [f"{one.sentence}" for one in state.alerts if one.active]
    lines += _not_well(state)
    lines += [f"The dealer is asked: {one.sentence}" for one in state.questions if one != table.waiting]
    return tuple(lines)


def _not_well(state: TableState) -> list[str]:
    """The sensors that are not well, those that are so in the same way in one sentence."""
    ways: dict[str, list[str]] = {}
    for one in state.sensors:
        if one.state != "online":
            ways.setdefault(f"{one.state}{f', {one.detail}' if one.detail else ''}", []).append(one.name)
    return [f"{way[:1].upper()}{way[1:]}: {', '.join(names)}." for way, names in ways.items()]
