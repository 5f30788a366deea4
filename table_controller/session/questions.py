"""What only a person can say: the questions that are open."""

from __future__ import annotations

from betline.messages.table import (
    Question,
)
from table_controller.sensing.progress import AWARD
from table_controller.sensing.state import SensingState
from table_controller.session.book import AS_RECORDED, AS_TODAY, RULES_CHANGED, Book
from table_controller.session.situation import may_be_straddled


def floor_question(book: Book) -> Question | None:
    """What the floor must decide, with the rulings it may choose from."""
    floor = None if book.table is None else book.table.state.floor
    if floor is None:
        return None
    return Question(
        id=f"floor-{book.hand_no}-{book.act_no}",
        seat=floor.seat,
        kind="floor",
        sentence=f"Floor: seat {floor.seat}, {floor.verdict.why}.",
        choices=floor.verdict.offers,
    )


def open_questions(
    book: Book, sensing: SensingState, time_up: Question | None = None, rebuys: tuple[Question, ...] = (),
    by_cards: Question | None = None,
) -> tuple[Question, ...]:  # fmt: skip
    """All that only a person can say; ``time_up`` is asked of the player's clock, after what the felt asks.

    ``rebuys`` are asked between two hands. An award ``by_cards`` is asked instead of one that was seen pushed.
    """
    found = [] if (floor := floor_question(book)) is None else [floor]
    if by_cards is not None:
        found.append(by_cards)
    if book.rules_question is not None:
        rules = book.rules_question
        found.append(
            Question(
                id=rules.id, seat=rules.seat, kind=RULES_CHANGED, sentence=rules.sentence,
                choices=(AS_RECORDED, AS_TODAY),
            )
        )  # fmt: skip
    if book.which_first is not None:
        asked = book.which_first
        found.append(
            Question(
                id=asked.id, seat=asked.seat, kind="which-first", sentence=asked.sentence,
                choices=("says", "chips", "both"),
            )
        )  # fmt: skip
    if book.doubt is not None:
        doubt = book.doubt
        found.append(
            Question(
                id=doubt.id, seat=doubt.seat, kind=doubt.question, sentence=doubt.sentence, choices=doubt.choices
            )
        )  # fmt: skip
    for raised in book.blind_raises if may_be_straddled(book) else ():
        sentence = f"Seat {raised.seat} put out {raised.to} before the cards: what is it?"
        found.append(
            Question(id=raised.id, seat=raised.seat, kind="straddle", sentence=sentence, choices=raised.choices)
        )
    for one in sensing.questions.values():
        if one.kind == AWARD and by_cards is not None:
            continue
        seat = one.seats[0] if one.seats else None
        found.append(Question(id=one.id, seat=seat, kind=one.kind, sentence=one.sentence, choices=one.choices))
    return (*found, *([] if time_up is None else [time_up]), *rebuys)
