"""Every question that can be asked, and what the case that it is made of says of its answer."""

from collections.abc import Iterator, Mapping
from functools import cache

from betline.cases import Expect
from betline.settings import load_house_rules
from table_controller.training import deck
from table_controller.training.asking import Mode, Question
from table_controller.training.moments import House
from table_controller.training.sitting import all_questions

HOUSES = ("tda", "cash", "home")


@cache
def asked(house: str | None, mode: Mode, *topics: str) -> Mapping[str, Question]:
    rules = None if house is None else House(house, load_house_rules(house))
    return all_questions(deck.chosen(topics), mode, rules, seed=1)


def expected(question: Question) -> Expect:
    """What the person who wrote the case says must hold after the step."""
    found = deck.case_named(question.moment.case).play[question.moment.number]
    assert isinstance(found, Expect)
    return found


def answers_by_hand(question: Question) -> Iterator[tuple[str, object, object]]:
    """The right answer of a question beside what the case says, key by key, as far as it names it."""
    told = expected(question).values
    right, kind = question.right, question.kind
    after = question.moment.after.state.hand
    bet = after.bet(after.next_seat) if after is not None and after.next_seat is not None else 0
    size = int(right) if right.isdigit() else None
    if kind == "what":
        word, _, to = right.partition(" ")
        yield "ruling", word.partition(":")[0], told["ruling"]
        if to and "to" in told:
            yield "to", int(to), told["to"]
    elif kind == "amount":
        yield "to", size, told["to"]
    elif kind == "money":
        for key, value in (("returned", max(int(right), 0)), ("owes", max(-int(right), 0))):
            if key in told:
                yield key, value, told[key]
    elif kind == "next":
        yield "next", size or None, told["next"]
    elif kind == "call":
        yield "call", size, told["call"]
    elif kind == "least":
        yield "min_raise_to", (size or 0) + (bet if question.mode == "player" else 0), told["min_raise_to"]
    elif kind == "most":
        yield "max_raise_to", size, told["max_raise_to"]
    elif kind == "say":
        call, _, least = right.partition("/")
        yield "call", int(call), told["call"]
        yield "min_raise_to", int(least), told["min_raise_to"]
    elif kind == "may" and "min_raise_to" in told:
        least = told["min_raise_to"]
        if right == "all-in":
            yield "min_raise_to", least is not None, True
        else:
            yield "min_raise_to", None if right == "no" else int(right), least
    elif kind == "binding":
        yield "binding", right == "a", told["binding"]
    elif kind in ("pots", "who"):
        pots = told["pots"]
        place = int(question.id.rpartition(kind)[2] or 0)
        assert isinstance(pots, tuple)
        if kind == "pots":
            yield "pots", size, pots[place].amount
        else:
            yield "pots", right, ",".join(map(str, pots[place].seats))
