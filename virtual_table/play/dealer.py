"""The virtual dealer's keys: how late they come, how many a command is, and the odd one for the wrong seat.

The dealer keys words, checks, folds, streets and awards, 0.3 to 2.5 s late, and never an act that the chips show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random

from betline.messages.table import Alert, Question
from betline.steps import (
    Act,
    Answer,
    Award,
    ChopBlinds,
    Command,
    Deal,
    Game,
    Jump,
    Leave,
    NextHand,
    Rebuy,
    Return,
    Says,
    SitDown,
    SitOut,
    Straddle,
    Undo,
    command_args,
    verb_of,
)
from virtual_table.play.clock import Stopped
from virtual_table.play.link import PATIENCE_S, UNWRITTEN, ControllerLink
from virtual_table.play.pace import Pace
from virtual_table.play.report import Report, Wrong

MIN_DELAY_S, MAX_DELAY_S = 0.3, 2.5
WRONG_SEAT_SHARE = 1 / 200
UNDOS = 4
"""So often at most U is pressed for one wrong key."""
LOOK_S = 0.25
TRIES = round(PATIENCE_S / LOOK_S)
LATE_ANSWER_S = (1.0, 6.0)
NO_BET = "no-bet"
FOLDED, STILL_IN = "folded", "still-in"
KEEP = "keep-the-key"
OF_CHIPS = frozenset(
    {
        "unreported", "early-chips", "unseen-chips", "house-chips", "protector", "moved-chips", "other-hand",
        "before-cards", "hand-on-chips", "dead-money",
    }
)  # fmt: skip
"""Questions what chips are that lie before a seat."""
OVERTAKEN_S = 0.5
"""How much later than a refusal the ruling that overtook the key is heard."""


def delay_s(chance: Random) -> float:
    """How late a key comes: mostly well under a second, at times when the dealer is busy."""
    return MIN_DELAY_S + (MAX_DELAY_S - MIN_DELAY_S) * chance.betavariate(1.2, 5.0)


def keys_of(command: Command) -> int:
    """How many keys of the console a command takes, each press counted: `40 B` is three, a seat in an award one."""
    match command:
        case Act(seat=seat, gesture=str()) | Jump(seat=seat) | Straddle(seat=seat):
            return 1 + len(str(seat))
        case Act(to=int(to)):
            return 1 + len(str(to))
        case Act(action="all-in"):
            return 2
        case Says(text=text):
            return 2 + len(text)
        case Award(pots=pots):
            return 1 + sum(sum(len(part) for part in pot) + len(pot) for pot in pots)
        case SitDown(seat=seat, stack=stack, player=player):
            return _at_a_seat(seat, f"{stack} {player}".strip())
        case Rebuy(seat=seat, amount=amount):
            return _at_a_seat(seat, str(amount))
        case Leave(seat=seat):
            return _at_a_seat(seat, "") + 1  # asks once more
        case SitOut(seat=seat) | Return(seat=seat):
            return _at_a_seat(seat, "")
        case NextHand(button=int(button)):
            return 1 + len(str(button))
        case ChopBlinds():
            return 3
        case Game(name=name):
            return 3 + len(name)
    return 1


def _at_a_seat(seat: int, typed: str) -> int:
    """The seat, its menu, the letter; then words and Enter."""
    return len(str(seat)) + 2 + (len(typed) + 1 if typed else 0)


def _about(question: Question) -> int | None:
    """The seat whose chips are asked about."""
    return int(question.id.rpartition("-")[2]) if question.kind == "unreported" else question.seat


class Dealer:
    """Keys on the bus what chips do not show, and answers what the controller asks."""

    def __init__(
        self,
        link: ControllerLink,
        report: Report,
        chance: Random,
        pace: Pace,
        readers: Mapping[int, str],
        answers_late: float = 0.0,
    ) -> None:
        """``readers`` has the reader of each seat that has one."""
        self._link = link
        self._report = report
        self._chance = chance
        self._pace = pace
        self._readers = readers
        self._answers_late = answers_late
        self._answered: set[str] = set()
        self._denied: dict[int | None, str] = {}
        self._of_no_bet: set[str] = set()
        """Questions about chips that are no bet."""
        self.performing: int | None = None
        """The seat that acts now: what is first asked about its chips then is about its act."""
        self.folded: set[int] = set()
        """The seats that have folded in this hand, as people saw."""
        self.no_bet: Callable[[int], bool] = lambda _seat: False
        """Whether chips of a seat that are asked about are no bet, as the people at the table know it."""
        self._alerts_heard = 0
        self._standing: dict[tuple[str, int | None, str, str, str], Alert] = {}
        self.keys: Counter[str] = Counter()
        """Of this hand, by the verb that they were pressed for."""
        self.winners: frozenset[int] = frozenset()
        """To whom the dealer has pushed the pots, once that is done."""
        self.owes: Command | None = None
        """A key that the dealer has not got to yet: the street that was dealt."""

    def pause(self) -> None:
        """The time until the dealer gets to the keys."""
        self._pace.sleep(delay_s(self._chance))

    def key(
        self,
        command: Command,
        *,
        counted: bool = True,
        done_already: str | None = None,
        unless: Callable[[], bool] | None = None,
    ) -> bool:
        """Sends a command; what is refused becomes a fault of the report, but for the code ``done_already``, by which
        the controller says that a sensor was quicker, and where ``unless`` says so within moments.
        """
        if counted:
            self._pressed(command)
        reply = self._link.command(command)
        for _ in range(TRIES):
            if reply.code != UNWRITTEN:
                break
            self._pace.sleep(LOOK_S)  # play stops: he reads so on the console
            reply = self._link.command(command)
        if not reply.ok and isinstance(command, Says) and self.owes is not None:
            self.key_what_is_owed()  # the console says that the words are of a street that was not keyed
            reply = self._link.command(command)
        overtaken = not reply.ok and unless is not None and self._link.wait(unless, OVERTAKEN_S)
        if not reply.ok and reply.code != done_already and not overtaken:
            self._report.refused += 1
            self._report.asked_about[f"refused {reply.verb}: {reply.code}"] += 1
            asked = f"{reply.verb} {command_args(command)}"
            self._report.faults.append(f"{asked} was refused ({reply.code}): {reply.sentence}")
        return reply.ok

    def _pressed(self, command: Command) -> None:
        self.keys[verb_of(type(command))] += keys_of(command)

    def key_for(self, command: Command, seat: int) -> None:
        """Keys what a seat did, late, and once in a while for another seat first, which is put right."""
        self.pause()
        if self._chance.random() < WRONG_SEAT_SHARE:
            state = self._link.state
            others = [s.seat for s in state.seats if s.status == "in" and s.seat != seat] if state else []
            if others:
                self._key_wrongly(self._chance.choice(others))
        self.key(command)

    def _key_wrongly(self, seat: int) -> None:
        """A fold is keyed for a seat that did not fold; where the controller took it, it is taken back, with what the
        sensors reported after it.
        """
        muck = Act(seat=seat, gesture="muck")
        self._pressed(muck)
        taken = self._link.command(muck).ok
        self.pause()
        for _ in range(UNDOS if taken else 0):
            self.key(Undo())
            if self._link.wait(lambda: self._is_in(seat), LOOK_S):
                break
        self._report.corrected += 1

    def _is_in(self, seat: int) -> bool:
        """Whether the console shows that the seat has its cards."""
        state = self._link.state
        return state is not None and any(one.seat == seat and one.status == "in" for one in state.seats)

    def key_what_is_owed(self) -> None:
        """Gets to the key that was left, unless the console shows that the sensors have done it."""
        command, self.owes = self.owes, None
        if command is not None and not self._is_dealt(command):
            self.key(command, unless=lambda: self._is_dealt(command))

    def _is_dealt(self, command: Command) -> bool:
        state = self._link.state
        return isinstance(command, Deal) and state is not None and state.street == command.street

    def alerts_heard(self) -> int:
        """How many alerts there were; `is_told` looks at those after a number."""
        return self._link.alerts_heard()

    def is_told(self, seat: int, mark: int) -> bool:
        """Whether the controller has said since that somebody must see to a seat: an alert, a question that only a key
        answers, or that its reader is down.
        """
        heard = self._link.alerts_heard()
        for alert in self._link.alerts(self._alerts_heard):
            key = (alert.code, alert.seat, alert.zone, alert.uid, self._reader_in(alert))
            if alert.active:
                self._standing[key] = alert
            else:
                self._standing.pop(key, None)
        self._alerts_heard = heard
        if any(self._reads_nothing(alert, seat) for alert in self._standing.values()):
            return True
        state = self._link.state
        if state is not None and any(not one.choices and one.seat == seat for one in state.questions):
            return True
        new = self._link.alerts(mark)
        return any(alert.active and alert.severity != "info" and alert.seat == seat for alert in new)

    def _reads_nothing(self, alert: Alert, seat: int) -> bool:
        reader = self._readers.get(seat)
        if reader is None:
            return False
        return alert.code == "bridge-down" or (alert.code == "reader-down" and self._reader_in(alert) == reader)

    def _reader_in(self, alert: Alert) -> str:
        """The seats' reader that an alert names, if any: of several that are down each has its own."""
        sentence = f" {alert.sentence}"
        return next((reader for reader in self._readers.values() if f" {reader} is " in sentence), "")

    def new_questions(self) -> list[Question]:
        """What the controller asks, with a choice of answers, and the dealer has not answered.

        What is not asked any more may be asked anew: other chips may lie there then.
        """
        state = self._link.state
        asked = state.questions if state else ()
        open_now = {question.id for question in asked}
        self._answered &= open_now
        self._of_no_bet &= open_now
        return [
            question
            for question in asked
            if question.choices
            and question.kind != "rebuy"
            and question.id not in self._answered
            and (question.kind == "award" or self._choice(question) is not None)
        ]

    def answer(self) -> None:
        """Answers every open question as the people at the table know it."""
        for question in self.new_questions():
            if question.kind == "award" and not self._is_right(question):
                continue
            self._answered.add(question.id)
            self._report.asked += 1
            self._report.asked_about[f"question {question.kind}"] += 1
            self.pause()
            choice = self._choice(question)
            if self._answers_late and self._chance.random() < self._answers_late:
                self._report.evening["answers_late"] += 1
                self._pace.sleep(self._chance.uniform(*LATE_ANSWER_S))
                choice = self._choice(question)
            if choice is None:
                self._answered.discard(question.id)
                continue
            if choice == NO_BET:
                self._report.evening["no_bets"] += 1
                self._denied[_about(question)] = self._street
            self.key(Answer(question=question.id, choice=choice), done_already="no-question")

    def has_denied(self, seat: int) -> bool:
        """Whether he has said on this street that chips of the seat are no bet."""
        return self._denied.get(seat) == self._street

    @property
    def _street(self) -> str:
        state = self._link.state
        return "" if state is None else f"{state.hand_no} {state.street}"

    def _choice(self, question: Question) -> str | None:
        """What is true: who acts does so in turn and means what it pushes, and who toys does not. None where no choice
        is: the chips are taken up then.
        """
        seat = _about(question)
        if seat is not None and KEEP in question.choices and self.no_bet(seat):
            return KEEP
        before = seat != self.performing or question.kind == "dead-money"
        if seat is not None and before and question.kind in OF_CHIPS and self.no_bet(seat):
            self._of_no_bet.add(question.id)
        if question.kind == "mucked":
            return FOLDED if self.folded.issuperset(map(int, question.id.split("-")[3:])) else STILL_IN
        if question.id in self._of_no_bet:
            return NO_BET if NO_BET in question.choices else None
        return "bet" if "bet" in question.choices else question.choices[0]

    def _is_right(self, question: Question) -> bool:
        """Whether an award is asked about as the dealer knows it; while he pushes, more may be to come."""
        seats = frozenset(int(seat) for seat in question.id.split("-")[2:])
        if self.winners and not seats <= self.winners:
            self._report.is_wrong(Wrong("award", question.seat, self._pace.now_s(), f"asked: {question.sentence}"))
            self._answered.add(question.id)
        return seats == self.winners

    def wait(self, condition: Callable[[], bool], timeout_s: float) -> bool:
        """Waits for a condition, answering what the controller asks meanwhile; False where it does not come true.

        While the controller is away the dealer, who sees that on the console, waits for it as long as he is to.
        """
        deadline_s = self._pace.now_s() + timeout_s
        patience_s = self._pace.now_s() + self._link.away_s
        while not condition():
            if self._pace.stopped:
                raise Stopped
            if not self._link.there:
                deadline_s = max(deadline_s, min(self._pace.now_s() + timeout_s, patience_s))
            if self._pace.now_s() > deadline_s:
                return False
            self._link.wait(lambda: condition() or bool(self.new_questions()), LOOK_S)
            self.answer()
        return True
