"""The verb `betline bridge conform`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from betline.options import FAILED, WRONG_USAGE, JsonOption, UserError

if TYPE_CHECKING:
    from firmware_bridge.conform.report import Subject
    from firmware_bridge.protocols.family import Family, LineSettings
    from firmware_bridge.protocols.settings import SettingValue


class _Reader(NamedTuple):
    """Which reader, and how it is set."""

    port: str
    protocol: str
    baud: int | None
    settings: dict[str, SettingValue]
    outputs: tuple[int, ...]


def conform(
    port: Annotated[
        str | None, typer.Option("--port", metavar="URL", help="Device path, usb:SERIAL or pyserial URL.")
    ] = None,
    protocol: Annotated[
        str | None, typer.Option("--protocol", metavar="NAME", help="feig, pn532, bb, m6e, chafon or betline.")
    ] = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="FILE|NAME", help="Take port and settings from this table.")
    ] = None,
    reader: Annotated[
        str | None, typer.Option("--reader", metavar="ID", help="Which of the table's readers; default the only one.")
    ] = None,
    baud: Annotated[int | None, typer.Option("--baud", min=300, help="Line rate; default the family's own.")] = None,
    antennas: Annotated[
        int | None, typer.Option("--antennas", min=1, max=8, help="Read so many outputs in turn; default 1.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--setting", metavar="NAME=VALUE", help="A setting of the reader, as in the table file."),
    ] = None,
    chips: Annotated[
        int | None, typer.Option("--chips", min=0, metavar="N", help="With --no-questions: so many tags lie there.")
    ] = None,
    rounds: Annotated[int, typer.Option("--rounds", min=5, max=1000, help="Rounds over each number of tags.")] = 20,
    minutes: Annotated[float, typer.Option("--minutes", min=0, max=1440, help="Long run at the end.")] = 0.0,
    questions: Annotated[
        bool, typer.Option("--questions/--no-questions", help="Ask a person to lay chips and pull the plug, or nobody.")
    ] = True,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write the report as a page.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Also write it as JUnit's XML, for CI.")
    ] = None,
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="What it is, for who reads the report.")] = "",
    as_json: JsonOption = False,
) -> None:
    """Put a reader through what a table asks of it, and report what was seen beside what its manual says.

    The status is 0 where no check failed, 1 where one did or nothing answered.

    Example: betline bridge conform --port /dev/ttyUSB0 --protocol feig --html report.html

    Example: betline bridge conform --port usb:A50285BI --protocol chafon --antennas 4 --no-questions --chips 20

    Example: betline bridge conform --table my-table.toml --reader reader-3 --no-questions --minutes 10 --junit ci.xml
    """
    import sys
    from dataclasses import replace

    from firmware_bridge.conform.checks import results_of
    from firmware_bridge.conform.junit import as_junit
    from firmware_bridge.conform.kits.catalogue import KITS
    from firmware_bridge.conform.page import as_page
    from firmware_bridge.conform.place import SerialPlace
    from firmware_bridge.conform.report import Report, as_text
    from firmware_bridge.conform.report import as_json as to_json
    from firmware_bridge.conform.runner import Person, Run, Wanted
    from firmware_bridge.once import who_answers
    from firmware_bridge.serial_line import LineError

    if table and (port or protocol):
        raise UserError("--table has port and protocol of the reader: leave --port and --protocol out.")
    chosen = _from_table(table, reader) if table else _named(port, protocol)
    outputs = tuple(range(1, antennas + 1)) if antennas else chosen.outputs
    chosen = chosen._replace(baud=baud or chosen.baud, outputs=outputs)
    family, line = _family(chosen, settings or [])
    for file in (html, junit):
        if file is not None and not file.absolute().parent.is_dir():
            raise UserError(f"There is no folder {file.absolute().parent} for {file.name}: make it, or name another.")
    if chips is not None and questions:
        raise UserError("--chips says what lies there where nobody is asked: add --no-questions.")
    if questions and not sys.stdin.isatty():
        raise UserError(
            "There is nobody to ask on standard input: say --no-questions, and --chips for what lies there."
        )
    person = Person(_ask if questions else None, lambda text: typer.echo(f"{text} ...", err=True))
    subject = _subject(chosen, family, line, note)
    run = Run(
        SerialPlace(chosen.port, line),
        family,
        KITS[chosen.protocol],
        Wanted(chosen.outputs, rounds, chips, minutes),
        person,
    )
    try:
        evidence = run.evidence()
    except LineError as error:
        raise UserError(_sentence(error), FAILED) from None
    if evidence.said is None:
        evidence = replace(evidence, silence=who_answers(chosen.port, family, evidence.silence))
    report = Report(subject, evidence, results_of(evidence, KITS[chosen.protocol]))
    for file, text in ((html, as_page(report, KITS[chosen.protocol])), (junit, as_junit(report))):
        if file is not None:
            _write(file, text)
    typer.echo(to_json(report) if as_json else as_text(report))
    if not report.good:
        raise typer.Exit(FAILED)


def _named(port: str | None, protocol: str | None) -> _Reader:
    if not port or not protocol:
        raise UserError("Which reader? Give --port URL with --protocol NAME, or --table FILE with --reader ID.")
    return _Reader(port, protocol, None, {}, (1,))


def _from_table(table: str, reader: str | None) -> _Reader:
    from betline.known_tables import the_table
    from betline.settings import load_table

    readers = {one.id: one for one in load_table(the_table(table)).readers}
    if reader is None and len(readers) == 1:
        reader = next(iter(readers))
    if reader not in readers:
        asked = "Which reader?" if reader is None else f"There is no reader {reader}."
        raise UserError(f"{asked} Those of this table are {', '.join(readers) or 'none'}: say --reader ID.")
    one = readers[reader]
    outputs = tuple(sorted(antenna.antenna for antenna in one.antennas))
    return _Reader(one.port, one.protocol, one.baud, dict(one.settings), outputs)


def _family(chosen: _Reader, more: list[str]) -> tuple[Family, LineSettings]:
    from firmware_bridge.protocols.catalogue import UnknownFamilyError, configured
    from firmware_bridge.protocols.family import LineSettings
    from firmware_bridge.protocols.settings import SettingError, named_value

    try:
        family = configured(chosen.protocol, chosen.settings | dict(named_value(text) for text in more))
    except (UnknownFamilyError, SettingError) as error:
        raise UserError(_sentence(error), WRONG_USAGE) from None
    traits = family.traits
    if max(chosen.outputs) > traits.antennas:
        raise UserError(f"A {traits.title} has {traits.antennas} outputs at most; say fewer --antennas.")
    return family, LineSettings(chosen.baud or traits.line.baud, traits.line.parity)


def _subject(chosen: _Reader, family: Family, line: LineSettings, note: str) -> Subject:
    import datetime
    import importlib.metadata
    import platform

    from firmware_bridge.conform.kits.catalogue import KITS
    from firmware_bridge.conform.report import Subject

    versions = {
        "betline": importlib.metadata.version("betline"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }
    began = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    traits, page = family.traits, KITS[chosen.protocol].page
    return Subject(chosen.protocol, traits.title, page, chosen.port, line.baud, line.parity, began, versions, note)


def _ask(what: str) -> bool:
    """Asks for an act of the person; True when it is done, False where they leave it out."""
    typer.echo(f"\n{what} (s and Enter leaves it out): ", err=True, nl=False)
    try:
        return input().strip().lower() != "s"
    except EOFError:
        return False


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): name another file.", FAILED) from None


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:]}."
