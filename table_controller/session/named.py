"""The last steps by name, for the answer to the key that takes them back: "seat 5 calls 10"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from betline import steps
from betline.steps import Step, verb_of
from table_controller.session.book import Book

_NAMES: Mapping[type[Step], Callable[[Any, Book], str]] = {
    steps.Deal: lambda step, _book: f"the {step.street}",
    steps.LayCards: lambda step, _book: _cards(step),
    steps.RunIt: lambda step, _book: f"it is run {step.times} times",
    steps.NextHand: lambda _step, book: f"the beginning of hand {book.hand_no}",
    steps.Award: lambda *_: "the award",
    steps.ReopenAward: lambda *_: "the reopening of the award",
    steps.Straddle: lambda step, _book: f"the straddle of seat {step.seat}",
    steps.BringIn: lambda step, _book: f"the bring-in of seat {step.seat}",
    steps.SitDown: lambda step, _book: f"seat {step.seat} sits down",
    steps.NamePlayer: lambda step, _book: f"the name of seat {step.seat}",
    steps.Leave: lambda step, _book: f"seat {step.seat} leaves",
    steps.ChangeSeat: lambda step, _book: f"seat {step.seat} moves to seat {step.to}",
    steps.KeepSeat: lambda step, _book: f"seat {step.seat} stays",
    steps.SitOut: lambda step, _book: f"seat {step.seat} sits out",
    steps.Return: lambda step, _book: f"seat {step.seat} is back",
    steps.Rebuy: lambda step, _book: f"{step.amount:,} bought by seat {step.seat}",
    steps.Count: lambda step, _book: f"the count of seat {step.seat}",
    steps.CorrectBet: lambda step, _book: f"the correction of seat {step.seat}'s bet",
    steps.CorrectRecord: lambda step, _book: f"the correction of seat {step.seat}'s record",
    steps.Override: lambda step, _book: f"the floor's ruling on seat {step.seat}",
    steps.FloorDecision: lambda *_: "the floor's decision",
    steps.MoveChips: lambda step, _book: f"the move of {step.amount:,}",
    steps.Penalty: lambda step, _book: f"the penalty of seat {step.seat}",
}


def _cards(step: steps.LayCards) -> str:
    if step.seat is None:
        return f"the cards of the {step.street}" + (f", board {step.board}" if step.board else "")
    return f"the hand of seat {step.seat}" if step.count else f"the muck of seat {step.seat}"


_FOLDS = re.compile(r"Seat (\d+) folds\.")


def named(book: Book, count: int) -> str:
    """The last so many steps, oldest first, as the end of a sentence."""
    found: list[str] = []
    while count and book.before is not None:
        found.append(_one(book, book.before))
        count, book = count - 1, book.before
    found.reverse()
    folds = [_FOLDS.fullmatch(sentence) for sentence in found]
    if len(found) > 1 and all(folds):
        seats = [fold.group(1) for fold in folds if fold is not None]
        return f"seats {', '.join(seats[:-1])} and {seats[-1]} fold"
    return "; ".join(sentence[:1].lower() + sentence[1:].rstrip(".") for sentence in found)


def _one(book: Book, before: Book) -> str:
    ruled = [one.sentence.split(": ")[0] for one in book.rulings if one not in before.rulings and one.sentence]
    if ruled:
        return " ".join(ruled)
    step = None if book.last is None else book.last.step
    if step is None:
        return "one step"
    name = _NAMES.get(type(step))
    return verb_of(type(step)).replace("-", " ") if name is None else name(step, book)
