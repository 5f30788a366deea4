"""The durable part of a session: a fold over the journal's entries, and nothing but that.

The live session and a restarted one both change it through `Book.after`, so a restart cannot come to another state.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from betline.messages.table import Ruling as RulingMessage
from betline.steps import (
    Award,
    ChopBlinds,
    CorrectButton,
    Count,
    Deal,
    First,
    FouledDeck,
    KillHand,
    Misdeal,
    NamePlayer,
    NextHand,
    Override,
    ReopenAward,
    SitDown,
    Step,
    Undo,
)
from table_controller.betting import PayoutKind
from table_controller.journal.entries import (
    Announced,
    Answered,
    AskedStraddle,
    AskedWhatLies,
    AskedWhichFirst,
    CardsOut,
    ClockSet,
    ClockStage,
    DealerNamed,
    Entry,
    FeltMoved,
    GameChosen,
    MinutesPassed,
    Named,
    Obeyed,
    Observed,
    PlayerClockSet,
    SetUp,
    Source,
    Stepped,
    TurnBegan,
    WordsWait,
    clear_person,
)
from table_controller.journal.errors import JournalError
from table_controller.levels import Mark, Played, PlayerClock
from table_controller.rulings.table import Outcome, Table
from table_controller.rulings.values.state import SeatChange
from table_controller.sensing.observations import Covered, Observation
from table_controller.session.written import merged

RULINGS_SHOWN = 12
COMMANDS_REMEMBERED = 500
NO_STEPS = {
    "game": "chose the game",
    "clock": "set the clock",
    "dealer": "named who deals",
    "player-clock": "set the player's clock",
}
"""Commands that are no step of the table, and what they did."""
_ROUND_ENDS = (Deal, CorrectButton, ChopBlinds)


@dataclass(frozen=True, slots=True)
class Words:
    """Words that were keyed for a seat whose chips still move."""

    text: str
    first: First | None


@dataclass(frozen=True, slots=True)
class WhichFirst:
    """Words and chips of a seat that come to different rulings by which came first (R-020, R-040)."""

    id: str
    seat: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class BlindRaise:
    """Chips before the cards that may be a sleeper; ``to`` is the seat's total (R-199)."""

    id: str
    seat: int
    to: int
    choices: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What was announced last of the clock: the level or break (its place in order), and how far it had come."""

    period: int
    stage: ClockStage


@dataclass(frozen=True, slots=True)
class RulesQuestion:
    """Today's rules rule otherwise on an act of the hand that a start found in progress: which ruling holds."""

    id: str
    seat: int | None
    sentence: str
    today: Book = field(repr=False, compare=False)
    """The books had today's rules been in force from that act on."""


