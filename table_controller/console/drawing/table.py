"""The table as seen from the dealer's place: seats with their stacks, the bets on the felt, the pots in the middle."""

from __future__ import annotations

from betline.settings import TableSettings
from table_controller.console.canvas import Canvas, fit, width_of
from table_controller.console.digits import double, large
from table_controller.console.drawing.felt import Box, Places, felt
from table_controller.console.footer import press
from table_controller.console.view import Plate, TableView

_LARGE_POT_FROM_ROWS = 17
_LARGE_POT_ROWS = 12
"""The plates above and below, the street, and the pot in large digits."""
_DOUBLE_POT_ROWS = 26
_STEPS_TO_FREE_PLACE = 12
_URGENT = "!≠"


def draw_table(
    table: TableSettings, view: TableView, places: Places, lost: str | None, *, pots_inside: bool = True
) -> Canvas:
    """The whole table; ``lost`` is the sentence of the banner while nothing is heard of it.

    Without ``pots_inside`` the pots are listed elsewhere.
    """
    canvas = felt(table, places)
    taken = [_draw_pots(canvas, view, places, view.pots if pots_inside else ())]
    for plate in view.plates:
        box = places.plates[plate.number]
        _draw_plate(canvas, plate, box)
        canvas.answer(*box, press("seating", plate.number))
        taken.append(box)
    for plate in view.plates:
        if plate.bet:
            taken.append(_draw_bet(canvas, plate, places, taken))
    dealer_x, dealer_y = places.dealer
    canvas.centre(min(round(dealer_y), places.height - 1), "dealer", "rail-dim", middle=dealer_x)
    if lost is not None:
        _draw_banner(canvas, lost)
    return canvas


def paint_table(canvas: Canvas, table: TableSettings, view: TableView, places: Places, *, top: int) -> None:
    """The whole table as a picture in a larger drawing, from the row ``top`` on; nothing in it answers to clicks."""
    drawn = draw_table(table, view, places, None)
    for y in range(drawn.height):
        x = 0
        for run in drawn.row(y):
            x = canvas.put(x, top + y, run.text, run.style)


def _draw_plate(canvas: Canvas, plate: Plate, box: Box) -> None:
    x, y, width, height = box
    if plate.look == "empty":
        canvas.fill(x, y, width, height, "plate")
        canvas.centre(y + height // 2, f"{plate.number}  empty", "plate-dim", middle=x + width / 2)
        if plate.tag:  # a dead button or blind
            canvas.right(y, f" {plate.tag} ", "tag" if plate.tag == "D" else "plate-text", edge=x + width)
        return
    acting = plate.look == "acting"
    gone = plate.look in ("folded", "out")
    ground, strong, weak = ("acting", "acting", "acting") if acting else ("plate", "plate-bold", "plate-text")
    if gone:
        strong = weak = "plate-dim"
    canvas.fill(x, y, width, height, ground)
    left = canvas.put(x, y, f"{plate.mark}{plate.number} ", strong if acting or gone else "plate-accent")
    canvas.put(left, y, fit(plate.name, x + width - left), strong)
    edge = x + width
    if plate.tag:
        tag = f" {plate.tag} " if plate.tag == "D" else f"{plate.tag} "
        edge = canvas.right(y + 1, tag, "tag" if plate.tag == "D" else weak, edge=edge)
    canvas.put(x + 1, y + 1, _amount(plate.stack, edge - x - 1), strong)
    for row, note in enumerate(_notes(plate, height - 2)):
        style = weak if note[0] not in _URGENT else "acting" if acting else "plate-warn"
        indent = 0 if note[0] in _URGENT else 1
        canvas.put(x + indent, y + 2 + row, _note(note, width - indent), style)


def _notes(plate: Plate, rows: int) -> tuple[str, ...]:
    """The notes that there is room for, the urgent ones first; a + behind the sign says that there are more."""
    if len(plate.notes) <= rows:
        return plate.notes
    urgent = sum(note[0] in _URGENT for note in plate.notes)
    shown = plate.notes[:rows]
    return (*shown[:-1], f"{shown[-1][0]}+{shown[-1][1:]}") if urgent > rows else shown


def _note(note: str, width: int) -> str:
    """A note as long as there is room for; its amount is left out rather than cut."""
    plain = note.replace(",", "")
    for text in (note, plain, plain.replace(" ", "", 1), plain.removeprefix("wins ")):
        if width_of(text) <= width:
            return text
    return fit(note.rsplit(" ", 1)[0], width)


def _amount(text: str, width: int) -> str:
    """An amount as long as there is room for: never cut, at worst rounded and marked so; words may stand for it."""
    plain = text.replace(",", "")
    if not plain.isdigit():
        return fit(text, width)
    for exact in (text, plain):
        if width_of(exact) <= width:
            return exact
    return fit(f"~{int(plain) / 1e6:.1f}M", width)


def _draw_bet(canvas: Canvas, plate: Plate, places: Places, taken: list[Box]) -> Box:
    """The seat's bet in its bet zone, or the nearest free place on the way to the pot."""
    text = f"● {plate.bet}"
    x, y = places.bets[plate.number]
    step_x, step_y = (places.pot[0] - x) / _STEPS_TO_FREE_PLACE, (places.pot[1] - y) / _STEPS_TO_FREE_PLACE
    wanted = Box(round(x - width_of(text) / 2), round(y - 0.5), width_of(text), 1)
    box = wanted
    for step in range(_STEPS_TO_FREE_PLACE):
        moved = Box(round(x + step * step_x - wanted.width / 2), round(y + step * step_y - 0.5), wanted.width, 1)
        if not any(moved.touches(other) for other in taken):
            box = moved
            break
    canvas.put(box.x, box.y, text[0], "felt-accent")
    canvas.put(box.x + 1, box.y, text[1:], "felt-bold")
    return box


def _draw_pots(canvas: Canvas, view: TableView, places: Places, pots: tuple[str, ...]) -> Box:
    """The pot and below it who can win what; returns what it takes of the drawing."""
    if not view.pot:
        return Box(0, 0, 0, 0)
    spacious = places.height >= _LARGE_POT_FROM_ROWS
    lines: list[tuple[str, str]] = []
    if spacious and view.street:
        lines += [(view.street, "felt-dim"), ("", "felt-dim")]
    if spacious and len(pots) <= places.height - _LARGE_POT_ROWS:
        rows = double(view.pot) if len(pots) <= places.height - _DOUBLE_POT_ROWS else large(view.pot)
        lines += [("P O T", "felt-accent"), *((row, "felt-bold") for row in rows)]
    else:
        lines.append((f"POT {view.pot}", "felt-accent"))
    lines += [(pot, "felt-text") for pot in pots]
    middle_x, middle_y = places.pot
    top = max(0, round(middle_y - len(lines) / 2))
    for row, (text, style) in enumerate(lines):
        canvas.centre(top + row, text, style, middle=middle_x)
    width = max(width_of(text) for text, _ in lines)
    return Box(round(middle_x - width / 2) - 1, top, width + 2, len(lines))


def _draw_banner(canvas: Canvas, sentence: str) -> None:
    top = max(0, canvas.height // 2 - 2)
    canvas.fill(0, top, canvas.width, 4, "banner")
    canvas.centre(top + 1, f"✖  {sentence}  ✖", "banner")
    canvas.centre(top + 2, "The keys are off. What you see is old; it goes on by itself.", "banner")
