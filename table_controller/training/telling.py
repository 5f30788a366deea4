"""A story in plain English, told to a dealer ("Seat 2 silently puts in ...") or to the player who acts ("You ...")."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from betline.settings import STREETS as STREETS_OF
from betline.settings import GameSettings
from betline.steps import Act, BringIn, Deal, Step, Straddle, TableSetup
from table_controller.positions import structure_of
from table_controller.rulings import Outcome, Ruling, RulingKind, Table
from table_controller.session.situation import GAME_NAMES, LIMIT_NAMES
from table_controller.training.moments import House, Moment

STREETS: Final = {
    "preflop": "before the flop", "flop": "on the flop", "turn": "on the turn", "river": "on the river",
    "third": "on third street", "fourth": "on fourth street", "fifth": "on fifth street", "sixth": "on sixth street",
    "seventh": "on seventh street", "predraw": "before the draw", "postdraw": "after the draw",
    "first": "after the first draw", "second": "after the second draw",
}  # fmt: skip
_DEALT: Final = {
    "flop": "The flop is dealt.", "turn": "The turn is dealt.", "river": "The river is dealt.",
    "third": "Three cards are dealt.", "fourth": "Fourth street is dealt.", "fifth": "Fifth street is dealt.",
    "sixth": "Sixth street is dealt.", "seventh": "Seventh street is dealt.", "postdraw": "The draw is over.",
    "first": "The first draw is over.", "second": "The second draw is over.",
}  # fmt: skip
_NUMBERS: Final = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_ENDINGS: Final = {"push": "pushes", "go": "goes", "carry": "carries", "say": "says"}
_SAME: Final = {"fold": ("folds", "fold"), "check": ("checks", "check"), "call": ("calls", "call")}


def scene(moment: Moment, you: int | None = None, *, ruled: bool = False) -> tuple[str, ...]:
    """The game, what came before and what happens now, a sentence or two each; with `ruled`, also what that is."""
    story = moment.story
    told = [game(story.setup, moment.house), begins(story.setup, story.begun)]
    told += _earlier(story.begun, story.steps[:-1], story.outcomes[:-1], you)
    told.append(happens(moment.before, moment.step, moment.outcome, you, ruled=ruled))
    return tuple([line for line in told if line])


def game(setup: TableSetup, house: House) -> str:
    """The game and the rules it is played by."""
    played = setup.game
    parts = [f"{LIMIT_NAMES[played.limit]} {GAME_NAMES[played.streets]}", *_stakes(played), house.title]
    return ", ".join(part for part in parts if part) + "."


def _stakes(played: GameSettings) -> Iterator[str]:
    if played.bets:
        sizes = sorted(set(played.bets))
        yield f"bets of {_listed([f'{size:,}' for size in sizes])}"
    spread = structure_of(played).spread
    if spread:
        yield _spread(list(spread), STREETS_OF[played.streets][-1])
    if len(played.blinds) == 1:
        yield f"one blind of {played.blinds[0]:,}"
    elif played.blinds:
        yield f"blinds {'-'.join(f'{blind:,}' for blind in played.blinds)}"
    if played.ante:
        payer = {"each": "", "big-blind": " from the big blind", "button": " from the button"}[played.ante_by]
        yield f"ante {played.ante:,}{payer}"
    if played.bring_in:
        yield f"bring-in {played.bring_in:,}"
    if played.min_bet and not spread:
        yield f"smallest bet {played.min_bet:,}"
    if played.unit > 1:
        yield f"all bets in multiples of {played.unit:,}"
    if played.cap:
        yield f"capped at {played.cap:,} a player and hand"


def _spread(ranges: Sequence[tuple[int, int]], last_street: str) -> str:
    """What may be bet; where only the last street has another range, that is named."""
    told = list(dict.fromkeys([f"{least:,} to {most:,}" for least, most in ranges]))
    if len(told) == 2 and len(set(ranges[:-1])) == 1:
        return f"bets from {told[0]}, {STREETS[last_street]} from {told[1]}"
    return f"bets from {', then from '.join(told)}"


def begins(setup: TableSetup, begun: Table) -> str:
    """Where the story begins, and what the picture of the table does not say of it."""
    hand = begun.state.hand
    if hand is None:
        return ""
    start = setup.start
    pot = f", with {hand.pot:,} in the pot" if start is not None and hand.pot else ""
    parts = [f"We are {STREETS[hand.street]}{pot}"]
    if start is not None and start.paid is not None and len(set(start.paid.values())) > 1:
        parts.append(_listed([f"{amount:,} of it from seat {seat}" for seat, amount in sorted(start.paid.items())]))
    text = ": ".join(parts) + "."
    for seat in sorted(hand.all_in) if start is None else ():
        text += f" Seat {seat} is all-in with the {hand.contributions[seat]:,} that it had to post."
    for seat, chips in sorted(setup.in_front.items()):
        text += f" The bet of seat {seat} is still {in_chips(chips)}: no change has been given."
    return text


def _earlier(begun: Table, steps: Sequence[Step], outcomes: Sequence[Outcome], you: int | None) -> list[str]:
    """What came before, a row of folds, checks or calls in one sentence."""
    told: list[str] = []
    row: list[int] = []
    verb = ""
    before = begun
    for step, outcome in zip(steps, outcomes, strict=True):
        same = _plain(step, outcome, you)
        if same != verb and row:
            told.append(_together(row, verb))
            row = []
        verb = same
        if same and isinstance(step, Act):
            row.append(step.seat)
        else:
            told.append(happens(before, step, outcome, you, ruled=True))
        before = outcome.table
    return [*told, _together(row, verb)] if row else told


def _plain(step: Step, outcome: Outcome, you: int | None) -> str:
    """The verb of a passive act that can be told together with its like; empty for any other step."""
    if not isinstance(step, Act) or step.action not in _SAME or step.seat == you or outcome.settled:
        return ""
    ruling = outcome.ruling
    return step.action if ruling is not None and not ruling.all_in and ruling.ruling.value == step.action else ""


def _together(seats: Sequence[int], verb: str) -> str:
    one, many = _SAME[verb]
    if len(seats) == 1:
        return f"Seat {seats[0]} {one}."
    return f"Seats {_listed([str(seat) for seat in seats])} {many}."


def happens(before: Table, step: Step, outcome: Outcome, you: int | None = None, *, ruled: bool = False) -> str:
    """One step in a sentence; with `ruled`, also what an act of chips or words was ruled."""
    if isinstance(step, Deal):
        hand = outcome.table.state.hand
        opener = f" Seat {step.first} opens." if step.first is not None else ""
        return (_DEALT[hand.street] if hand is not None else "The next cards are dealt.") + opener
    if isinstance(step, BringIn):
        hand = outcome.table.state.hand
        return (
            f"{_who(step.seat, you)} {_does('bring', step.seat, you)} it in for {hand.bet(step.seat) if hand else 0:,}."
        )
    if isinstance(step, Straddle):
        hand = outcome.table.state.hand
        how = "puts out a sleeper of" if step.kind == "sleeper" else "straddles for"
        return f"Seat {step.seat} {how} {hand.bet(step.seat) if hand else 0:,}."
    if not isinstance(step, Act):
        return ""
    text = f"{_who(step.seat, you)} {_act(step, before, outcome, you)}."
    if ruled and step.action is None and outcome.ruling is not None:
        text += f" That is {ruled_as(outcome.ruling, outcome)}."
    for settled in outcome.settled if ruled else ():
        text += f" The act of seat {settled.seat} out of turn {'binds' if settled.binding else 'does not bind'}."
    return text


def ruled_as(ruling: Ruling, outcome: Outcome) -> str:
    """What an act is, with its article: "a raise to 600"."""
    all_in = " and all-in" if ruling.all_in else ""
    match ruling.ruling:
        case RulingKind.CHECK | RulingKind.FOLD | RulingKind.CALL:
            return f"a {ruling.ruling.value}{all_in}"
        case RulingKind.BET:
            return f"a bet of {ruling.to:,}{all_in}"
        case RulingKind.RAISE:
            return f"a raise to {ruling.to:,}{all_in}"
        case RulingKind.COMPLETE:
            return f"a completion to {ruling.to:,}{all_in}"
        case RulingKind.FLOOR:
            return "a matter for the floor"
    declared = outcome.table.state.standing.declared
    why = not_yet(ruling, outcome)
    return f"a {declared} that still needs its amount" if why == "amount" and declared else _NOT_YET[why]


def not_yet(ruling: Ruling, outcome: Outcome) -> str:
    """Why an act is none yet, as a word: `amount`, `turn`, `check`, `fold` or `unclear`."""
    standing = outcome.table.state.standing
    alerts = frozenset((*ruling.alerts, *outcome.alerts))
    if "amount-pending" in alerts:
        return "amount"
    if "out-of-turn" in alerts:
        return "turn"
    if standing.no_raise:
        return "check"
    if standing.no_fold:
        return "fold"
    return "unclear"


_NOT_YET: Final = {
    "amount": "a wager that still needs its amount",
    "turn": "out of turn, and held until the action gets there",
    "check": "no check: only a call or a fold is left",
    "fold": "no act yet, but folding is no longer possible",
    "unclear": "no act yet",
}


def _act(act: Act, before: Table, outcome: Outcome, you: int | None) -> str:
    if act.action is not None:
        return _keyed(act, outcome, you)

    def does(verb: str) -> str:
        return _does(verb, act.seat, you)

    if act.gesture is not None:
        return f"{does('tap')} the table" if act.gesture == "tap" else f"{does('push')} the cards to the muck"
    if act.pays:
        return f"{does('add')} {in_chips(act.pays)} to what is out"
    says = f'{does("say")} "{act.says.rstrip(".")}"' if act.says is not None else ""
    moves = list(_moves(act, before, you))
    silent = bool(moves) and not says and act.changes is None
    if act.first == "both" and says and moves:
        return f"{says} and in the same moment {_in_turn(moves)}"
    if act.first == "chips" and says and moves:
        return f"{_in_turn(moves)}, then {says}"
    text = _in_turn([*([says] if says else []), *moves])
    return f"silently {text}" if silent else text


def _keyed(act: Act, outcome: Outcome, you: int | None) -> str:
    """An act whose meaning is clear."""
    ruling = outcome.ruling
    all_in = ruling is not None and ruling.all_in
    to = 0 if ruling is None else ruling.to
    verb, amount = {
        "bet": ("bet", f" {to:,}"), "raise": ("raise", f" to {to:,}"), "complete": ("complete", f" to {to:,}"),
        "all-in": ("go", f" all-in for {to:,}"), "call": ("call", f", all-in for {to:,}" if all_in else ""),
        "check": ("check", ""), "fold": ("fold", ""),
    }[act.action or "check"]  # fmt: skip
    text = f"{_does(verb, act.seat, you)}{amount}"
    if all_in and act.action in ("bet", "raise", "complete"):
        text += ", all-in"
    if act.accepted:
        text += ", a size that is not allowed, and nobody notices"
    if ruling is not None and ruling.ruling is RulingKind.NONE:
        to = act.to or 0
        text = f"{_does(verb, act.seat, you)}{f' {to:,}' if act.action == 'bet' else f' to {to:,}' if to else ''}"
        text += " out of turn"
    return text


def _moves(act: Act, before: Table, you: int | None) -> Iterator[str]:
    """What the hands do, in order."""

    def does(verb: str) -> str:
        return _does(verb, act.seat, you)

    if act.takes_back:
        yield f"{does('pull')} back {in_chips(act.takes_back)}"
    if act.changes is not None:
        given, taken = in_chips(act.changes.gives), in_chips(act.changes.takes)
        yield f"{does('call')} for change and {does('swap')} {given} for {taken} of the pot"
    for number, motion in enumerate(act.motions):
        if number:
            yield f"{does('go')} back to the stack and {does('add')} {in_chips(motion)}"
        else:
            yield f"{does('put')} in {_its_last(act, before, you)}{in_chips(motion)}"
    if act.splashes:
        yield f"{does('throw')} {in_chips(act.splashes)} into the pot"
    if act.carries_back:
        yield f"{does('carry')} {in_chips(act.carries_back)} over the line and back without letting go"


def _its_last(act: Act, before: Table, you: int | None) -> str:
    """Said of chips that are all that the seat has behind."""
    hand = before.state.hand
    if len(act.motions) > 1:
        return ""
    behind = 0 if hand is None or act.seat not in hand.seats else hand.stack(act.seat) + sum(act.takes_back)
    last = f"{'your' if act.seat == you else 'its'} last chip{'s' if len(act.pushed) > 1 else ''}, "
    return last if sum(act.pushed) == behind and not before.state.in_front.get(act.seat) else ""


def in_chips(chips: Iterable[int]) -> str:
    """Chips as a dealer says them: "two 500 chips and one 100 chip"."""
    values = tuple(chips)
    kinds = [(value, values.count(value)) for value in sorted(set(values), reverse=True)]
    return _listed([f"{number(count)} {value:,} chip{'s' if count > 1 else ''}" for value, count in kinds])


def number(count: int) -> str:
    """A small number in words."""
    return _NUMBERS[count] if count < len(_NUMBERS) else f"{count}"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _in_turn(moves: Sequence[str]) -> str:
    """Moves of one act in their order."""
    long = len(moves) > 2 or any(" and swap" in move or "back to the stack" in move for move in moves)
    return (", then " if long else " and ").join(moves)


def _who(seat: int, you: int | None) -> str:
    return "You" if seat == you else f"Seat {seat}"


def _does(verb: str, seat: int, you: int | None) -> str:
    return verb if seat == you else _ENDINGS.get(verb, f"{verb}s")
