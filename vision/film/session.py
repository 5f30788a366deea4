"""A person's work on a film: the clips that are asked about, what was answered, which is next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from betline.settings import parse
from betline.settings.model import SettingsError
from vision.film.hearing import account, is_act
from vision.film.labels import CHOICES, Label, Labels, read_labels, write_labels
from vision.film.moments import Window, chosen, windows
from vision.film.store import Film, FilmError, Heard, Kept


def cut(film: Film, heard: Sequence[Heard]) -> tuple[Window, ...]:
    """The whole film in clips; ``heard`` is what was said on the bus meanwhile."""
    moved = [frame.t_ms for frame in film.frames if frame.moves]
    acts = [one.t_ms for one in heard if is_act(one) and one.t_ms <= film.length_ms]
    return windows(film.length_ms, [*moved, *acts])


class Session:
    """What is asked of one film; each answer is written when it is given. Raises FilmError."""

    def __init__(self, film: Film, acts: int | None, quiet: int | None) -> None:
        self.film = film
        self._heard = film.heard
        self.clips = chosen(cut(film, self._heard), film.head.id, acts, quiet)
        self._labels = read_labels(film.folder, film.head.id)
        if not self.clips:
            raise FilmError(f"The film {film.folder} is too short to ask about: record again.")

    @property
    def labels(self) -> Labels:
        return self._labels

    def given(self, clip: Window) -> Label | None:
        """The answer to a clip."""
        return next((one for one in self._labels.clips if (one.from_ms, one.to_ms) == (clip.from_ms, clip.to_ms)), None)

    @property
    def answered(self) -> int:
        """How many of the clips that are asked about have an answer."""
        return sum(self.given(clip) is not None for clip in self.clips)

    def frames(self, clip: Window) -> tuple[Kept, ...]:
        """The pictures of a clip."""
        return tuple(frame for frame in self.film.frames if clip.holds(frame.t_ms))

    def overview(self) -> dict[str, Any]:
        """What the page begins with."""
        return {
            "clips": len(self.clips),
            "answered": [self.given(clip) is not None for clip in self.clips],
            "seats": [seat.number for seat in self.film.head.table.seats],
            "places": self._places(),
            "size": [self.film.head.seen_by().width_px, self.film.head.seen_by().height_px],
            "choices": [{"what": c.what, "key": c.key, "words": c.words, "mark": c.mark} for c in CHOICES],
        }

    def clip(self, at: int) -> dict[str, Any]:
        """One clip: the time of each of its pictures, what readers and dealer said, what was answered before."""
        clip = self.clips[at]
        given = self.given(clip)
        return {
            "at": at,
            "from_ms": clip.from_ms,
            "to_ms": clip.to_ms,
            "frames": [frame.t_ms for frame in self.frames(clip)],
            "account": account(self._heard, clip.from_ms, clip.to_ms),
            "given": None if given is None else given.model_dump(mode="json"),
        }

    def picture(self, at: int, number: int) -> bytes:
        """A clip's picture, a JPEG; raises IndexError."""
        return self.film.jpeg(self.frames(self.clips[at])[number])

    def answer(self, at: int, said: dict[str, Any]) -> None:
        """Takes an answer (``answer``, ``marks``) and writes it; raises FilmError for one that does not fit."""
        clip = self.clips[at]
        body = {**said, "from_ms": clip.from_ms, "to_ms": clip.to_ms, "kind": clip.kind}
        try:
            label = parse(Label, body, f"clip {at + 1}")
        except (SettingsError, ValidationError) as error:
            raise FilmError(str(error)) from None
        seats = {seat.number for seat in self.film.head.table.seats}
        if strange := {mark.seat for mark in label.marks} - seats:
            raise FilmError(f"The table has no seat {min(strange)}: press U to take the mark back.")
        self._labels = self._labels.with_clip(label)
        write_labels(self.film.folder, self._labels)

    def take_back(self, at: int) -> None:
        """Forgets the answer to a clip."""
        self._labels = self._labels.without(self.clips[at].from_ms, self.clips[at].to_ms)
        write_labels(self.film.folder, self._labels)

    def _places(self) -> dict[str, list[float]]:
        """Where in the picture each seat's number stands: at its rail."""
        calibration = self.film.head.seen_by()
        seats = self.film.head.table.seats
        at = calibration.to_px([seat.rail_mm for seat in seats])
        return {
            str(seat.number): [round(float(x), 1), round(float(y), 1)] for seat, (x, y) in zip(seats, at, strict=True)
        }
