"""What the verbs of `betline chips` share: their options, the register and the reader that they open."""

from __future__ import annotations

import contextlib
import getpass
import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from betline.options import FAILED, WRONG_USAGE, UserError
from betline.settings import ChipSet
from betline.settings.readers import BY_ID
from firmware_bridge.chips.listening import Listening, ListeningError
from firmware_bridge.chips.record import Chip, RegisterError
from firmware_bridge.chips.register import read_chips, usual_register
from firmware_bridge.chips.session import Terminal, now_ms
from firmware_bridge.chips.store import RegisterFile, history
from firmware_bridge.protocols.catalogue import UnknownFamilyError, family
from firmware_bridge.protocols.family import LineSettings

PortOption = Annotated[str, typer.Option("--port", metavar="URL", help="Device path, usb:SERIAL or pyserial URL.")]
ProtocolOption = Annotated[
    str, typer.Option("--protocol", metavar="NAME", help="feig, pn532, bb, m6e, chafon or betline.")
]
BaudOption = Annotated[int | None, typer.Option("--baud", min=300, help="Line rate; default the family's own.")]
AntennaOption = Annotated[int | None, typer.Option("--antenna", min=1, max=8, help="Read this output only.")]
RegisterOption = Annotated[
    Path | None,
    typer.Option("--register", metavar="FILE", help="Chip register; default chips.sqlite in your state folder."),
]
ChipSetOption = Annotated[
    str, typer.Option("--chip-set", metavar="NAME|FILE", help="The chips that are in force: what each type is worth.")
]
SomeChipSetOption = Annotated[
    str | None, typer.Option("--chip-set", metavar="NAME|FILE", help="The chip set that gives the chips their values.")
]
ByOption = Annotated[
    str | None, typer.Option("--by", metavar="WHO", help="Who does it, for the history; default your login name.")
]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; it stands in the history.")]
UidsArgument = Annotated[list[str], typer.Argument(metavar="UID...", help="Chips by their numbers.")]
ExpectOption = Annotated[
    int | None, typer.Option("--expect", metavar="N", min=1, max=500, help="How many chips each stack has.")
]


def register_path(path: Path | None) -> Path:
    """The register that was named, else the one in the user's state folder."""
    return path or usual_register()


def the_chips(path: Path | None) -> dict[str, Chip]:
    """The chips of the register, which is not changed; raises UserError where there is none."""
    where = register_path(path)
    if not where.exists():
        raise UserError(f"There is no chip register {where} yet: betline chips enrol makes one.", FAILED)
    try:
        return read_chips(where)
    except RegisterError as error:
        raise UserError(str(error), FAILED) from None


@contextlib.contextmanager
def writing(path: Path | None, *, begins: bool = False) -> Iterator[RegisterFile]:
    """The register, to be changed. With `begins` one is made where there is none, and stays if something is in it."""
    where = register_path(path)
    new = not where.exists()
    if new and not begins:
        raise UserError(f"There is no chip register {where} yet: betline chips enrol makes one.", FAILED)
    try:
        with contextlib.closing(RegisterFile.open(where, now_ms())) as file:
            yield file
    except RegisterError as error:
        raise UserError(str(error), FAILED) from None
    finally:
        if new and where.exists() and not history(where):
            where.unlink()


@contextlib.contextmanager
def listening_to(
    port: str, protocol: str, baud: int | None, antenna: int | None, by_id: Path = BY_ID
) -> Iterator[Listening]:
    """The reader on a port, read over and over; what is wrong with it becomes a UserError."""
    try:
        wire = family(protocol)
        line = LineSettings(baud or wire.traits.line.baud, wire.traits.line.parity)
        with Listening(port, wire, line, antenna, by_id) as listening:
            yield listening
    except UnknownFamilyError as error:
        raise UserError(_sentence(error), WRONG_USAGE) from None
    except ListeningError as error:
        raise UserError(_sentence(error), FAILED) from None


@contextlib.contextmanager
def terminal(*, quiet: bool, typing: bool) -> Iterator[Terminal]:
    """Standard error and the keyboard; quiet: nothing is shown, not typing: nobody is asked."""
    one = Terminal(io.StringIO() if quiet else sys.stderr, sys.stdin.fileno() if typing else None)
    try:
        yield one
    finally:
        one.clear()


def denomination_of(chips: ChipSet, text: str) -> str:
    """The key of a type, given as that or as its worth; raises UserError."""
    for one in chips.chips:
        if text in (one.key, str(one.value)):
            return one.key
    keys = ", ".join(one.key for one in chips.chips)
    raise UserError(f"The chip set {chips.name} has no {text}; it has {keys}.", WRONG_USAGE)


def login() -> str:
    """The name of the user who runs this."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "unknown"


def _sentence(error: Exception) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
