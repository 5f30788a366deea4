"""`betline bridge`: run all readers of a table, read one once or a zone now, list the ports, test a reader."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline import logs
from betline.joining import VISIT_S, BrokerChoice, join, takes_broker
from betline.known_tables import the_table
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    WRONG_USAGE,
    IdOption,
    JsonOption,
    MetricsOption,
    SiteOption,
    TableOption,
    TapsOption,
    ThereOption,
    UserError,
    namespace,
)
from firmware_bridge.conform.cli import conform

if TYPE_CHECKING:
    from firmware_bridge.chips.register import ChipRegister

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

ProtocolOption = Annotated[
    str, typer.Option("--protocol", metavar="NAME", help="feig, pn532, bb, m6e, chafon or betline.")
]


@app.callback()
def _bridge() -> None:
    """RFID readers to the bus."""


@app.command()
@takes_broker
def run(
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    register: Annotated[
        Path | None,
        typer.Option("--register", metavar="FILE", help="Chip register; default chips.sqlite in your state folder."),
    ] = None,
    by_id: Annotated[
        Path | None,
        typer.Option("--by-id", metavar="DIR", help="Look for /dev/serial/by-id names here (virtual readers)."),
    ] = None,
    taps: TapsOption = None,
    metrics: MetricsOption = None,
) -> None:
    """Read all readers of the table and publish what lies in their zones, until interrupted.

    Example: betline bridge run --table casino-oval --broker 127.0.0.1:1883

    Example: betline bridge run --table my-table.toml --broker mqtts://broker.lan:8883 --login logins/bridge
    """
    import signal

    from betline.metrics.places import address_of
    from betline.metrics.serving import served
    from betline.settings import load_table
    from betline.settings.readers import BY_ID
    from betline.tap import Tap
    from betline.topics import DEVICE_STATUS, topic
    from betline.watchdog import Watchdog
    from firmware_bridge.protocols.catalogue import UnknownFamilyError
    from firmware_bridge.service import DEVICE, BridgeError, BridgeService

    settings = load_table(the_table(table))
    where = broker.with_settings(settings).address(DEVICE)
    names = namespace(site, table_id or settings.name)
    figures_at = address_of(DEVICE, metrics, settings)
    chips, places = _register(register)
    bus = join(where, names, DEVICE, presence=topic(DEVICE_STATUS, DEVICE))
    tap = None if taps is None else Tap(taps, DEVICE, bus.boot_id)
    try:
        service = BridgeService(
            settings,
            bus,
            chips,
            by_id=by_id or BY_ID,
            places=places,
            notify=logs.say,
            serves=Watchdog().serves,
            tap=tap,
        )
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: service.stop())
        with served(figures_at, bus, service.timings):
            service.run()
    except (BridgeError, UnknownFamilyError) as error:
        raise UserError(str(error)) from None
    finally:
        bus.close()
        if tap is not None:
            tap.close()


@app.command()
def once(
    port: Annotated[str, typer.Option("--port", metavar="URL", help="Device path, usb:SERIAL or pyserial URL.")],
    protocol: ProtocolOption,
    baud: Annotated[int | None, typer.Option("--baud", min=300, help="Line rate; default the family's own.")] = None,
    antenna: Annotated[int | None, typer.Option("--antenna", min=1, max=8, help="Read this output only.")] = None,
    antennas: Annotated[int, typer.Option("--antennas", min=1, max=8, help="Read so many outputs in turn.")] = 1,
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", metavar="NAME=VALUE", help="A setting of the reader, as in the table file."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Take one inventory of one reader and say what it found.

    Example: betline bridge once --port /dev/ttyUSB0 --protocol feig --json

    Example: betline bridge once --port usb:A50285BI --protocol chafon --antennas 4
    """
    import json
    from dataclasses import asdict

    from firmware_bridge.once import OnceError, read_once
    from firmware_bridge.protocols.catalogue import UnknownFamilyError, configured
    from firmware_bridge.protocols.doubt import sentence
    from firmware_bridge.protocols.family import LineSettings
    from firmware_bridge.protocols.settings import SettingError, named_value

    if antenna is not None and antennas > 1:
        raise UserError("Say --antenna for one output or --antennas for the first so many, not both.")
    try:
        wire = configured(protocol, dict(named_value(text) for text in settings or ()))
        line = LineSettings(baud or wire.traits.line.baud, wire.traits.line.parity)
        if antennas > wire.traits.antennas:
            raise UserError(f"A {wire.traits.title} has {wire.traits.antennas} outputs at most; say fewer --antennas.")
        result = read_once(port, wire, line, antenna, antennas)
    except (UnknownFamilyError, SettingError) as error:
        raise UserError(_sentence(error), WRONG_USAGE) from None
    except OnceError as error:
        raise UserError(_sentence(error), FAILED) from None
    for doubt in result.doubts:
        typer.echo(f"Warning: {sentence(doubt)}.", err=True)
    if as_json:
        health = asdict(result.health) | {"parity_refused": result.parity_refused}
        del health["cycle_ms"]
        tags = [asdict(tag) for tag in result.tags]
        cycle_ms = round(result.cycle_ms, 1)
        typer.echo(json.dumps({"protocol": protocol, "tags": tags, "cycle_ms": cycle_ms, "health": health}))
        return
    for tag in result.tags:
        parts = ((" antenna", tag.antenna), (" RSSI", tag.rssi))
        heard = ",".join(f"{name} {value}" for name, value in parts if value is not None)
        typer.echo(f"{tag.uid}  {tag.kind or 'kind unknown'}{' ' if heard else ''}{heard}")
    count = len(result.tags)
    typer.echo(f"{count or 'no'} tag{'' if count == 1 else 's'} in {result.cycle_ms:.0f} ms")


