"""Writes a script's film as mp4 or avi, and its truth beside it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2

from virtual_table.films.film import Film
from virtual_table.scripts.script import ScriptError

CODECS = {".mp4": (cv2.CAP_FFMPEG, "mp4v"), ".avi": (cv2.CAP_OPENCV_MJPEG, "MJPG")}
"""MPEG-4 is small and softens the picture; MJPEG keeps it as the camera gave it."""


class Rendered(NamedTuple):
    """How much was written."""

    frames: int
    seconds: float
    events: int


def render(film: Film, out: Path, truth: Path, at: Callable[[float, float], None]) -> Rendered:
    """Writes the film and its truth; ``at`` gets the seconds done and the seconds in all. Raises ScriptError.

    The truth has one object a line: first the frames (``frame``, ``t_ms``, ``stamp_ms``, ``seats``: what lies in each
    zone and whose fingers are over it), then the events (``t_ms``, ``t_done_ms``, ``seat``, ``event``, ``uids``,
    ``by_dealer``, ``motions``, ``judged``: false for what may be reported or not), last the spans in which the events
    of a hand are not judged.
    """
    if out.suffix not in CODECS:
        raise ScriptError(f"The film {out.name} must end in {' or '.join(CODECS)}.")
    backend, codec = CODECS[out.suffix]
    view = film.table.cameras[0].pinhole()
    size = (view.width_px, view.height_px)
    writer = cv2.VideoWriter(str(out), backend, cv2.VideoWriter.fourcc(*codec), float(film.fps), size)
    if not writer.isOpened():
        raise ScriptError(f"The film {out} cannot be written: give a folder that exists and is writable.")
    frames = 0
    try:
        with truth.open("w", encoding="utf-8") as lines:
            for shot in film.shots():
                while (
                    frames <= shot.number
                ):  # a file has a frame for each moment: the next one stands in for one that was lost
                    writer.write(shot.picture)
                    frames += 1
                lines.write(json.dumps(shot.line()) + "\n")
                at(shot.t_s, film.length_s)
            lines.writelines(json.dumps(event.line()) + "\n" for event in film.events)
            for seat, from_s, to_s in film.unjudged:
                span = {"unjudged": "hand", "seat": seat, "from_ms": round(from_s * 1e3), "to_ms": round(to_s * 1e3)}
                lines.write(json.dumps(span) + "\n")
    except OSError as error:
        raise ScriptError(f"The truth {truth} cannot be written ({error.strerror}): name another file.") from None
    finally:
        writer.release()
    return Rendered(frames, frames / film.fps, len(film.events))
