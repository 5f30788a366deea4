"""The table: its name, form, size and seats."""

from __future__ import annotations

import re

from betline.layout import Form, LayoutError, lay_out
from betline.settings.shape import MM_PER_INCH
from betline.setup.question import AnswerError, Answers, Choice, Found, Question, yes_no
from betline.tables.measures import MeasureError, Size, read_size

RAIL_MM = 120.0
_USUAL_SIZE = {
    "oval": "2100x1050",
    "racetrack": "2400x1100",
    "round": "1300",
    "kidney": "2200x1150",
    "rectangle": "1800x1000",
}
_FORMS = (
    Choice("oval", "Oval", "Straight sides and half-round ends: the usual poker table."),
    Choice("racetrack", "Racetrack", "An oval with a hard track between rail and felt."),
    Choice("round", "Round"),
    Choice("kidney", "Kidney", "An oval with a dent where the dealer sits."),
    Choice("rectangle", "Rectangle", "A dining table, or a top laid on one."),
)
_SEATS_LEAST, _SEATS_MOST = 2, 10


def questions(answers: Answers, _found: Found) -> tuple[Question, ...]:
    """Name, form, size, rail, seats, dealer."""
    form = answers.get("shape.form", "oval")
    return (
        Question(
            "shape.title",
            "What is the table called?",
            "Its name on the console and, in short, on the bus and in file names.",
            usual="My table",
            check=_title,
        ),
        Question(
            "shape.form", "What form does it have?", "Everything on the felt is laid out from it.", _FORMS, "oval"
        ),
        Question(
            "shape.size",
            "How large is it?",
            ("Its diameter" if form == "round" else "Width x depth, the dealer at a long side")
            + ", in millimetres, or in inches with `in` behind: "
            + ("51in." if form == "round" else "84x42in."),
            usual=_USUAL_SIZE[form],
            must=True,
            check=lambda text: _size_text(form, text),
        ),
        Question(
            "shape.over_rail",
            "Was that measured over the rail?",
            "The felt is what lies inside the rail.",
            yes_no(f"{RAIL_MM:.0f} mm are taken off on each side.", "It is the size of the felt itself."),
            "no",
        ),
        Question(
            "shape.dealer",
            "Is there a place for a dealer?",
            "In a cardroom somebody deals and does not play; at home the players take turns.",
            yes_no("The dealer's side is kept free, with a chip tray.", "The seats run nearly all around."),
            "yes",
        ),
        Question(
            "shape.seats",
            "How many players sit there?",
            "Seats are numbered clockwise, as seen from above, from the dealer's left.",
            usual="8",
            must=True,
            check=lambda text: _seats(answers, text),
        ),
    )


def _title(text: str) -> str:
    if not text or len(text) > 60 or any(sign in text for sign in '"\\') or not text.isprintable():
        raise AnswerError("shape.title must be 1 to 60 letters without quotes or backslashes.")
    return text


def short_name(answers: Answers) -> str:
    """The table's name on the bus."""
    return re.sub(r"[^a-z0-9-]+", "-", answers["shape.title"].lower()).strip("-") or "my-table"


def size_of(answers: Answers) -> Size:
    """The size that was answered."""
    return _size(answers["shape.form"], answers["shape.size"])


def _size_text(form: str, text: str) -> str:
    _size(form, text)
    return text.lower().replace(" ", "")


def _size(form: str, text: str) -> Size:
    try:
        return read_size(form, text)
    except MeasureError as error:
        raise AnswerError(f"shape.size {error}") from None


def _seats(answers: Answers, text: str) -> str:
    if not text.isdigit() or not _SEATS_LEAST <= int(text) <= _SEATS_MOST:
        raise AnswerError(f"shape.seats must be a number from {_SEATS_LEAST} to {_SEATS_MOST}, not {text!r}.")
    if {"shape.form", "shape.size"} <= answers.keys():
        size = size_of(answers)
        scale = MM_PER_INCH if size.in_inches else 1.0
        off_mm = 2 * RAIL_MM if answers.get("shape.over_rail") == "yes" else 0.0
        form = Form(answers["shape.form"], size.width * scale - off_mm, size.depth * scale - off_mm)  # type: ignore[arg-type]
        try:
            lay_out(form, int(text), dealer=answers.get("shape.dealer") != "no")
        except LayoutError as error:
            raise AnswerError(f"shape.seats: {error}.") from None
    return text
