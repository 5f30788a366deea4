"""The verb `betline bridge virtual`: one virtual reader alone. `betline.front_door` puts it among the bridge's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.options import DONE, FAILED, UserError
from betline.together import refuse_given
from virtual_table.faults.plan import READER_EXAMPLE
from virtual_table.readers.tag_file import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from firmware_bridge.protocols.family import LineSettings
    from virtual_table.faults.plan import TablePlan
    from virtual_table.readers.device import SerialDevice
    from virtual_table.readers.events import Happening

    Prepared = tuple[SerialDevice, LineSettings, Iterable[Happening]]

app = typer.Typer(add_completion=False, rich_markup_mode=None)

_VERBATIM = "\n\n\b\n"
_HELP = _VERBATIM.join(
    (
        "One virtual reader alone, for a lab or another host: prints its port, and serves it until interrupted.",
        "Examples: betline bridge virtual --protocol feig --tags tags.txt\n"
        "          betline bridge virtual --protocol feig --tags tags.txt --faults plan.toml --listen 127.0.0.1:7001\n"
        "          betline bridge virtual --replay line.jsonl --speed 4",
        "The file of tags may be edited while the reader runs:",
        FORMAT,
        "A plan of faults, in TOML or JSON; any part of it may be left out.\n"
        "Of the plan of a whole table (docs/faults.md) --reader says which of its readers this one is:",
        READER_EXAMPLE.replace("\n\n", _VERBATIM),
    )
)


@app.command(help=_HELP)
def virtual(
    context: typer.Context,
    protocol: Annotated[
        str | None, typer.Option("--protocol", metavar="NAME", help="feig, pn532, bb, m6e, chafon or betline.")
    ] = None,
    tags: Annotated[Path | None, typer.Option("--tags", metavar="FILE", help="The tags over its antennas.")] = None,
    faults: Annotated[Path | None, typer.Option("--faults", metavar="PLAN", help="What goes wrong, and when.")] = None,
    reader: Annotated[
        str | None, typer.Option("--reader", metavar="ID", help="Which reader of the plan of a whole table this is.")
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="The same seed gives the same reads and faults.")
    ] = 1,
    antennas: Annotated[int, typer.Option("--antennas", min=1, max=8, help="Number of antennas.")] = 1,
    baud: Annotated[int | None, typer.Option("--baud", min=300, help="Line rate; default the family's own.")] = None,
    listen: Annotated[
        str | None, typer.Option("--listen", metavar="HOST:PORT", help="Serve TCP there, not a pseudo-terminal.")
    ] = None,
    link: Annotated[
        Path | None,
        typer.Option("--link", metavar="PATH", help="A link that keeps its name when the terminal changes."),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", metavar="FILE", help="Play a recording of betline bridge record.")
    ] = None,
    speed: Annotated[
        float, typer.Option("--speed", min=0.01, max=1000.0, help="Divides the delays of the recording.")
    ] = 1.0,
) -> int:
    """See `_HELP`."""
    import signal
    import threading

    from virtual_table.readers.alone import end_of, run_alone

    if replay is not None:
        if any(option is not None for option in (protocol, tags, faults, reader)):
            raise UserError("A recording has its own protocol and tags; give --replay, or --protocol with --tags.")
        refuse_given(context, "seed", "antennas", because="is of no use with --replay: a recording has its own reads.")
        device, line, events = _recorded(replay, speed, baud)
    elif protocol is None or tags is None:
        raise UserError("Which reader? Give --protocol NAME with --tags FILE, or --replay FILE.")
    else:
        refuse_given(context, "speed", because="divides the delays of a recording: leave it out without --replay.")
        device, line, events = _reader(protocol, tags, _plan(faults, reader), seed, antennas, baud)
    if listen is not None and link is not None:
        raise UserError("--link names a pseudo-terminal; leave it out with --listen.")
    end = end_of(None if listen is None else _address(listen), link)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        run_alone(device, line, end, events, stop, typer.echo, _notify)
    except OSError as error:
        place = listen or link or "A pseudo-terminal"
        reason = (error.strerror or str(error)).partition(" (while")[0]
        raise UserError(f"{place} cannot be opened ({reason}); give another.", FAILED) from None
    return DONE


def _plan(faults: Path | None, reader: str | None) -> TablePlan:
    from virtual_table.faults.plan import TablePlan, load_plan

    if faults is None:
        if reader is not None:
            raise UserError("--reader names a reader of a plan: give --faults PLAN too.")
        return TablePlan()
    plan = load_plan(faults)
    return plan if reader is None else plan.of_reader(reader)


def _reader(protocol: str, tags: Path, plan: TablePlan, seed: int, antennas: int, baud: int | None) -> Prepared:
    from firmware_bridge.protocols.catalogue import UnknownFamilyError, family
    from firmware_bridge.protocols.family import LineSettings
    from virtual_table.readers.behaviour import Behaviour
    from virtual_table.readers.catalogue import READERS, virtual_reader
    from virtual_table.readers.events import Eventful
    from virtual_table.readers.tag_file import TagFile

    try:
        traits = family(protocol).traits
    except UnknownFamilyError as error:
        text = str(error)
        raise UserError(f"{text[:1].upper()}{text[1:]}.") from None
    if antennas > traits.antennas:
        raise UserError(f"A {traits.title} has at most {traits.antennas} antennas; give fewer --antennas.")
    plan.check_alone()
    field = TagFile(tags, antennas, READERS[protocol].airs, _notify)
    device = virtual_reader(protocol, field, plan.behaviour("", Behaviour(antennas)), seed)
    line = LineSettings(baud or traits.line.baud, traits.line.parity)
    coming = plan.alone(seed, of_cable=False)
    of_cable = plan.alone(seed, of_cable=True)
    return Eventful(device, coming, seed, device.antennas) if plan.events else device, line, of_cable


def _recorded(replay: Path, speed: float, baud: int | None) -> Prepared:
    from betline.recordings import load_recording
    from firmware_bridge.protocols.family import LineSettings
    from virtual_table.readers.playback import Playback

    recording = load_recording(replay)
    line = LineSettings(baud or recording.header.baud, recording.header.parity)
    return Playback(recording, _notify, speed), line, ()


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UserError(f"--listen {text} is not an address; write it as HOST:PORT, for example 127.0.0.1:7001.")
    return host, int(port)


def _notify(sentence: str) -> None:
    typer.echo(sentence, err=True)
