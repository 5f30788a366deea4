"""The recorded table on the console's own widgets, with a list of what happened and keys to step through it."""

from __future__ import annotations

from threading import Thread
from typing import ClassVar, Final

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option
from typing_extensions import override

from betline.options import DONE, UserError
from betline.stopping import on_sigterm
from table_controller.console.palette import DARK, Palette
from table_controller.console.snapshot import Snapshot
from table_controller.console.view import view_of
from table_controller.console.widgets.drawn import Drawn
from table_controller.console.widgets.oval import Oval
from table_controller.console.widgets.rows import Attention, Board, Header, MessageLine, Panel, Pots, Rulings
from table_controller.table_replay.track import Kind, Mark, Track

TICK_S: Final = 0.1
SPEEDS: Final = (0.5, 1.0, 2.0, 5.0, 20.0)
_SIGNS: Final[dict[Kind, str]] = {
    "command": "⌨", "refusal": "✖", "ruling": "►", "announcement": "♪", "alert": "!", "hand": "═", "start": "○",
    "difference": "≠",
}  # fmt: skip
_KEYS: Final = "←→ ruling   , . input   PgUp PgDn hand   Space play   + - speed   Home End   Q quit"


class ReplayViewer(App[int]):
    """A replay that is stepped through; nothing is published and nothing is written."""

    TITLE = "Betline replay"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #table { width: 1fr; }
    #side { width: 46; border-left: solid $accent; }
    #marks { height: 1fr; background: $background; border: none; padding: 0; }
    #header { height: 1; width: 100%; }
    #oval { height: 1fr; min-height: 11; }
    #pots, #board, #attention, #rulings, #message { height: auto; width: 100%; }
    #panel { height: 5; width: 100%; }
    #time { height: 2; width: 100%; color: $foreground; background: $surface; }
    """
    BINDINGS: ClassVar = [
        Binding("right", "mark('ruling', 1)", "next ruling", priority=True),
        Binding("left", "mark('ruling', -1)", "ruling before", priority=True),
        Binding("pagedown", "mark('hand', 1)", "next hand", priority=True),
        Binding("pageup", "mark('hand', -1)", "hand before", priority=True),
        Binding("full_stop", "step(1)", "next input"),
        Binding("comma", "step(-1)", "input before"),
        Binding("space", "play", "play"),
        Binding("plus", "speed(1)", "faster"),
        Binding("minus", "speed(-1)", "slower"),
        Binding("home", "go(0)", "beginning", priority=True),
        Binding("end", "end", "end", priority=True),
        Binding("q", "leave", "quit"),
    ]

    def __init__(self, track: Track, start: str = "") -> None:
        """`start` is where it opens, as `--until` says it."""
        super().__init__()
        self._track = track
        self._start = start
        self._palette = Palette.all(track.terms.table)[DARK]
        self.register_theme(self._palette.theme(DARK))
        self.theme = DARK
        self.turn = 0
        self._problem = ""
        self._playing = False
        self._speed = 1
        self._at_s = 0.0
        self._listed = 0
        self._reader = Thread(target=self._read, name="replay", daemon=True)

    @override
    def compose(self) -> ComposeResult:
        table = self._track.terms.table
        with Horizontal():
            with Vertical(id="table"):
                yield Header(id="header")
                yield Oval(table, id="oval")
                yield Pots(id="pots")
                yield Panel(id="panel")
                yield Board(id="board")
                yield Attention(id="attention")
                yield Rulings(id="rulings")
                yield MessageLine(id="message")
            with Vertical(id="side"):
                yield OptionList(id="marks", markup=False)
        yield Static(id="time", markup=False)

    def on_load(self) -> None:
        """Before the terminal is changed: SIGTERM is to put it right."""
        on_sigterm(lambda: self.exit(DONE))

    def on_mount(self) -> None:
        self._reader.start()
        self.set_interval(TICK_S, self._tick)
        self._draw()

    @property
    def is_read(self) -> bool:
        """Whether the whole recording has been replayed."""
        return not self._reader.is_alive()

    def _read(self) -> None:
        try:
            self._track.read()
        except UserError as error:
            self._problem = str(error)

    # --- keys

    def action_mark(self, kind: Kind, way: int) -> None:
        """To the next thing of a kind, or the one before."""
        turns = [one.turn for one in self._track.marks if one.kind in (kind, "difference")]
        later = (
            [turn for turn in turns if turn > self.turn] if way > 0 else [turn for turn in turns if turn < self.turn]
        )
        if later:
            self.action_go(later[0] if way > 0 else later[-1])

    def action_step(self, way: int) -> None:
        """One input on, or back."""
        self.action_go(self.turn + way)

    def action_go(self, turn: int) -> None:
        """To a turn."""
        self.turn = max(0, min(turn, self._track.turns))
        self._at_s = self._track.seconds_of(self.turn)
        self._draw()

    def action_end(self) -> None:
        """To the last turn that has been read."""
        self.action_go(self._track.turns)

    def action_play(self) -> None:
        """Plays on, or stops."""
        self._playing = not self._playing
        self._draw()

    def action_speed(self, way: int) -> None:
        """Faster or slower."""
        self._speed = max(0, min(self._speed + way, len(SPEEDS) - 1))
        self._draw()

    def action_leave(self) -> None:
        """Ends."""
        self.exit(0)

    def on_option_list_option_selected(self, chosen: OptionList.OptionSelected) -> None:
        """A click or Enter on something that happened."""
        self.action_go(self._track.marks[chosen.option_index].turn)

    # --- drawing

    def _tick(self) -> None:
        self._open()
        self._list()
        if self._playing:
            self._at_s = min(self._at_s + TICK_S * SPEEDS[self._speed], self._track.seconds)
            self.turn = self._track.turn_at(self._at_s)
            self._playing = self._at_s < self._track.seconds or not self.is_read
            self._draw()
        else:
            self._draw_time()

    def _open(self) -> None:
        """Goes to where it is to begin, once that has been read."""
        if not self._start:
            return
        turn = turn_of_place(self._track, self._start)
        if turn is not None and (turn < self._track.turns or self.is_read):
            self._start = ""
            self.action_go(turn)

    def _list(self) -> None:
        fresh = self._track.marks[self._listed :]
        if fresh:
            self._listed += len(fresh)
            self.query_one("#marks", OptionList).add_options([Option(_row(mark)) for mark in fresh])
            self._point()

    def _draw(self) -> None:
        state = self._track.state(self._track.at(self.turn)) if self.turn else None
        view = view_of(state, self._track.terms.table)
        snapshot = Snapshot(state=state, view=view, palette=self._palette)
        for widget in self.query(Drawn):
            widget.show(snapshot)
        self._point()
        self._draw_time()

    def _point(self) -> None:
        """The newest thing that has happened is pointed at."""
        marks = self.query_one("#marks", OptionList)
        past = sum(one.turn <= self.turn for one in self._track.marks[: self._listed])
        marks.highlighted = past - 1 if past else None

    def _draw_time(self) -> None:
        track = self._track
        width = max(10, self.size.width - 2)
        whole_s = track.seconds or 1.0
        at = min(width - 1, int(width * track.seconds_of(self.turn) / whole_s))
        bar = Text("─" * at + "●" + "─" * (width - at - 1))
        for one in track.marks:
            if one.kind in ("hand", "difference"):
                bar.stylize("bold", min(width - 1, int(width * one.seconds / whole_s)))
        self.query_one("#time", Static).update(Text("\n").join([bar, Text(self._words()[:width])]))

    def _words(self) -> str:
        track = self._track
        place = f"{_clock(track.seconds_of(self.turn))} of {_clock(track.seconds)}, input {self.turn} of {track.turns}"
        how = f"  playing {SPEEDS[self._speed]:g}x" if self._playing else ""
        if self._problem:
            return self._problem
        verdict = track.verdict
        if verdict is None:
            read = "being read"
        elif verdict.difference is not None:
            read = "DIFFERS from the recording (≠)"
        elif verdict.trouble is not None:
            read = (
                "DAMAGED behind this, up to there as recorded" if verdict.damaged else "as recorded, its end is cut off"
            )
        else:
            read = "as recorded"
        return f"{place}{how}  [{read}]  {_KEYS}"


def turn_of_place(track: Track, place: str) -> int | None:
    """The turn of `M:SS`, of seconds, or of `hand:N`; None where that has not been read. Raises UserError."""
    name, _, number = place.partition(":")
    if name == "hand" and number.isdecimal():
        return track.turn_of_hand(int(number))
    return track.turn_at(seconds_of_place(place))


def seconds_of_place(place: str) -> float:
    """Seconds of `M:SS` or of seconds; raises UserError."""
    minutes, _, seconds = place.rpartition(":")
    try:
        return 60.0 * int(minutes or 0) + float(seconds)
    except ValueError:
        raise UserError(f"{place} is no place: write minutes and seconds, 12:30, or a hand, hand:7.") from None


def _row(mark: Mark) -> str:
    return f"{mark.clock[:-2]:>8} {_SIGNS[mark.kind]} {mark.text}"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{int(minutes)}:{rest:04.1f}"
