"""The ground floor's own verbs: the broker, running all parts with real hardware, and the benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.known_tables import the_table
from betline.options import (
    BROKER_DEFAULT,
    FAILED,
    SITE_DEFAULT,
    Address,
    AnchorsOption,
    ExternalOption,
    FilmMinutesOption,
    FilmOption,
    IdOption,
    JournalOption,
    JsonOption,
    KeyOption,
    MetricsOfAllOption,
    PeopleOption,
    RecordOption,
    RegisterOption,
    SiteOption,
    TableOption,
    TargetsOption,
    UserError,
    VoiceOption,
    WebOption,
    WyomingOption,
    default_journal,
    make_private_folder,
    minutes_of_film,
    namespace,
    new_recording,
    voice_part,
)
from betline.together import refuse_given
from betline.topics import Namespace

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _ground_floor() -> None:
    """The broker, all parts together, and the benchmarks."""


@app.command()
def broker(
    address: Annotated[
        str, typer.Option("--broker", metavar="HOST:PORT", help="Where it listens, on loopback.")
    ] = BROKER_DEFAULT,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not say where it listens.")] = False,
) -> None:
    """Serve MQTT on loopback until interrupted.

    Example: betline broker --broker 127.0.0.1:1883
    """
    from betline import logs
    from betline.broker import LOOPBACK, BrokerError, serve
    from betline.watchdog import Watchdog

    where = Address.parse(address, "--broker", BROKER_DEFAULT)
    if where.host not in (LOOPBACK, "localhost"):
        raise UserError(
            f"The embedded broker listens on {LOOPBACK} only; for {where.host} use mosquitto with config/broker."
        )

    def listening() -> None:
        if not quiet:
            logs.say(f"MQTT broker on {LOOPBACK}:{where.port}; Ctrl-C stops it.")

    try:
        serve(where.port, listening, Watchdog().serves)
    except BrokerError as error:
        raise UserError(str(error), FAILED) from None


@app.command()
@takes_broker
def run(
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
    anchors: AnchorsOption = None,
    people: PeopleOption = None,
    register: RegisterOption = None,
    external: ExternalOption = False,
    logs: Annotated[Path | None, typer.Option("--logs", metavar="DIR", help="Where the parts' logs go.")] = None,
    voice: VoiceOption = None,
    wyoming: WyomingOption = None,
    web: WebOption = False,
    film: FilmOption = None,
    film_minutes: FilmMinutesOption = None,
    record: RecordOption = None,
    history: Annotated[
        bool, typer.Option("--history", help="Also answer a site that keeps all journals (betline site record).")
    ] = False,
    metrics: MetricsOfAllOption = None,
    metrics_targets: TargetsOption = None,
) -> int:
    """Run broker, readers, camera, controller and console with the hardware that the table file names.

    Example: betline run --table my-table.toml

    Example: betline run --table my-table.toml --voice de

    Example: betline run --table my-table.toml --web

    Example: betline run --table my-table.toml --broker mqtts://broker.lan:8883 --login logins

    Example: betline run --table my-table.toml --film tuesday

    Example: betline run --table my-table.toml --record tuesday.mcap

    Example: betline run --table my-table.toml --broker mqtts://site.lan:8883 --login logins --history

    Example: betline run --table my-table.toml --metrics 9464

    It starts a broker of its own where none is named, on loopback, or at --broker there.
    """
    import subprocess
    import sys
    from contextlib import ExitStack

    from betline.broker import LOOPBACK, free_port
    from betline.metrics.places import Places
    from betline.readiness import await_controller, refuse_second
    from betline.scratch import scratch_folder
    from betline.supervise import Supervisor
    from betline.table_recording.parts import PartsOfRecording
    from betline.tables.check import load_sound_table

    file = new_recording(record)
    recording = PartsOfRecording(file)
    minutes = minutes_of_film(film, film_minutes)
    table = the_table(table)
    settings = load_sound_table(table)
    if register is not None and not settings.readers:
        raise UserError(f"--register tells the readers' chips, and {settings.name} has no readers: leave it out.")
    chosen = broker.with_settings(settings)
    where = chosen.address("console")
    names = namespace(site, table_id or settings.name)
    places = Places.of(metrics, settings, names)
    own = not (external or chosen.is_kept_by_others(broker)) and _starts_own(where, names)
    if not own:
        refuse_second(where, names)
    folder = logs or default_journal(site, names.table).parent / "logs"
    try:
        make_private_folder(folder)
    except OSError as error:
        raise UserError(f"The folder {folder} cannot be made ({error.strerror}); name another with --logs.") from None
    speaker = voice_part(voice, wyoming)
    filming: list[str] = []
    if film is not None:
        filming = ["--film", str(film.absolute()), "--film-minutes", str(minutes)]
        line = ["film", "record", "--check", "--table", table, "-o", str(film), "--minutes", str(minutes)]
        looked = subprocess.run([sys.executable, "-m", "betline", *line], check=False)
        if looked.returncode:
            return looked.returncode
    common = ["--table", table, *chosen.words(), "--site", names.site, "--id", names.table]
    with ExitStack() as stack:
        if file is not None:
            taps = stack.enter_context(scratch_folder("betline-taps-"))
            watch = f"{LOOPBACK}:{free_port()}" if settings.cameras else None
            recording = PartsOfRecording(file, taps, watch)
        parts = stack.enter_context(Supervisor(folder))
        if own:
            parts.start("broker", ["broker", "--quiet", "--broker", str(where)])
        files = {"--journal": journal, "--key": key, "--anchors": anchors, "--people": people}
        named = [word for name, file in files.items() if file for word in (name, str(file))]
        registered = ["--register", str(register)] if register else []
        if recording.wanted:
            kept = ["--journal", str(journal)] if journal is not None else []
            parts.start("record", [*recording.words(), *common, *kept, *registered, *places.words("record")])
        parts.start("controller", ["controller", *common, *named, *recording.tap, *places.words("controller")])
        if history:
            sealed = {"--journal": journal, "--key": key}
            told = [word for name, file in sealed.items() if file for word in (name, str(file))]
            parts.start("history", ["journal", "serve", *common, *told, *places.words("history")])
        if settings.readers:
            parts.start("bridge", ["bridge", "run", *common, *registered, *recording.tap, *places.words("bridge")])
        if settings.cameras:
            parts.start("vision", ["vision", "run", *common, *filming, *recording.page, *places.words("vision")])
        if speaker:
            parts.start("voice", [*speaker, *common, *places.words("voice")])
        if web:
            parts.start("web", ["web", *common, "--remote", "--console", *places.words("web")])
        places.tell([*(part.name for part in parts.parts), "console"], metrics_targets)
        await_controller(parts, where, names)
        console = ["console", *common, "--ends-table", *places.words("console")]
        return subprocess.run([sys.executable, "-m", "betline", *console], check=False).returncode


def _starts_own(where: Address, names: Namespace) -> bool:
    """Whether a run starts the embedded broker: not where a person says to use the one that listens there already.

    Raises UserError where something else listens there, or where this table is played there.
    """
    import sys

    from betline.broker import is_free
    from betline.bus.trouble import why_not
    from betline.readiness import refuse_second

    if is_free(where.port):
        return True
    trouble = why_not(where.host, where.port)
    if trouble is not None:
        raise UserError(f"{trouble.sentence} Or start one elsewhere: --broker 127.0.0.1:1884.", FAILED)
    refuse_second(where, names)
    if sys.stdin.isatty() and typer.confirm(f"A broker listens at {where} already. Use it?", default=True, err=True):
        return False
    raise UserError(
        f"A broker listens at {where} already: use it with --external-broker, or start one elsewhere, "
        "--broker 127.0.0.1:1884.",
        FAILED,
    )


@app.command()
def bench(
    context: typer.Context,
    suites: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SUITE...|compare BOOK BOOK]",
            help="Suites to measure, all where none is named; or two books' JSON files to compare.",
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Measure longer, as much as the targets name.")] = False,
    json: JsonOption = False,
    acts: Annotated[int | None, typer.Option("--acts", min=1, help="How many acts are played (sensing).")] = None,
    kills: Annotated[int | None, typer.Option("--kills", min=1, help="How many processes are killed (kills).")] = None,
    at_once: Annotated[
        int | None, typer.Option("--at-once", min=1, max=8, help="How many evenings are played at once (kills).")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="The first trial's number (sensing, kills).")
    ] = None,
    hand: Annotated[
        int | None,
        typer.Option("--hand", min=1, help="Tell this hand of the trial --seed, and nothing else (sensing)."),
    ] = None,
    occasions: Annotated[
        int | None,
        typer.Option(
            "--occasions",
            min=0,
            max=100,
            help="Per cent of the trials that have each of late antes, dead blinds, bomb pots and toying (sensing).",
        ),
    ] = None,
    stack_readers: Annotated[
        bool,
        typer.Option(
            "--stack-readers", help="Play honest evenings with antennas under the stacks, and nothing else (cheats)."
        ),
    ] = False,
    faults: Annotated[
        Path | None,
        typer.Option(
            "--faults",
            metavar="PLAN",
            help="What goes wrong besides in every trial: docs/faults.md (sensing, chain, kills).",
        ),
    ] = None,
    waits: Annotated[
        bool,
        typer.Option("--waits", help="Compare waits against errors on badly read tables, and nothing else (sensing)."),
    ] = False,
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables", metavar="N[,N...]", help="How many tables there are (tables, floor), or one step each (site)."
        ),
    ] = None,
    book: Annotated[
        Path | None,
        typer.Option("--book", metavar="DIR", help="Write page, data and charts, named by the date, into this folder."),
    ] = None,
    repeat: Annotated[
        int | None, typer.Option("--repeat", min=1, help="How often each suite runs, for the book's noise; default 1.")
    ] = None,
) -> None:
    """Measure this machine: each suite says how much it measured, beside the targets.

    With --book all of it becomes a page, its data and its charts. "compare" names what got worse between two books
    beyond noise, and ends with status 1 where something did.

    Example: betline bench engine --json

    Example: betline bench tables --tables 50

    Example: betline bench site --tables 1,10,50,200 --json

    Example: betline bench --book docs/benchmarks --repeat 3

    Example: betline bench compare 2026-11-28.json 2026-12-05.json

    Example: betline bench compare 2026-11-28.json 2026-12-05.json --json

    Example: betline bench sensing --waits --acts 500

    Example: betline bench sensing --acts 500 --faults plan.toml

    Example: betline bench kills --full --at-once 2
    """
    from betline.bench import MOST_TABLES, Given, read_counts, run_suites

    if suites and suites[0] == "compare":
        from betline.benchmark_book.making import told

        if len(suites) != 3:
            raise UserError("compare needs two books: betline bench compare BEFORE.json AFTER.json.")
        measuring = [name for name in context.params if name not in ("suites", "json")]
        refuse_given(context, *measuring, because="is of no use with compare: nothing is measured then.")
        raise typer.Exit(told(Path(suites[1]), Path(suites[2]), json=json))
    if waits and faults is not None:
        raise UserError("--waits compares waits on trials as they are: leave --faults out.")
    if hand is not None and (waits or acts is not None):
        raise UserError("--hand tells one hand and nothing else: leave --acts and --waits out.")

    given: dict[str, Given | None] = {
        "acts": acts, "kills": kills, "at_once": at_once, "seed": seed, "hand": hand, "waits": waits or None,
        "occasions": occasions, "stack_readers": stack_readers or None, "faults": faults,
        "tables": None if tables is None else read_counts("--tables", tables, MOST_TABLES),
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    if book is not None:
        from betline.benchmark_book.making import make

        if json or waits or hand is not None:
            raise UserError(
                "--book writes the JSON itself, of all that is measured: leave --json, --waits and --hand out."
            )
        raise typer.Exit(make(suites or [], book, repeat=repeat or 1, full=full, options=options))
    if repeat is not None:
        raise UserError("--repeat is for a book: name its folder with --book.")
    raise typer.Exit(run_suites(suites or [], full=full, json=json, options=options))
