"""``betline demo``: the whole system on one machine, supervised, with the virtual table as its hardware."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from betline.broker import LOOPBACK, free_port, is_free
from betline.joining import BrokerChoice
from betline.metrics.places import Places
from betline.options import FAILED, Address, UserError, namespace
from betline.people.record import PeopleError, Staff
from betline.people.roll import read_staff
from betline.readiness import await_broker, await_controller, refuse_second
from betline.scratch import scratch_folder
from betline.settings import TableSettings
from betline.supervise import Part, Supervisor
from betline.table_recording.parts import PartsOfRecording
from betline.tables.check import load_sound_table
from betline.topics import Namespace
from virtual_table.faults.plan import NO_FAULTS, TablePlan, load_plan, naming
from virtual_table.run.part_faults import OF_WORLD, check_live, needs_line, striking
from virtual_table.run.run_table import RunFiles, runtime_table, with_readers, write_table
from virtual_table.run.slow_line import SlowLine
from virtual_table.scripts.catalogue import HAS_ITS_HANDS, best_chips_for, evening_of, find
from virtual_table.scripts.chip_sets import fitting_chip_set
from virtual_table.scripts.evening_script import is_evening_script
from virtual_table.scripts.script import Playable, ScriptError
from virtual_table.table.identifiers import form_of
from virtual_table.table.things import WorldError

WEB_PORT = 8420
"""Where the pages for browsers are, if nobody else listens there."""
WORLD_WAIT_S = 30.0
POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class DemoOptions:
    """What the command line of ``demo`` asks for."""

    table: str
    broker: BrokerChoice
    """Where its own broker listens, else a free port; with `external` the broker that is used."""
    site: str
    table_id: str | None
    journal: Path | None
    script: str | None
    hands: int | None
    seed: int
    speed: float
    headless: bool
    as_json: bool
    readers: str | None = None
    faults: Path | None = None
    people: Path | None = None
    """The file of the staff; without one the table is open."""
    voice: tuple[str, ...] = ()
    """The words that start the voice; none where none is wanted."""
    web: bool = False
    """Whether the table is shown in browsers too."""
    keep: bool = False
    """Whether the run's folder is left: logs, register, rings."""
    external: bool = False
    """Whether a broker is used that is there already."""
    record: Path | None = None
    """The file into which the whole table is recorded; None where it is not."""
    metrics: str | None = None
    """Where the parts serve their figures, the first of them; None where they do not."""
    targets: Path | None = None
    """The file that tells Prometheus of them; None: the usual one."""
    away_s: float | None = None
    """How long the virtual dealer waits for a controller that is away; None: as long as usual."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The files and addresses of one demonstration."""

    table: TableSettings
    files: RunFiles
    broker: BrokerChoice
    address: Address
    """The same for this program, which logs in as a console does."""
    names: Namespace
    camera_port: int
    journal: Path
    web_port: int | None = None
    """Where the pages for browsers are; None where none are wanted."""
    plan: TablePlan = NO_FAULTS
    broker_port: int = 0
    """Where its own broker listens: elsewhere than the address says where a line that can fail lies between."""
    metrics: Address | None = None
    """Where the parts serve their figures, the first of them."""
    skipped: tuple[str, ...] = ()
    """What of its script nobody can act out, a sentence each."""

    @property
    def places(self) -> Places:
        """Where the parts serve their figures."""
        return Places(self.metrics, self.names)

    def words(self) -> list[str]:
        """The options by which each part finds table and bus."""
        names = ["--site", self.names.site, "--id", self.names.table]
        return ["--table", str(self.files.table), *self.broker.words(), *names]


def prepare(options: DemoOptions, folder: Path) -> Prepared:
    """Chooses ports and chips and writes the run's table file."""
    table = load_sound_table(options.table)
    if options.readers is not None:
        table = with_readers(table, options.readers)
    try:
        form_of(table.readers)
    except WorldError as error:
        raise UserError(str(error)) from None
    plan = NO_FAULTS if options.faults is None else load_plan(options.faults, table)
    with naming(options.faults):
        check_live(plan, external=options.external)
    files = RunFiles(folder)
    files.ports.mkdir(parents=True)
    if plan != NO_FAULTS:
        of_world = plan.only(*OF_WORLD)
        files.faults.write_text(of_world.model_dump_json(exclude_unset=True), encoding="utf-8")
    path = find(options.script) if options.script else None
    by_hands = path is not None and not is_evening_script(path)
    of_file, chips = best_chips_for(path, table) if path is not None and by_hands else (Playable(()), "")
    scripts = of_file.hands
    if scripts:  # scripts bring their own games
        if options.hands is not None:
            raise ScriptError(HAS_ITS_HANDS)
        table = table.model_copy(update={"levels": (), "rotation": None})
    else:
        evening_of(table, options.script, options.seed, options.hands)
    chips = chips or fitting_chip_set(table.chip_set, [table.starting_stack], [])
    camera_port = free_port()
    run_table = runtime_table(table, files, f"http://{LOOPBACK}:{camera_port}/", chips)
    write_table(run_table, files.table)
    journal = options.journal or folder / "demo.journal"
    names = namespace(options.site, options.table_id or table.name)
    metrics = Places.of(options.metrics, table, names).first
    broker = options.broker.with_settings(table) if options.external else _own_broker(options.broker)
    web_port = (WEB_PORT if is_free(WEB_PORT) else free_port()) if options.web else None
    address = broker.address("console")
    broker_port = free_port() if needs_line(plan) else address.port
    return Prepared(
        run_table,
        files,
        broker,
        address,
        names,
        camera_port,
        journal,
        web_port,
        plan,
        broker_port,
        metrics,
        of_file.skipped,
    )


