"""What a journal shows people: its hands, one hand act by act, and whether it is whole. Pure over recorded entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from betline.cards import parse_cards, shown
from betline.steps import (
    ChopBlinds,
    FouledDeck,
    LastTwo,
    LayCards,
    Misdeal,
    NextHand,
    Override,
    PassOut,
    ReopenAward,
    Step,
    Undo,
    step_to_mapping,
)
from table_controller.accounts.readers import Change, Readers, words
from table_controller.journal.entries import (
    Alerted,
    Announced,
    AskedWhichFirst,
    CameraSaw,
    CardsOpened,
    Checkpoint,
    DealerNamed,
    Entry,
    FeltMoved,
    HandBegan,
    HandOver,
    Obeyed,
    Observed,
    OpenedCards,
    PinRefused,
    ReaderKnown,
    Recorded,
    RulesChanged,
    SignedIn,
    SignedOut,
    Stepped,
)
from table_controller.journal.errors import JournalError
from table_controller.rulings.redo.otherwise import moves_in_words

_MAX_LIST = 8


@dataclass(frozen=True, slots=True)
class HandSummary:
    """One hand of the list; ``winners`` is what each seat won of the pots, empty while the hand goes on."""

    hand_no: int
    began_ms: int
    seats: Mapping[int, int]
    button: int | None
    pot: int = 0
    winners: Mapping[int, int] | None = None
    readers: Mapping[str, Any] = field(default_factory=dict)
    """Serial number and firmware by reader, as far as the readers had said them when the hand began."""
    cards: tuple[OpenedCards, ...] = ()
    """What lay face up, where the house kept cards; nothing while the hand goes on."""
    exchanged: tuple[Change, ...] = ()
    """Readers that were exchanged since the hand before was over, until this one was."""

    def as_json(self) -> dict[str, Any]:
        """One object of ``betline journal list --json``."""
        return {
            "hand": self.hand_no,
            "began": time_of(self.began_ms),
            "button": self.button,
            "seats": {str(seat): stack for seat, stack in self.seats.items()},
            "pot": self.pot,
            "winners": None if self.winners is None else {str(seat): won for seat, won in self.winners.items()},
            "cards": [
                {"seat": one.seat, "street": one.street, "board": one.board, "cards": one.cards} for one in self.cards
            ],
            "readers": dict(self.readers),
            "exchanged": [change.as_json() for change in self.exchanged],
        }

    def line(self) -> str:
        """What ``betline journal list`` says of it: one line, and one for each reader that was exchanged."""
        if self.winners is None:
            end = "goes on"
        else:
            end = ", ".join(f"seat {seat} won {won}" for seat, won in self.winners.items()) or "no pot"
        line = f"hand {self.hand_no}  {time_of(self.began_ms)}  {len(self.seats)} seats  pot {self.pot}  {end}"
        cards = f"{'':>8}{cards_in_words(self.cards)}."
        return "\n".join(
            (
                line,
                *([cards] if self.cards else []),
                *(f"{'':>8}{self._when(one)} {one.sentence}" for one in self.exchanged),
            )
        )

    def _when(self, change: Change) -> str:
        return "Before this hand" if change.at_ms < self.began_ms else "In this hand"


def _as_opened_last(before: tuple[OpenedCards, ...], now: tuple[OpenedCards, ...]) -> tuple[OpenedCards, ...]:
    """What lay where, by place: an award that was taken back may have been made with other cards."""
    places = {(one.seat, one.street, one.board): one for one in (*before, *now)}
    board = [one for one in places.values() if one.seat is None]
    return (*board, *sorted([one for one in places.values() if one.seat is not None], key=lambda one: one.seat or 0))


def cards_in_words(opened: Iterable[OpenedCards]) -> str:
    """Boards and hands as people read them: `board A♠ K♦ 7♣, 2♣; seat 1 A♥ J♣`."""
    boards: dict[int, list[str]] = {}
    seats: list[str] = []
    for one in opened:
        cards = shown(parse_cards(one.cards))
        if one.seat is None:
            boards.setdefault(one.board, []).append(cards)
        else:
            seats.append(f"seat {one.seat} {cards}")
    named = [f"board {number or ''}".rstrip() + f" {', '.join(cards)}" for number, cards in boards.items()]
    return "; ".join((*named, *seats))


def hands(entries: Iterable[Recorded]) -> tuple[HandSummary, ...]:
    """The hands of a journal in order. A hand that was taken back is not in it."""
    found: dict[int, HandSummary] = {}
    readers, waiting = Readers(), tuple[Change, ...]()
    for recorded in entries:
        if recorded.kind not in _OF_HANDS:
            continue
        if (change := readers.take(recorded)) is not None:
            waiting += (change,)
        entry = recorded.entry
        match entry:
            case HandBegan(hand_no=number):
                found[number] = HandSummary(
                    number, recorded.at_ms, entry.seats, entry.button, readers=readers.as_json(), exchanged=waiting
                )
                waiting = ()
            case HandOver(hand_no=number) if number in found:
                if found[number].winners is None:
                    found[number] = replace(found[number], exchanged=found[number].exchanged + waiting)
                    waiting = ()
                found[number] = replace(found[number], pot=entry.pot, winners=entry.winners)
            case CardsOpened(hand_no=number) if number in found:
                found[number] = replace(found[number], cards=_as_opened_last(found[number].cards, entry.cards))
            case Stepped(hand_no=number):
                if isinstance(entry.step, Undo):
                    undone = [hand for one, hand in found.items() if one > number]
                    waiting = tuple(change for hand in undone for change in hand.exchanged) + waiting
                    found = {one: hand for one, hand in found.items() if one <= number}
                if isinstance(entry.step, ChopBlinds) and number in found:
                    found[number] = replace(found[number], winners={})
                taken_back = isinstance(entry.step, Undo) and number in found and found[number].winners == {}
                if (entry.over is False or taken_back) and number in found:
                    found[number] = replace(found[number], pot=0, winners=None, cards=())
    return tuple(found.values())


def hand(entries: Iterable[Recorded], hand_no: int) -> tuple[Recorded, ...]:
    """Every entry of one hand in order, from its beginning to that of the next.

    Raises JournalError (``no-hand``) where the journal has no such hand.
    """
    found: list[Recorded] = []
    known: list[int] = []
    inside = False
    for recorded in entries:
        if recorded.kind == HandBegan.kind and isinstance(began := recorded.entry, HandBegan):
            inside = began.hand_no == hand_no
            known.append(began.hand_no)
        if inside:
            found.append(recorded)
    if not found:
        there = f"it has hands {known[0]} to {known[-1]}" if known else "it has no hand yet"
        raise JournalError("no-hand", f"There is no hand {hand_no} in this journal; {there}.")
    return tuple(found)


_OF_HANDS = frozenset({HandBegan.kind, HandOver.kind, CardsOpened.kind, Stepped.kind, ReaderKnown.kind})


def as_json(entry: Recorded, pictures: Sequence[str] = ()) -> dict[str, Any]:
    """One entry for ``betline journal show --json``; ``pictures`` are the ids of its act's, oldest first.

    What a checkpoint holds is left out.
    """
    shown = {"pictures": list(pictures)} if pictures else {}
    data = {key: value for key, value in entry.data.items() if (entry.kind, key) != (Checkpoint.kind, "content")}
    return {"seq": entry.seq, "at": time_of(entry.at_ms), "kind": entry.kind, **data, **shown, "hash": entry.hash}


def line(recorded: Recorded, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """One entry for people, with its number and time; ``names`` are those that the journal's file has, by person."""
    return f"{recorded.seq:>6}  {time_of(recorded.at_ms)[11:]}  {sentence(recorded, names)}"


