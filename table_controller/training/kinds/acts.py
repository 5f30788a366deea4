"""Questions about an act: what it is, to how much, what moves for it, and whether it binds out of turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from betline.steps import Act
from table_controller.rulings import Ruling, RulingKind
from table_controller.training import telling, wrong
from table_controller.training.kinds.draft import Draft, amount_of
from table_controller.training.moments import Moment
from table_controller.training.wrong import Choice

_WAGERS: Final = (RulingKind.BET, RulingKind.RAISE, RulingKind.COMPLETE)
_PLAYED: Final = (*_WAGERS, RulingKind.CALL, RulingKind.CHECK)
_FLOOR: Final = Choice("A matter for the floor", "floor")
_NOTHING: Final = Choice("No act yet", "none:unclear")


def what(moment: Moment) -> Iterator[Draft]:
    """What an act is, to a dealer."""
    act, ruling = moment.physical, moment.outcome.ruling
    if act is None or ruling is None or "ruling" not in moment.expected:
        return
    right = _what_choice(moment, ruling)
    yield Draft("How do you rule it?", right, tuple(_other_rulings(moment, act, ruling, _as_dealer)))


def what_you_did(moment: Moment) -> Iterator[Draft]:
    """What an act is, to the player who made it."""
    act, ruling = moment.physical, moment.outcome.ruling
    if act is None or ruling is None or "ruling" not in moment.expected:
        return
    right = _as_player(*_parts(_what_choice(moment, ruling)))
    yield Draft("What have you done?", right, tuple(_other_rulings(moment, act, ruling, _as_player)), you=act.seat)


def _what_choice(moment: Moment, ruling: Ruling) -> Choice:
    if ruling.ruling is RulingKind.NONE:
        return _as_dealer(_not_yet(moment, ruling), 0)
    sized = ruling.ruling in _WAGERS
    return _as_dealer(ruling.ruling.value, ruling.to if sized else 0)


def _not_yet(moment: Moment, ruling: Ruling) -> str:
    why = telling.not_yet(ruling, moment.outcome)
    declared = moment.after.state.standing.declared
    return f"none:{declared if why == 'amount' and declared else why}"


def _parts(choice: Choice) -> tuple[str, int]:
    word, _, size = choice.meaning.rpartition(" ")
    return (word, int(size)) if word else (choice.meaning, 0)


def _other_rulings(moment: Moment, act: Act, ruling: Ruling, say: Callable[[str, int], Choice]) -> Iterator[Choice]:
    """What an act is taken for by mistake, the likeliest first."""
    state, hand = moment.before.state, moment.before.state.hand
    if hand is None:
        return
    facing = hand.level > hand.bet(act.seat)
    wager = "raise" if hand.level else "bet"
    if ruling.ruling is RulingKind.COMPLETE or str(hand.wager_kind) == "complete":
        wager = "complete"
    passive = say("call" if facing else "check", 0)
    sizes = [say(wager, total) for total in wrong.totals(state, hand, act)]
    sizes = [size for size in sizes if size.meaning != f"{ruling.ruling.value} {ruling.to}"]
    yield passive
    yield from sizes[:2]
    if act.gesture is not None or "fold" in (act.says or ""):
        yield say("fold", 0)
    yield say("floor", 0)
    yield say("none:unclear", 0)
    if facing:
        yield say("fold", 0)
    yield from sizes[2:]


def _as_dealer(word: str, size: int) -> Choice:
    """A ruling to choose from: "A raise to 600"."""
    if word in ("call", "check", "fold"):
        return Choice(f"A {word}", word)
    if word in ("bet", "raise", "complete"):
        named = {"bet": "A bet of", "raise": "A raise to", "complete": "A completion to"}[word]
        return Choice(f"{named} {size:,}", f"{word} {size}")
    return {"floor": _FLOOR, "none:unclear": _NOTHING}.get(word) or Choice(_NOT_YET[word], word)


_NOT_YET: Final = {
    "none:bet": "A bet, but ask how much",
    "none:raise": "A raise, but ask how much",
    "none:complete": "A completion, but ask how much",
    "none:amount": "A wager, but ask how much",
    "none:turn": "Out of turn: hold it until the action gets there",
    "none:check": "Not a check: a call or a fold is all that is left",
    "none:fold": "No act yet, but it can no longer fold",
}


def _as_player(word: str, size: int) -> Choice:
    """What you have done, to choose from: "You have raised to 600"."""
    if word in ("call", "check", "fold"):
        return Choice(f"You have {word}ed", word)
    if word in ("bet", "raise", "complete"):
        named = {"bet": "You have bet", "raise": "You have raised to", "complete": "You have completed to"}[word]
        return Choice(f"{named} {size:,}", f"{word} {size}")
    return Choice(_YOURS[word], word)


_YOURS: Final = {
    "floor": "The floor must decide that",
    "none:unclear": "Nothing yet",
    "none:bet": "You are bound to a bet and must say how much",
    "none:raise": "You are bound to a raise and must say how much",
    "none:complete": "You are bound to complete and must say to how much",
    "none:amount": "You are bound to a wager and must say how much",
    "none:turn": "You were out of turn: it waits until the action gets to you",
    "none:check": "That is no check: you may now only call or fold",
    "none:fold": "Nothing yet, but you can no longer fold",
}


def how_much(moment: Moment) -> Iterator[Draft]:
    """To how much a bet or raise is."""
    ruling = moment.outcome.ruling
    if moment.physical is None or ruling is None or ruling.ruling not in _WAGERS or "to" not in moment.expected:
        return
    asks = {
        RulingKind.BET: "It is a bet. How much is it?", RulingKind.RAISE: "It is a raise. To how much?",
        RulingKind.COMPLETE: "It is a completion. To how much?",
    }[ruling.ruling]  # fmt: skip
    yield amount_of(asks, ruling.to)


def money(moment: Moment) -> Iterator[Draft]:
    """What goes back and what is owed, against what would follow from wrong rulings."""
    act, ruling, hand = moment.physical, moment.outcome.ruling, moment.before.state.hand
    if act is None or ruling is None or hand is None or ruling.ruling not in _PLAYED or not act.pushed:
        return
    if not moment.expected & {"returned", "owes"} or (ruling.returned and ruling.owes):
        return
    lies = ruling.to + ruling.returned - ruling.owes
    others = [hand.level, *wrong.totals(moment.before.state, hand, act), hand.bet(act.seat)]
    drafts = [_moves(act.seat, lies - total) for total in others]
    right = _moves(act.seat, ruling.returned - ruling.owes)
    yield Draft("What do you give back or ask for?", right, (*drafts[:2], _moves(act.seat, 0), *drafts[2:]))


def _moves(seat: int, back: int) -> Choice:
    if not back:
        return Choice("Nothing: it is right as it lies", "0")
    text = f"Give {back:,} back to seat {seat}" if back > 0 else f"Ask seat {seat} for {-back:,} more"
    return Choice(text, str(back))


def binding(moment: Moment, *, mine: bool) -> Iterator[Draft]:
    """Whether an act out of turn binds now that its turn has come."""
    settled = moment.outcome.settled
    if "binding" not in moment.expected or len(settled) != 1:
        return
    one = settled[0]
    if one.ruling is not None and one.ruling.ruling is RulingKind.FLOOR:
        return
    seat = one.seat
    if mine:
        asks = "You had acted out of turn, and now the action is on you. Are you bound by what you did?"
        stays, goes = "Yes, it stands", "No: it goes back to you, and you may do anything"
    else:
        asks = f"Seat {seat} had acted out of turn, and now the action is there. Does its act bind?"
        stays, goes = "Yes, it stands", f"No: it goes back, and seat {seat} may do anything"
    yes, no = Choice(stays, "a"), Choice(goes, "b")
    right, other = (yes, no) if one.binding else (no, yes)
    yield Draft(asks, right, (other,), you=seat if mine else None, keeps_order=True)