@app.command()
def record(
    port: Annotated[str, typer.Option("--port", metavar="URL", help="Device path, usb:SERIAL or pyserial URL.")],
    protocol: ProtocolOption,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The recording; it must not be there yet.")],
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.1, metavar="N", help="How long; default until interrupted.")
    ] = None,
    baud: Annotated[int | None, typer.Option("--baud", min=300, help="Line rate; default the family's own.")] = None,
    antennas: Annotated[int, typer.Option("--antennas", min=1, max=8, help="Read so many outputs in turn.")] = 1,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What lies there, for who reads the file.")] = "",
) -> None:
    """Read one reader and record both directions of its line, with the times; betline bridge virtual plays it back.

    Example: betline bridge record --port /dev/ttyUSB0 --protocol feig --out line.jsonl --seconds 10
    """
    import signal
    import threading

    from firmware_bridge.protocols.catalogue import UnknownFamilyError, family
    from firmware_bridge.protocols.family import LineSettings
    from firmware_bridge.recording import RecordError
    from firmware_bridge.recording import record as keep

    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        wire = family(protocol)
        line = LineSettings(baud or wire.traits.line.baud, wire.traits.line.parity)
        kept = keep(port, wire, line, out, antennas=antennas, seconds=seconds, note=note, stop=stop)
    except UnknownFamilyError as error:
        raise UserError(_sentence(error), WRONG_USAGE) from None
    except RecordError as error:
        raise UserError(_sentence(error), FAILED) from None
    if not kept.received_bytes:
        raise UserError(f"The reader said nothing in {kept.seconds:.1f} s; check its supply, cable and rate.", FAILED)
    typer.echo(
        f"{kept.rounds} rounds in {kept.seconds:.1f} s: {kept.sent_bytes} bytes sent, "
        f"{kept.received_bytes} received, in {out}"
    )


