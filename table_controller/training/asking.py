"""Questions made of moments: what is asked, the right answer by the engine, and the choices. Pure but for a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final, Literal, get_args

from betline.messages.table import TableState
from betline.steps import Act
from table_controller.announce.spoken import LEAST, ONLY
from table_controller.betting import Hand, PayoutKind
from table_controller.rulings import Ruling, RulingKind
from table_controller.rulings.values.state import State
from table_controller.training import felt, telling, wrong
from table_controller.training.moments import Moment
from table_controller.training.wrong import Choice

Mode = Literal["dealer", "player"]
MODES: tuple[Mode, ...] = get_args(Mode)
KINDS: Final = {
    "what": "what an act is",
    "amount": "to how much it is",
    "money": "what goes back or is owed",
    "say": "what the dealer says to the next player",
    "next": "who acts next",
    "call": "what a call costs",
    "least": "the least raise",
    "most": "the most that may be bet",
    "may": "whether a raise is open",
    "binding": "whether an act out of turn binds",
    "pots": "how much is in a pot",
    "who": "who can win a pot",
    "uncalled": "what goes back uncalled",
}
"""Every kind of question, by the word that topics name it by."""
_WAGERS: Final = (RulingKind.BET, RulingKind.RAISE, RulingKind.COMPLETE)
_PLAYED: Final = (*_WAGERS, RulingKind.CALL, RulingKind.CHECK)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question. Without choices an amount is typed."""

    id: str
    """The same in every sitting: what is learnt is kept by it."""
    mode: Mode
    topic: str
    kind: str
    moment: Moment
    scene: tuple[str, ...]
    asks: str
    table: TableState
    right: str
    """The meaning of the right choice, or the amount in digits."""
    choices: tuple[Choice, ...] = ()

    @property
    def right_text(self) -> str:
        """The right answer as it is shown."""
        return (
            f"{int(self.right):,}" if not self.choices else {one.meaning: one.text for one in self.choices}[self.right]
        )

    def meant(self, typed: str) -> str | None:
        """What was typed means: the number of a choice, or an amount; None where it is neither."""
        text = typed.strip().replace(",", "").replace(" ", "").replace("'", "")
        if not (text.isascii() and text.isdigit()):
            return None
        if not self.choices:
            return str(int(text))
        place = int(text)
        return self.choices[place - 1].meaning if 0 < place <= len(self.choices) else None


@dataclass(frozen=True, slots=True)
class _Draft:
    """What a kind makes of a moment; the choices are mixed later."""

    asks: str
    right: Choice
    wrong: tuple[Choice, ...] = ()
    """Nothing: an amount is typed."""
    you: int | None = None
    after: bool = False
    """The table is shown as it is after the act, and the scene says what the act was."""
    part: int = 0
    """Of several of one kind, which."""
    keeps_order: bool = False


def questions_of(moment: Moment, topic: str, kinds: frozenset[str], mode: Mode, seed: int = 0) -> Iterator[Question]:
    """Every question of these kinds that a moment makes; `seed` only mixes the choices."""
    for kind, makers in _MAKERS.items():
        if kind in kinds and mode in makers:
            for draft in makers[mode](moment):
                yield _question(moment, topic, kind, mode, draft, seed)


def _question(moment: Moment, topic: str, kind: str, mode: Mode, draft: _Draft, seed: int) -> Question:
    name = f"{mode}/{moment.house.name}/{moment.case}/{moment.number}/{kind}{draft.part or ''}"
    choices: tuple[Choice, ...] = ()
    if draft.keeps_order:
        choices = (
            (draft.right, *draft.wrong) if draft.right.meaning < draft.wrong[0].meaning else (*draft.wrong, draft.right)
        )
    elif draft.wrong:
        choices = wrong.mixed(draft.right, draft.wrong, Random(f"{seed}/{name}"))
    table = moment.after if draft.after else moment.before
    return Question(
        id=name, mode=mode, topic=topic, kind=kind, moment=moment,
        scene=telling.scene(moment, draft.you, ruled=draft.after), asks=draft.asks,
        table=felt.seen(table, pots=kind not in ("pots", "who"), acting=kind != "next"),
        right=draft.right.meaning, choices=choices,
    )  # fmt: skip