def sentence(recorded: Recorded, names: Mapping[str, str] = MappingProxyType({})) -> str:
    """What one entry says, for people."""
    entry = recorded.entry
    floor = entry.step.by if isinstance(entry, Stepped) and isinstance(entry.step, Override) else None
    who = "" if floor is None else f"The floor, {names.get(floor, floor)}: "
    if isinstance(entry, DealerNamed):
        return f"{names.get(entry.person, entry.person)} deals." if entry.person else "The dealer is not named."
    if isinstance(entry, SignedIn | SignedOut | PinRefused):
        return _at_the_door(entry, names)
    if isinstance(entry, Obeyed) and entry.by:
        return f"Keyed by {whose(entry, names)} at {entry.sender}: {entry.verb} {_fields(entry.args)}".rstrip() + "."
    return f"{who}{_describe(entry)}"


def whose(entry: Obeyed, names: Mapping[str, str]) -> str:
    """Who has keyed a command, with the role at that time; empty where nobody had to sign in."""
    return f"{names.get(entry.by, entry.by)} ({entry.role})" if entry.by else ""


def authors(entries: Iterable[Recorded], names: Mapping[str, str]) -> dict[str, str]:
    """Who has keyed each command, by the command's id; of those alone that somebody had signed in for."""
    keyed = [one.entry for one in entries if one.kind == Obeyed.kind]
    return {one.id: whose(one, names) for one in keyed if isinstance(one, Obeyed) and one.by}


def by_whom(recorded: Recorded, keyed_by: Mapping[str, str]) -> str:
    """Who has keyed a step, for the end of its line: " Keyed by Ann (floor)."; empty where nobody is known to have."""
    entry = recorded.entry
    who = keyed_by.get(entry.command) if isinstance(entry, Stepped) else None
    return f" Keyed by {who}." if who else ""


