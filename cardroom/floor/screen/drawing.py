"""The floor drawn on canvases: its head, the rows of tables, what is known of the chosen one, the keys. Pure."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.floor.screen.shown import Shown
from cardroom.floor.view import MARKS, Row, spell
from table_controller.console.canvas import Canvas, fit, width_of, wrap

WIDE: Final = 100
KEYS: Final = (
    ("Enter", "table", "open"),
    ("Y", "ruling", "ruling"),
    ("N", "next", "next"),
    ("S", "sort", "sort"),
    ("F", "which", "only"),
    ("/", "find", "find"),
    ("F5", "colours", "colours"),
    ("?", "keys", "help"),
    ("Q", "quit", "quit"),
)
_ORDERS: Final = {"need": "those that need somebody first", "name": "by name", "pot": "by pot", "hands": "by hands"}
_ONLY: Final = {
    "all": "",
    "needs": "only those that need somebody",
    "rulings": "only rulings",
    "away": "only not heard",
}
_STYLES: Final = {"ruling": "cool", "away": "bad", "error": "bad", "warning": "warn", "": "text"}


class Columns(NamedTuple):
    """Where each column begins; names, what happens, hands an hour, average pot, alerts, sensors, dealer, heard."""

    what: int
    hands: int
    pot: int
    alerts: int
    sensors: int
    dealer: int
    heard: int


def columns(width: int) -> Columns:
    """The columns of a screen; what is left over goes to what happens."""
    if width < WIDE:
        heard = width - 6
        return Columns(13, heard - 34, heard - 29, heard - 21, heard - 18, heard - 9, heard)
    heard = width - 9
    return Columns(20, heard - 48, heard - 42, heard - 31, heard - 24, heard - 14, heard)


def draw_head(shown: Shown, width: int) -> Canvas:
    """The site and how it does; a banner while there is no broker."""
    canvas = Canvas(width, 1)
    if shown.lost:
        canvas.fill(0, 0, width, 1, "banner")
        canvas.put(1, 0, fit(f"{shown.site} · {shown.lost}", width - 2), "banner")
        return canvas
    x = canvas.put(1, 0, f"FLOOR {shown.site}", "accent")
    edge = canvas.right(0, f"{shown.time} ", "dim")
    canvas.put(x, 0, fit(f" · {shown.head}", edge - x - 1), "bold")
    return canvas


def draw_links(shown: Shown, width: int) -> Canvas:
    """The pits that are cut off from the site."""
    canvas = Canvas(width, 1)
    canvas.put(1, 0, fit(f"✖ {shown.cut}", width - 2), "bad")
    return canvas


def draw_rows(shown: Shown, width: int, height: int) -> Canvas:
    """The head of the columns, and as many rows as there is room for, the chosen one among them."""
    canvas = Canvas(width, height)
    at = columns(width)
    canvas.fill(0, 0, width, 1, "surface-dim")
    heads = (
        (3, "TABLE"), (at.what, "WHAT"), (at.hands, "H/H"), (at.alerts, "AL" if width < WIDE else "ALERTS"),
        (at.sensors, "SENSORS"), (at.dealer, "DEALER"), (at.heard, "HEARD"),
    )  # fmt: skip
    for x, text in heads:
        canvas.put(x, 0, text, "surface-dim")
    canvas.right(0, "AVG POT", "surface-dim", edge=at.alerts - 1)
    if not shown.rows:
        for line, text in enumerate(wrap(_nothing(shown), width - 4, height - 2)):
            canvas.put(2, 2 + line, text, "dim")
        return canvas
    room = height - 1
    top = max(0, min(shown.place - room // 2, len(shown.rows) - room))
    for y, row in enumerate(shown.rows[top : top + room], 1):
        _draw_row(canvas, y, row, at, chosen=row is shown.row)
        canvas.answer(0, y, width, 1, f"choose({row.name!r})")
    return canvas


def _draw_row(canvas: Canvas, y: int, row: Row, at: Columns, *, chosen: bool) -> None:
    ground = "surface-" if chosen else ""
    usual = f"{ground}{'text' if row.fresh else 'dim'}"
    if chosen:
        canvas.fill(0, y, canvas.width, 1, "surface")
    mark = f"{ground}{_STYLES[row.need]}"
    canvas.put(0, y, "►" if chosen else " ", f"{ground}accent")
    canvas.put(1, y, MARKS[row.need], mark)
    canvas.put(3, y, fit(row.name, at.what - 4), f"{ground}bold" if row.fresh else usual)
    urgent = row.need in ("ruling", "away")
    canvas.put(at.what, y, fit(row.what, at.hands - at.what - 1), mark if urgent else usual)
    canvas.put(at.hands, y, "—" if row.hands_an_hour is None else f"{row.hands_an_hour}", usual)
    pot = "—" if row.average_pot is None else f"{row.average_pot:,}"
    canvas.right(y, fit(pot, at.alerts - at.pot - 1), usual, edge=at.alerts - 1)
    if row.alerts:
        grave = any(one.severity == "error" for one in row.alerts)
        canvas.put(at.alerts, y, f"{len(row.alerts)}", f"{ground}{'bad' if grave else 'warn'}" if row.fresh else usual)
    well = not row.sensors.stale and not row.sensors.away
    sensors = fit(row.sensors.words, at.dealer - at.sensors - 1)
    canvas.put(at.sensors, y, sensors, usual if well or not row.fresh else f"{ground}warn")
    canvas.put(at.dealer, y, fit(row.dealer or "—", at.heard - at.dealer - 1), usual)
    canvas.put(at.heard, y, row.heard, usual if row.heard == "now" else f"{ground}warn")


def draw_detail(shown: Shown, width: int, height: int) -> Canvas:
    """What is known of the chosen table beyond its row."""
    canvas = Canvas(width, height)
    canvas.fill(0, 0, width, 1, "surface-dim")
    how = " · ".join(part for part in (_ORDERS[shown.looking.order], _ONLY[shown.looking.only]) if part)
    edge = canvas.right(0, f"{how} ", "surface-dim")
    row = shown.row
    if row is None:
        return canvas
    waits = f" · waits {spell(row.waits_for_s)}" if row.waits is not None else ""
    canvas.put(1, 0, fit(f"{row.name} · {row.what.split(' · ')[-1]}{waits}", edge - 3), "surface-bold")
    y = 1
    for place, sentence in enumerate(row.more):
        lines = wrap(sentence, width - 3, max(1, height - y if place == 0 else min(2, height - y)))
        for line in lines:
            canvas.put(1, y, line, _tone(row, sentence))
            y += 1
        if y >= height:
            break
    return canvas


def draw_message(shown: Shown, width: int) -> Canvas:
    """The answer to the last key, or what is searched for."""
    canvas = Canvas(width, 1)
    looking = shown.looking
    if looking.finds or looking.find:
        canvas.put(
            1, 0, fit(f"/{looking.find}{'▏' if looking.finds else ''}  Esc: all tables again", width - 2), "cool"
        )
    elif shown.message is not None:
        style = {"good": "good", "warn": "warn", "bad": "bad"}.get(shown.message.tone, "text")
        canvas.put(1, 0, fit(f"{shown.message.mark} {shown.message.text}", width - 2), style)
    return canvas


def draw_keys(width: int) -> Canvas:
    """The keys, each of which answers to a tap."""
    canvas = Canvas(width, 1)
    x = 1
    for key, meaning, action in KEYS:
        wide = width_of(f"{key} {meaning}")
        if x + wide > width:
            break
        begins = x
        x = canvas.put(x, 0, key, "accent")
        x = canvas.put(x + 1, 0, meaning, "dim")
        canvas.answer(begins, 0, x - begins, 1, action)
        x += 2 if width >= WIDE else 1
    return canvas


def _tone(row: Row, sentence: str) -> str:
    if row.waits is not None and row.waits.sentence in sentence:
        return "cool"
    if any(alert.sentence == sentence for alert in row.alerts):
        return "warn" if row.fresh else "dim"
    return "text" if row.fresh else "warn" if sentence == row.more[0] else "dim"


def _nothing(shown: Shown) -> str:
    if shown.looking.find:
        return f"No table here has {shown.looking.find} in its name. Esc shows all."
    if shown.looking.only != "all":
        return "No table is like that now. F shows others."
    return (
        f"No table of the site {shown.site} is heard at {shown.where}. Are their controllers running, with --site "
        f"{shown.site}, and is --broker right?"
    )
