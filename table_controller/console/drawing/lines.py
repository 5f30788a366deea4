"""The rows of words around the table: header, rulings, what needs a look, sensors, the message, the keys."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from table_controller.console.canvas import Canvas, fit, width_of, wrap
from table_controller.console.client import LookBack
from table_controller.console.footer import Hint, press, pressed
from table_controller.console.keys import cap, key_of
from table_controller.console.view import ALL_IN, Line, RulingLine, TableView

_SPACIOUS, _SIDE_BY_SIDE = 6, 2
_SHORT_NAMES = (
    ("No-limit ", "NL"), ("Pot-limit ", "PL"), ("Fixed-limit ", "L"), ("Limit ", "L"), ("hold'em", "HE"),
    ("Omaha", "O"),
)  # fmt: skip
_ANSWERING = tuple(press(f"answer-{place}") for place in range(1, 5))
_FINGER = 9
"""No key for fingers is narrower."""
TOUCH_ROWS = 3
"""So high are the keys where there is room for fingers."""
_TONES = {"plain": "text", "good": "good", "warn": "warn", "bad": "bad"}


def draw_header(
    view: TableView,
    lost: str | None,
    width: int,
    level: Line | None = None,
    who: str = "",
    turn: Line | None = None,
) -> Canvas:
    """One row: the table, the game, the hand, the street, the level, the player's clock, who is signed in, and
    whether all is heard.

    Where that is too long, name of the table, name of the program and the long name of the game give way.
    """
    canvas = Canvas(width, 1, "surface")
    link = Line("✖", "no connection", "bad") if lost else Line("●", "live", "good")
    edge = width - 1
    signed_in = (Line("▪", fit(who, width // 4)),) if who else ()
    clock = (turn,) if turn else ()
    for line in (view.sensor_summary, link, *signed_in, *clock):
        words = f"{line.mark} {line.text}".strip()
        edge = canvas.right(0, words, f"surface-{_TONES[line.tone]}", edge=edge) - 2
        if line in signed_in:
            canvas.answer(edge + 2, 0, width_of(words), 1, press("sign-in"))
    rest = (view.hand, view.street)
    short = _abbreviated(view.game)
    timed = level.text if level is not None else ""
    ways = (
        ("♠ BETLINE", (view.title, view.game, *rest)),
        ("♠ BETLINE", (view.game, *rest)),
        ("♠", (view.game, *rest)),
        ("♠", (short, *rest)),
        ("♠", rest),
    )
    for brand, parts in ways:
        text = " · ".join(part for part in parts if part)
        if 1 + width_of(f"{brand}   {text} · {timed}") <= edge:
            break
    x = canvas.put(1, 0, brand, "surface-accent")
    x = canvas.put(x + 3 if len(brand) > 1 else x + 1, 0, fit(text, edge - x - 3), "surface-text")
    if level is not None:
        canvas.put(canvas.put(x, 0, " · ", "surface-text"), 0, timed, f"surface-{_TONES[level.tone]}")
    return canvas


def _abbreviated(game: str) -> str:
    """The game as a small screen has it: `NLHE 5/10`."""
    for long, short in _SHORT_NAMES:
        game = game.replace(long, short)
    return game


def draw_evening(line: Line | None, players: str, width: int) -> Canvas:
    """The level with its time and the game in turn; with room, who is left."""
    canvas = Canvas(width, 1, "surface")
    if line is None:
        return canvas
    x = canvas.put(1, 0, fit(line.text, width - 2), f"surface-{_TONES[line.tone]}")
    if players and x + width_of(players) + 4 < width:
        canvas.right(0, players, "surface-dim", edge=width - 1)
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


def board_rows(lines: tuple[str, ...], width: int) -> list[str]:
    """Boards, hands and what is missing, in as few rows as it takes."""
    return [part for row in pot_rows(lines, width - 2) for part in wrap(row, width - 2, 3)]


def draw_board(lines: tuple[str, ...], width: int, height: int) -> Canvas:
    """The board and the hands that were shown; suits by their shapes."""
    canvas = Canvas(width, height)
    for y, row in enumerate(board_rows(lines, width)[:height]):
        canvas.put(1, y, row, "bold")
    return canvas


def draw_rulings(rulings: tuple[RulingLine, ...], width: int, height: int) -> Canvas:
    """The rulings of this hand, newest first, one row each; with room, what does not fit stands below.

    In two rows all but the newest stand side by side, in one row all of them do.
    """
    canvas = Canvas(width, height)
    if height == 1 and len(rulings) > 1:
        x = canvas.put(canvas.put(0, 0, "› ", "accent"), 0, _in_short(rulings[0]), "bold")
        canvas.put(x, 0, fit("".join(f" · {_in_short(one)}" for one in rulings[1:]), width - x), "text")
        return canvas
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
    return " ".join((ruling.what, *ruling.flags[: ruling.flags[:1] == (ALL_IN,)], *ruling.money))


_ALERT_LINES, _MESSAGE_LINES = 6, 3
"""More than any alert takes on a small screen; so many rows may an answer take."""


class Row(NamedTuple):
    """A row of what needs a look; a click on it asks for ``action``, on one of its ``parts`` for the part's own."""

    text: str
    style: str
    action: str = ""
    parts: tuple[tuple[str, str], ...] = ()


