"""What a person saw in the clips of a film: acts with seat and time, and the same as events of a film's truth."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError, model_validator

from betline.messages.common import SeatNumber
from betline.options import write_private
from betline.settings import Settings, parse
from betline.settings.model import SettingsError
from vision.film.store import FilmError

LABELS, TRUTH = "labels.json", "truth.jsonl"
VERSION: Final = 1

What = Literal["bet", "toss", "string", "back", "tap", "fold", "sweep", "hand"]
Answer = Literal["acts", "nothing", "unsure"]


@dataclass(frozen=True, slots=True)
class Choice:
    """One act as a person is asked for it: its key, the words, which picture to mark, the event that it is."""

    what: What
    key: str
    words: str
    mark: str
    event: str | None


CHOICES: Final[tuple[Choice, ...]] = (
    Choice("bet", "b", "bet pushed or put out", "the first picture with a chip over the line", "bet_settled"),
    Choice("toss", "t", "chips tossed", "the first picture with a chip over the line", "bet_settled"),
    Choice(
        "string",
        "s",
        "second motion of a bet (string)",
        "the first picture with a chip of that motion over the line; mark the bet itself too",
        "string_suspect",
    ),
    Choice("back", "r", "player took chips back", "the first picture in which a chip has moved", "chips_retracted"),
    Choice("tap", "c", "check: tapped the table", "the first touch", "tap_suspect"),
    Choice("fold", "f", "cards thrown away (fold)", "the first picture with the cards over the line", "cards_mucked"),
    Choice("sweep", "w", "dealer took the bet in", "the first picture in which a chip has moved", "pot_swept"),
    Choice("hand", "h", "only a hand", "the hand over the line; nothing was bet", None),
)
ASKED: Final = frozenset(choice.event for choice in CHOICES if choice.event is not None)
"""The events that are asked about: no other can be scored."""
_EVENTS: Final = {choice.what: choice.event for choice in CHOICES}


class Mark(Settings):
    """One act that a person saw."""

    t_ms: float = Field(ge=0)
    seat: SeatNumber
    what: What


class Label(Settings):
    """What a person says of one clip."""

    from_ms: float = Field(ge=0)
    to_ms: float = Field(gt=0)
    kind: Literal["act", "quiet"]
    answer: Answer
    marks: tuple[Mark, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> Label:
        if self.to_ms <= self.from_ms:
            raise ValueError("to_ms must be after from_ms")
        if (self.answer == "acts") != bool(self.marks):
            raise ValueError("the answer acts has marks, and no other has")
        if not all(self.from_ms <= mark.t_ms <= self.to_ms for mark in self.marks):
            raise ValueError("each mark must lie within its clip")
        return self


class Labels(Settings):
    """All that a person has said of a film."""

    labels: Literal["betline film labels"] = "betline film labels"
    version: Literal[1] = 1
    film: str = Field(description="id of the film")
    clips: tuple[Label, ...] = ()

    def with_clip(self, label: Label) -> Labels:
        """With a clip's answer, in place of an earlier one."""
        others = [one for one in self.clips if (one.from_ms, one.to_ms) != (label.from_ms, label.to_ms)]
        return self.model_copy(update={"clips": tuple(sorted([*others, label], key=lambda one: one.from_ms))})

    def without(self, from_ms: float, to_ms: float) -> Labels:
        """Without a clip's answer."""
        kept = tuple(one for one in self.clips if (one.from_ms, one.to_ms) != (from_ms, to_ms))
        return self.model_copy(update={"clips": kept})


def read_labels(folder: Path, film_id: str) -> Labels:
    """The labels of a film, none where nobody has said anything yet; raises FilmError."""
    file = folder / LABELS
    try:
        data: Any = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Labels(film=film_id)
    except (OSError, ValueError, RecursionError):
        raise FilmError(f"{file} cannot be read: move it away to label anew.") from None
    version = data.get("version") if isinstance(data, dict) else None
    if version != VERSION:
        raise FilmError(
            f"{file} has version {version}, this Betline reads {VERSION}: update it, or move the file away."
        )
    try:
        found = parse(Labels, data, str(file))
    except (SettingsError, ValidationError) as error:
        raise FilmError(f"The labels cannot be used: {error}") from None
    if found.film != film_id:
        raise FilmError(f"{file} belongs to another film: move it away, or put it beside its own film.")
    return found


def write_labels(folder: Path, labels: Labels) -> None:
    """Writes the labels, and the same as a film's truth beside them; raises FilmError."""
    try:
        write_private(folder / LABELS, labels.model_dump_json(indent=1))
        write_private(folder / TRUTH, "".join(json.dumps(line) + "\n" for line in truth_lines(labels.clips)))
    except OSError as error:
        raise FilmError(f"The labels cannot be written to {folder} ({error.strerror}): free some space.") from None


def truth_lines(clips: Iterable[Label]) -> list[dict[str, Any]]:
    """The acts as lines of a film's truth; a bet's motions are one and those strings of its seat that follow it."""
    marks = sorted((mark for clip in clips for mark in clip.marks), key=lambda mark: mark.t_ms)
    lines: list[dict[str, Any]] = []
    last_bet: dict[int, dict[str, Any]] = {}
    for mark in marks:
        event = _EVENTS[mark.what]
        if event is None:
            continue
        t_ms = round(mark.t_ms)
        line = {"t_ms": t_ms, "t_done_ms": t_ms, "seat": mark.seat, "event": event, "uids": []}
        line |= {"by_dealer": mark.what == "sweep", "motions": 0, "judged": True}
        if event == "bet_settled":
            line["motions"] = 1
            last_bet[mark.seat] = line
        elif event == "string_suspect" and mark.seat in last_bet:
            last_bet[mark.seat]["motions"] += 1
        elif mark.seat in last_bet:
            del last_bet[mark.seat]
        lines.append(line)
    return lines
