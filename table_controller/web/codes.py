"""What `betline web --qr` does: the sheet of the seats' codes, and every link."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from betline.options import FAILED, UserError, write_private
from betline.settings import TableSettings
from table_controller.web.door import Door, is_loopback
from table_controller.web.links import links
from table_controller.web.sheet import sheet


def print_codes(
    door: Door,
    table: TableSettings,
    file: Path,
    say: Callable[[str], None],
    *,
    remote: bool = False,
    console: bool = False,
    floor: bool = False,
) -> None:
    """Writes the sheet and says the links. Raises UserError for a server that no phone could reach."""
    if door.gate.secret is None or is_loopback(door.host):
        raise UserError(
            "Codes are for phones: give --host, --cert, --key and --tokens as the server has them, then --qr."
        )
    seats = (seat.number for seat in table.seats)
    found = links(door.url, seats, door.gate.secret, remote=remote, console=console, floor=floor)
    try:
        write_private(file, sheet(table.title or table.name, [link for link in found if link.title.startswith("Seat")]))
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): name another file.", FAILED) from None
    for link in found:
        say(f"{link.title}: {link.address}")
    say(f"{file}: a code for each seat. Who has a link may see its page; betline web --new-tokens ends all of them.")
