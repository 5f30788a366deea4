"""One step of the session while it is being worked out: the books so far, what to journal, what to publish.

A draft lives within one call of `Session.handle` and is the only thing in this package that changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

from betline.messages.common import Body, Reply
from betline.messages.table import Alert, Announcement, Ruling
from betline.steps import CorrectBet, CorrectRecord, Count, FloorDecision, NextHand, Override, ReopenAward, Step, Undo
from table_controller.betting import PayoutKind
from table_controller.cards.seals import Secret
from table_controller.journal.entries import (
    Alerted,
    Entry,
    FeltMoved,
    HandBegan,
    HandOver,
    Money,
    Observed,
    Source,
    Stepped,
)
from table_controller.rulings.redo.otherwise import moves_in_words
from table_controller.rulings.table import Outcome, Table
from table_controller.rulings.values.ruling import Refusal
from table_controller.sensing.observations import Observation, ZoneValue
from table_controller.sensing.state import SensingState
from table_controller.session import public
from table_controller.session.author import OPEN_TABLE, Author
from table_controller.session.book import RULES_CHANGED, Book
from table_controller.session.bookkeeping import after, begins_a_hand, undone
from table_controller.session.checkpoint import ONE_STEP, WHOLE_HAND, checkpoint_of
from table_controller.session.inputs import Now
from table_controller.session.money import money_of
from table_controller.session.people import NO_NAMES, who_sits, with_name
from table_controller.session.ruled import ruling_messages
from table_controller.session.sensors import Sensors
from table_controller.session.situation import game_name, positions
from table_controller.session.terms import Terms
from table_controller.session.written import changed

_ALERTS = {
    "ledger-off": "The count differs from the books: these follow it now.",
    "pick-up": "Somebody has been away too long: the chips may be picked up (R-194).",
    "time-due": "Time is up: the charge is taken when no hand is in progress (R-285).",
}
_RETELLING = (Undo, ReopenAward, CorrectBet, CorrectRecord, Count, Override)
NO_SECRETS: Mapping[str, Secret] = MappingProxyType({})
NO_TABLE = Refusal("no-table", "Seat players first, then begin the next hand: no table is set up yet.")
NOTHING_LEFT = Refusal("too-late", "Correct the record instead: no step of this hand is left to take back.")


class Draft:
    """The books and sensing as they change, with the entries and messages that follow."""

    def __init__(
        self,
        book: Book,
        sensing: SensingState,
        sensors: Sensors,
        now: Now,
        names: Mapping[str, str] = NO_NAMES,
        terms: Terms | None = None,
        secrets: Mapping[str, Secret] = NO_SECRETS,
    ) -> None:
        """``terms`` are those of the next hand; without them none begins by itself."""
        self.book = book
        self.terms = terms
        self.sensing = sensing
        self.sensors = sensors
        self.now = now
        self.entries: list[Entry] = []
        self.effects: list[Body] = []
        self.alerts: list[Alert] = []
        self.command = ""
        """The id of the command that is being obeyed, or of what was inferred whole; empty before and after."""
        self.cause_ns: int | None = None
        self.moves: Mapping[int, int] = {}
        """What seats must put in after a correction, or below 0 get back."""
        self.names = names
        self.fresh: Mapping[int, str] = {}
        """Ids for people whom a command brings to seats and whom nobody knows yet."""
        self.seated: dict[int, str] = {}
        """Who sat down by this command, by name."""
        self.salt = ""
        """Chance, for the seal of cards that this command brings."""
        self.secrets = secrets
        """What opens the seals of this hand."""
        self.author = OPEN_TABLE
        """Who is signed in and has keyed this."""
        self._steps_kept = 0
        """Where a checkpoint is due: so many steps that can be taken back stand in it."""

    # --- the table

    @property
    def table(self) -> Table | None:
        """The table, None before one was set up."""
        return self.book.table

    def apply(self, step: Step, source: Source, felt_act: int | None = None) -> Refusal | None:
        """Applies a step to the table and journals it; one that is refused changes nothing."""
        if self.table is None:
            return NO_TABLE
        outcome = self.table.apply(step)
        if outcome.error is not None:
            return outcome.error
        self._accept(step, outcome, source, felt_act)
        return None

    def person(self, seat: int, name: str, seated: Collection[str]) -> str:
        """The id of who comes to a seat, empty without a name; new people are known by their names from now on."""
        if not name.strip():
            return ""
        person, called = who_sits(name, self.fresh[seat], self.names, seated)
        self.names = {**self.names, person: called}
        self.seated[seat] = person
        return person

    def note(self, entry: Entry) -> None:
        """Journals what happened, and takes it into the books."""
        self._enter(entry, None)

    def observe(self, observation: Observation) -> None:
        """Journals an observation; what a zone is worth at this moment is shown, not journalled."""
        if not isinstance(observation, ZoneValue):
            self.note(Observed(observation=observation))

    def alert(self, alert: Alert) -> None:
        """Raises an alert, and journals it."""
        self.note(
            Alerted(
                severity=alert.severity, code=alert.code, seat=alert.seat, sentence=alert.sentence,
                active=alert.active, zone=alert.zone, uid=alert.uid,
            )
        )  # fmt: skip
        self.alerts.append(alert)
        self.effects.append(alert)

    def reply(self, command_id: str, verb: str, code: str, sentence: str) -> None:
        """Answers a command."""
        self.effects.append(Reply(command_id=command_id, verb=verb, ok=code == "ok", code=code, sentence=sentence))

    def known(self, author: Author) -> None:
        """From now on an author is known by name."""
        if author.person and self.names.get(author.person) != author.name:
            self.names = {**self.names, author.person: author.name}

    def _decided(self, step: Step, ruling: Ruling) -> Ruling:
        """The ruling with who of the floor has made it."""
        by = step.by if isinstance(step, Override) else self.author.person if isinstance(step, FloorDecision) else ""
        return ruling.model_copy(update={"by": by}) if by else ruling

    def _accept(self, step: Step, outcome: Outcome, source: Source, felt_act: int | None) -> None:
        old = self.book
        begins = old.table is not None and begins_a_hand(step, old.table)
        rulings = [self._decided(step, one) for one in ruling_messages(old, outcome, source)]
        back = undone(old, step.count) if isinstance(step, Undo) else None
        retold = outcome.table if back is None and (outcome.otherwise or outcome.moves) else None
        replayed = back.table if back is not None else retold
        self._enter(
            Stepped(
                hand_no=back.hand_no if back is not None else old.hand_no + begins,
                source=source,
                step=step,
                ruled=outcome.ruling is not None,
                rulings=tuple(rulings),
                alerts=outcome.alerts,
                felt_act=felt_act,
                moves=outcome.moves,
                over=None if back is None and retold is None else _is_over(replayed),
                money=_money_after(old.table, outcome.table),
                command=self.command,
            ),
            outcome,
        )
        if _is_turned(step, old, self.book):
            self.checkpoint_is_due(WHOLE_HAND if begins or isinstance(step, _RETELLING) else ONE_STEP)
        self.effects += [with_name(one, self.names) for one in rulings]
        self.moves = outcome.moves
        for code in outcome.alerts:
            seat = None if outcome.ruling is None else outcome.ruling.seat
            ruled = outcome.ruling.sentence if outcome.ruling is not None else ""
            sentence = ruled or _ALERTS.get(code, f"{code}.")
            self.alert(Alert(severity="warning", code=code, seat=seat, sentence=sentence))
        if outcome.otherwise or outcome.moves:
            self.alert(Alert(severity="warning", code="ruled-otherwise", sentence=_ruled_otherwise(outcome)))
        for settled in outcome.settled:
            if not settled.binding:
                self.alert(
                    Alert(
                        severity="warning", code="withdrawn", seat=settled.seat,
                        sentence=f"Seat {settled.seat}: the act out of turn does not bind; its chips go back.",
                    )
                )  # fmt: skip
        if old.rules_question is not None:
            sentence = f"Hand {old.hand_no} goes on as it was recorded: nobody said which ruling holds."
            self.alert(Alert(severity="info", code=RULES_CHANGED, seat=old.rules_question.seat, sentence=sentence))
        if old.doubt is not None and self.book.doubt is None and not isinstance(step, Undo):
            seat = old.doubt.seat
            sentence = f"Seat {seat}: compare its chips with its bet of {self.book.bet_of(seat)}: nobody answered."
            self.alert(Alert(severity="warning", code="ledger-off", seat=seat, sentence=sentence))
        self.tell_of_the_hand(old)

    def tell_of_the_hand(self, old: Book) -> None:
        """Journals that a hand began or ended since the old books."""
        new = self.book
        hand = None if new.table is None else new.table.state.hand
        if hand is None:
            return
        if new.hand_no > old.hand_no:
            placed = positions(new)
            starting = hand.starting_stacks
            self.note(
                HandBegan(
                    hand_no=new.hand_no,
                    game=game_name(new),
                    button=placed.button if placed else None,
                    small_blind=placed.small_blind if placed else None,
                    big_blind=placed.big_blind if placed else None,
                    seats={seat: starting[seat] for seat in sorted(starting)},
                )
            )
        was = None if old.table is None else old.table.state.hand
        reported = was is not None and was.hand_over and old.hand_no == new.hand_no and was.payouts == hand.payouts
        if hand.hand_over and not reported:
            winners: dict[int, int] = {}
            for payout in hand.payouts:
                if payout.kind is PayoutKind.POT:
                    winners[payout.seat] = winners.get(payout.seat, 0) + payout.amount
            self.note(HandOver(hand_no=new.hand_no, pot=sum(winners.values()), winners=winners, stacks=hand.stacks))

    def _enter(self, entry: Entry, outcome: Outcome | None) -> None:
        self.book = after(self.book, entry, outcome)
        self.entries.append(entry)

    # --- at the end

    def remember_the_felt(self, old: SensingState) -> None:
        """Journals what of sensing must survive a restart, where it has changed."""
        if not _felt_moved(old, self.sensing):
            return
        change = changed(self.book.felt, self.sensing.durable())
        if change:
            self.note(FeltMoved(changed=change))

    def keep_checkpoint(self) -> None:
        """Journals the table and the evening where a hand has ended, or one that was over is open again."""
        if self._steps_kept:
            self.note(checkpoint_of(self.book, self._steps_kept))

    def checkpoint_is_due(self, steps: int) -> None:
        """Lets this input end with a checkpoint, with so many steps that can be taken back."""
        self._steps_kept = max(self._steps_kept, steps)

    def announce(self) -> None:
        """Announces to the player to act what it costs, where that has changed."""
        said = public.announcement(self.book, self.sensing)
        if said is None or said == self.book.announced:
            return
        self.note(said)
        self.effects.append(Announcement(**said.data, cause_ns=self.cause_ns))


def _is_over(table: Table | None) -> bool:
    hand = None if table is None else table.state.hand
    return hand is not None and hand.hand_over


def _is_turned(step: Step, old: Book, new: Book) -> bool:
    """Whether a hand ended, one was dealt again, or one that was over was taken up again or put right."""
    if old.table is None or new.table is None or isinstance(step, NextHand):
        return False
    if begins_a_hand(step, old.table):
        return True
    was, now = old.table.state.between_hands, new.table.state.between_hands
    return was != now or (now and isinstance(step, _RETELLING))


def _money_after(old: Table | None, new: Table) -> Money | None:
    """Where the chips are now, where that has changed."""
    now = money_of(new)
    return None if now == money_of(old) else now


def _ruled_otherwise(outcome: Outcome) -> str:
    """What a correction or the floor's override has changed, in short: the rulings have the whole of it."""
    acts = len(outcome.otherwise)
    moves = [moves_in_words(seat, amount) for seat, amount in outcome.moves.items()]
    return " ".join((f"{acts} {'act is' if acts == 1 else 'acts are'} ruled otherwise now.", *moves))


def _felt_moved(old: SensingState, new: SensingState) -> bool:
    """Whether the durable part may differ; a reading with nothing new is the usual case and must be cheap."""
    if old.act_no != new.act_no or old.house is not new.house or old.origins is not new.origins:
        return True
    if old.cues.mucked != new.cues.mucked or old.cues.doubted != new.cues.doubted:
        return True
    here, there = old.hand, new.hand
    if (here.hand_no, here.street, here.phase) != (there.hand_no, there.street, there.phase):
        return True
    for seat, account in new.accounts.items():
        was = old.accounts.get(seat)
        if account is was:
            continue
        if (
            was is None
            or account.counted is not was.counted
            or (account.based, account.gathered, account.awaited) != (was.based, was.gathered, was.awaited)
            or (account.unposted, account.aside) != (was.unposted, was.aside)
            or (account.base, account.doubt, account.lay, account.left) != (was.base, was.doubt, was.lay, was.left)
        ):
            return True
    return False