def _amount(asks: str, amount: int, *, you: int | None = None, after: bool = False, part: int = 0) -> _Draft:
    return _Draft(asks, Choice(f"{amount:,}", str(amount)), you=you, after=after, part=part)


# --- what an act is


_FLOOR: Final = Choice("A matter for the floor", "floor")
_NOTHING: Final = Choice("No act yet", "none:unclear")


def _what(moment: Moment) -> Iterator[_Draft]:
    act, ruling = moment.physical, moment.outcome.ruling
    if act is None or ruling is None or "ruling" not in moment.expected:
        return
    right = _what_choice(moment, ruling)
    yield _Draft("How do you rule it?", right, tuple(_other_rulings(moment, act, ruling, _as_dealer)))


def _what_you_did(moment: Moment) -> Iterator[_Draft]:
    act, ruling = moment.physical, moment.outcome.ruling
    if act is None or ruling is None or "ruling" not in moment.expected:
        return
    right = _as_player(*_parts(_what_choice(moment, ruling)))
    yield _Draft("What have you done?", right, tuple(_other_rulings(moment, act, ruling, _as_player)), you=act.seat)


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


def _how_much(moment: Moment) -> Iterator[_Draft]:
    ruling = moment.outcome.ruling
    if moment.physical is None or ruling is None or ruling.ruling not in _WAGERS or "to" not in moment.expected:
        return
    asks = {
        RulingKind.BET: "It is a bet. How much is it?", RulingKind.RAISE: "It is a raise. To how much?",
        RulingKind.COMPLETE: "It is a completion. To how much?",
    }[ruling.ruling]  # fmt: skip
    yield _amount(asks, ruling.to)


def _money(moment: Moment) -> Iterator[_Draft]:
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
    yield _Draft("What do you give back or ask for?", right, (*drafts[:2], _moves(act.seat, 0), *drafts[2:]))


def _moves(seat: int, back: int) -> Choice:
    if not back:
        return Choice("Nothing: it is right as it lies", "0")
    text = f"Give {back:,} back to seat {seat}" if back > 0 else f"Ask seat {seat} for {-back:,} more"
    return Choice(text, str(back))


def _binding(moment: Moment, *, mine: bool) -> Iterator[_Draft]:
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
    yield _Draft(asks, right, (other,), you=seat if mine else None, keeps_order=True)


# --- the turn after it


def _turn(moment: Moment) -> tuple[State, Hand, int] | None:
    """The table after the step with the seat to act; None where nobody is, or the floor must decide first."""
    state = moment.after.state
    hand = state.hand
    if hand is None or hand.next_seat is None or state.floor is not None or state.standing.declared is not None:
        return None
    return state, hand, hand.next_seat


def _say(moment: Moment) -> Iterator[_Draft]:
    turn = _turn(moment)
    if turn is None or not {"call", "min_raise_to"} <= moment.expected:
        return
    state, hand, seat = turn
    call, bounds = hand.to_call or 0, state.raise_range
    if not call or bounds is None or bounds[0] >= hand.bet(seat) + hand.stack(seat):
        return
    wager, least = str(hand.wager_kind), bounds[0]
    calls = [
        cost
        for cost in (hand.level, call + hand.bet(seat), least - hand.bet(seat), call + hand.last_raise)
        if cost != call
    ]
    sizes = list(wrong.sizes(hand, seat, least))
    pairs = (
        [(cost, least) for cost in calls[:1]]
        + [(call, size) for size in sizes[:3]]
        + [(cost, least) for cost in calls[1:]]
    )
    sentence = (ONLY if least == bounds[1] else LEAST)[wager]
    others = tuple([_said(seat, sentence, cost, size) for cost, size in pairs])
    yield _Draft(f"What do you say to seat {seat}?", _said(seat, sentence, call, least), others, after=True)


def _said(seat: int, sentence: str, call: int, least: int) -> Choice:
    sized = sentence.format(least=f"{least:,}")
    return Choice(f'"Seat {seat}, {call:,} to call. {sized}"', f"{call}/{least}")