def _at_the_door(entry: SignedIn | SignedOut | PinRefused, names: Mapping[str, str]) -> str:
    who = names.get(entry.person, entry.person)
    match entry:
        case SignedIn(role=role, way=way):
            return f"{who} signs in as {role}, by {'PIN' if way == 'pin' else way}."
        case SignedOut(why=why):
            return f"{who} is signed out: {why}."
        case PinRefused(locked_s=0):
            return f"A wrong PIN for {who}."
        case PinRefused(locked_s=locked_s):
            return f"A wrong PIN for {who}: locked out for {locked_s} s."


def _describe(entry: Entry) -> str:
    match entry:
        case HandBegan():
            stacks = ", ".join(f"{seat}: {stack}" for seat, stack in entry.seats.items())
            return f"Hand {entry.hand_no} begins, button {entry.button}, stacks {stacks}."
        case Stepped():
            return _describe_step(entry)
        case Observed():
            return f"Seen: {_fields(entry.data['observation'])}."
        case CameraSaw():
            return f"The camera saw at seat {entry.seat}: {entry.event.replace('_', ' ')} ({entry.id})."
        case Obeyed():
            return f"Keyed by {entry.sender}: {entry.verb} {_fields(entry.args)}".rstrip() + "."
        case Announced():
            return f"Announced: {entry.text}"
        case Alerted() | AskedWhichFirst() | RulesChanged():
            return f"{_TITLES.get(entry.kind, entry.kind.capitalize())}: {entry.sentence}"
        case FeltMoved():
            return "Chips accounted for."
        case Checkpoint():
            return "Checkpoint: the table is kept as it stands."
        case CardsOpened():
            return f"Cards: {cards_in_words(entry.cards)}."
        case ReaderKnown():
            return f"Reader {entry.name}: {words(entry) or 'it does not say which one it is'}."
        case HandOver():
            won = ", ".join(f"seat {seat} wins {amount}" for seat, amount in entry.winners.items())
            return f"Hand {entry.hand_no} is over: pot {entry.pot}, {won or 'nobody wins'}."
    return f"{entry.kind}: {_fields(entry.data)}"


_STEPS = {
    ChopBlinds(): "The blinds are chopped: each goes back to its seat.",
    FouledDeck(): "Fouled deck: every chip goes back.",
    LastTwo(): "Two players are left: nothing caps the raises.",
    Misdeal(): "Misdeal: every chip goes back.",
    NextHand(): "The next hand begins.",
    PassOut(): "Nobody opens: what lies in the pot waits for the next hand.",
    ReopenAward(): "The award is taken back.",
}
"""Steps that no ruling tells in a sentence of its own."""
_TITLES = {RulesChanged.kind: "The rules have changed"}


def _describe_step(entry: Stepped) -> str:
    if isinstance(entry.step, LayCards):
        return f"{_sealed(entry.step)} ({entry.source})."
    cites = sorted({cite for ruling in entry.rulings for cite in ruling.cites})
    rules = f" [{', '.join(cites)}]" if cites else ""
    step = ", ".join(
        key if value is True else f"{key} {_value(value)}" for key, value in step_to_mapping(entry.step).items()
    )
    sentences = [ruling.sentence for ruling in entry.rulings]
    sentences += [moves_in_words(seat, amount) for seat, amount in entry.moves.items()]
    return f"{' '.join(sentences) or _in_words(entry.step) or step + '.'}{rules} ({entry.source}: {step})"


def _in_words(step: Step) -> str:
    if isinstance(step, Undo):
        return "The last step is taken back." if step.count == 1 else f"The last {step.count} steps are taken back."
    return next((words for one, words in _STEPS.items() if one == step), "")


def _sealed(step: LayCards) -> str:
    """Cards that lie there under their seal."""
    if step.seat is not None:
        return f"Seat {step.seat} shows its hand, sealed" if step.count else f"Seat {step.seat} mucks unseen"
    board = f" of board {step.board}" if step.board else ""
    return f"The {step.street}{board} lies there, sealed"


def _fields(data: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {_value(value)}" for key, value in data.items() if value not in (None, "", [], {}))


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return f"({_fields(value)})"
    if isinstance(value, list | tuple):
        shown = " ".join(_value(item) for item in value[:_MAX_LIST])
        return f"{shown} and {len(value) - _MAX_LIST} more" if len(value) > _MAX_LIST else shown
    return str(value)


def time_of(at_ms: int) -> str:
    """A time as people read it, to the millisecond and without its zone, which is this machine's."""
    return datetime.fromtimestamp(at_ms / 1000).astimezone().isoformat(sep=" ", timespec="milliseconds")[:23]
