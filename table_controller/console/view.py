"""The view-model: what the console shows of a table's state, as frozen words. Pure; Textual is not known here."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from betline.messages.table import Alert, Question, Ruling, SeatState, SensorState, TableState
from betline.settings import TableSettings
from table_controller.console.asked import answer_called
from table_controller.console.differences import differs
from table_controller.console.intents import FLOOR, asked, wager, what_next
from table_controller.console.keys import answer_cap, cap
from table_controller.console.pots import PAY_OUT, TAKE_IN, Taking, paying_out, pot_lines, reckoning, taking_in

Look = Literal["acting", "in", "all-in", "folded", "out", "empty"]
Tone = Literal["plain", "good", "warn", "bad"]

_STREETS = {"preflop": "pre-flop", "predraw": "before the draw", "postdraw": "after the draw"}
_CONDITIONS: dict[str, tuple[str, Tone]] = {
    "online": ("●", "good"),
    "starting": ("◔", "plain"),
    "stale": ("◐", "warn"),
    "offline": ("✖", "bad"),
    "unknown": ("○", "plain"),
}
_SEVERITIES: dict[str, tuple[str, Tone]] = {"info": ("i", "plain"), "warning": ("▲", "warn"), "error": ("✖", "bad")}
_ACTIONS = ("check", "call", "bet", "raise", "complete", "fold")
_SAID = re.compile(
    r"Seat \d+ (?:checks|folds|(?:calls|bets|raises to|completes to|posts) \d+)(?:, all-in)?"
    r"(?:: (?P<why>.*?))??(?P<cites> \([^()]*\))?(?:; \d+ goes back)?(?:; it owes \d+)?\."
)
"""What a ruling's sentence says that its line says already; ``why`` is what it adds."""
ALL_IN = "ALL-IN"
SITS_OUT = "sits out"
_STATUS_WORDS = {"folded": "folded", "all-in": ALL_IN}


@dataclass(frozen=True, slots=True)
class Line:
    """One line with a mark that says without colour how grave it is."""

    mark: str
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Plate:
    """One seat: ``mark`` gives its look without colour, ``tag`` the button or blind, ``notes`` what is open there."""

    number: int
    look: Look
    mark: str
    name: str
    tag: str
    stack: str
    bet: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Size:
    """One amount of the large panel; ``kind`` names its style, ``terms`` are the sum that it comes from."""

    kind: Literal["call", "min", "max", "pot"]
    label: str
    value: str
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RulingLine:
    """One ruling: who and what, what moves beside the act (``money``), what else to know, the rules, the sentence."""

    what: str
    money: tuple[str, ...]
    flags: tuple[str, ...]
    cites: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TableView:
    """All that the table screen shows of the table."""

    title: str
    game: str
    hand: str
    street: str
    plates: tuple[Plate, ...]
    pot: str
    pots: tuple[str, ...]
    headline: str
    acting: bool
    may: str
    announcement: str
    sizes: tuple[Size, ...]
    no_raise: str
    """Why the seat to act may not bet or raise; empty where it may."""
    taking_in: tuple[Taking, ...]
    """Or how the pots are paid out; ``plan`` names which of the two."""
    plan: str
    rulings: tuple[RulingLine, ...]
    questions: tuple[tuple[str, str], ...]
    alerts: tuple[Line, ...]
    sensors: tuple[Line, ...]
    sensor_summary: Line


