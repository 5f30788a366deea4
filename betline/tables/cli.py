"""The verbs of ``betline table``: a new table file, what is wrong with one, its picture, one thing moved."""

from __future__ import annotations

import json as json_text
import re
from pathlib import Path
from typing import Annotated

import typer

from betline.layout import FORMS, FormName
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    IdOption,
    JsonOption,
    MetricsOfAllOption,
    SiteOption,
    UserError,
    namespace,
)
from betline.settings import SettingsError, TableSettings, load_table, shipped
from betline.settings.model import nearest
from betline.settings.readers import FAMILY_NAMES
from betline.tables.measures import MeasureError, Size, read_size
from betline.together import refuse_given

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)

_SIZE_HELP = "WIDTHxDEPTH of the felt in mm, inside the rail; 84x42in for inches."

FileArgument = Annotated[str, typer.Argument(metavar="FILE|NAME", help="Table file, or the name of a shipped table.")]
OvalOption = Annotated[str | None, typer.Option("--oval", metavar="WxD", help=f"Half-round ends: {_SIZE_HELP}")]
RacetrackOption = Annotated[
    str | None, typer.Option("--racetrack", metavar="WxD", help="Like an oval, with a track between rail and line.")
]
RoundOption = Annotated[str | None, typer.Option("--round", metavar="DIAMETER", help="Round: its diameter.")]
KidneyOption = Annotated[
    str | None, typer.Option("--kidney", metavar="WxD", help="An oval with a dent on the dealer's side.")
]
RectangleOption = Annotated[str | None, typer.Option("--rectangle", metavar="WxD", help="A rectangle.")]


@app.callback()
def _tables() -> None:
    """Table files: make one from a few measures, check it, draw it, move one thing.

    A file with based_on = "home-six" starts from that table: it has a name and a title of its own, and what differs
    (docs/tables.md).

    Example: betline table new --oval 2100x1050 --seats 8 -o my-table.toml

    Example: betline demo --table my-table.toml   (a dry run: plays there before anything is connected)
    """


@app.command()
def new(
    context: typer.Context,
    oval: OvalOption = None,
    racetrack: RacetrackOption = None,
    circle: RoundOption = None,
    kidney: KidneyOption = None,
    rectangle: RectangleOption = None,
    seats: Annotated[int, typer.Option("--seats", help="How many players sit there, 2 to 10.")] = 8,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Table file to write; else it is printed.")
    ] = None,
    over_rail: Annotated[bool, typer.Option("--over-rail", help="The size was measured over the rail.")] = False,
    dealer: Annotated[
        bool, typer.Option("--dealer/--no-dealer", help="Keep a place for a dealer, or the players deal.")
    ] = True,
    readers: Annotated[
        str, typer.Option("--readers", metavar="FAMILY|none", help=f"One of {', '.join(FAMILY_NAMES)}, or none.")
    ] = "feig",
    antennas_each: Annotated[int, typer.Option("--antennas-each", min=1, max=8, help="Antennas on each reader.")] = 1,
    camera: Annotated[
        str, typer.Option("--camera", metavar="SOURCE|none", help="usb:N, a URL, a file, or none.")
    ] = "usb:0",
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the table on the bus; default the file's.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="Name of the table for people.")] = None,
    chips: Annotated[str, typer.Option("--chips", metavar="NAME|FILE", help="Chip set.")] = "home",
    house: Annotated[
        str, typer.Option("--house", metavar="NAME|FILE", help="House rules: home, cash, tda or a file.")
    ] = "home",
    limit: Annotated[str, typer.Option("--limit", metavar="LIMIT", help="no-limit or pot-limit.")] = "no-limit",
    blinds: Annotated[str, typer.Option("--blinds", metavar="SMALL/BIG", help="The blinds.")] = "1/2",
    stack: Annotated[
        int, typer.Option("--stack", min=1, help="Chips that a seat begins with in the demonstration.")
    ] = 200,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> None:
    """Write a table file: everything on the felt is laid out from its form and seats.

    Try it with betline demo --table my-table.toml before anything is connected. To start from a table that is shipped
    (betline table list), write a file with based_on = "home-six", a name, a title and what differs (docs/tables.md).

    Example: betline table new --oval 2100x1050 --seats 8 -o my-table.toml

    Example: betline table new --racetrack 84x42in --over-rail --seats 9 --no-dealer --readers chafon --antennas-each 4
    """
    from betline.tables.writing import NewTable, replace_checked

    sizes: dict[FormName, str | None] = {
        "oval": oval, "racetrack": racetrack, "round": circle, "kidney": kidney, "rectangle": rectangle,
    }  # fmt: skip
    chosen = [(form, size) for form, size in sizes.items() if size is not None]
    if len(chosen) != 1:
        wanted = ", ".join(f"--{form}" for form in FORMS)
        raise UserError(f"Give one form with its size: {wanted}; for example --oval 2100x1050.")
    if readers == "none":
        refuse_given(context, "antennas_each", because="says how many a reader has: leave it out with --readers none.")
    form, size = chosen[0]
    felt = _size(form, size)
    word = name or (out.stem if out else "my-table")
    table = NewTable(
        name=re.sub(r"[^a-z0-9-]+", "-", word.lower()).strip("-") or "my-table",
        title=(title or word.replace("-", " ").capitalize()).replace('"', "'").replace("\\", "/"),
        form=form,
        width=felt.width,
        depth=felt.depth,
        in_inches=felt.in_inches,
        over_rail=over_rail,
        seats=seats,
        dealer=dealer,
        readers=_family(readers),
        antennas_each=antennas_each,
        camera=None if camera == "none" else camera,
        chip_set=chips,
        house=house,
        limit=limit,
        blinds=_blinds(blinds),
        starting_stack=stack,
    )
    if out is None:
        _checked(table.text())
        typer.echo(table.text(), nl=False)
        return
    if out.exists() and not force:
        raise UserError(f"{out} is there already; name another file, or say --force to write over it.")
    try:
        loaded = replace_checked(out, table.text())
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}); name another file.") from None
    _say(loaded, str(out))
    typer.echo(
        f"Look at it: betline table draw {out} -o {out.with_suffix('.svg')}; play it: betline demo --table {out}"
    )