def attention_rows(view: TableView, width: int, most: int) -> list[Row]:
    """Questions first, then alerts, none of them cut; a last row counts those that have no room."""
    rows: list[Row] = []
    for question in view.questions:
        sentence, answers = question
        together = f"? {sentence}  {answers}"
        parts = tuple(zip(answers.split(" · "), _ANSWERING, strict=False)) if " = " in answers else ()
        if answers.startswith(f"{cap('floor')} = "):
            parts = ((answers, "press('floor')"),)
        if width_of(together) <= width - 1:
            rows.append(Row(together, "question", parts=parts))
        else:
            rows += [Row(line, "question") for line in wrap(f"? {sentence}", width - 1, 3)]
            rows += [Row(f"  {line}", "question", parts=parts) for line in wrap(answers, width - 3, 2)]
    alerts = [_alert_rows(alert, width) for alert in view.alerts]
    for place, whole in enumerate(alerts):
        left = len(alerts) - place
        if len(rows) + len(whole) + (left > 1) > most and len(rows) + sum(map(len, alerts[place:])) > most:
            rows.append(
                Row(
                    f"▲ {left} {'more ' * (place > 0)}alert{'s' * (left > 1)}: {cap('sensors')} lists them",
                    "warn",
                    "press('sensors')",
                )
            )
            break
        rows += whole
    return rows


def _alert_rows(alert: Line, width: int) -> list[Row]:
    """An alert whole: half a sentence may leave out what to do."""
    return [
        Row(f"{' ' if place else alert.mark} {line}", _TONES[alert.tone], "press('seen')")
        for place, line in enumerate(wrap(alert.text, width - 3, _ALERT_LINES))
    ]


def draw_attention(view: TableView, width: int, height: int) -> Canvas:
    """What needs a look; answers and alerts can be clicked."""
    canvas = Canvas(width, height)
    for y, row in enumerate(attention_rows(view, width, height)):
        if row.style == "question":
            canvas.fill(0, y, width, 1, row.style)
        canvas.put(0, y, row.text, row.style)
        if row.action:
            canvas.answer(0, y, width, 1, row.action)
        for part, action in row.parts:
            if part in row.text:
                x = width_of(row.text[: row.text.index(part)])
                canvas.answer(x, y, width_of(part), 1, action)
    return canvas


def draw_sensors(lines: Iterable[Line], width: int, height: int) -> Canvas:
    """Rows for each sensor that does not work, then the names of those that do, side by side."""
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


