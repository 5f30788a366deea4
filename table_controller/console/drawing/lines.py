"""The rows of words around the table: header, rulings, what needs a look, sensors, the message, the keys."""

from __future__ import annotations

from collections.abc import Iterable

from table_controller.console.canvas import Canvas, fit, width_of, wrap
from table_controller.console.footer import Hint
from table_controller.console.keys import key_of
from table_controller.console.view import Line, RulingLine, TableView

_SPACIOUS, _SIDE_BY_SIDE = 6, 2
_TONES = {"plain": "text", "good": "good", "warn": "warn", "bad": "bad"}


def draw_header(view: TableView, lost: str | None, width: int) -> Canvas:
    """One row: the table, the game, the hand, the street, and whether all is heard."""
    canvas = Canvas(width, 1, "surface")
    x = canvas.put(1, 0, "♠ BETLINE", "surface-accent")
    link = Line("✖", "no connection", "bad") if lost else Line("●", "live", "good")
    edge = width - 1
    for line in (view.sensor_summary, link):
        edge = canvas.right(0, f"{line.mark} {line.text}", f"surface-{_TONES[line.tone]}", edge=edge) - 2
    parts = [part for part in (view.game, view.hand, view.street) if part]
    if width - 2 > edge + 20 and width >= 100:
        parts.insert(0, view.title)
    canvas.put(x + 3, 0, fit(" · ".join(parts), edge - x - 3), "surface-text")
    return canvas


def draw_evening(line: Line | None, width: int) -> Canvas:
    """The level with its time and the game in turn."""
    canvas = Canvas(width, 1, "surface")
    if line is not None:
        canvas.put(1, 0, fit(line.text, width - 2), f"surface-{_TONES[line.tone]}")
    return canvas


def pot_rows(pots: tuple[str, ...], width: int) -> list[str]:
    """Every pot, side by side in as few rows as it takes; where a column of them fits, one a row."""
    rows: list[str] = []
    for pot in pots:
        if rows and width_of(f"{rows[-1]} | {pot}") <= width:
            rows[-1] += f" | {pot}"
        else:
            rows.append(pot)
    return rows


def draw_pots(pots: tuple[str, ...], width: int, height: int) -> Canvas:
    """The pots in rows of their own, below a table that is drawn too small for them."""
    canvas = Canvas(width, height)
    rows = list(pots) if len(pots) <= height else pot_rows(pots, width - 2)
    for y, row in enumerate(rows):
        canvas.put(1, y, row, "accent")
    return canvas


def draw_rulings(rulings: tuple[RulingLine, ...], width: int, height: int) -> Canvas:
    """The rulings of this hand, newest first, one row each; with room, what does not fit stands below.

    In two rows or less all but the newest stand side by side.
    """
    canvas = Canvas(width, height)
    spacious = height >= _SPACIOUS
    y = 0
    for place, ruling in enumerate(rulings):
        if y >= height:
            break
        if place and height <= _SIDE_BY_SIDE:
            canvas.put(2, y, fit(" · ".join(_in_short(one) for one in rulings[place:]), width - 2), "text")
            break
        newest = place == 0
        x = canvas.put(0, y, "› " if newest else "  ", "accent")
        x = canvas.put(x, y, f"{ruling.what} ", "bold" if newest else "text")
        for flag in (*ruling.money, *ruling.flags):
            style = "tag" if newest else "warn" if flag in ruling.money else "dim"
            if x + width_of(flag) + 3 < width:
                x = canvas.put(x, y, f" {flag} ", style) + 1
        cites = fit(ruling.cites, max(0, width - x - 2))
        edge = canvas.right(y, cites, "cool" if newest else "dim", edge=width - 1)
        if spacious and width_of(ruling.sentence) > edge - x - 3:
            for line in wrap(ruling.sentence, width - 5, 2 if newest else 1):
                y += 1
                canvas.put(4, y, line, "text" if newest else "dim")
            y += 1
        else:
            canvas.put(x + 1, y, fit(ruling.sentence, edge - x - 3), "dim")
            y += 1
    if not rulings:
        canvas.put(2, 0, "No act in this hand yet.", "dim")
    return canvas


def _in_short(ruling: RulingLine) -> str:
    """An act among others: what it was, and what must still move."""
    return " ".join((ruling.what, *ruling.money))


def attention_rows(view: TableView, width: int, most: int) -> list[tuple[str, str]]:
    """Questions first, then alerts, as rows of text and style; a last row counts what has no room."""
    rows: list[tuple[str, str]] = []
    for sentence, answers in view.questions:
        together = f"? {sentence}  {answers}"
        if width_of(together) <= width - 1:
            rows.append((together, "question"))
        else:
            rows += [(line, "question") for line in wrap(f"? {sentence}", width - 1, 3)]
            rows += [(f"  {line}", "question") for line in wrap(answers, width - 3, 2)]
    for alert in view.alerts:
        lines = wrap(alert.text, width - 3, 2 if most > 4 else 1)
        rows += [(f"{alert.mark if not place else ' '} {line}", _TONES[alert.tone]) for place, line in enumerate(lines)]
    if len(rows) > most:
        rows = [*rows[: most - 1], (f"  and {len(rows) - most + 1} more: see the log and the sensors", "dim")]
    return rows


def draw_attention(view: TableView, width: int, height: int) -> Canvas:
    """What needs a look."""
    canvas = Canvas(width, height)
    for y, (text, style) in enumerate(attention_rows(view, width, height)):
        if style == "question":
            canvas.fill(0, y, width, 1, style)
        canvas.put(0, y, text, style)
    return canvas


def draw_sensors(lines: Iterable[Line], width: int, height: int) -> Canvas:
    """A row for each sensor that does not work, then the names of those that do, side by side."""
    canvas = Canvas(width, height)
    lines = tuple(lines)
    y = 0
    for line in lines:
        if line.tone != "good":
            canvas.put(0, y, fit(f"{line.mark} {line.text}", width), _TONES[line.tone])
            y += 1
    well = [line for line in lines if line.tone == "good"]
    column = max((width_of(line.text) for line in well), default=0) + 4
    columns = max(1, (width + 2) // column)
    for place, line in enumerate(well):
        row, x = y + place // columns, place % columns * column
        canvas.put(canvas.put(x, row, f"{line.mark} ", "good"), row, fit(line.text, column - 3), "dim")
    return canvas


def draw_message(line: Line | None, width: int) -> Canvas:
    """The answer to the last key."""
    canvas = Canvas(width, 1)
    if line is not None:
        canvas.put(0, 0, fit(f"{line.mark} {line.text}", width), _TONES[line.tone])
    return canvas


def draw_keys(hints: tuple[Hint, ...], width: int) -> Canvas:
    """The keys that work now, as many as fit; help is always among them."""
    canvas = Canvas(width, 1, "surface")
    help_key = key_of("help")
    edge = canvas.right(0, f"{help_key.hint} ", "surface-text")
    edge = canvas.right(0, f"{help_key.shown.split()[0]} ", "key", edge=edge)
    x = 1
    for cap, words in hints:
        if x + width_of(f"{cap} {words}") >= edge - 1:
            break
        x = canvas.put(x, 0, cap, "key")
        x = canvas.put(x, 0, f" {words}", "surface-dim") + 2
    return canvas