def _next(moment: Moment) -> Iterator[_Draft]:
    state, hand = moment.after.state, moment.after.state.hand
    if "next" not in moment.expected or hand is None or state.floor is not None:
        return
    over = "the hand is over" if hand.hand_over else "the betting round is over"
    nobody = Choice(f"Nobody: {over}", "0")
    right = nobody if hand.next_seat is None else _seat(hand.next_seat)
    before = moment.before.state.hand
    last = getattr(moment.step, "seat", 0)
    around = sorted(hand.in_hand, key=lambda seat: (seat - last - 1) % 10)
    folded = sorted(hand.folded, key=lambda seat: (seat - last - 1) % 10)
    aggressor = [] if before is None or before.aggressor is None else [before.aggressor]
    others = [
        *[_seat(seat) for seat in (*around[:2], *aggressor)],
        nobody,
        *[_seat(seat) for seat in (*around[2:], *folded)],
    ]
    yield _Draft("Who acts next?", right, tuple(others), after=True)


def _seat(seat: int) -> Choice:
    return Choice(f"Seat {seat}", str(seat))


def _call(moment: Moment) -> Iterator[_Draft]:
    turn = _turn(moment)
    if turn is None or "call" not in moment.expected or not turn[1].to_call:
        return
    asks = "It is on you. How much more do you put in to call?"
    yield _amount(asks, turn[1].to_call, you=turn[2], after=True)


def _least(moment: Moment, *, mine: bool) -> Iterator[_Draft]:
    turn = _turn(moment)
    if turn is None or "min_raise_to" not in moment.expected:
        return
    state, hand, seat = turn
    bounds = state.raise_range
    if bounds is None or bounds[0] >= hand.bet(seat) + hand.stack(seat):
        return
    wager, least = str(hand.wager_kind), bounds[0]
    if mine:
        little = "" if least == bounds[1] else " as little as you may"
        more = " more" if hand.bet(seat) else ""
        asks = f"It is on you. You want to {wager}{little}. How much{more} do you put in?"
        yield _amount(asks, least - hand.bet(seat), you=seat, after=True)
    elif least == bounds[1]:
        yield _amount(
            f"If seat {seat} {_third(wager)}, {'how much' if wager == 'bet' else 'to how much'}?", least, after=True
        )
    else:
        yield _amount(f"What is the least that seat {seat} may {_verb(wager)}?", least, after=True)


def _most(moment: Moment, *, mine: bool) -> Iterator[_Draft]:
    turn = _turn(moment)
    if turn is None or "max_raise_to" not in moment.expected:
        return
    state, hand, seat = turn
    bounds, wager = state.raise_range, str(hand.wager_kind)
    if bounds is None or bounds[1] >= hand.bet(seat) + hand.stack(seat) or bounds[0] == bounds[1]:
        return
    if mine:
        asks = f"It is on you. What is the most that you may {_verb(wager)}?"
        yield _amount(asks, bounds[1], you=seat, after=True)
    else:
        yield _amount(f"What is the most that seat {seat} may {_verb(wager)}?", bounds[1], after=True)


def _third(wager: str) -> str:
    return {"bet": "bets", "raise": "raises", "complete": "completes"}[wager]


def _verb(wager: str) -> str:
    return {"bet": "bet", "raise": "raise to", "complete": "complete to"}[wager]


def _may(moment: Moment) -> Iterator[_Draft]:
    turn = _turn(moment)
    if turn is None or not moment.expected & {"may", "min_raise_to"}:
        return
    state, hand, seat = turn
    has = hand.bet(seat) + hand.stack(seat)
    wager = str(hand.wager_kind)
    if has <= hand.level:
        return
    bounds = state.raise_range
    passive = sorted([str(kind) for kind in state.may if str(kind) in ("call", "check", "fold")])
    refused = Choice(f"No, only {' or '.join(passive)}", "no") if passive else Choice("No", "no")
    all_in = Choice("Yes, but only all-in", "all-in")
    right = refused if bounds is None else all_in if bounds[0] >= has else _sized(bounds)
    sizes = [size for size in (hand.level + hand.last_raise, 2 * hand.level) if hand.level < size < has]
    guesses = [_sized((size, has)) for size in sizes if bounds is None or size != bounds[0]]
    asks = f"It is on you. May you {wager}?"
    yield _Draft(asks, right, (refused, *guesses[:1], all_in, *guesses[1:]), you=seat, after=True)


