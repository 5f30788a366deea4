"""Which question comes next, how far the set-up is, and what is still missing. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from betline.settings.model import nearest
from betline.setup.question import NOTHING_FOUND, AnswerError, Answers, Found, Question
from betline.setup.sections import broker, camera, chips, game, house, people, readers, shape, voice


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the set-up that can be gone through by itself."""

    name: str
    title: str
    questions: Callable[[Answers, Found], Sequence[Question]]
    """Its questions in order; what is asked may depend on what was answered before."""


SECTIONS: Final = (
    Section("shape", "The table", shape.questions),
    Section("chips", "The chips", chips.questions),
    Section("game", "The game", game.questions),
    Section("house", "House rules", house.questions),
    Section("readers", "The readers", readers.questions),
    Section("camera", "The camera", camera.questions),
    Section("people", "The staff", people.questions),
    Section("voice", "The voice", voice.questions),
    Section("broker", "The broker", broker.questions),
)
NAMES: Final = tuple(section.name for section in SECTIONS)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its section, and where it stands among those that are asked."""

    section: Section
    question: Question
    number: int
    of: int


def asked(answers: Answers, found: Found = NOTHING_FOUND, only: Sequence[str] = ()) -> tuple[Asked, ...]:
    """All questions that these answers lead to, in order; of some sections only where ``only`` names them."""
    listed = [
        (section, question)
        for section in SECTIONS
        if not only or section.name in only
        for question in section.questions(answers, found)
    ]
    return tuple(Asked(section, question, n, len(listed)) for n, (section, question) in enumerate(listed, 1))


def next_asked(answers: Answers, found: Found = NOTHING_FOUND, only: Sequence[str] = ()) -> Asked | None:
    """The first question without an answer; None where all are answered."""
    return next((one for one in asked(answers, found, only) if one.question.key not in answers), None)


def with_answer(answers: Answers, question: Question, text: str, found: Found = NOTHING_FOUND) -> dict[str, str]:
    """The answers with one more, without those that it has made meaningless; raises AnswerError."""
    return pruned({**answers, question.key: question.read(text)}, found)


def pruned(answers: Answers, found: Found = NOTHING_FOUND) -> dict[str, str]:
    """The answers that are still asked for and still possible."""
    kept: dict[str, str] = {}
    passed: dict[str, str] = {}
    while (one := _next_unread({**passed, **kept}, found)) is not None:
        if one.key in answers and _stands(one, answers[one.key]):
            kept[one.key] = answers[one.key]
        else:
            passed[one.key] = one.usual or ""
    return kept


def read_all(given: Mapping[str, str], found: Found = NOTHING_FOUND) -> dict[str, str]:
    """Answers from a file or from options, each checked; raises AnswerError for one that is unknown or wrong.

    What is asked may hang on questions that were left out: of these what is usual counts meanwhile.
    """
    answers: dict[str, str] = {}
    passed: dict[str, str] = {}
    while (one := _next_unread({**passed, **answers}, found)) is not None:
        if one.key in given:
            answers[one.key] = one.read(given[one.key])
        else:
            passed[one.key] = one.usual or ""
    unknown = [key for key in given if key not in answers]
    if unknown:
        raise AnswerError(f"{unknown[0]} is not asked for here; {nearest(unknown[0], (*answers, *passed))}")
    return answers


def _next_unread(answers: Answers, found: Found) -> Question | None:
    following = next_asked(answers, found)
    return None if following is None else following.question


def completed(answers: Answers, found: Found = NOTHING_FOUND) -> dict[str, str]:
    """The answers with what is usual where nothing was said; raises AnswerError with all that somebody must say."""
    full, missing = dict(answers), dict[str, Question]()
    while (
        question := _next_unread({**full, **{key: one.usual or "" for key, one in missing.items()}}, found)
    ) is not None:
        if question.must or question.usual is None:
            missing[question.key] = question
        else:
            full[question.key] = question.usual
    if missing:
        first = next(iter(missing.values()))
        raise AnswerError(f"Still to be answered: {', '.join(missing)}. {first.key} is: {first.asks}")
    return full


def _stands(question: Question, text: str) -> bool:
    try:
        question.read(text)
    except AnswerError:
        return False
    return True