@app.command()
def ports(
    only: Annotated[list[str] | None, typer.Argument(metavar="[PORT]...", help="Look at these ports only.")] = None,
    ask: Annotated[
        bool, typer.Option("--probe/--no-probe", help="Ask what sits there; sends a few bytes to each port.")
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """List the serial ports with their stable names, and what seems to sit on them.

    Example: betline bridge ports
    """
    import json
    from dataclasses import asdict

    from firmware_bridge.ports import SerialPort, locate, probe, serial_ports
    from firmware_bridge.serial_line import LineError

    try:
        found = tuple(SerialPort(locate(name)) for name in only) if only else serial_ports()
    except LineError as error:
        raise UserError(_sentence(error), FAILED) from None
    rows = [(port, probe(port.device) if ask else None) for port in found]
    if as_json:
        listed = [
            asdict(port)
            | {
                "family": answer.family if answer else None,
                "baud": answer.baud if answer else None,
                "answer": answer.sentence if answer else None,
            }
            for port, answer in rows
        ]
        typer.echo(json.dumps(listed))
        return
    if not rows:
        typer.echo("There are no serial ports on this machine: plug a reader in.")
    for port, answer in rows:
        typer.echo(port.device)
        for label, value in (
            ("name", port.by_id),
            ("by place", port.by_path),
            ("USB serial", port.usb_serial),
            ("adapter", port.description),
        ):
            if value and value != "n/a":
                typer.echo(f"    {label}: {value}")
        if answer is not None:
            typer.echo(f"    {answer.sentence}")


@app.command()
@takes_broker
def zone(
    name: Annotated[str, typer.Argument(metavar="ZONE", help="seat-1 to seat-10, pot, tray, stack-1 to stack-10.")],
    broker: BrokerChoice,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Have a zone read now, as often as the acting seat, and say what lies there.

    A reader that does not tell all that answers is warned of on standard error; with --json, "partial" says so too.

    Example: betline bridge zone tray
    """
    import json
    from collections import Counter

    from betline.settings import BADGE_ZONE
    from betline.tables_there import chosen_table
    from firmware_bridge.protocols.doubt import Doubt, sentence
    from firmware_bridge.read_zone import ReadZoneError, read_zone

    chosen = chosen_table(broker, table, site, table_id)
    settings = chosen.known
    if settings is not None:
        zones = (*settings.zones(), *settings.stack_zones(), *((BADGE_ZONE,) if settings.badge else ()))
        if name not in zones:
            raise UserError(f"There is no zone {name} at this table; its zones are {', '.join(zones)}.")
    where = broker.with_settings(settings).address("console")
    bus = join(where, chosen.names, "bridge-zone", patience_s=VISIT_S)
    try:
        seen = read_zone(bus, name)
    except ReadZoneError as error:
        raise UserError(_sentence(error), FAILED) from None
    finally:
        bus.close()
    if seen.partial:
        told = f"the reader did not tell all that answered, more chips may lie in {name}: count them by hand"
        typer.echo(f"Warning: {told}.", err=True)
    if seen.rf_warning:
        typer.echo(f"Warning: {sentence(Doubt.RF_WARNING)}.", err=True)
    if as_json:
        typer.echo(json.dumps(seen.model_dump(mode="json") | {"partial": seen.partial}))
        return
    for kind, count in sorted(Counter(chip.chip_type or "unknown" for chip in seen.chips).items()):
        typer.echo(f"{count:>5}  {kind}")
    lately = sum(chip.missed == 0 for chip in seen.chips)
    at_least = "at least " if seen.partial else ""
    typer.echo(f"{at_least}{len(seen.chips)} chips in {name}, {lately} of them heard in the last round")


app.command()(conform)


def _register(path: Path | None) -> tuple[ChipRegister, Path]:
    """The register that was named, else the one in the user's state folder if there is one; and its places' file."""
    from firmware_bridge.chips.places import places_beside
    from firmware_bridge.chips.register import ChipRegister, RegisterError, load_register, usual_register

    where = path or usual_register()
    if path is None and not where.exists():
        logs.say(f"There is no chip register {where}: all chips are unknown until betline chips enrol.")
        return ChipRegister(path=where), places_beside(where)
    try:
        return load_register(where), places_beside(where)
    except RegisterError as error:
        raise UserError(str(error)) from None


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