def _sized(bounds: tuple[int, int]) -> Choice:
    least, most = bounds
    return Choice(f"Yes, to {least:,} or more" if least < most else f"Yes, to {least:,} and no more", str(least))


# --- the pots


def _pots(moment: Moment) -> Iterator[_Draft]:
    hand = moment.after.state.hand
    if "pots" not in moment.expected or hand is None or not hand.round_over:
        return
    for place, pot in enumerate(hand.pots):
        where = "still to be won" if len(hand.pots) == 1 else f"in {_pot(place, len(hand.pots))}"
        yield _amount(f"The bets are taken in. How much is {where}?", pot.amount, part=place)


def _who(moment: Moment) -> Iterator[_Draft]:
    hand = moment.after.state.hand
    if "pots" not in moment.expected or hand is None or not hand.round_over or len(hand.pots) < 2:
        return
    everybody = tuple(sorted(hand.seats))
    sets = [tuple(sorted(pot.seats)) for pot in hand.pots]
    for place, right in enumerate(sets):
        fewer = [tuple([seat for seat in right if seat != one]) for one in right[:1] if len(right) > 2]
        others = [*sets, tuple(sorted(hand.in_hand)), everybody, *fewer]
        asks = f"The bets are taken in. Who can win {_pot(place, len(sets))}?"
        yield _Draft(asks, _winners(right), tuple([_winners(one) for one in others]), part=place)


def _pot(place: int, of: int) -> str:
    return "the main pot" if place == 0 else "the side pot" if of == 2 else f"side pot {place}"


def _winners(seats: tuple[int, ...]) -> Choice:
    listed = [str(seat) for seat in seats]
    text = f"Seats {', '.join(listed[:-1])} and {listed[-1]}" if len(seats) > 1 else f"Seat {listed[0]} alone"
    return Choice(text, ",".join(listed))


def _uncalled(moment: Moment) -> Iterator[_Draft]:
    before, hand = moment.before.state.hand, moment.after.state.hand
    if before is None or hand is None or not moment.expected & {"bets", "stacks", "pot", "pots"}:
        return
    new = [one for one in hand.payouts[len(before.payouts) :] if one.kind is PayoutKind.UNCALLED]
    if len(new) != 1 or not hand.round_over:
        return
    seat, amount = new[0].seat, new[0].amount
    bet = hand.bet(seat) + amount
    matched = sorted([before.bet(one) for one in hand.seats if one != seat], reverse=True)
    amounts = [bet - lower for lower in matched if bet - lower > 0] + [bet]
    others = [_back(seat, other) for other in amounts]
    nothing = Choice("Nothing goes back", "0")
    yield _Draft("The round is over. What goes back uncalled?", _back(seat, amount), (nothing, *others))


def _back(seat: int, amount: int) -> Choice:
    return Choice(f"{amount:,} goes back to seat {seat}", f"{seat}/{amount}")


_Maker = Callable[[Moment], Iterator[_Draft]]
_MAKERS: Final[dict[str, dict[Mode, _Maker]]] = {
    "what": {"dealer": _what, "player": _what_you_did},
    "amount": {"dealer": _how_much},
    "money": {"dealer": _money},
    "say": {"dealer": _say},
    "next": {"dealer": _next},
    "call": {"player": _call},
    "least": {"dealer": lambda moment: _least(moment, mine=False), "player": lambda moment: _least(moment, mine=True)},
    "most": {"dealer": lambda moment: _most(moment, mine=False), "player": lambda moment: _most(moment, mine=True)},
    "may": {"player": _may},
    "binding": {
        "dealer": lambda moment: _binding(moment, mine=False),
        "player": lambda moment: _binding(moment, mine=True),
    },
    "pots": {"dealer": _pots},
    "who": {"dealer": _who},
    "uncalled": {"dealer": _uncalled},
}