def draw_last_hands(known: LookBack, width: int, height: int) -> Canvas:
    """A row for each hand, the newest first: its number, who won, and how much."""
    canvas = Canvas(width, height)
    canvas.put(0, 0, fit("LAST HANDS", width), "dim")
    over = [hand for hand in known.hands if hand.winners is not None]
    for y, hand in enumerate(over[: height - 1], 1):
        won = ", ".join(f"seat {seat} won {amount:,}" for seat, amount in (hand.winners or {}).items())
        x = canvas.put(0, y, f"H{hand.hand:<5}", "accent")
        canvas.put(x + 1, y, fit(f"pot {hand.pot:,}: {won or 'nobody won it'}", width - x - 1), "text")
    if not over:
        canvas.put(0, 1, fit("No hand of this table is over yet.", width), "dim")
    return canvas


def message_rows(line: Line | None, width: int) -> list[str]:
    """The answer to the last key whole, on as many rows as that takes."""
    if line is None:
        return [""]
    return wrap(f"{line.mark} {line.text}", width - 2, _MESSAGE_LINES)


def draw_message(line: Line | None, width: int) -> Canvas:
    """The answer to the last key."""
    rows = message_rows(line, width)
    canvas = Canvas(width, len(rows))
    for y, row in enumerate(rows):
        canvas.put(2 if y else 0, y, row, _TONES[line.tone] if line else "text")
    return canvas


def draw_keys(hints: tuple[Hint, ...], width: int, height: int = 1) -> Canvas:
    """The keys that work now, as many as fit, each a button; help is always among them."""
    canvas = Canvas(width, height, "surface")
    return _draw_large_keys(canvas, hints) if height >= TOUCH_ROWS else _draw_key_row(canvas, hints)


def _draw_key_row(canvas: Canvas, hints: tuple[Hint, ...]) -> Canvas:
    help_key = key_of("help")
    edge = canvas.right(0, f"{help_key.hint} ", "surface-text")
    edge = canvas.right(0, f"{help_key.shown.split()[0]} ", "key", edge=edge)
    canvas.answer(edge, 0, canvas.width - edge, 1, press("help"))
    edge = canvas.right(0, f"{cap('number')} ", "key", edge=edge - 1)
    canvas.answer(edge, 0, 2, 1, press("number"))
    x = 1
    for hint in hints:
        printed, words = hint
        if x + width_of(f"{printed} {words}") >= edge - 1:
            break
        start = x
        x = canvas.put(x, 0, printed, "key")
        x = canvas.put(x, 0, f" {words}", "surface-dim") + 2
        _answers(canvas, hint, start, x - start - 1)
    return canvas


def _draw_large_keys(canvas: Canvas, hints: tuple[Hint, ...]) -> Canvas:
    """Keys for fingers, with a gap between them that belongs to nobody."""
    always = ((cap("number"), "number"), (cap("help"), key_of("help").hint))
    shown = (*hints, *always)
    widths = [max(width_of(f"{printed} {words}") + 2, _FINGER) for printed, words in shown]
    room = canvas.width - sum(widths[-len(always) :]) - len(always)
    x = 0
    for hint, width in zip(shown, widths, strict=True):
        if hint not in always and x + width + 1 > room:
            continue
        canvas.fill(x, 0, width, canvas.height, "button")
        printed, words = hint
        left = x + (width - width_of(f"{printed} {words}")) // 2
        canvas.put(
            canvas.put(left, canvas.height // 2, printed, "button-key"), canvas.height // 2, f" {words}", "button"
        )
        _answers(canvas, hint, x, width)
        x += width + 1
    return canvas


def _answers(canvas: Canvas, hint: Hint, x: int, width: int) -> None:
    """The button of a hint; where it stands for several keys each has its own part."""
    actions = pressed(hint)
    share = width / len(actions)
    for place, action in enumerate(actions):
        left = x + round(place * share)
        canvas.answer(left, 0, x + round((place + 1) * share) - left, canvas.height, action)
