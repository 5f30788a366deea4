"""The camera screen: a small live picture of the felt, where the terminal has the colours for it."""

from __future__ import annotations

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

from betline.messages.pictures import MAX_PX, MIN_PX
from betline.settings import Camera
from table_controller.console.canvas import Canvas, wrap
from table_controller.console.pixels import HALF, Cell, Room, cells
from table_controller.console.screens.page import draw_key_hints
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import sensor_line
from table_controller.console.wants import PictureAsked
from table_controller.console.widgets.drawn import Drawn

ASK_S = 1.0
PATIENCE_S = 3
"""Without a picture for so long the screen says what to look at."""
_HEAD, _FOOT = 2, 2
_LEGEND = "yellow: line · green: chips · red: arm, hand · orange: not seen · K or Esc: back to the table"


class CameraScreen(Screen[None]):
    """Asks for pictures as long as it is open; what the terminal cannot show is said in a sentence."""

    BINDINGS: ClassVar = [Binding("escape,k,K,q,Q,enter,space", "app.pop_screen", show=False)]

    def __init__(self, camera: Camera | None, cannot: str, snapshot: Snapshot) -> None:
        super().__init__()
        self._camera = camera
        self._cannot = cannot
        self._first = snapshot

    def compose(self) -> ComposeResult:
        """One widget that fills the screen."""
        yield CameraView(self._camera, self._cannot)

    def on_mount(self) -> None:
        self.show(self._first)
        self.set_interval(ASK_S, self._ask)
        self.call_after_refresh(self._ask)

    def show(self, snapshot: Snapshot) -> None:
        """Takes the newest snapshot."""
        self.query_one(CameraView).show(snapshot)

    def _ask(self) -> None:
        if self._camera is not None and not self._cannot:
            room = _room(self.size.width, self.size.height).fits(self._camera.width_px, self._camera.height_px)
            self.post_message(PictureAsked(self._camera.id, max(MIN_PX, min(room.columns, MAX_PX))))


class CameraView(Drawn):
    """Title, the camera's own words, the picture or why there is none, and the keys."""

    DEFAULT_CSS = "CameraView { width: 100%; height: 100%; }"

    def __init__(self, camera: Camera | None, cannot: str) -> None:
        super().__init__()
        self._camera = camera
        self._cannot = cannot

    @override
    def content(self, snapshot: Snapshot) -> object:
        return snapshot.picture, self._sensor(snapshot), snapshot.lost, self._why_none(snapshot)

    @override
    def draw(self, snapshot: Snapshot, width: int, height: int) -> Canvas:
        canvas = Canvas(width, height)
        canvas.fill(0, 0, width, 1, "surface")
        canvas.put(1, 0, "♠ BETLINE   Camera", "surface-accent")
        if snapshot.lost:
            canvas.right(0, f" ✖ {snapshot.lost} ", "banner")
        canvas.put(1, 1, self._sensor(snapshot), "dim")
        for row, line in enumerate(wrap(self._why_none(snapshot), width - 4, 4)):
            canvas.put(2, _HEAD + 1 + row, line, "text")
        draw_key_hints(canvas, height - 1, _LEGEND)
        return canvas

    @override
    def strips(self, snapshot: Snapshot, width: int, height: int) -> list[Strip]:
        strips = super().strips(snapshot, width, height)
        if snapshot.picture is None or self._why_none(snapshot):
            return strips
        ground = Style.parse(f"on {snapshot.palette.page}")
        for row, line in enumerate(cells(snapshot.picture, _room(width, height))):
            margin = (width - len(line)) // 2
            strips[_HEAD + row] = Strip(
                [Segment(" " * margin, ground), *_segments(line), Segment(" " * (width - len(line) - margin), ground)],
                width,
            )
        return strips

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
            return f"{self._cannot} In a browser: betline vision run --watch 8765."
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