def view_of(state: TableState | None, table: TableSettings, passing: frozenset[int] = frozenset()) -> TableView:
    """What is shown of a state; None is a table of which nothing is known yet. Seats the table has not are ignored.

    At the seats ``passing`` antenna and books differ only since a moment ago, and nothing is said of it.
    """
    if state is None:
        plates = tuple(Plate(seat.number, "empty", " ", "", "", "", "", ()) for seat in table.seats)
        return TableView(
            table.title, "", "", "", plates, "", (), "Waiting for the table", False, "", "", (), "", (), TAKE_IN,
            (), (), (), (), Line("○", "sensors unknown"),
        )  # fmt: skip
    by_seat = {seat.seat: seat for seat in state.seats}
    return TableView(
        title=table.title,
        game=state.game,
        hand=f"hand {state.hand_no:,}" if state.hand_no else "",
        street=_STREETS.get(state.street, state.street).upper(),
        plates=tuple(
            _plate(seat.number, by_seat.get(seat.number), state, passing=seat.number in passing) for seat in table.seats
        ),
        pot=f"{state.pot:,}",
        pots=pot_lines(state),
        headline=_headline(state, by_seat),
        acting=state.to_act is not None,
        may=_may(state),
        announcement=state.announcement,
        sizes=_sizes(state),
        no_raise=_no_raise(state),
        taking_in=taking_in(state) or paying_out(state),
        plan=PAY_OUT if state.payouts and not taking_in(state) else TAKE_IN,
        rulings=tuple(_ruling(ruling) for ruling in reversed(state.rulings)),
        questions=tuple(_question(question, question == asked(state)) for question in state.questions),
        alerts=tuple(alert_line(alert) for alert in state.alerts if alert.active),
        sensors=tuple(
            Line("●", sensor.name, "good") if sensor.state == "online" else sensor_line(sensor)
            for sensor in state.sensors
        ),
        sensor_summary=_summary(state.sensors),
    )


# --- seats -----------------------------------------------------------------------------------------------------------


def _plate(number: int, seat: SeatState | None, state: TableState, *, passing: bool) -> Plate:
    if seat is None or seat.status == "empty":
        return Plate(number, "empty", " ", "", _tag(number, state), "", "", ())
    look: Look = "acting" if number == state.to_act else seat.status
    mark = {"acting": "►", "all-in": "◆", "folded": "×", "out": "–"}.get(look, " ")
    status = "TO ACT" if look == "acting" else _out(seat, state) if look == "out" else _STATUS_WORDS.get(look, "")
    stack = f"{seat.stack:,}"
    wins = f"wins ≤ {seat.can_win:,}" if look == "all-in" and seat.can_win is not None else ""
    if wins and not seat.stack:
        stack, status = status, ""  # where a plate has few rows both are seen
    return Plate(
        number=number,
        look=look,
        mark=mark,
        name=seat.name,
        tag=_tag(number, state),
        stack=stack,
        bet=f"{seat.bet:,}" if seat.bet else "",
        notes=(
            *_open(seat, passing=passing),
            *(note for note in (_missed(seat), status, *_raises(seat), wins) if note),
        ),
    )


def _open(seat: SeatState, *, passing: bool) -> tuple[str, ...]:
    notes = ["hand on chips"] if seat.hand_on_chips else []
    if seat.leaves:
        notes.append("leaves after")
    if seat.moves_to:
        notes.append(f"→ seat {seat.moves_to}")
    if seat.owes:
        notes.append(f"! owes {seat.owes:,}")
    if seat.change_due:
        notes.append(f"! due {seat.change_due:,}")
    if seat.mucked:
        notes.append("muck?")
    if not passing and differs(seat):
        notes.append(f"≠ reads {seat.on_felt:,}")
    if seat.needs_chips:
        notes.append("! rebuy")
    if seat.pick_up:
        notes.append("! pick up")
    return tuple(notes)


def _out(seat: SeatState, state: TableState) -> str:
    """Before the first hand nobody sits out who has just sat down."""
    why = why_out(seat)
    return "" if state.phase == "idle" and why == SITS_OUT else why


def why_out(seat: SeatState) -> str:
    """Why a seat has no hand, in two words."""
    if seat.penalty:
        return f"penalty {seat.penalty}"
    if seat.away:
        return "away"
    if not seat.stack:
        return "busted"
    if seat.waits_hands:
        return f"waits {seat.waits_hands}"
    return {"waits": "waits BB", "posts": "posts", "buys-button": "buys btn"}.get(seat.comes, SITS_OUT)