@app.command("list")
def list_tables(json: JsonOption = False) -> None:
    """List the tables that are shipped: any of them may be named in place of a file, or be built on with `based_on`.

    Example: betline table list
    """
    tables = [load_table(name) for name in shipped("tables")]
    if json:
        rows = [{"name": table.name, "title": table.title, "seats": len(table.seats)} for table in tables]
        typer.echo(json_text.dumps({"tables": rows}, ensure_ascii=False))
        return
    width = max(len(table.name) for table in tables)
    for table in tables:
        typer.echo(f"{table.name:<{width}}  {table.title}")


@app.command()
def check(
    file: FileArgument,
    draw: Annotated[
        Path | None,
        typer.Option("--draw", metavar="OUT.svg|png", help="Also draw the table, with a ring around each finding."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say all that is wrong with a table file, and where; status 1 where a fault is found.

    Example: betline table check my-table.toml --draw my-table.svg
    """
    from betline.tables.check import findings

    table = load_table(file)
    found = findings(table)
    if draw is not None:
        _draw(table, draw, faults=True)
    if json:
        rows = [
            {"where": one.where, "sentence": one.sentence, "at_mm": list(one.at_mm), "fault": one.is_fault}
            for one in found
        ]
        typer.echo(json_text.dumps({"table": table.name, "findings": rows}, ensure_ascii=False))
    else:
        _say(table, file)
    if any(one.is_fault for one in found):
        raise typer.Exit(FAILED)


@app.command()
def draw(
    file: FileArgument,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="OUT.svg|png", help="Picture to write.")],
) -> None:
    """Draw the table at scale with readers, antennas, markers and what the camera sees.

    Example: betline table draw my-table.toml -o my-table.svg
    """
    _draw(load_table(file), out, faults=False)
    typer.echo(f"Drawn: {out}")


@app.command()
def edit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Table file of your own.")],
    move: Annotated[
        list[str] | None,
        typer.Option(
            "--move", metavar="THING=X,Y", help="Move a thing by so many mm, to the right and away from the dealer."
        ),
    ] = None,
    back: Annotated[list[str] | None, typer.Option("--back", metavar="THING", help="Put a moved thing back.")] = None,
) -> None:
    """Move one thing on the table.

    A thing is a seat or its bet_zone, stack_zone, cards, line or rail; pot, tray, muck, dealer, a marker, the camera.

    Example: betline table edit my-table.toml --move seat-3.bet_zone=0,-20

    Example: betline table edit my-table.toml --move marker-2=15,0 --back pot
    """
    from betline.tables.writing import moved, moved_back, replace_checked

    if not move and not back:
        raise UserError("Say what to move: --move seat-3.bet_zone=0,-20 moves it 20 mm towards the dealer.")
    load_table(file)
    try:
        text = file.read_text(encoding="utf-8")
        for name in back or ():
            text = moved_back(text, name)
        for word in move or ():
            text = moved(text, *_move(word))
        table = replace_checked(file, text)
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}); make it writable.") from None
    _say(table, str(file))


def _say(table: TableSettings, file: str) -> None:
    from betline.tables.check import findings

    found = findings(table)
    for number, one in enumerate(found, 1):
        typer.echo(f"{number}. {'fault' if one.is_fault else 'warning'}: {one}")
    faults = sum(one.is_fault for one in found)
    warnings = len(found) - faults
    counted = f"{_count(faults, 'fault')}, {_count(warnings, 'warning')}" if found else "nothing wrong"
    devices = f"{_count(len(table.readers), 'reader')}, {_count(len(table.markers), 'marker')}"
    typer.echo(f"{file}: {len(table.seats)} seats, {devices}; {counted}.")


def _count(number: int, thing: str) -> str:
    return f"{number or 'no'} {thing}{'' if number == 1 else 's'}"


def _draw(table: TableSettings, out: Path, *, faults: bool) -> None:
    from betline.tables.check import findings
    from betline.tables.drawing import draw as drawn
    from betline.tables.pictures import SUFFIXES, write

    if out.suffix not in SUFFIXES:
        raise UserError(f"{out} must end with {' or '.join(SUFFIXES)}.")
    try:
        write(drawn(table, findings(table) if faults else ()), out)
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}); name another file.") from None


@app.command()
def targets(
    file: FileArgument,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    metrics: MetricsOfAllOption = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--out", metavar="FILE", help="Write it there; else it is printed.")
    ] = None,
) -> None:
    """Say where the figures of a table's parts are, as Prometheus reads it (file_sd_config).

    All parts that the table may have are in it, but for consoles; take out what you do not start.

    Example: betline table targets my-table.toml -o /etc/prometheus/betline/my-table.json
    """
    from betline.metrics.places import PARTS, SITE_PARTS, Places

    settings = load_table(file)
    there = {"bridge": bool(settings.readers), "vision": bool(settings.cameras), "console": False,
             **dict.fromkeys(SITE_PARTS, False)}  # fmt: skip
    places = Places.of(metrics, settings, namespace(site, table_id or settings.name))
    if places.first is None:
        raise UserError(f"The parts of {settings.name} serve no figures: give its file [metrics], or say --metrics.")
    parts = [part for part in PARTS if there.get(part, True)]
    if out is None:
        typer.echo(places.targets(parts), nl=False)
    else:
        places.tell(parts, out)


def _checked(text: str) -> None:
    """Loads a text that stands in no file yet; raises SettingsError without the name of a file nobody knows."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="betline-table-") as folder:
        path = Path(folder) / "table.toml"
        path.write_text(text, encoding="utf-8")
        try:
            load_table(path)
        except SettingsError as error:
            raise SettingsError(str(error).removeprefix(f"{path.resolve()}: ")) from None


def _size(form: FormName, text: str) -> Size:
    try:
        return read_size(form, text)
    except MeasureError as error:
        raise UserError(f"--{form} {error}") from None


def _family(word: str) -> str | None:
    if word == "none":
        return None
    if word not in FAMILY_NAMES:
        raise UserError(f"--readers {word} is no family; {nearest(word, (*FAMILY_NAMES, 'none'))}")
    return word


def _blinds(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None:
        raise UserError(f"--blinds {text} are no blinds; write them as 1/2.")
    return int(found[1]), int(found[2])


def _move(word: str) -> tuple[str, tuple[float, ...]]:
    name, _, numbers = word.partition("=")
    try:
        by = tuple(float(number) for number in numbers.split(","))
    except ValueError:
        by = ()
    if not name or len(by) not in (2, 3):
        raise UserError(f"--move {word} is no move; write it as seat-3.bet_zone=0,-20.")
    return name, by
