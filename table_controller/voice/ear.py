"""From the messages of the table to what is to be said: which sentence, about what, and what became void."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from betline.messages.common import Body
from betline.messages.table import Alert, Announcement, Ruling, TableState, VoiceAgain, VoiceSetting
from betline.settings.house_rules import HouseRules
from table_controller.announce.numbers import Language
from table_controller.announce.spoken import Dealt, Manner, TimeLeft, Won, in_speech
from table_controller.voice.waiting import Kind, Utterance, Waiting

_IN_THE_HAND = ("in", "all-in")


@dataclass(frozen=True, slots=True)
class Ear:
    """What was heard so far. A pure value: each message makes the next one."""

    manner: Manner
    waiting: Waiting = field(default_factory=Waiting)
    table: TableState | None = None
    """The newest state."""
    turn: Announcement | None = None
    """The newest turn."""

    @classmethod
    def of(cls, house: HouseRules, language: Language) -> Ear:
        """Has heard nothing yet: the house says how much is said until somebody chooses."""
        return cls(Manner.of(house, house.voice, language))

    def heard(self, body: Body) -> Ear:
        """After a message; those that are nothing to the voice change nothing."""
        match body:
            case VoiceSetting():
                if body.says == self.manner.says:
                    return self
                return replace(self, manner=replace(self.manner, says=body.says), waiting=self.waiting.hush())
            case Announcement():
                return replace(self, turn=body)._with(_turn(body, self.manner))
            case VoiceAgain():
                return self._again()
            case Ruling():
                moment, text = (body.hand_no, body.act_no), in_speech(body, self.manner)
                kind: Kind = "act" if body.instead_of is None else "correction"
                return self._with(Utterance(kind, text, moment, body.seat))
            case Alert():
                return self._with(Utterance("alert", in_speech(body, self.manner), seat=body.seat))
            case TableState():
                return self._seen(body)
        return self

    def now_waiting(self, waiting: Waiting) -> Ear:
        """After something was taken out to be said."""
        return replace(self, waiting=waiting)

    def _again(self) -> Ear:
        """The turn once more, if it is still that seat's."""
        turn, waiting = self.turn, self.waiting
        if turn is None or (turn.hand_no, turn.act_no, turn.seat) != (*waiting.moment, waiting.to_act):
            return self
        return self._with(_turn(turn, self.manner.on_request()))

    def _with(self, utterance: Utterance) -> Ear:
        return replace(self, waiting=self.waiting.heard(utterance))

    def _seen(self, state: TableState) -> Ear:
        asked = frozenset(question.id for question in state.questions)
        known = frozenset(question.id for question in self.table.questions) if self.table is not None else frozenset()
        ear = self
        for question in state.questions:
            if question.id not in known:
                text = in_speech(question, self.manner)
                ear = ear._with(Utterance("question", text, seat=question.seat, question=question.id))
        waiting = ear.waiting.table_is(state.hand_no, _speaks_to(state), asked)
        for event in () if self.table is None else _between(self.table, state):
            waiting = waiting.heard(Utterance("street", in_speech(event, self.manner), waiting.moment))
        left = _time_left(self.table, state)
        if left is not None:
            waiting = waiting.heard(Utterance("turn", in_speech(left, self.manner), waiting.moment, left.seat))
        return replace(ear, waiting=waiting, table=state)


def _turn(turn: Announcement, manner: Manner) -> Utterance:
    return Utterance("turn", in_speech(turn, manner), (turn.hand_no, turn.act_no), turn.seat)


_SECONDS = {"warned": 10, "last": 3}
"""What is said at each stage of the player's clock."""


def _time_left(before: TableState | None, now: TableState) -> TimeLeft | None:
    """What the player's clock has come to between two states."""
    clock = now.player_clock
    if before is None or clock is None or clock.stage not in _SECONDS:
        return None
    was = before.player_clock
    if was is not None and (was.stage, was.ends_ms) == (clock.stage, clock.ends_ms):
        return None
    return TimeLeft(clock.seat, _SECONDS[clock.stage])


def _speaks_to(state: TableState) -> int | None:
    """Whose turn was announced, or whose pile is being counted."""
    return state.to_act if state.phase == "betting" else None


def _between(before: TableState, now: TableState) -> Iterator[Dealt | Won]:
    """What has happened between two states of one hand that no other message tells."""
    if before.hand_no != now.hand_no:
        return
    if now.phase == "hand-over":
        if before.phase != "hand-over":
            winners = {push.to for push in now.payouts if isinstance(push.to, int) and push.pot is not None}
            hands = {one.seat: one for one in now.won_with}
            made = {(one.kind, one.ranks) for seat, one in hands.items() if seat in winners}
            alike = len(made) == 1 and winners <= hands.keys()
            yield Won(tuple(sorted(winners)), hands[min(winners)] if alike else None)
    elif now.street != before.street and before.street and now.street:
        yield Dealt(now.street, sum(seat.status in _IN_THE_HAND for seat in now.seats))
