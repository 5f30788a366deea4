"""`betline record`: a table that plays, into one file."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from betline import logs
from betline.joining import BrokerChoice, takes_broker
from betline.known_tables import the_table
from betline.options import (
    DONE,
    SITE_DEFAULT,
    IdOption,
    JournalOption,
    JsonOption,
    MetricsOption,
    RegisterOption,
    SiteOption,
    TableOption,
    UserError,
    default_journal,
    namespace,
    state_folder,
)

NONE = "none"
LINGER_S = 1.0
"""Told to end by whoever ends all parts, it waits so long for the last lines of the others."""

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _recorder() -> None:
    """Recordings of a table."""


@app.command()
@takes_broker
def record(
    broker: BrokerChoice,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, by custom .mcap.")],
    taps: Annotated[
        Path | None,
        typer.Option("--taps", metavar="DIR", help="What controller and bridge note, started with the same --taps."),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option("--camera", metavar="URL", help="Pictures from here: that of betline vision run --watch PORT."),
    ] = None,
    frames: Annotated[
        float, typer.Option("--frames", metavar="N", min=0.01, max=10, help="Pictures a second, with --camera.")
    ] = 0.2,
    journal: JournalOption = None,
    register: RegisterOption = None,
    minutes: Annotated[
        float | None, typer.Option("--minutes", metavar="M", min=0.01, help="End after so long.")
    ] = None,
    next_name: Annotated[
        bool, typer.Option("--next-name", help="Where FILE is there already, write FILE-2, FILE-3 and so on.")
    ] = False,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    json: JsonOption = False,
    metrics: MetricsOption = None,
) -> int:
    """Record a table that plays into one file of the format MCAP: bus, serial lines, journal, pictures.

    It only listens. `betline replay-table` replays the file and compares every ruling, where controller and bridge
    were started with the same --taps; betline run --record and betline demo --record do all of that.

    The file is for its owner only (mode 600): names, cards as far as the house keeps them, and what the camera sees
    are in it; no PIN ever is. Needs pip install 'betline[lab]'.

    Example: betline run --table my-table.toml --record tuesday.mcap

    Example: betline record tuesday.mcap --table my-table.toml --taps /run/user/1000/taps

    Example: betline record tuesday.mcap --table my-table.toml --camera http://127.0.0.1:8765/stream.mjpg --frames 0.5
    """
    from betline.joining import join
    from betline.metrics.places import address_of
    from betline.metrics.serving import served
    from betline.settings import load_house_rules, load_staff_rules, load_table
    from betline.table_recording.writing import RecordingWriter
    from betline.tap import Followed
    from betline.watchdog import Watchdog
    from table_controller.recorder.about import REGISTER, about_of, register_copy
    from table_controller.recorder.journal_tail import JournalTail
    from table_controller.recorder.pictures import Pictures
    from table_controller.recorder.recorder import Recorder, TimeLine
    from table_controller.session import Terms

    settings = load_table(the_table(table))
    if camera is not None and not settings.cameras:
        raise UserError(f"--camera is of no use: the table {settings.name} has no camera.")
    house = settings.house.profile
    terms = Terms(settings, load_house_rules(house, settings.house.options), load_staff_rules(house))
    names = namespace(site, table_id or settings.name)
    where = broker.with_settings(settings).address("controller")
    figures_at = address_of("record", metrics, settings)
    writer = RecordingWriter(_free_name(file) if next_name else file, about_of(terms, names))
    chips = register_copy(register or state_folder() / "chips.sqlite")
    if chips is not None:
        writer.attach(REGISTER, chips)
    stop = _Stop()
    bus = join(where, names, "recorder")
    tail = JournalTail(journal or default_journal(names.site, names.table))
    recorder = Recorder(bus, writer, TimeLine.now(), None if taps is None else Followed(taps), tail)
    pictures = None
    if camera is not None:
        name = settings.cameras[0].id
        pictures = Pictures(camera, frames, lambda at_ns, jpeg: recorder.picture(name, at_ns, jpeg))
        pictures.start()
    recorder.start()
    progress = _Progress(writer, minutes)
    dog = Watchdog()
    try:
        with served(figures_at, bus):
            while not stop.due() and not progress.over():
                recorder.pump(0.05)
                progress.show()
                dog.serves()
    finally:
        if pictures is not None:
            pictures.stop()
        bus.close()
        recorder.close()
        progress.end()
    problem = "" if pictures is None else pictures.problem
    progress.tell(json=json, problem=problem)
    return DONE


class _Stop:
    """When to end: at once when a person says so, after a moment when all parts are ended."""

    def __init__(self) -> None:
        self._due_s: float | None = None
        signal.signal(signal.SIGINT, lambda *_: self._in(0.0))
        signal.signal(signal.SIGTERM, lambda *_: self._in(LINGER_S))

    def due(self) -> bool:
        return self._due_s is not None and time.monotonic() >= self._due_s

    def _in(self, seconds: float) -> None:
        self._due_s = time.monotonic() + seconds


class _Progress:
    """How the recording goes: a line on a terminal, a summary at the end."""

    def __init__(self, writer: Any, minutes: float | None) -> None:
        self._writer = writer
        self._began_s = time.monotonic()
        self._until_s = None if minutes is None else self._began_s + minutes * 60
        self._live = sys.stderr.isatty()
        self._shown_s = 0.0

    @property
    def _seconds(self) -> float:
        return time.monotonic() - self._began_s

    def over(self) -> bool:
        """Whether the time is up."""
        return self._until_s is not None and time.monotonic() >= self._until_s

    def show(self) -> None:
        """Once a second."""
        if self._live and time.monotonic() - self._shown_s >= 1.0:
            self._shown_s = time.monotonic()
            print(f"\r\x1b[K{self._words()}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Ends the line."""
        self._seconds_at_end = self._seconds
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def tell(self, *, json: bool, problem: str) -> None:
        """The summary."""
        import json as form

        path = self._writer.path
        if json:
            found = {
                "file": str(path), "seconds": round(self._seconds_at_end, 1), "bytes": path.stat().st_size,
                "messages": self._writer.counts, "problem": problem,
            }  # fmt: skip
            typer.echo(form.dumps(found))
            return
        logs.say(f"Written: {path}. {self._words()}.")
        if problem:
            logs.say(f"No pictures came: {problem}.", plain=f"betline: No pictures came: {problem}.")

    def _words(self) -> str:
        minutes, seconds = divmod(int(self._seconds), 60)
        counts = ", ".join(f"{count} {part}" for part, count in sorted(self._writer.counts.items()))
        size = self._writer.path.stat().st_size / 1e6
        return f"{minutes}:{seconds:02d} recorded, {size:.1f} MB: {counts or 'nothing yet'}"


def _free_name(file: Path) -> Path:
    """The file, or the first name with a number that is free."""
    number, free = 1, file
    while free.exists():
        number += 1
        free = file.with_stem(f"{file.stem}-{number}")
    return free
