"""What every screen and widget is given at a redraw: one frozen value, and never the bus."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from rich.style import Style

from betline.messages.cards import CardsView
from betline.messages.pictures import SmallPicture
from betline.messages.table import TableState
from table_controller.console.cards import NO_CARDS
from table_controller.console.client import NOT_ASKED, LogLine, LookBack
from table_controller.console.palette import Palette
from table_controller.console.signing import OPEN, Staffing
from table_controller.console.view import Line, TableView


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The table, the connection (``lost`` says what is missing), the last answer, level and game, the log, the
    last hands where they were asked for, the camera.

    ``picture_age_s`` counts from the newest picture or, where none has come, from the first time it was asked for.
    """

    state: TableState | None
    view: TableView
    palette: Palette
    cards: CardsView = NO_CARDS
    """Of the hand that is shown; without any where the house keeps none."""
    lost: str | None = None
    message: Line | None = None
    refusals: int = 0
    """How many keys were refused by the controller since the console began."""
    evening: Line | None = None
    level: Line | None = None
    """The level and its time in short."""
    turn: Line | None = None
    """The player's clock; None while none runs."""
    log: tuple[LogLine, ...] = ()
    journal: tuple[LogLine, ...] = ()
    traffic: tuple[Line, ...] = ()
    look_back: LookBack = NOT_ASKED
    staff: Staffing = OPEN
    picture: SmallPicture | None = None
    picture_age_s: int = 0


@lru_cache(maxsize=4)
def styles_of(palette: Palette) -> dict[str, Style]:
    """The canvas styles of a palette."""
    return palette.styles()
