"""`betline vision chips`: the chips in one picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from betline.options import JsonOption, UserError


def chips(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="A picture of a felt: PNG, JPEG, ...")],
    as_json: JsonOption = False,
) -> None:
    """Find the chips in one picture of a felt; places and diameters in pixels.

    Example: betline vision chips table.jpg --json
    """
    import json
    from dataclasses import asdict

    from vision.chip_photo.chip_finder import find_chips
    from vision.imaging.encoded import PictureError, read_picture

    if not image.is_file():
        raise UserError(f"There is no picture {image}: correct its name.")
    try:
        picture = read_picture(image)
    except PictureError as error:
        raise UserError(f"The picture {image} cannot be used: {error}.") from None
    if picture is None:
        raise UserError(f"The file {image} is no picture that can be read: give a PNG or JPEG file.")
    found = find_chips(picture)
    if as_json:
        typer.echo(json.dumps([asdict(chip) for chip in found]))
        return
    for chip in found:
        typer.echo(f"{chip.colour:<7} at {chip.x:7.1f}, {chip.y:7.1f}   {chip.diameter:5.1f} px")
    typer.echo(f"{len(found)} chips." if len(found) != 1 else "1 chip.")
