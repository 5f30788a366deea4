"""The verbs ``demo`` and ``world``."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.joining import BrokerChoice, takes_broker, takes_broker_or_its_own
from betline.options import (
    DONE,
    FAILED,
    SITE_DEFAULT,
    TABLE_DEFAULT,
    DemoTableOption,
    ExternalOption,
    IdOption,
    JournalOption,
    JsonOption,
    MetricsOfAllOption,
    RecordOption,
    SiteOption,
    TargetsOption,
    UserError,
    VoiceOption,
    WebOption,
    WyomingOption,
    namespace,
    new_recording,
    voice_part,
)

if TYPE_CHECKING:
    from virtual_table.run.demo import Prepared

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

ScriptOption = Annotated[
    str | None,
    typer.Option(
        "--script",
        metavar="FILE",
        help="PHH, case or evening file to act out, or the name of a shipped script ('list').",
    ),
]
HandsOption = Annotated[
    int | None,
    typer.Option("--hands", min=1, metavar="N", help="How many hands; default 3 headless, else without end."),
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="S", help="The same seed gives the same hands, acts and stacks.")
]
FaultsOption = Annotated[
    Path | None,
    typer.Option("--faults", metavar="PLAN", help="A plan of what goes wrong, and when (docs/faults.md)."),
]
SpeedOption = Annotated[
    float, typer.Option("--speed", min=0.1, max=100.0, metavar="X", help="Divides the pauses; motions keep real time.")
]


@app.callback()
def _virtual_table() -> None:
    """The simulated table."""


@app.command()
@takes_broker_or_its_own("Default: one of its own, on a free port.")
def demo(
    broker: BrokerChoice,
    headless: Annotated[
        bool, typer.Option("--headless", help="No screen: play the hands and print a summary.")
    ] = False,
    hands: HandsOption = None,
    seed: SeedOption = 1,
    script: ScriptOption = None,
    speed: SpeedOption = 1.0,
    as_json: JsonOption = False,
    table: DemoTableOption = TABLE_DEFAULT,
    readers: Annotated[
        str | None,
        typer.Option(
            "--readers", metavar="NAME", help="Family of all readers (feig, pn532, ...); default the table file's."
        ),
    ] = None,
    faults: FaultsOption = None,
    external: ExternalOption = False,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    people: Annotated[
        Path | None,
        typer.Option("--people", metavar="FILE", help="File of the staff; the dealer lays a badge. Default: nobody."),
    ] = None,
    voice: VoiceOption = None,
    wyoming: WyomingOption = None,
    web: WebOption = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Keep the run's folder with the logs of all parts, and name it.")
    ] = False,
    record: RecordOption = None,
    metrics: MetricsOfAllOption = None,
    metrics_targets: TargetsOption = None,
) -> int:
    """The whole system on this machine: virtual readers and camera, real bridge, vision, controller and console.

    With --table FILE it plays at a table of your own before anything is connected: a dry run of your table file.
    Its own broker listens on a free port, or at --broker.

    Example: betline demo

    Example: betline demo --table my-table.toml

    Example: betline demo --script dwan-ivey-2009.phh

    Example: betline demo --script evening

    Example: betline demo --headless --hands 5 --seed 1 --json

    Example: betline demo --readers m6e

    Example: betline demo --headless --faults plan.toml

    Example: betline demo --table home-six --voice en

    Example: betline demo --web

    Example: betline demo --headless --hands 2 --record demo.mcap

    Example: betline demo --external-broker --broker mqtts://broker.lan:8883 --login logins
    """
    from betline.cases import CaseError
    from betline.phh import PhhError
    from virtual_table.run.demo import DemoOptions, run_demo
    from virtual_table.scripts.catalogue import shipped_scripts
    from virtual_table.scripts.script import ScriptError

    if script == "list":
        names = shipped_scripts()
        typer.echo(json_format.dumps(names) if as_json else "\n".join(names))
        return DONE
    if as_json and not headless:
        raise UserError("--json needs --headless: the console uses the screen.")
    wanted = hands if hands is not None else (3 if headless and script is None else None)
    options = DemoOptions(
        table, broker, site, table_id, journal, script, wanted, seed, speed, headless, as_json, readers, faults,
        people, tuple(voice_part(voice, wyoming)), web, keep, external,
        new_recording(record), metrics, metrics_targets,
    )  # fmt: skip
    try:
        return run_demo(options, _console)
    except (ScriptError, PhhError, CaseError) as error:
        raise UserError(str(error)) from None


@app.command()
@takes_broker
def world(
    broker: BrokerChoice,
    directory: Annotated[Path, typer.Option("--dir", metavar="DIR", help="Folder for ports, register and report.")],
    camera_port: Annotated[
        int, typer.Option("--camera-port", metavar="PORT", min=1, max=65535, help="Loopback port of the camera.")
    ],
    script: ScriptOption = None,
    hands: HandsOption = None,
    seed: SeedOption = 1,
    speed: SpeedOption = 1.0,
    short_pauses: Annotated[
        bool, typer.Option("--short-pauses", help="Short pauses, for runs that nobody watches.")
    ] = False,
    stay: Annotated[bool, typer.Option("--stay", help="Stay when the hands are played, until interrupted.")] = False,
    wait_s: Annotated[
        float, typer.Option("--wait", metavar="S", min=1.0, help="How long to wait for the other programs, in seconds.")
    ] = 60.0,
    away_s: Annotated[
        float,
        typer.Option(
            "--away", metavar="S", min=1.0, help="How long the dealer waits for a controller that is away, in seconds."
        ),
    ] = 60.0,
    missed: Annotated[float, typer.Option("--missed", min=0.0, max=0.9, help="Share of missed reads.")] = 0.05,
    neighbour: Annotated[
        float, typer.Option("--neighbour", min=0.0, max=0.9, help="Share of reads of a neighbour's chips.")
    ] = 0.01,
    detuned: Annotated[
        float, typer.Option("--detuned", min=0.0, max=0.9, help="Share lost for each other chip in a pile.")
    ] = 0.0,
    badge: Annotated[str, typer.Option("--badge", metavar="UID", help="The badge that the dealer lays.")] = "",
    faults: FaultsOption = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(
            "--leave-out",
            metavar="READER",
            help="A reader that is your own, on its port of the table file; may be given again. Which tags lie in each "
            "zone is told on the topics world/zones/ZONE.",
        ),
    ] = None,
    write_table: Annotated[
        Path | None,
        typer.Option(
            "--write-table",
            metavar="FILE",
            help="Write the table file for bridge, vision and controller: with the virtual ports and the camera.",
        ),
    ] = None,
    table: DemoTableOption = TABLE_DEFAULT,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
) -> int:
    """The simulated table alone: chips, players, dealer, virtual readers on pseudo-terminals and a virtual camera.

    Example: betline world --table casino-oval --dir /tmp/world --camera-port 8099 --hands 3

    Example: betline world --dir /tmp/world --camera-port 8099 --leave-out reader-3 --write-table /tmp/world/table.toml
    """
    import signal
    import threading

    from betline.cases import CaseError
    from betline.phh import PhhError
    from betline.tables.check import load_sound_table
    from virtual_table.faults.plan import NO_FAULTS, load_plan, naming
    from virtual_table.play.link import ControllerSilent
    from virtual_table.play.pace import Pauses
    from virtual_table.run import run_table
    from virtual_table.run.part_faults import check_world
    from virtual_table.run.run_table import RunFiles
    from virtual_table.run.world_process import Evening, PartMissing, Senses, run_world
    from virtual_table.scripts.catalogue import evening_of
    from virtual_table.scripts.script import ScriptError
    from virtual_table.table.things import WorldError

    settings = load_sound_table(table)
    left_out = tuple(leave_out or ())
    run_table.check_left_out(settings, left_out)
    files = RunFiles(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"The folder {directory} cannot be created ({error.strerror}): give another --dir.") from None
    plan = NO_FAULTS if faults is None else load_plan(faults, settings)
    with naming(faults):
        check_world(plan)
    if write_table is not None:
        camera = f"http://127.0.0.1:{camera_port}/"
        settings = run_table.runtime_table(settings, files, camera, settings.chip_set, left_out)
        try:
            run_table.write_table(settings, write_table)
        except OSError as error:
            raise UserError(f"{write_table} cannot be written ({error.strerror}): name another file.") from None
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        first, play = evening_of(settings, script, seed, hands)
        evening = Evening(
            hands=play,
            first=first,
            seed=seed,
            pauses=Pauses.short() if short_pauses else Pauses.lively(),
            speed=speed,
            senses=Senses(missed, neighbour, detuned),
            plan=plan,
            stays=stay,
            wait_s=wait_s,
            away_s=away_s,
            badge=badge,
            leave_out=left_out,
        )
        good = run_world(
            settings,
            broker.with_settings(settings).address("world", "console"),
            namespace(site, table_id or settings.name),
            files,
            camera_port,
            evening,
            stop,
            lambda sentence: typer.echo(sentence, err=True),
        )
    except (ScriptError, PhhError, CaseError) as error:
        raise UserError(str(error)) from None
    except (PartMissing, ControllerSilent, WorldError) as error:
        raise UserError(str(error), FAILED) from None
    return DONE if good else FAILED


def _console(ready: Prepared) -> int:
    """Runs the dealer's console in the foreground, as its own program, until the dealer quits."""
    import subprocess
    import sys

    console = ["console", *ready.words(), "--ends-demo", *ready.places.words("console")]
    return subprocess.run([sys.executable, "-m", "betline", *console], check=False).returncode