PLAYS_ON = "plays-on"
"""The answer of a seat that buys no chips though it has few left."""
AS_RECORDED, AS_TODAY = "as-recorded", "as-today"
RULES_CHANGED = "rules-changed"
"""The kind of that question, and the code of its alert."""


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was done, with all that it needs to be done again."""

    step: Step
    source: Source
    felt_act: int | None
    command: str
    """The id of the command that it was done for, or of what was inferred whole; empty where neither was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Book:
    """What the journal comes to: the table, what is owed, what waits, which commands were obeyed."""

    table: Table | None = None
    hand_no: int = 0
    act_no: int = 0
    """Of the last ruling in this hand; rises also where acts are taken back."""
    from_file: bool = False
    """The table was set up from its own settings, not by a script: new settings hold from the next hand on."""
    cards_out: bool = False
    """Posting is over: chips are acts (R-043)."""
    persons: Mapping[int, str] = field(default_factory=dict)
    """The id of who sits or sat last in a seat, of those who gave a name; see `seated`."""
    keyed: Mapping[int, int] = field(default_factory=dict)
    """Bets of this round that a key or words made, their chips perhaps still to come."""
    owes: Mapping[int, int] = field(default_factory=dict)
    change_due: Mapping[int, int] = field(default_factory=dict)
    rulings: tuple[RulingMessage, ...] = ()
    felt_act: int | None = None
    """The act of the felt that the last step ruled on; None where another kind of step came since."""
    last: Done | None = field(default=None, compare=False)
    """The last step; None before the first."""
    cards_said: bool = False
    """That the cards are out was said, and no step has come since."""
    no_step: str = ""
    """The verb of the last command where it was one that U cannot take back; empty since the next step."""
    taken_back: tuple[tuple[Done, ...], ...] = field(default=(), repr=False, compare=False)
    """What keys took back since the last new step, the newest last: it can be put back."""
    words: Mapping[int, Words] = field(default_factory=dict)
    which_first: WhichFirst | None = None
    doubt: AskedWhatLies | None = None
    """What a person must say of the chips before a seat; until then no chips are ruled on."""
    rules_question: RulesQuestion | None = None
    blind_raises: tuple[BlindRaise, ...] = ()
    declined: tuple[str, ...] = ()
    """Questions before the next hand whose seats play on with what they have, by id."""
    done: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Commands that were obeyed, by id: verb and the sentence of the reply."""
    announced: Announced | None = None
    time_ms: int | None = None
    """The wall clock up to which minutes have passed at the table; None before the first time."""
    clock: Mark | None = None
    """Of the levels' clock; None before it was started or set."""
    clock_told: Told | None = None
    player_clock: PlayerClock | None = None
    """Of the present turn; None where none was started for it."""
    banks_used: Mapping[int, int] = field(default_factory=dict)
    """The time banks that seats have used."""
    played: Played | None = None
    """Of the rotation's present turn."""
    chosen: str | None = None
    """The game that was named for the next hand."""
    dealer: str = ""
    """The id of who deals; empty where nobody is named."""
    felt: Mapping[str, Any] = field(default_factory=dict)
    """The durable part of sensing."""
    before: Book | None = field(default=None, repr=False, compare=False)
    """The book before the last accepted step, for taking it back."""
    award: Book | None = field(default=None, repr=False, compare=False)
    """The book before the last award, for reopening it."""

    def after(self, entry: Entry, outcome: Outcome | None = None) -> Book:
        """The book after an entry; ``outcome`` is that of its step, which without it is worked out now.

        Raises JournalError (``damaged``) where the step cannot be taken from here.
        """
        match entry:
            case Stepped():
                return self._stepped(entry, outcome)
            case SetUp():
                return self._set_up(entry)
            case Obeyed():
                no_step = entry.verb if entry.verb in NO_STEPS else self.no_step
                return replace(self, done=_remembered(self.done, entry), no_step=no_step)
            case Observed(observation=observation):
                return self._observed(observation)
            case FeltMoved(changed=changed):
                return replace(self, felt=merged(self.felt, changed))
            case CardsOut(out=out):
                return replace(self, cards_out=out, cards_said=out)
            case Named(seat=seat, name=name):
                return self._with_person(seat, clear_person(name))
            case WordsWait():
                return replace(self, words={**self.words, entry.seat: Words(entry.text, entry.first)})
            case AskedWhichFirst():
                asked = WhichFirst(entry.id, entry.seat, entry.text, entry.sentence)
                return replace(self, which_first=asked)
            case AskedWhatLies():
                return replace(self, doubt=entry)
            case AskedStraddle():
                asking = BlindRaise(entry.id, entry.seat, entry.to, entry.choices)
                others = [one for one in self.blind_raises if one.seat != asking.seat]
                return replace(self, blind_raises=(*others, asking))
            case Answered():
                return self._answered(entry)
            case MinutesPassed(at_ms=at_ms):
                return replace(self, time_ms=at_ms)
            case ClockSet():
                mark = Mark(entry.period, entry.left_ms, entry.since_ms)
                return replace(self, clock=mark, clock_told=Told(*entry.told))
            case PlayerClockSet():
                used = self.banks_used
                if entry.bank and entry.clock is not None:
                    used = {**used, entry.clock.seat: used.get(entry.clock.seat, 0) + 1}
                return replace(self, player_clock=entry.clock, banks_used=used)
            case GameChosen(game=game):
                return replace(self, chosen=game)
            case DealerNamed(person=person):
                return replace(self, dealer=person)
            case TurnBegan():
                return replace(self, played=_played(entry), chosen=None)
            case Announced():
                return replace(self, announced=entry)
        return self

    @property
    def seated(self) -> dict[int, str]:
        """The id of who sits where, of those who gave a name."""
        players = {} if self.table is None else self.table.state.players
        return {seat: person for seat, person in self.persons.items() if seat in players}

    @property
    def street(self) -> str:
        """The street of the hand, empty where there is none."""
        hand = None if self.table is None else self.table.state.hand
        return "" if hand is None else hand.street

    def bet_of(self, seat: int) -> int:
        """The seat's bet of this round, 0 where it is not in a hand."""
        hand = None if self.table is None else self.table.state.hand
        return hand.bet(seat) if hand is not None and seat in hand.seats else 0

    # --- how entries change it

    def _set_up(self, entry: SetUp) -> Book:
        table = Table.begin(entry.setup)
        hand = table.state.hand
        return replace(
            self._new_round(),
            table=table,
            hand_no=self.hand_no + (hand is not None),
            act_no=0,
            rulings=(),
            from_file=entry.from_file,
            cards_out=entry.setup.start is not None,
            persons=entry.people,
            before=None,
        )

    def _stepped(self, entry: Stepped, outcome: Outcome | None) -> Book:
        step = entry.step
        if isinstance(step, Undo):
            back = self.undone(step.count)
            return replace(back, taken_back=(*self.taken_back, self._last(step.count))) if entry.command else back
        if self.table is None:
            raise JournalError("damaged", "The journal holds a step before any table was set up.")
        if outcome is None:
            outcome = self.table.apply(step)
        if outcome.error is not None:
            raise JournalError("damaged", f"The journal holds a step that is refused here: {outcome.error.sentence}")
        begins = begins_a_hand(step, self.table)
        before = replace(self, before=None) if begins and isinstance(step, NextHand) else self
        book = self._new_round() if begins or isinstance(step, _ROUND_ENDS) else self
        if isinstance(step, ReopenAward) and self.award is not None:
            book = self._as_in(self.award)
        elif isinstance(step, Award):
            book = replace(book, award=replace(self, before=None, award=None))
        book = replace(book, table=outcome.table, before=before, felt_act=entry.felt_act, rules_question=None)
        last = Done(step, entry.source, entry.felt_act, entry.command)
        book = replace(book, last=last, cards_said=False, no_step="", taken_back=self._still_back(step))
        book = replace(book, doubt=None if self._settles_doubt(step) else self.doubt)
        if isinstance(step, SitDown | NamePlayer):
            book = book._with_person(step.seat, step.player)
        if isinstance(step, SitDown):
            unused = {seat: used for seat, used in book.banks_used.items() if seat != step.seat}
            book = replace(book, banks_used=unused)
        book = book._with_seat_changes(self.table)
        if begins:
            book = replace(book, hand_no=self.hand_no + 1, act_no=0, cards_out=False, rulings=(), declined=())
        for ruling in entry.rulings:
            book = book._ruled(ruling, entry.source)
        if entry.moves:
            return book._moved(entry.moves)
        return book._uncalled_since(self, step.seat if isinstance(step, KillHand | Override) else None)

    def _settles_doubt(self, step: Step) -> bool:
        """Whether a step makes the question about a seat's chips void: an act waits for a count of its seat only."""
        doubt = self.doubt
        return doubt is not None and not (
            doubt.act is not None and doubt.question == "count" and isinstance(step, Count)
        )

    def _ruled(self, ruling: RulingMessage, source: str) -> Book:
        book = replace(self, act_no=ruling.act_no, rulings=(*self.rulings, ruling)[-RULINGS_SHOWN:])
        seat = ruling.seat
        if seat is None or ruling.ruling in ("none", "floor"):
            return book
        keyed = dict(self.keyed)
        if source in ("keyed", "words", "floor") and ruling.to:
            keyed[seat] = self.bet_of(seat)
        else:
            keyed.pop(seat, None)
        words = {key: value for key, value in self.words.items() if key != seat}
        if ruling.instead_of is not None:
            return replace(book, keyed=keyed, words=words, which_first=None)
        owes, due = {**self.owes, seat: ruling.owes}, {**self.change_due, seat: ruling.returned}
        return replace(book, keyed=keyed, owes=_some(owes), change_due=_some(due), words=words, which_first=None)

    def _moved(self, moves: Mapping[int, int]) -> Book:
        """What a correction moves comes to what was open: a seat that owes takes less change, and the other way."""
        owes, due = dict(self.owes), dict(self.change_due)
        for seat, amount in moves.items():
            open_now = owes.get(seat, 0) - due.get(seat, 0) + amount
            owes[seat], due[seat] = max(open_now, 0), max(-open_now, 0)
        return replace(self, owes=_some(owes), change_due=_some(due))

    def _uncalled_since(self, old: Book, reported: int | None) -> Book:
        """An uncalled part went back in the books; on the felt the dealer must still give it back.

        Of the seat `reported` the ruling has said so already.
        """
        hand = None if self.table is None else self.table.state.hand
        was = None if old.table is None else old.table.state.hand
        if hand is None or was is None or self.hand_no != old.hand_no:
            return self
        due = dict(self.change_due)
        for payout in hand.payouts[len(was.payouts) :]:
            if payout.kind is PayoutKind.UNCALLED and payout.seat != reported:
                due[payout.seat] = due.get(payout.seat, 0) + payout.amount
        return replace(self, change_due=_some(due))

    def _observed(self, seen: Observation) -> Book:
        if not isinstance(seen, Covered):
            return self
        seat, amount = seen.seat, seen.amount
        owes, due = dict(self.owes), dict(self.change_due)
        if seen.why == "owed":
            owes[seat] = max(0, owes.get(seat, 0) - amount)
        elif seen.why == "change":
            due[seat] = max(0, due.get(seat, 0) - amount)
        due[seat] = due.get(seat, 0) + seen.over
        table = self.table if self.table is None or seen.why != "owed" else self.table.paid(seat, amount)
        return replace(self, table=table, owes=_some(owes), change_due=_some(due))

    def _answered(self, entry: Answered) -> Book:
        if entry.choice == PLAYS_ON:
            return replace(self, declined=(*self.declined, entry.id))
        rules = self.rules_question
        if rules is not None and rules.id == entry.id:
            return self._by_rules_of(rules.today if entry.choice == AS_TODAY else None)
        open_yet = tuple([one for one in self.blind_raises if one.id != entry.id])
        doubt = None if self.doubt is None or self.doubt.id == entry.id else self.doubt
        return replace(self, which_first=None, blind_raises=open_yet, doubt=doubt)

    def _by_rules_of(self, today: Book | None) -> Book:
        """The hand as recorded, or as today's rules have it: then what stacks differ by must move."""
        kept = replace(self, rules_question=None)
        if today is None or today.table is None or self.table is None:
            return kept
        now, then = today.table.state.stacks, self.table.state.stacks
        moves = _some({seat: stack - now.get(seat, stack) for seat, stack in then.items()})
        table = replace(today.table, replaced=self.table)
        book = replace(
            kept._as_in(today), table=table, before=kept, act_no=max(self.act_no, today.act_no), owes=self.owes,
            change_due=self.change_due,
        )  # fmt: skip
        return book._moved(moves) if moves else book

    def undone(self, count: int) -> Book:
        """The book with so many steps taken back; raises JournalError (``damaged``) where it holds fewer."""
        book = self
        for _ in range(count):
            if book.before is None:
                raise JournalError("damaged", "The journal takes back a step that it does not hold.")
            book = book.before
        return self._as_in(book)

    def _last(self, count: int) -> tuple[Done, ...]:
        """The last so many steps, oldest first."""
        found: list[Done] = []
        book = self
        while len(found) < count and book.before is not None and book.last is not None:
            found.append(book.last)
            book = book.before
        return tuple(reversed(found))

    def _still_back(self, step: Step) -> tuple[tuple[Done, ...], ...]:
        """What is still taken back after a step: what came before it where it puts the newest back, else nothing."""
        if not self.taken_back or self.taken_back[-1][0].step != step:
            return ()
        *earlier, (_, *left) = self.taken_back
        return (*earlier, tuple(left)) if left else tuple(earlier)

    def _as_in(self, book: Book) -> Book:
        """An earlier book, with what no taking back of steps concerns."""
        return replace(
            book,
            act_no=self.act_no if book.hand_no == self.hand_no else book.act_no,
            cards_out=self.cards_out if book.hand_no == self.hand_no else book.cards_out,
            done=self.done,
            felt=self.felt,
            announced=self.announced,
            dealer=self.dealer,
            clock=self.clock,
            clock_told=self.clock_told,
            player_clock=self.player_clock,
            banks_used=self.banks_used,
            chosen=self.chosen if book.hand_no == self.hand_no else self.chosen or book.chosen,
            which_first=None,
            doubt=None,
            rules_question=None,
            blind_raises=(),
            words={},
        )

    def _with_person(self, seat: int, person: str) -> Book:
        others = {key: value for key, value in self.persons.items() if key != seat}
        return replace(self, persons={**others, seat: person} if person else others)

    def _with_seat_changes(self, before: Table) -> Book:
        """Names and used time banks go with the players who have changed seats since a table."""
        changes = () if self.table is None else self.table.state.seat_changes[len(before.state.seat_changes) :]
        persons, used = dict(self.persons), dict(self.banks_used)
        for change in changes:
            for kept in (persons, used):
                _moved_along(kept, change)
        return replace(self, persons=persons, banks_used=used) if changes else self

    def _new_round(self) -> Book:
        return replace(
            self,
            keyed={},
            owes={},
            change_due={},
            words={},
            which_first=None,
            doubt=None,
            rules_question=None,
            blind_raises=(),
            felt_act=None,
        )


def begins_a_hand(step: Step, before: Table) -> bool:
    """Whether a step that is accepted begins a hand with a number of its own; one that is dealt again has one too."""
    return isinstance(step, Misdeal | FouledDeck) or (isinstance(step, NextHand) and before.state.between_hands)


def _remembered(done: Mapping[str, Mapping[str, str]], entry: Obeyed) -> dict[str, Mapping[str, str]]:
    found = {**done, entry.id: {"verb": entry.verb, "sentence": entry.sentence}}
    for oldest in list(found)[: max(0, len(found) - COMMANDS_REMEMBERED)]:
        del found[oldest]
    return found


def _played(entry: TurnBegan) -> Played:
    return Played(
        game=entry.game, hands=entry.hands, orbits=entry.orbits, first_button=entry.first_button, button=entry.button,
        seats=entry.seats,
    )  # fmt: skip


def _moved_along(kept: dict[int, Any], change: SeatChange) -> None:
    """What is kept of a seat is that of the other one now."""
    mine = kept.pop(change.seat, None)
    kept.pop(change.to, None)
    if mine is not None:
        kept[change.to] = mine


def _some(amounts: Mapping[int, int]) -> dict[int, int]:
    return {seat: amount for seat, amount in amounts.items() if amount}
