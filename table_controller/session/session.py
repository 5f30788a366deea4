"""The session: one input in, the next session out, with what to journal and what to publish."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from betline.messages.cards import CardsView
from betline.messages.common import Body, Reply
from betline.messages.table import Alert, Prompt, TableState
from betline.messages.views import Audience, TableView
from betline.steps import Recall
from betline.units import NS_PER_MS, NS_PER_S
from table_controller.cards.seals import Secret
from table_controller.journal.entries import (
    CameraSaw,
    CardsOut,
    Entry,
    Obeyed,
    PinRefused,
    SensorChanged,
    SetUp,
    SignedIn,
    SignedOut,
    Stepped,
)
from table_controller.journal.errors import JournalError
from table_controller.sensing import attention
from table_controller.sensing import steps as sensing_steps
from table_controller.sensing.belief import ZoneReading
from table_controller.sensing.observations import Observation
from table_controller.sensing.progress import AWARD
from table_controller.sensing.state import SensingState
from table_controller.sensing.witness import CameraSeen, LineSeen
from table_controller.session import (
    again,
    card_award,
    card_reads,
    cards,
    doubts,
    felt,
    holding,
    inferred,
    keyed,
    player_clock,
    public,
    rebuys,
)
from table_controller.session import levels as evening
from table_controller.session.again import Askers
from table_controller.session.book import Book
from table_controller.session.door import Came, Went, WrongPin
from table_controller.session.draft import Draft
from table_controller.session.hand_view import hand_view
from table_controller.session.inputs import NO_SEAT, CardsRead, Input, Keyed, Now, Present, ReaderHeard, Tick
from table_controller.session.people import without_secrets
from table_controller.session.questions import open_questions
from table_controller.session.rights import Denied, denied
from table_controller.session.sensors import Sensors
from table_controller.session.since_restart import Remembered
from table_controller.session.situation import phase
from table_controller.session.terms import Terms

REFUSALS_REMEMBERED = 100

_SEEN = MappingProxyType(
    {
        "splash": "Spread the chips and key the amount: they were thrown into the pot.",
        "bet_pushed_in": "Count the bet: a player has pushed it into the pot.",
        "camera_moved": "Calibrate the camera again: it has moved, and until then only the readers count.",
        "unknown_object": "Clear the felt: something lies there that is no chip, card or hand.",
        "light_changed": "Go on: the light has changed, and the camera adapts.",
    }
)


@dataclass(frozen=True, slots=True)
class Handled:
    """What became of an input. The entries are journalled before the messages go out and the session counts."""

    session: Session
    entries: tuple[Entry, ...] = ()
    messages: tuple[Body, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """Names to be kept with the entries, by person."""
    secrets: Mapping[str, Secret] | None = None
    """What opens the seals of this hand, where that has changed: it is kept before the entries are written."""
    recalls: int = 0
    """How many of the last hands are to be read back from the journal for whoever keyed this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """The whole state of a table's controller. `book` and the durable part of `sensing` survive a restart."""

    terms: Terms
    book: Book
    sensing: SensingState
    sensors: Sensors
    alerts: tuple[Alert, ...] = ()
    """Of the last step that raised any, or took a turn without one."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What people are called, by person; kept apart from the journal's entries and never in them."""
    secrets: Mapping[str, Secret] = field(default_factory=dict)
    """What opens the seals of this hand; kept apart from the journal's entries and never in them."""
    cards_begun: card_reads.Begun = field(default_factory=card_reads.Begun, repr=False)
    """Cards that antennas have read of a street or a hand that is not complete yet."""
    remembered: Remembered | None = None
    """What the journal says of the felt, until the readers have said what lies there after a restart."""
    refused: Mapping[str, Reply] = field(default_factory=dict)
    """Commands refused lately, by id: asked again they get the same answer."""
    askers: Askers = field(default_factory=Askers, repr=False)
    """Who asked for the last commands."""

    @classmethod
    def new(cls, terms: Terms) -> Session:
        """A table at which nothing has happened."""
        return cls(
            terms=terms, book=Book(), sensing=SensingState.initial(terms.sensing()), sensors=Sensors.of(terms.table)
        )

    def resumed(self, book: Book, now: Now, programs: Collection[str] = ()) -> Session:
        """The session with the books that its journal has: the hand goes on as it was. The sensors of these programs,
        which served the table before, are awaited.

        Raises JournalError (``damaged``) where the books hold what sensing never wrote.
        """
        try:
            sensing = self.sensing.restored(book.felt) if book.felt else self.sensing
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise JournalError("damaged", f"The journal holds what no controller writes ({error!r}).") from error
        sensing, _ = sensing_steps.view(sensing, hand_view(book), now.mono_ns)
        sensors = self.sensors.awaited(programs, now.mono_ns)
        return replace(self, book=book, sensing=sensing, sensors=sensors, remembered=Remembered.of(sensing))

    def called(self, names: Mapping[str, str]) -> Session:
        """The session with the names that the journal's file has for people."""
        return replace(self, names=names)

    def knowing(self, secrets: Mapping[str, Secret]) -> Session:
        """The session with the secrets that were kept of a hand; what opens no seal of it is left out."""
        return replace(self, secrets=cards.fitting(self.book, secrets))

    def heard(self, given: Input, now: Now) -> Session:
        """The session after an input that cannot be journalled: that its sensor lives is all that it keeps of it."""
        match given:
            case ZoneReading():
                sensors = self.sensors.heard(given.reader, "reader", now.mono_ns)
            case LineSeen() | CameraSeen():
                sensors = self.sensors.heard(given.camera, "camera", now.mono_ns)
            case _:
                return self
        return self if sensors.changed_since(self.sensors) else replace(self, sensors=sensors)

    def handle(self, given: Input, now: Now) -> Handled:
        """Takes one input at its time."""
        match given:
            case Keyed():
                return self._keyed(given, now)
            case ZoneReading():
                sensors = self.sensors.heard(given.reader, "reader", now.mono_ns)
                return self._sensed(sensors, sensing_steps.zone(self.sensing, given, now.mono_ns), now)
            case LineSeen():
                sensors = self.sensors.heard(given.camera, "camera", now.mono_ns)
                return self._sensed(sensors, sensing_steps.line(self.sensing, given, now.mono_ns), now, seen=given)
            case CameraSeen():
                sensors = self.sensors.heard(given.camera, "camera", now.mono_ns)
                return self._sensed(sensors, sensing_steps.camera(self.sensing, given, now.mono_ns), now)
            case Present():
                sensors = self.sensors.says(given.name, given.kind, given.state, given.detail, now.mono_ns, given.code)
                gone = given.kind == "camera" and given.state == "offline"
                step = sensing_steps.camera(self.sensing, None, now.mono_ns) if gone else (self.sensing, ())
                return self._sensed(sensors, step, now)
            case ReaderHeard():
                sensors = self.sensors.heard(given.reader, "reader", now.mono_ns)
                return self._sensed(sensors, (self.sensing, ()), now)
            case CardsRead():
                return self._cards_read(given, now)
            case Came() | Went() | WrongPin():
                return self._at_the_door(given, now)
            case Tick():
                return self._sensed(
                    self.sensors.aged(now.mono_ns), sensing_steps.tick(self.sensing, now.mono_ns), now, ticks=True
                )

    # --- what people see

    def table_state(self, version: int, journal_seq: int, journal_head: str) -> TableState:
        """The state for dealer and floor."""
        return public.table_state(
            self.book, self.sensing, self.sensors, self.alerts, self.terms.seats, version, journal_seq, journal_head,
            evening.level_state(self.book, self.terms), evening.rotation_state(self.book, self.terms),
            player_clock.clock_state(self.book, self.terms), player_clock.question(self.book, self.terms),
            rebuys.questions(self.book, self.terms), self.names,
            card_award.question(self.book, self.secrets), card_award.opened_places(self.book),
            card_award.won_with(self.book),
        )  # fmt: skip

    def view(self, audience: Audience, state: TableState) -> TableView:
        """The table, whose full state is `state`, as an audience may see it."""
        late = self.terms.table.stream.all_amounts
        return public.view(audience, self.book, self.sensing, state, self.terms.house, late=late)

    def cards_view(self) -> CardsView:
        """The cards as the dealer's console alone shows them."""
        pushed = [question.seats for question in self.sensing.questions.values() if question.kind == AWARD]
        return card_award.view(self.book, self.secrets, frozenset(pushed[0]) if pushed else frozenset())

    def zones_wanted(self, now: Now) -> Mapping[str, int]:
        """The zones that the bridge should read often now, and for how many ms."""
        return attention.wanted(self.sensing, now.mono_ns)

    def prompts(self) -> tuple[Prompt, ...]:
        """What the seats' displays show."""
        return public.prompts(self.book, self.sensing, self.terms.seats)

    def looks_like(self, other: Session) -> bool:
        """Whether people would see no difference; cheap, and right when it says yes."""
        here, there = self.sensing, other.sensing
        return (
            self.book is other.book
            and self.secrets == other.secrets
            and self.alerts == other.alerts
            and (self.names is other.names or self.names == other.names)
            and self.sensors.looks_like(other.sensors)
            and here.hands == there.hands
            and (here.shown is there.shown or here.shown == there.shown)
            and (here.questions is there.questions or here.questions == there.questions)
            and (here.raised is there.raised or here.raised == there.raised)
            and here.cues == there.cues
            and (here.accounts is there.accounts or here.based == there.based)
        )

    # --- commands

    def _keyed(self, given: Keyed, now: Now) -> Handled:
        """Obeys a command at most once; its refusal or its repetition changes nothing."""
        done = self.book.done.get(given.id)
        if self.askers.is_replay(given, done, now.mono_ns):
            code, why = again.REPLAYED, again.sentence(given)
            return Handled(self, (), (Reply(command_id=given.id, verb=given.verb, ok=False, code=code, sentence=why),))
        handled = self._first_or_again(given, done, now)
        askers = handled.session.askers
        askers = askers if given.repeated else askers.with_one(given, handled.recalls)
        return replace(handled, session=replace(handled.session, askers=askers))

    def _first_or_again(self, given: Keyed, done: Mapping[str, str] | None, now: Now) -> Handled:
        if done is not None:
            reply = Reply(command_id=given.id, verb=done["verb"], ok=True, code="ok", sentence=done["sentence"])
            return Handled(self, (), (reply,))
        if given.id in self.refused:
            return Handled(self, (), (self.refused[given.id],))
        if given.repeated:
            hands = self.askers.recalled(given)  # of all else the first has had its answer, or was never read
            return Handled(self, (), (again.hands_follow(given, hands),), recalls=hands) if hands else Handled(self)
        if given.expires_ns < now.mono_ns:
            late_s = (now.mono_ns - given.expires_ns) / NS_PER_S
            return self._refuse(given, again.EXPIRED, f"{given.verb} came {late_s:.1f} s too late; key it again.")
        no = self._denied(given)
        if no is not None:
            return self._refuse(given, no.code, no.sentence, no.needs)
        if isinstance(given.asks, Recall):
            return Handled(self, (), (again.hands_follow(given, given.asks.hands),), recalls=given.asks.hands)
        draft = self._draft(now)
        draft.fresh, draft.command, draft.author, draft.salt = given.fresh, given.id, given.author, given.salt
        draft.known(given.author)
        code, sentence = keyed.obey(draft, given, self.terms)
        draft.command = ""
        if code != "ok":
            return self._refuse(given, code, sentence)
        draft.note(
            Obeyed(
                id=given.id,
                verb=given.verb,
                args=without_secrets(given.asks, draft.seated),
                sender=given.sender,
                sentence=sentence,
                by=given.author.person,
                role=given.author.role or "",
            )
        )
        felt.take(draft, felt.tell_view(draft))
        draft.reply(given.id, given.verb, "ok", sentence)
        return self._done(draft)

    def _denied(self, given: Keyed) -> Denied | None:
        if given.author.open_table:
            return None
        questions = open_questions(self.book, self.sensing, rebuys=rebuys.questions(self.book, self.terms))
        return denied(given.author, given.asks, self.book, questions, self.terms.staff)

    def _refuse(self, given: Keyed, code: str, sentence: str, needs: tuple[str, ...] = ()) -> Handled:
        reply = Reply(command_id=given.id, verb=given.verb, ok=False, code=code, sentence=sentence, needs=needs)
        refused = {**self.refused, given.id: reply}
        for oldest in list(refused)[: max(0, len(refused) - REFUSALS_REMEMBERED)]:
            del refused[oldest]
        return Handled(replace(self, refused=refused), (), (reply,))

    def _cards_read(self, read: CardsRead, now: Now) -> Handled:
        sensors = self.sensors.heard(read.reader, "reader", now.mono_ns)
        draft = self._draft(now)
        draft.sensors, draft.salt = sensors, read.salt
        begun = card_reads.read(draft, read, self.cards_begun)
        handled = self._done(draft)
        return replace(handled, session=replace(handled.session, cards_begun=begun))

    def _at_the_door(self, news: Came | Went | WrongPin, now: Now) -> Handled:
        """Somebody has signed in or out, or tried to."""
        draft = self._draft(now)
        draft.known(news.author)
        person = news.author.person
        match news:
            case Came(way=way):
                draft.note(SignedIn(person=person, role=news.author.role or "", way=way))
            case Went(way=way, why=why):
                draft.note(SignedOut(person=person, way=way, why=why))
            case WrongPin(locked_s=locked_s):
                draft.note(PinRefused(person=person, locked_s=locked_s))
                if locked_s:
                    who = f"One of the staff ({news.author.role})"
                    sentence = f"{who} is locked out for {locked_s} s after wrong PINs: find out who tried."
                    draft.alert(Alert(severity="warning", code="locked-out", sentence=sentence))
        return self._done(draft)

    # --- sensors

    def _sensed(
        self,
        sensors: Sensors,
        step: tuple[SensingState, tuple[Observation, ...]],
        now: Now,
        seen: LineSeen | None = None,
        *,
        ticks: bool = False,
    ) -> Handled:
        sensing, observed = step
        draft = self._draft(now)
        draft.sensing, draft.sensors = sensing, sensors
        for sensor in sensors.changed_since(self.sensors):
            draft.note(SensorChanged(name=sensor.name, condition=sensor.condition, detail=sensor.detail))
        draft.effects.extend(sensors.alerts_since(self.sensors))
        if seen is not None:
            self._line_seen(draft, seen)
        if ticks:
            evening.tick(draft, self.terms)
            player_clock.tick(draft)
            holding.tick(draft)
        remembered = self._compared(draft)
        felt.take(draft, observed)
        if ticks and doubts.lapse(draft):
            felt.take(draft, felt.tell_view(draft))
        if seen is not None and seen.kind == "cards_mucked":
            inferred.muck_seen(draft, seen.seat)
        handled = self._done(draft)
        if remembered is self.remembered:
            return handled
        return replace(handled, session=replace(handled.session, remembered=remembered))

    def _compared(self, draft: Draft) -> Remembered | None:
        """Tells what lies there otherwise than the journal has it; returns what is still to be compared."""
        if self.remembered is None:
            return None
        remembered, alerts = self.remembered.after(draft.sensing)
        for alert in alerts:
            draft.alert(alert)
        return remembered

    def _line_seen(self, draft: Draft, seen: LineSeen) -> None:
        kind = seen.kind
        if seen.id and draft.table is not None:
            first_ms = draft.now.at_ms - (draft.now.mono_ns - seen.t_first_ns) // NS_PER_MS
            draft.note(CameraSaw(seat=seen.seat, event=kind, id=seen.id, from_ms=first_ms))
        if kind == "cards_dealt" and phase(draft.book) == "posting":
            draft.note(CardsOut(by=seen.camera))
            felt.take(draft, felt.tell_view(draft))
        elif kind in _SEEN:
            seat = None if seen.seat == NO_SEAT else seen.seat
            draft.alert(Alert(severity="warning", code=kind.replace("_", "-"), seat=seat, sentence=_SEEN[kind]))

    # --- one step

    def _draft(self, now: Now) -> Draft:
        return Draft(self.book, self.sensing, self.sensors, now, self.names, self.terms, self.secrets)

    def _done(self, draft: Draft) -> Handled:
        """The session after a draft."""
        player_clock.follow(draft, self.terms)
        cards.open_seals(draft)
        draft.announce()
        draft.remember_the_felt(self.sensing)
        draft.keep_checkpoint()
        acted = any(isinstance(entry, Stepped | SetUp) for entry in draft.entries)
        alerts = tuple(draft.alerts) if acted or draft.alerts else self.alerts
        session = replace(
            self,
            book=draft.book,
            sensing=draft.sensing,
            sensors=draft.sensors,
            alerts=alerts,
            names=draft.names,
            secrets={} if draft.book.hand_no > self.book.hand_no else draft.secrets,
        )
        new = {person: name for person, name in draft.names.items() if person not in self.names}
        secrets = None if session.secrets == self.secrets else session.secrets
        return Handled(session, tuple(draft.entries), tuple(draft.effects), new, secrets)