def _own_broker(wanted: BrokerChoice) -> BrokerChoice:
    """Where the run's own broker listens; raises UserError for a port in use or on another machine."""
    if wanted.names_nothing:
        return BrokerChoice(url=f"{LOOPBACK}:{free_port()}")
    where = wanted.address("console")
    if not wanted.may_be_own:
        raise UserError(
            f"demo starts its own broker on {LOOPBACK}: leave the broker's options out, or use the broker at {where} "
            "with --external-broker."
        )
    if not is_free(where.port):
        raise UserError(
            f"Port {where.port} is in use: stop what uses it or leave --broker out; a broker there is used with "
            "--external-broker.",
            FAILED,
        )
    return BrokerChoice(url=f"{LOOPBACK}:{where.port}")


def run_demo(options: DemoOptions, console: Callable[[Prepared], int]) -> int:
    """Runs the demonstration; returns the exit status."""
    with scratch_folder("betline-demo-", "*" if options.keep else "demo.journal*") as folder:
        return _run(options, console, folder)


def _run(options: DemoOptions, console: Callable[[Prepared], int], folder: Path) -> int:
    ready = prepare(options, folder)
    for sentence in ready.skipped:
        print(f"SKIP {sentence}", file=sys.stderr)
    progress = _Progress(options.headless)
    with playing(options, ready, folder, progress.say) as parts:
        _say_where(ready)
        if options.headless:
            status = _play_headless(parts, ready, options, progress)
        else:
            await_controller(parts, ready.address, ready.names)
            status = console(ready)
            _say_where(ready)
    print(f"journal: {ready.journal}", file=sys.stderr)
    if options.keep:
        print(f"folder: {folder}", file=sys.stderr)
    return status


@contextlib.contextmanager
def playing(
    options: DemoOptions, ready: Prepared, folder: Path, notify: Callable[[str], None] | None = None
) -> Iterator[Supervisor]:
    """All parts of a demonstration, struck by its plan of faults, until the block is left; ``notify`` hears of both."""
    say = notify or (lambda _sentence: None)
    with Supervisor(folder, say) as parts, contextlib.ExitStack() as closing:
        line = None
        if needs_line(ready.plan):
            line = SlowLine(ready.address.port, ready.broker_port)
            closing.callback(line.close)
        start_parts(parts, ready, options)
        closing.enter_context(striking(parts, ready.plan, ready.table, options.seed, line, ready.files.playing, say))
        yield parts


def start_parts(parts: Supervisor, ready: Prepared, options: DemoOptions) -> None:
    """Starts all parts of a demonstration, and waits for the world."""
    common, places = ready.words(), ready.places
    if options.external:
        refuse_second(ready.address, ready.names)
    else:
        parts.start("broker", ["broker", "--quiet", "--broker", f"{LOOPBACK}:{ready.broker_port}"])
        await_broker(parts, ready.address)
    world_part = parts.start("world", world_line(ready, options), once=True)
    _await_file(parts, ready.files.ready, world_part)
    recording, register = _recording(options.record, ready), ["--register", str(ready.files.register)]
    if recording.wanted:
        parts.start(
            "record", [*recording.words(), *common, "--journal", str(ready.journal), *register, *places.words("record")]
        )
    controller = ["controller", *common, "--journal", str(ready.journal), *recording.tap]
    controller += ["--people", str(options.people or ready.files.people)]
    parts.start("controller", [*controller, *places.words("controller")])
    if ready.table.readers:
        parts.start("bridge", ["bridge", "run", *common, *register, *recording.tap, *places.words("bridge")])
    if ready.table.cameras:
        rings = ["--rings", str(ready.files.folder / "rings")]
        parts.start("vision", ["vision", "run", *common, *rings, *recording.page, *places.words("vision")])
    if options.voice:
        parts.start("voice", [*options.voice, *common, *places.words("voice")])
    if ready.web_port is not None:
        web = ["web", *common, "--remote", "--console", "--port", str(ready.web_port)]
        parts.start("web", [*web, *places.words("web")])
    shown = [] if options.headless else ["console"]
    places.tell([*(part.name for part in parts.parts), *shown], options.targets)


