"""What a journal tells people: its hands, one hand act by act, and whether it is whole. Pure over recorded entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from table_controller.journal.entries import JournalError, Recorded
from table_controller.rulings.redo.otherwise import moves_in_words

_MAX_LIST = 8


@dataclass(frozen=True, slots=True)
class HandSummary:
    """One hand of the list; ``winners`` is what each seat won of the pots, empty while the hand goes on."""

    hand_no: int
    began_ms: int
    seats: Mapping[int, int]
    button: int | None
    pot: int = 0
    winners: Mapping[int, int] | None = None

    def as_json(self) -> dict[str, Any]:
        """One object of ``betline journal list --json``."""
        return {
            "hand": self.hand_no,
            "began": time_of(self.began_ms),
            "button": self.button,
            "seats": {str(seat): stack for seat, stack in self.seats.items()},
            "pot": self.pot,
            "winners": None if self.winners is None else {str(seat): won for seat, won in self.winners.items()},
        }

    def line(self) -> str:
        """One line of ``betline journal list``."""
        if self.winners is None:
            end = "goes on"
        else:
            end = ", ".join(f"seat {seat} won {won}" for seat, won in self.winners.items()) or "no pot"
        return f"hand {self.hand_no}  {time_of(self.began_ms)}  {len(self.seats)} seats  pot {self.pot}  {end}"


def hands(entries: Iterable[Recorded]) -> tuple[HandSummary, ...]:
    """The hands of a journal in order. A hand that was taken back is not in it."""
    found: dict[int, HandSummary] = {}
    for entry in entries:
        data = entry.data
        if entry.kind == "hand-began":
            seats = {int(seat): int(stack) for seat, stack in data["seats"].items()}
            found[data["hand_no"]] = HandSummary(data["hand_no"], entry.at_ms, seats, data["button"])
        elif entry.kind == "hand-over" and data["hand_no"] in found:
            winners = {int(seat): int(won) for seat, won in data["winners"].items()}
            found[data["hand_no"]] = replace(found[data["hand_no"]], pot=data["pot"], winners=winners)
        elif entry.kind == "step":
            if "undo" in data["step"]:
                found = {number: hand for number, hand in found.items() if number <= data["hand_no"]}
            if data.get("over") is False and data["hand_no"] in found:
                found[data["hand_no"]] = replace(found[data["hand_no"]], pot=0, winners=None)
    return tuple(found.values())


def hand(entries: Iterable[Recorded], hand_no: int) -> tuple[Recorded, ...]:
    """Every entry of one hand in order, from its beginning to that of the next.

    Raises JournalError (``no-hand``) where the journal has no such hand.
    """
    found: list[Recorded] = []
    known: list[int] = []
    inside = False
    for entry in entries:
        if entry.kind == "hand-began":
            inside = entry.data["hand_no"] == hand_no
            known.append(entry.data["hand_no"])
        if inside:
            found.append(entry)
    if not found:
        there = f"it has hands {known[0]} to {known[-1]}" if known else "it has no hand yet"
        raise JournalError("no-hand", f"There is no hand {hand_no} in this journal; {there}.")
    return tuple(found)


def as_json(entry: Recorded, pictures: Sequence[str] = ()) -> dict[str, Any]:
    """One entry for ``betline journal show --json``; ``pictures`` are the ids of its act's, oldest first."""
    shown = {"pictures": list(pictures)} if pictures else {}
    return {"seq": entry.seq, "at": time_of(entry.at_ms), "kind": entry.kind, **entry.data, **shown, "hash": entry.hash}


def line(entry: Recorded, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """One entry for people; ``names`` are those that the journal's file has, by person."""
    floor = entry.data["step"].get("overrides") if entry.kind == "step" else None
    who = "" if floor is None else f"The floor, {names.get(floor['by'], floor['by'])}: "
    return f"{entry.seq:>6}  {time_of(entry.at_ms)[11:]}  {who}{_describe(entry.kind, entry.data)}"


def _describe(kind: str, data: Mapping[str, Any]) -> str:
    match kind:
        case "hand-began":
            stacks = ", ".join(f"{seat}: {stack}" for seat, stack in data["seats"].items())
            return f"Hand {data['hand_no']} begins, button {data['button']}, stacks {stacks}."
        case "step":
            cites = sorted({cite for ruling in data["rulings"] for cite in ruling["cites"]})
            rules = f" [{', '.join(cites)}]" if cites else ""
            told = [ruling["sentence"] for ruling in data["rulings"]]
            told += [moves_in_words(int(seat), amount) for seat, amount in data.get("moves", {}).items()]
            said = " ".join(told) or _step(data["step"]) + "."
            return f"{said}{rules} ({data['source']}: {_step(data['step'])})"
        case "observed":
            return f"Seen: {_fields(data['observation'])}."
        case "camera":
            return f"The camera saw at seat {data['seat']}: {data['event'].replace('_', ' ')} ({data['id']})."
        case "command":
            return f"Keyed by {data['sender']}: {data['verb']} {_fields(data['args'])}".rstrip() + "."
        case "announced":
            return f"Announced: {data['text']}"
        case "alert" | "asked":
            return f"{kind.capitalize()}: {data['sentence']}"
        case "felt":
            return "Chips accounted for."
        case "hand-over":
            won = ", ".join(f"seat {seat} wins {amount}" for seat, amount in data["winners"].items())
            return f"Hand {data['hand_no']} is over: pot {data['pot']}, {won or 'nobody wins'}."
    return f"{kind}: {_fields(data)}"


def _step(step: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {_value(value)}" for key, value in step.items())


def _fields(data: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {_value(value)}" for key, value in data.items() if value not in (None, "", [], {}))


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({_fields(value)})"
    if isinstance(value, list | tuple):
        shown = " ".join(_value(item) for item in value[:_MAX_LIST])
        return f"{shown} and {len(value) - _MAX_LIST} more" if len(value) > _MAX_LIST else shown
    return str(value)


def time_of(at_ms: int) -> str:
    """A time as people read it, to the millisecond and without its zone, which is this machine's."""
    return datetime.fromtimestamp(at_ms / 1000).astimezone().isoformat(sep=" ", timespec="milliseconds")[:23]
