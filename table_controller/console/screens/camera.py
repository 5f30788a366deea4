"""A small picture of the felt, live or as it was at an act, where the terminal has the colours for it."""

from __future__ import annotations

import os
from typing import ClassVar

from rich.color import Color
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.strip import Strip
from typing_extensions import override

from betline.half_blocks import HALF, Cell, Room, cells
from betline.messages.pictures import MAX_PX, MIN_PX
from betline.settings import Camera
from table_controller.console.canvas import Canvas, wrap
from table_controller.console.screens.page import draw_key_hints
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import sensor_line
from table_controller.console.wants import PictureAsked
from table_controller.console.widgets.drawn import Drawn

ASK_S = 1.0
PATIENCE_S = 3
"""Without a picture for so long the screen says what to look at."""
_HEAD, _FOOT = 2, 2
SHOW = "betline vision ring show"
_BACK = "K or Esc: back to the act"
_LEGEND = "yellow: line · green: chips · red: arm, hand · orange: not seen · K or Esc: back to the table"


class CameraScreen(Screen[None]):
    """Asks for pictures as long as it is open; what the terminal cannot show is said in a sentence."""

    BINDINGS: ClassVar = [Binding("escape,k,K,q,Q,enter,space", "app.pop_screen", show=False)]

    def __init__(self, camera: Camera | None, snapshot: Snapshot, of: str = "") -> None:
        super().__init__()
        self._camera = camera
        self._of = of
        self._newest = snapshot

    def compose(self) -> ComposeResult:
        """One widget that fills the screen."""
        yield CameraView(self._camera, self._cannot, self._of)

    def on_mount(self) -> None:
        self.show(self._newest)
        self.set_interval(ASK_S, self._ask)
        self.call_after_refresh(self._ask)

    @property
    def _cannot(self) -> str:
        return colours_missing(self.app.console.color_system, self.app.no_color, os.environ.get("TERM", ""))

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        self._newest = snapshot
        self.query_one(CameraView).show(snapshot)

    def _ask(self) -> None:
        there = self._newest.picture is not None and self._newest.picture.of == self._of
        if self._camera is not None and not self._cannot and not (self._of and there):
            room = _room(self.size.width, self.size.height).fits(self._camera.width_px, self._camera.height_px)
            wide_px = max(MIN_PX, min(room.columns, MAX_PX))
            self.post_message(PictureAsked(self._camera.id, wide_px, self._of))


class CameraView(Drawn):
    """Title, the camera's own words, the picture or why there is none, and the keys."""

    DEFAULT_CSS = "CameraView { width: 100%; height: 100%; }"

    def __init__(self, camera: Camera | None, cannot: str, of: str = "") -> None:
        super().__init__()
        self._camera = camera
        self._cannot = cannot
        self._of = of

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.picture, self._sensor(snapshot), snapshot.lost, self._why_none(snapshot)

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        canvas.fill(0, 0, width, 1, "surface")
        title = "The picture of that act" if self._of else "Camera"
        canvas.put(1, 0, f"♠ BETLINE   {title}", "surface-accent")
        if snapshot.lost:
            canvas.right(0, f" ✖ {snapshot.lost} ", "banner")
        canvas.put(1, 1, self._sensor(snapshot), "dim")
        for row, line in enumerate(wrap(self._why_none(snapshot), width - 4, 4)):
            canvas.put(2, _HEAD + 1 + row, line, "text")
        draw_key_hints(canvas, height - 1, _BACK if self._of else _LEGEND)
        return canvas

    @override
    def strips(self, snapshot: Snapshot, width: int, height: int) -> list[Strip]:
        strips = super().strips(snapshot, width, height)
        if snapshot.picture is None or not self._is_there(snapshot) or self._why_none(snapshot):
            return strips
        ground = Style.parse(f"on {snapshot.palette.page}")
        for row, line in enumerate(cells(snapshot.picture, _room(width, height))):
            margin = (width - len(line)) // 2
            strips[_HEAD + row] = Strip(
                [Segment(" " * margin, ground), *_segments(line), Segment(" " * (width - len(line) - margin), ground)],
                width,
            )
        return strips

    def _is_there(self, snapshot: Snapshot) -> bool:
        return snapshot.picture is not None and snapshot.picture.of == self._of

    def _sensor(self, snapshot: Snapshot) -> str:
        sensors = snapshot.state.sensors if snapshot.state else ()
        mine = next((one for one in sensors if self._camera is not None and one.name == self._camera.id), None)
        if mine is None:
            return "" if self._camera is None else self._camera.id
        line = sensor_line(mine)
        return f"{line.mark} {line.text}"

    def _why_none(self, snapshot: Snapshot) -> str:
        if self._camera is None:
            return "This table has no camera: add a [[cameras]] section to its file."
        if self._cannot:
            instead = f"In files: {SHOW} {self._of}." if self._of else "In a browser: betline vision run --watch 8765."
            return f"{self._cannot} {instead}"
        if self._of:
            waiting = self._is_there(snapshot) or snapshot.picture_age_s < PATIENCE_S
            return "" if waiting else f"Look for it where the camera runs: {SHOW} {self._of}. No picture has come."
        if snapshot.picture is None or snapshot.picture_age_s >= PATIENCE_S:
            waited = f" for {snapshot.picture_age_s} s" if snapshot.picture_age_s >= PATIENCE_S else " yet"
            return f"No picture has come{waited}: see that betline vision run runs, and what it says of the camera."
        return ""


def colours_missing(colours: str | None, no_color: bool, term: str) -> str:
    """Why a terminal of that colour system (Rich's name) cannot show a picture, a sentence; empty where it can."""
    if no_color:
        return "NO_COLOR is set, and a picture needs colours."
    if colours not in ("truecolor", "256"):
        return f"This terminal (TERM={term}) has too few colours for a picture: use one with 256 or more."
    return ""


def _room(width: int, height: int) -> Room:
    return Room(max(1, width), max(1, height - _HEAD - _FOOT))


def _segments(line: list[Cell]) -> list[Segment]:
    """A row of cells; neighbours of the same colours are one piece."""
    segments: list[Segment] = []
    start = 0
    for at in range(1, len(line) + 1):
        if at == len(line) or line[at] != line[start]:
            segments.append(Segment(HALF * (at - start), _style(line[start])))
            start = at
    return segments


def _style(cell: Cell) -> Style:
    upper, lower = (Color.from_triplet(ColorTriplet(*half)) for half in cell)
    return Style.from_color(upper, lower)
