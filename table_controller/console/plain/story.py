"""What has changed at the table since the last look, in sentences. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from betline.messages.table import Alert, LevelState, Question, Ruling, SeatState, SensorState, TableState
from betline.settings import TableSettings
from table_controller.console.asked import answer_called
from table_controller.console.intents import FLOOR
from table_controller.console.levels import evening_line
from table_controller.console.plain.wording import number_of
from table_controller.console.view import TableView, alert_line, sensor_line, view_of, why_out

_WELL = ("online", "unknown")


def changes(before: TableState | None, now: TableState, table: TableSettings, now_ms: int) -> tuple[str, ...]:
    """A line for each thing that is new, in the order in which a dealer wants to hear them: who acts comes last."""
    return tuple(_changes(before, now, table, now_ms))


def standing(state: TableState, table: TableSettings) -> tuple[str, ...]:
    """What is asked now, and who acts."""
    return (*(_question(one, at_once) for one, at_once in _asked(state)), *_turn(state, view_of(state, table)))


def seats(state: TableState) -> tuple[str, ...]:
    """Every seat with its stack, and what lies in the middle."""
    taken = tuple(_seat(one, state) for one in state.seats if one.status != "empty")
    return (*taken, f"In the pot: {state.pot:,}.")


def tells(state: TableState | None, sentence: str) -> bool:
    """Whether a sentence is that of a ruling on the table."""
    return state is not None and any(one.sentence == sentence for one in state.rulings)


def _changes(before: TableState | None, now: TableState, table: TableSettings, now_ms: int) -> Iterator[str]:
    view = view_of(now, table)
    new_hand = before is None or now.hand_no != before.hand_no
    yield from _comings(before, now)
    if new_hand and now.hand_no:
        button = f", button seat {now.button}" if now.button else ""
        yield f"Hand {now.hand_no:,}: {now.game}{button}."
    told = () if before is None or new_hand else before.rulings
    yield from (_ruling(one) for one in now.rulings if one not in told)
    if before is not None and not new_hand and now.street != before.street and now.street:
        yield f"{view.street.capitalize()}. {_pots(now, view)}"
    if view.taking_in and (before is None or view_of(before, table).taking_in != view.taking_in):
        yield f"{view.plan.capitalize()}: {'; '.join(f'{step.label} {step.text}' for step in view.taking_in)}."
    known = () if before is None else before.sensors
    yield from (_sensor(one) for one in now.sensors if not _as_before(one, known))
    clock = now.player_clock
    if clock is not None and clock.stage == "running" and (before is None or before.player_clock is None):
        yield f"The clock of seat {clock.seat} runs: {max(0, clock.ends_ms - now_ms) // 1000} seconds."
    yield from _alerts(() if before is None else before.alerts, now.alerts)
    if before is None or _level(before.level) != _level(now.level):
        evening = evening_line(now, now_ms)
        if evening is not None:
            yield f"{evening.text}."
    asked_before = () if before is None else tuple(_asked(before))
    yield from (_question(one, first) for one, first in _asked(now) if (one, first) not in asked_before)
    if before is None or _turn(before, view_of(before, table)) != _turn(now, view):
        yield from _turn(now, view)


# --- the turn --------------------------------------------------------------------------------------------------------


def _turn(state: TableState, view: TableView) -> tuple[str, ...]:
    """Who acts and what it costs, or what the dealer does next."""
    if state.to_act is None:
        return (_ended(view.headline),)
    name = next((one.name for one in state.seats if one.seat == state.to_act and one.name), "")
    said = state.announcement if state.announcement.startswith(f"Seat {state.to_act}:") else _sizes(state, view)
    who = f"Seat {state.to_act}, {name}:" if name else f"Seat {state.to_act}:"
    posting = view.headline.partition(" · posting")[2]
    return (
        _ended(said.replace(f"Seat {state.to_act}:", who, 1)),
        *((f"Posting{_ended(posting)}",) if posting else ()),
        *((_ended(view.no_raise),) if view.no_raise else ()),
    )


def _sizes(state: TableState, view: TableView) -> str:
    amounts = ", ".join(f"{size.label.lower()} {size.value}" for size in view.sizes)
    return f"Seat {state.to_act}: {amounts}"


def _pots(state: TableState, view: TableView) -> str:
    return f"{' | '.join(view.pots)}." if view.pots else f"Pot {state.pot:,}."


# --- acts ------------------------------------------------------------------------------------------------------------


def _ruling(ruling: Ruling) -> str:
    """The sentence with its rules, where it does not name them itself, and what was ruled before."""
    cites = "" if not ruling.cites or "(" in ruling.sentence else f" ({', '.join(ruling.cites)})"
    inferred = " Inferred: U takes it back." if ruling.source == "inferred" else ""
    before = "" if ruling.instead_of is None else f" Before: {_ended(ruling.instead_of.sentence)}"
    return f"{_ended(ruling.sentence.rstrip('.') + cites)}{inferred}{before}"


def _seat(seat: SeatState, state: TableState) -> str:
    name = f", {seat.name}" if seat.name else ""
    bet = f", bet {seat.bet:,}" if seat.bet else ""
    between = state.phase in ("idle", "hand-over")
    status = {"folded": "folded", "all-in": "all-in", "out": "" if between else why_out(seat)}.get(seat.status, "")
    return f"Seat {seat.seat}{name}: stack {seat.stack:,}{bet}{f', {status}' if status else ''}."


def _comings(before: TableState | None, now: TableState) -> Iterator[str]:
    if before is None:
        yield from seats(now)
        return
    known = {one.seat: one for one in before.seats}
    for one in now.seats:
        was = known.get(one.seat)
        if was is None or (was.status == "empty") == (one.status == "empty"):
            continue
        yield f"Seat {one.seat} is empty now." if one.status == "empty" else _seat(one, now)


# --- questions, alerts, sensors ---------------------------------------------------------------------------------------


def _asked(state: TableState) -> Iterator[tuple[Question, bool]]:
    """The questions; true for the one that the answering numbers belong to."""
    first = True
    for question in state.questions:
        if question.kind == FLOOR:
            yield question, False
        else:
            yield question, first
            first = False


def _question(question: Question, first: bool) -> str:
    named = question.seat is None or f"seat {question.seat}" in question.sentence.lower()
    sentence = question.sentence if named else f"Seat {question.seat}: {question.sentence}"
    if question.kind == FLOOR:
        return f"Question for the floor: {sentence} {number_of('floor')} decides."
    if not first:
        return f"Asked next: {sentence}"
    base = number_of("answer-1")
    answers = ", ".join(f"{base + place} {answer_called(choice)}" for place, choice in enumerate(question.choices))
    return f"Question: {sentence} {answers}."


def _alerts(before: tuple[Alert, ...], now: tuple[Alert, ...]) -> Iterator[str]:
    stood = {_alert_key(one): one for one in before if one.active}
    stands = {_alert_key(one): one for one in now if one.active}
    for key, alert in stands.items():
        if key not in stood or stood[key].sentence != alert.sentence:
            yield f"Alert: {alert_line(alert).text}"
    yield from (f"Over: {alert_line(alert).text}" for key, alert in stood.items() if key not in stands)


def _alert_key(alert: Alert) -> tuple[str, int | None, str, str]:
    return alert.code, alert.seat, alert.zone, alert.uid


def _as_before(sensor: SensorState, known: tuple[SensorState, ...]) -> bool:
    """A sensor that is well is not worth a word before it was anything else."""
    was = next((one.state for one in known if one.name == sensor.name), "online")
    return was == sensor.state or (was in _WELL and sensor.state in _WELL)


def _sensor(sensor: SensorState) -> str:
    return f"Sensor {sensor_line(sensor).text}."


def _level(level: LevelState | None) -> object:
    """What of a level is worth a line: not the time that runs."""
    if level is None:
        return None
    return level.number, level.stakes, level.in_break, level.started, level.ends_ms is None


def _ended(text: str) -> str:
    """As a sentence."""
    return text if text.endswith((".", "!", "?")) else f"{text}."
