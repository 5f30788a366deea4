"""What waits to be said: the newest wins, and what has passed is never said. Values only, no thread and no clock."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

Kind = Literal["question", "correction", "act", "street", "turn", "alert"]
ORDER: Final[tuple[Kind, ...]] = ("question", "correction", "act", "street", "turn", "alert")
"""Of what waits at one moment the first of these is said first."""
MOST_WAITING: Final = 8

Moment = tuple[int, int]
"""The hand, and the act in it after which something is said."""
BEGINNING: Final[Moment] = (0, 0)


@dataclass(frozen=True, slots=True)
class Utterance:
    """A sentence, and what it is about; ``number`` is given to it as it comes."""

    kind: Kind
    text: str
    moment: Moment = BEGINNING
    seat: int | None = None
    question: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Waiting:
    """The sentences that wait, and what is known of the table as far as it makes them void."""

    sentences: tuple[Utterance, ...] = ()
    moment: Moment = BEGINNING
    to_act: int | None = None
    questions: frozenset[str] = frozenset()
    numbered: int = 0
    newest: tuple[tuple[Kind, int], ...] = ()
    """The number of the newest turn and of the newest street."""
    hushed: int = 0
    """What came up to this number is not said any more."""

    def heard(self, new: Utterance) -> Waiting:
        """Something happened; its text may be empty, and then it only makes older things void.

        An act that comes late, after the turn that it led to, is no news. A turn that bears an older number is: an act
        was taken back.
        """
        if new.kind == "act" and new.moment[0] == self.moment[0] and new.moment < self.moment:
            return self
        numbered = self.numbered + 1
        known = replace(self, numbered=numbered)
        if new.kind in ("act", "turn"):
            known = replace(known, moment=new.moment)
        if new.kind == "turn":
            known = replace(known, to_act=new.seat)
        if new.kind == "question":
            known = replace(known, questions=known.questions | {new.question})
        if new.kind in ("turn", "street"):
            newest = {**dict(known.newest), new.kind: numbered}
            known = replace(known, newest=tuple(newest.items()))
        if not new.text or any(new.kind == "alert" and one.text == new.text for one in self.sentences):
            return known._without_void()
        sentences = (*known.sentences, replace(new, number=numbered))
        return replace(known, sentences=sentences)._without_void()

    def table_is(self, hand_no: int, to_act: int | None, questions: frozenset[str]) -> Waiting:
        """The table as its state shows it: who acts now, and which questions still stand."""
        moment = self.moment if hand_no == self.moment[0] else (hand_no, 0)
        return replace(self, moment=moment, to_act=to_act, questions=questions)._without_void()

    def hush(self) -> Waiting:
        """Nothing that waits is said any more."""
        return replace(self, hushed=self.numbered)._without_void()

    def still(self, one: Utterance) -> bool:
        """Whether a sentence that waited, or is being said, is still true."""
        if one.number <= self.hushed:
            return False
        match one.kind:
            case "question":
                return one.question in self.questions
            case "act":
                return one.moment == self.moment
            case "street":
                return one.moment == self.moment and self._is_newest(one)
            case "turn":
                return one.moment == self.moment and one.seat == self.to_act and self._is_newest(one)
        return True

    def next(self) -> tuple[Utterance | None, Waiting]:
        """The sentence to say now, and what waits then."""
        if not self.sentences:
            return None, self
        one = min(self.sentences, key=lambda waiting: (ORDER.index(waiting.kind), waiting.number))
        return one, replace(self, sentences=tuple(left for left in self.sentences if left is not one))

    def _is_newest(self, one: Utterance) -> bool:
        return dict(self.newest).get(one.kind) == one.number

    def _without_void(self) -> Waiting:
        left = tuple(one for one in self.sentences if self.still(one))
        return replace(self, sentences=left[-MOST_WAITING:])