def _raises(seat: SeatState) -> tuple[str, ...]:
    """Blind raises, kill and rock of a seat, and what it has borrowed."""
    amounts = (("STR", seat.straddle), ("SLEEPER", seat.sleeper), ("KILL", seat.kill), ("marker", seat.borrowed))
    legs = f"{seat.legs} leg{'s' if seat.legs > 1 else ''}" if seat.legs else ""
    found = (*(f"{word} {amount:,}" for word, amount in amounts if amount), "ROCK" if seat.rock else "", legs)
    return tuple(note for note in found if note)


def _missed(seat: SeatState) -> str:
    """What the seat owes before it plays on (R-193, R-201, R-128)."""
    owed = (*seat.missed, *((seat.missed_straddle,) if seat.missed_straddle else ()), *seat.deferred)
    return f"missed {'+'.join(map(str, owed))}" if owed else ""


def _tag(number: int, state: TableState) -> str:
    if number == state.button:
        return "D"
    return "SB" if number == state.small_blind else "BB" if number == state.big_blind else ""


# --- the middle and the panel ----------------------------------------------------------------------------------------


def _headline(state: TableState, by_seat: dict[int, SeatState]) -> str:
    if state.to_act is None:
        phase = {"round-over": "Round over", "hand-over": "Hand over", "idle": "No hand"}.get(state.phase)
        if state.phase == "posting":
            return f"Posting: {what_next(state)}"
        return f"{phase or state.phase.capitalize()}: {what_next(state)}"
    seat = by_seat.get(state.to_act)
    posting = f" · posting, {cap('deal')} when the cards are out" if state.phase == "posting" else ""
    return f"SEAT {state.to_act}  {seat.name if seat else ''}".rstrip() + posting


def _may(state: TableState) -> str:
    if state.to_act is None:
        return ""
    option = ("option",) if state.option else ()
    return " · ".join((*option, *(action for action in _ACTIONS if action in state.may)))


def _sizes(state: TableState) -> tuple[Size, ...]:
    if state.to_act is None:
        return (Size("call", "IN THE POT", f"{state.pot:,}"),)
    free = " · option" if state.option else " · check" if not state.call else ""
    sizes = [Size("call", f"TO CALL{free}", f"{state.call or 0:,}")]
    action = wager(state)
    least, most = state.min_raise_to, state.max_raise_to
    if action is None or least is None or most is None:
        return tuple(sizes)
    verb = {"bet": "BET", "raise": "RAISE TO", "complete": "COMPLETE TO"}[action]
    if least == most:
        sizes.append(Size("max", f"{verb} ONLY", f"{most:,}"))
    else:
        sizes += [Size("min", f"MIN {verb}", f"{least:,}"), Size("max", f"MAX {verb}", f"{most:,}")]
    if state.pot_bet is not None:
        bet = next((seat.bet for seat in state.seats if seat.seat == state.to_act), 0)
        cost = f" · adds {state.pot_bet - bet:,}" if bet else ""
        sizes.append(Size("pot", f"POT BET{cost}", f"{state.pot_bet:,}", reckoning(state)))
    return tuple(sizes)


def _no_raise(state: TableState) -> str:
    if state.to_act is None or wager(state) is not None:
        return ""
    what, why = "RAISE" if state.call else "BET", state.why_no_raise
    return f"NO {what}: {why[:1].lower()}{why[1:]}" if why else f"NO {what}"


# --- rulings, questions, alerts, sensors -----------------------------------------------------------------------------