def world_line(ready: Prepared, options: DemoOptions) -> list[str]:
    """The words that start the world of a demonstration; raises UserError where its dealer cannot sign in."""
    world = ["world", *ready.words(), "--dir", str(ready.files.folder), "--camera-port", str(ready.camera_port)]
    world += ["--seed", str(options.seed), "--speed", str(options.speed)]
    world += ["--script", str(find(options.script))] if options.script else []
    world += ["--hands", str(options.hands)] if options.hands is not None else []
    badge = _dealers_badge(options.people, ready.table)
    world += ["--badge", badge] if badge else []
    world += ["--faults", str(ready.files.faults)] if ready.plan != NO_FAULTS else []
    world += ["--away", str(options.away_s)] if options.away_s is not None else []
    world += ["--short-pauses"] if options.headless else ["--stay"]
    return world


def _recording(file: Path | None, ready: Prepared) -> PartsOfRecording:
    watch = f"{LOOPBACK}:{free_port()}" if ready.table.cameras and file is not None else None
    return PartsOfRecording(file, None if file is None else ready.files.folder / "taps", watch)


def _say_where(ready: Prepared) -> None:
    """Where the pages for browsers are; once before the console takes the screen, and again after it."""
    if ready.web_port is not None:
        print(f"pages for browsers: http://{LOOPBACK}:{ready.web_port}/", file=sys.stderr, flush=True)


def _dealers_badge(people: Path | None, table: TableSettings) -> str:
    """The badge that the virtual dealer lays, who acts for the floor too; empty where nobody is enrolled.

    Raises UserError where the virtual dealer cannot sign in.
    """
    try:
        staff = Staff() if people is None else read_staff(people)
    except PeopleError as error:
        raise UserError(str(error)) from None
    if not staff:
        return ""
    badges = [badge for one in staff.people if one.role == "floor" for badge in one.badges]
    if not badges or table.badge is None:
        raise UserError(
            f"The virtual dealer cannot sign in: it needs a [badge] in the table file, and in {people} somebody of the "
            "floor with a badge (betline people badge)."
        )
    return badges[0]


def _play_headless(parts: Supervisor, ready: Prepared, options: DemoOptions, progress: _Progress) -> int:
    world = next(part for part in parts.parts if part.name == "world")
    assert world.process is not None
    while world.process.poll() is None:
        parts.check()
        progress.show(parts.log_of("world"))
        time.sleep(POLL_S)
    progress.done()
    if not ready.files.report.exists():
        raise UserError(_last_words(parts, world), FAILED)
    report = json.loads(ready.files.report.read_text(encoding="utf-8"))
    if options.as_json:
        print(json.dumps({**report["json"], **({"skipped": list(ready.skipped)} if ready.skipped else {})}))
        for remark in report["remarks"]:
            print(f"betline: {remark}", file=sys.stderr)
    else:
        print(report["text"])
        if ready.skipped:
            print(f"skipped: {len(ready.skipped)} of the script, which nobody can act out; each is named above")
    return world.process.returncode


def _await_file(parts: Supervisor, file: Path, part: Part) -> None:
    assert part.process is not None
    deadline_s = time.monotonic() + WORLD_WAIT_S
    while not file.exists():
        if part.process.poll() is not None or time.monotonic() > deadline_s:
            raise UserError(_last_words(parts, part), FAILED)
        time.sleep(0.02)


def _last_words(parts: Supervisor, part: Part) -> str:
    return f"The {part.name} ended early: {parts.last_words(part.name)} (the whole log: {parts.log_of(part.name)})"


class _Progress:
    """Progress on standard error if it is a terminal, and the supervisor's messages."""

    def __init__(self, headless: bool) -> None:
        self._live = headless and sys.stderr.isatty()
        self._lock = threading.Lock()
        self._shown = ""
        self._headless = headless

    def say(self, sentence: str) -> None:
        """A sentence on a line of its own; a full-screen console shows the same on its sensors line."""
        if self._headless:
            with self._lock:
                print(f"betline: {sentence}", file=sys.stderr)

    def show(self, log: Path) -> None:
        """The newest line of the world's log, over the one before."""
        if not self._live or not log.exists():
            return
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        if lines and lines[-1] != self._shown:
            self._shown = lines[-1]
            print(f"\r\x1b[K{self._shown}", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Ends the progress line."""
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
