"""The list of the floor's keys and signs."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

WORDS = """\
↑ ↓ PgUp PgDn  another table    Enter  the board of the table
Y   take the ruling that waits  N  the next table that needs somebody
S   another order               /  find a table by a part of its name
F   only those that need somebody, only rulings, only tables not heard
F5  other colours               Q  quit; no table hears of it

F  a ruling waits for the floor     ✖  not heard, or a grave alert
▲  an alert, or a sensor not well   ·  all is well
● ◐ ✖  readers and cameras that are well, stale, away
►  before a seat: it is to act
HEARD  how long ago the table said something; one that is not heard
       is dim: what stands there was so then
CUT OFF   the bridge of these pits to the site is down: their tables
       play on, and nothing is heard of them here
H/H, AVG POT  hands an hour and the average pot of the last hour, or
       as long as this screen has listened
"""


class HelpScreen(ModalScreen[None]):
    """Any of these keys closes it."""

    BINDINGS: ClassVar = [Binding("escape,enter,q,question_mark,f1,space", "dismiss(None)", show=False)]

    def compose(self) -> ComposeResult:
        """The list."""
        with Vertical(id="dialog"):
            yield Static("The floor: keys and signs", id="title", markup=False)
            yield Static(WORDS, id="content", markup=False)
            yield Static("Esc: back to the tables", id="hint", markup=False)
