"""What a command takes by the table of rights: its own right, and that of what it takes back or decides. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from betline import steps
from betline.messages.table import Question
from betline.people.rights import roles_in_words
from betline.settings import Role, StaffRules
from betline.steps import Command, verb_of
from table_controller.session.author import Author
from table_controller.session.book import RULES_CHANGED, Book
from table_controller.session.history import steps_of_last_key
from table_controller.session.rebuys import BUYS, LEAVES, SITS_OUT
from table_controller.session.rebuys import QUESTION as REBUY

OF_THE_FLOOR = ("floor", RULES_CHANGED)
"""Questions that only a decision of the floor answers."""
_BY_REBUY: Mapping[str, type[Command]] = {BUYS: steps.Rebuy, LEAVES: steps.Leave, SITS_OUT: steps.SitOut}
"""What an answer before the next hand does."""
NOT_SIGNED_IN, NOT_YOUR_RIGHT = "not-signed-in", "not-your-right"


@dataclass(frozen=True, slots=True)
class Denied:
    """A command beyond the rights of whoever asks, and the roles that have the right."""

    code: str
    sentence: str
    needs: tuple[Role, ...]


def denied(
    author: Author, asked: Command, book: Book, questions: tuple[Question, ...], use: StaffRules
) -> Denied | None:
    """Why an author may not ask for a command; None where nothing stands against it."""
    if author.open_table:
        return None
    for verb in (verb_of(type(asked)), *_within(asked, book, questions)):
        roles = use.roles_for(verb)
        if not author.may(roles):
            what = f"{verb.replace('-', ' ').capitalize()} is for {roles_in_words(roles)}"
            if author.role is None:
                return Denied(NOT_SIGNED_IN, f"Sign in first: {what[:1].lower()}{what[1:]}.", roles)
            who = f"{author.name} is signed in as {author.role}"
            return Denied(NOT_YOUR_RIGHT, f"{what}: let one of them sign in. {who}.", roles)
    return None


def _within(asked: Command, book: Book, questions: tuple[Question, ...]) -> tuple[str, ...]:
    """The commands that this one does or undoes besides: whoever takes a ruling back must have the right to make it."""
    match asked:
        case steps.SeatPlayers():
            return (verb_of(steps.SitDown),)
        case steps.Answer(question=name, choice=choice) if any(
            one.id == name and one.kind == REBUY for one in questions
        ):
            return (verb_of(_BY_REBUY[choice.split(":")[0]]),) if choice.split(":")[0] in _BY_REBUY else ()
        case steps.Answer(question=name):
            decides = any(one.id == name and one.kind in OF_THE_FLOOR for one in questions)
            return (verb_of(steps.FloorDecision),) if decides else ()
        case steps.UndoKey():
            return () if book.cards_said or book.no_step else _last(book, steps_of_last_key(book))
        case steps.Undo(count=count):
            return _last(book, count)
        case steps.Redo() if book.taken_back:
            return tuple(dict.fromkeys(verb_of(type(one.step)) for one in book.taken_back[-1]))
    return ()


def _last(book: Book, count: int) -> tuple[str, ...]:
    """The commands of the last so many steps; what sensors led to is a dealer's act as any other."""
    found: dict[str, None] = {}
    while count and book.before is not None:
        if book.last is not None:
            found.setdefault(verb_of(type(book.last.step)))
        count, book = count - 1, book.before
    return tuple(found)