def _ruling(ruling: Ruling) -> RulingLine:
    who = f"{ruling.seat} " if ruling.seat else ""
    before = ruling.instead_of
    what = _act(ruling.ruling, ruling.to)
    if ruling.ruling == "call" and before is None:
        what = f"call {ruling.adds:,}" if ruling.adds > 0 else "call"
    flags = [ALL_IN] if ruling.all_in else []
    if before is not None:
        flags.append(f"was {_act(before.ruling, before.to)}")
    moves = ("gets back", "puts in") if before is not None else ("returned", "owes")
    amounts = zip(moves, (ruling.returned, ruling.owes), strict=True)
    money = tuple(f"{word} {amount:,}" for word, amount in amounts if amount)
    flags += ruling.alerts
    if ruling.source == "inferred":
        flags.append("inferred")
    if ruling.by:
        flags.append(f"decided by {ruling.by}")
    return RulingLine(who + what, money, tuple(flags), " ".join(ruling.cites), _added(ruling))


def _added(ruling: Ruling) -> str:
    """What the sentence of a ruling says beside the act, its money and its rules."""
    said = _SAID.fullmatch(ruling.sentence) if ruling.instead_of is None else None
    if said is None:
        return ruling.sentence
    why = said["why"] or ""
    if not ruling.cites:
        why += said["cites"] or ""
    return f"{why[:1].upper()}{why[1:]}." if why else ""


def _act(ruling: str, to: int) -> str:
    """What an act counts as, in two or three words."""
    return {
        "bet": f"bet {to:,}",
        "raise": f"raise to {to:,}",
        "complete": f"complete to {to:,}",
        "call": f"call {to:,}",
        "floor": "FLOOR DECIDES",
        "none": "no act",
        "illegal": "refused",
    }.get(ruling, ruling)


def ruling_line(ruling: Ruling) -> Line:
    """A ruling in one line, for the log."""
    shown = _ruling(ruling)
    noted = (*shown.money, *shown.flags)
    flags = f" [{', '.join(noted)}]" if noted else ""
    cites = f" ({shown.cites})" if shown.cites else ""
    added = f": {shown.sentence}" if shown.sentence else ""
    return Line("►", f"{shown.what}{flags}{added}{cites}", "warn" if needs_a_look(ruling) else "plain")


def needs_a_look(ruling: Ruling) -> bool:
    """Whether a person must look at a ruling: it was refused, waits, or money must still move."""
    return ruling.ruling in ("floor", "illegal") or bool(ruling.owes or ruling.returned)


def _question(question: Question, first: bool) -> tuple[str, str]:
    """The sentence and the keys; only the first question has answering keys, the floor's its own."""
    named = question.seat is None or f"seat {question.seat}" in question.sentence.lower()
    sentence = question.sentence if named else f"Seat {question.seat}: {question.sentence}"
    if question.kind == FLOOR:
        return sentence, f"{cap('floor')} = {' / '.join(question.choices)}"
    answers = (
        f"{key} = {answer_called(choice)}"
        for place, choice in enumerate(question.choices)
        if (key := answer_cap(place)) is not None
    )
    return sentence, " · ".join(answers) if first else "(asked next)"


def alert_line(alert: Alert) -> Line:
    """An alert in one line."""
    mark, tone = _SEVERITIES[alert.severity]
    seat = f"Seat {alert.seat}: " if alert.seat and not alert.sentence.startswith("Seat") else ""
    return Line(mark, f"{seat}{alert.sentence}", tone if alert.active else "good")


def sensor_line(sensor: SensorState) -> Line:
    """A sensor in one line."""
    mark, tone = _CONDITIONS[sensor.state]
    detail = f": {sensor.detail}" if sensor.detail else ""
    return Line(mark, f"{sensor.name} {sensor.state}{detail}", tone)


def _summary(sensors: tuple[SensorState, ...]) -> Line:
    if not sensors:
        return Line("○", "no sensors")
    well = sum(sensor.state == "online" for sensor in sensors)
    worst = next((state for state in ("offline", "stale") if any(s.state == state for s in sensors)), "online")
    if not well and worst == "online":
        worst = "unknown"
    mark, tone = _CONDITIONS[worst]
    return Line(mark, f"sensors {well}/{len(sensors)}", tone)
