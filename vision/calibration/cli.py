"""`betline vision markers` and `calibrate`: what calibration needs on paper, and measuring where the table lies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from betline.known_tables import the_table
from betline.options import FAILED, JsonOption, TableOption, UserError


def markers(
    table: TableOption = None,
    paper: Annotated[Literal["a4", "a3"], typer.Option("--paper", help="Size of the paper: a4 or a3.")] = "a4",
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Where the files go.")] = Path(),
) -> None:
    """Write what calibration needs on paper: the table's markers, the board for the lens, a template of the table.

    Example: betline vision markers --table casino-oval --paper a3 --out print
    """
    from betline.settings import load_table
    from vision.calibration.printing import write_sheets

    try:
        written, said = write_sheets(load_table(the_table(table)), paper, out)
    except OSError as error:
        raise UserError(f"{out} cannot be written ({error.strerror}): name another folder.", FAILED) from None
    for path, pages in written.items():
        typer.echo(f"{path}  {pages} {'page' if pages == 1 else 'pages'}")
    typer.echo(said)


def calibrate(
    table: TableOption = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="CAMERA|FILE", help="Camera, film or picture; default the table's camera."),
    ] = None,
    lens: Annotated[
        list[Path] | None,
        typer.Option("--lens", metavar="FILE", help="A film, picture or folder of pictures of the board; repeat it."),
    ] = None,
    corner: Annotated[
        list[str] | None,
        typer.Option("--corner", metavar="PLACE=X,Y", help="A landmark or millimetres, and its pixel; repeat it."),
    ] = None,
    points: Annotated[
        Path | None, typer.Option("--points", metavar="FILE", help="Corners from a file, one a line.")
    ] = None,
    click: Annotated[bool, typer.Option("--click", help="Click the corners in a window (needs a desktop).")] = False,
    height: Annotated[
        float | None, typer.Option("--height", metavar="MM", min=300, help="Measured height of the camera.")
    ] = None,
    nadir: Annotated[
        str | None, typer.Option("--nadir", metavar="X,Y", help="Measured point of the felt below the camera, mm.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Calibration file; default in your state folder.")
    ] = None,
    annotate: Annotated[
        Path | None, typer.Option("--annotate", metavar="FILE", help="Picture of what was found, PNG or JPEG.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure where the camera sees the table, from its markers or given corners, and write the calibration file.

    Example: betline vision calibrate --table casino-oval --lens board.mp4 --annotate seen.png
    """
    from vision.calibration.command import Wishes, calibrate_table

    wishes = Wishes(
        the_table(table), source, tuple(lens or ()), tuple(corner or ()), points, click, height, nadir, out, annotate
    )
    report = calibrate_table(wishes)
    typer.echo(report.as_json() if as_json else report.as_text())
