"""One step of the session while it is being worked out: the books so far, what to journal, what to tell.

A draft lives within one call of `Session.handle` and is the only thing in this package that changes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, replace
from typing import Any

from betline.messages.common import Body, Reply
from betline.messages.table import Alert, Announcement, RuledBefore
from betline.messages.table import Ruling as RulingMessage
from betline.steps import Step, Undo, step_to_mapping
from table_controller.betting import PayoutKind
from table_controller.journal.entries import Entry
from table_controller.rulings.redo.otherwise import RuledOtherwise, moves_in_words
from table_controller.rulings.table import Outcome, Table
from table_controller.rulings.values.ruling import Refusal, Ruling
from table_controller.sensing.observations import Asked, AskedNoMore, Observation, ZoneValue
from table_controller.sensing.state import SensingState
from table_controller.session import public
from table_controller.session.book import Book, Source, begins_a_hand
from table_controller.session.inputs import Now
from table_controller.session.people import NO_NAMES, who_sits
from table_controller.session.sensors import Sensors
from table_controller.session.written import changed

_ALERTS = {
    "ledger-off": "The count differs from the books: these follow it now.",
    "pick-up": "Somebody has been away too long: the chips may be picked up (R-194).",
    "time-due": "Time is up: the charge is taken when no hand is in progress (R-285).",
}
NO_TABLE = Refusal("no-table", "No table is set up yet: players sit down first, then the next hand begins.")


class Draft:
    """The books and sensing as they change, with the entries and messages that follow."""

    def __init__(
        self, book: Book, sensing: SensingState, sensors: Sensors, now: Now, names: Mapping[str, str] = NO_NAMES
    ) -> None:
        self.book = book
        self.sensing = sensing
        self.sensors = sensors
        self.now = now
        self.entries: list[Entry] = []
        self.effects: list[Body] = []
        self.alerts: list[Alert] = []
        self.cause_ns: int | None = None
        self.moves: Mapping[int, int] = {}
        """What seats must put in after a correction, or below 0 get back."""
        self.names = names
        self.fresh: Mapping[int, str] = {}
        """Ids for people whom a command brings to seats and whom nobody knows yet."""
        self.seated: dict[int, str] = {}
        """Who sat down by this command, by name."""

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

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Journals what happened, and takes it into the books."""
        self._enter(Entry(kind, data), None)

    def observe(self, observation: Observation) -> None:
        """Journals an observation; what a zone is worth at this moment is shown, not journalled."""
        if isinstance(observation, ZoneValue):
            return
        kind = _snake(type(observation).__name__)
        data: dict[str, Any] = {"kind": kind}
        about = asdict(observation)
        if isinstance(observation, Asked | AskedNoMore):
            data["question"] = about.pop("kind", None)
        self.note("observed", {"observation": {**data, **_plain(about)}})

    def alert(self, alert: Alert) -> None:
        """Tells people something, and journals that they were told."""
        self.note("alert", alert.model_dump(mode="json"))
        self.alerts.append(alert)
        self.effects.append(alert)

    def reply(self, command_id: str, verb: str, code: str, sentence: str) -> None:
        """Answers a command."""
        self.effects.append(Reply(command_id=command_id, verb=verb, ok=code == "ok", code=code, sentence=sentence))

    def _accept(self, step: Step, outcome: Outcome, source: Source, felt_act: int | None) -> None:
        old = self.book
        rulings = self._rulings(outcome, source)
        hand_no = old.hand_no + (old.table is not None and begins_a_hand(step, old.table))
        data = {
            "hand_no": hand_no,
            "source": source,
            "step": step_to_mapping(step),
            "ruled": outcome.ruling is not None,
            "rulings": [ruling.model_dump(mode="json") for ruling in rulings],
            "alerts": list(outcome.alerts),
            "felt_act": felt_act,
            **({"moves": {str(seat): amount for seat, amount in outcome.moves.items()}} if outcome.moves else {}),
        }
        if isinstance(step, Undo):
            back = old.after(Entry("step", data))
            hand = None if back.table is None else back.table.state.hand
            data |= {"hand_no": back.hand_no, "over": hand is not None and hand.hand_over}
        elif outcome.otherwise or outcome.moves:
            hand = outcome.table.state.hand
            data |= {"over": hand is not None and hand.hand_over}
        self._enter(Entry("step", data), outcome)
        self.effects += rulings
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
        self.tell_of_the_hand(old)

    def tell_of_the_hand(self, old: Book) -> None:
        """Journals that a hand began or ended since the old books."""
        new = self.book
        hand = None if new.table is None else new.table.state.hand
        if hand is None:
            return
        if new.hand_no > old.hand_no:
            placed = public.positions(new)
            starting = hand.starting_stacks
            self.note(
                "hand-began",
                {
                    "hand_no": new.hand_no,
                    "game": public.game_name(new),
                    "button": placed.button if placed else None,
                    "small_blind": placed.small_blind if placed else None,
                    "big_blind": placed.big_blind if placed else None,
                    "seats": {str(seat): starting[seat] for seat in sorted(starting)},
                },
            )
        was = None if old.table is None else old.table.state.hand
        told = was is not None and was.hand_over and old.hand_no == new.hand_no and was.payouts == hand.payouts
        if hand.hand_over and not told:
            winners: dict[str, int] = {}
            for payout in hand.payouts:
                if payout.kind is PayoutKind.POT:
                    winners[str(payout.seat)] = winners.get(str(payout.seat), 0) + payout.amount
            stacks = {str(seat): stack for seat, stack in hand.stacks.items()}
            self.note(
                "hand-over",
                {"hand_no": new.hand_no, "pot": sum(winners.values()), "winners": winners, "stacks": stacks},
            )

    def _rulings(self, outcome: Outcome, source: Source) -> list[RulingMessage]:
        """How the step was ruled and what it settled, then the other acts that are ruled otherwise now."""
        about = next((one for one in outcome.otherwise if not one.place and outcome.ruling is not None), None)
        told = [] if outcome.ruling is None else [(outcome.ruling, about)]
        told += [(settled.ruling, None) for settled in outcome.settled if settled.ruling is not None]
        told += [(replace(one.now, sentence=one.sentence), one) for one in outcome.otherwise if one is not about]
        return [self._message(ruling, source, number, was) for number, (ruling, was) in enumerate(told, start=1)]

    def _message(self, ruling: Ruling, source: Source, number: int, instead: RuledOtherwise | None) -> RulingMessage:
        return RulingMessage(
            hand_no=self.book.hand_no,
            act_no=self.book.act_no + number,
            street=self.book.street if instead is None else instead.street,
            seat=ruling.seat,
            ruling=str(ruling.ruling),
            to=ruling.to,
            adds=ruling.adds,
            returned=ruling.returned,
            owes=ruling.owes,
            all_in=ruling.all_in,
            cites=ruling.cites,
            alerts=ruling.alerts,
            offers=ruling.offers,
            source=source,
            sentence=ruling.sentence,
            instead_of=None if instead is None else _ruled_before(instead.was),
        )

    def _enter(self, entry: Entry, outcome: Outcome | None) -> None:
        self.book = self.book.after(entry, outcome)
        self.entries.append(entry)

    # --- at the end

    def remember_the_felt(self, old: SensingState) -> None:
        """Journals what of sensing must survive a restart, where it has changed."""
        if not _felt_moved(old, self.sensing):
            return
        change = changed(self.book.felt, self.sensing.durable())
        if change:
            self.note("felt", {"changed": change})

    def announce(self) -> None:
        """Tells the player to act what it costs, where that has changed."""
        data = public.announcement(self.book)
        if data is None or data == self.book.announced:
            return
        self.note("announced", data)
        self.effects.append(Announcement(**data, cause_ns=self.cause_ns))


def _ruled_otherwise(outcome: Outcome) -> str:
    """What a correction or the floor's override has changed, in short: the rulings have the whole of it."""
    acts = len(outcome.otherwise)
    moves = [moves_in_words(seat, amount) for seat, amount in outcome.moves.items()]
    return " ".join((f"{acts} {'act is' if acts == 1 else 'acts are'} ruled otherwise now.", *moves))


def _ruled_before(was: Ruling) -> RuledBefore:
    return RuledBefore(
        ruling=str(was.ruling), to=was.to, all_in=was.all_in, offers=was.offers, sentence=was.sentence
    )  # fmt: skip


def _felt_moved(old: SensingState, new: SensingState) -> bool:
    """Whether the durable part may differ; a reading that tells nothing new is the usual case and must be cheap."""
    if old.act_no != new.act_no or old.house is not new.house:
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
            or (account.base, account.doubt, account.lay) != (was.base, was.doubt, was.lay)
        ):
            return True
    return False


def _snake(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in data.items()}
