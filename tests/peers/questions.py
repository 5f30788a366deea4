"""What a hand asks of the player to act, as PokerKit reckons it: open enough that a named difference can correct it."""

from __future__ import annotations

from dataclasses import dataclass

import pokerkit

from table_controller.betting import Limit


@dataclass(frozen=True)
class Question:
    """The terms of a call and of a raise, before the stack bounds them.

    A raise adds `increment` to `base`, the last bet that was full; `assumed` counts as in the pot although it is not.
    """

    limit: Limit
    own: int
    stack: int
    pot: int
    others: tuple[int, ...]
    """What the other live hands can make it."""
    level: int
    base: int
    increment: int
    reopened: bool
    wagers: int
    most_wagers: int | None
    assumed: int = 0
    barred: bool = False

    @property
    def everything(self) -> int:
        return self.own + self.stack

    @property
    def to_call(self) -> int:
        return min(max(self.level - self.own, 0), self.stack)

    @property
    def raise_range(self) -> tuple[int, int] | None:
        if (
            self.everything <= self.level
            or max(self.others, default=0) <= self.level
            or not self.reopened
            or self.barred
            or (self.most_wagers is not None and self.wagers >= self.most_wagers)
        ):
            return None
        least = self.base + self.increment
        return min(least, self.everything), min(max(self.most, least), self.everything)

    @property
    def most(self) -> int:
        match self.limit:
            case Limit.NO_LIMIT:
                return self.everything
            case Limit.POT_LIMIT:
                return self.level + max(self.level - self.own, 0) + self.pot + self.assumed
            case _:
                return self.base + self.increment


def pokerkit_question(peer: pokerkit.State, limit: Limit) -> Question:
    """The question in PokerKit's terms.

    Raises AssertionError where it is not what PokerKit answers: then its reckoning is not the one known here.
    """
    seat, street = peer.actor_index, peer.street
    assert seat is not None
    assert street is not None
    own, stack, level = peer.bets[seat], peer.stacks[seat], max(peer.bets)
    raised = peer.completion_betting_or_raising_amount
    short = peer.consecutive_short_all_in_amounts
    question = Question(
        limit=limit,
        own=own,
        stack=stack,
        pot=peer.total_pot_amount,
        others=tuple(
            peer.stacks[i] + peer.bets[i] for i in peer.player_indices if i != seat and peer.statuses[i]
        ),
        level=level,
        base=0 if peer.completion_status else level,
        increment=max(raised, street.min_completion_betting_or_raising_amount),
        reopened=(peer.bring_in_status or min(stack, level - own) >= raised)
        and not (short and sum(short) < raised and seat in peer.acted_player_indices),
        wagers=peer.completion_betting_or_raising_count,
        most_wagers=street.max_completion_betting_or_raising_count,
    )  # fmt: skip
    least = peer.min_completion_betting_or_raising_to_amount
    most = peer.max_completion_betting_or_raising_to_amount
    answer = None if least is None or most is None else (least, most)
    assert question.raise_range == answer, f"PokerKit answers {answer}, and {question} is taken for its reckoning"
    if not peer.bring_in_status:
        assert question.to_call == peer.checking_or_calling_amount
    return question
