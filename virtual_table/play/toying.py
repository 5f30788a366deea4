"""Players who toy with their chips while others act: nothing of it is an act, and all of it goes back in time.

They riffle a stack over the line, put chips down and take them up again, throw one in and fetch it, or lay one down and
leave it there. Nobody does it whose turn may come meanwhile: chips that lie there in turn are a bet by the rules, and
in a house that takes silent seats for passed so are chips that lie there for long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from betline.settings import load_house_rules
from virtual_table.play.no_bets import NoBets
from virtual_table.play.pace import Pace
from virtual_table.play.report import Report
from virtual_table.table.habits import toss
from virtual_table.table.player_motions import over_and_back, pull_back, push
from virtual_table.table.things import Chip, WorldError
from virtual_table.table.world import World

FEWEST = 12
"""Chips of a stack with which somebody toys."""
BEGINS_S = (0.0, 0.8)
SPLASHED_S = (0.0, 0.3)
DOWN_S = (0.1, 0.6)
"""How long chips lie there in a house that would soon take them for an act."""
DOWN_WHERE_ASKED_S = (0.1, 6.0)
STAYS = 0.25
"""Share of the chips put down that are left there once the dealer has said that they are no bet."""
ANSWER_S = 6.0
"""So long a chip that is to stay lies there without a question; then it is taken up."""


class Toying:
    """What players do with their chips while it is not their turn."""

    def __init__(
        self, world: World, no_bets: NoBets, report: Report, pace: Pace, chance: Random, share: float
    ) -> None:  # fmt: skip
        """``share`` is how often somebody toys while others act."""
        self._world = world
        self._no_bets = no_bets
        self._report = report
        self._pace = pace
        self._chance = chance
        self._share = share
        self._over_s = 0.0
        house = load_house_rules(world.table.house.profile, world.table.house.options)
        self._asks = house.implied_passive == "ask"
        self._left: set[int] = set()
        """The seats that have left a chip lying."""
        self._unanswered: int | None = None
        self.wait_answered: Callable[[Callable[[], bool], float], bool] = lambda _condition, _s: False
        """Waits for a condition so long at most, and answers meanwhile what the controller asks."""
        self.said_no_bet: Callable[[int], bool] = lambda _seat: False
        """Whether the dealer has said since the last street that a seat's chip is no bet."""

    def begin(self, seats: Sequence[int], *, may_stay: bool) -> None:
        """One of these seats may begin to toy; what it does is over before the next of them acts (`end`)."""
        if not self._share or self._chance.random() >= self._share:
            return
        free = [
            seat for seat in seats
            if len(self._world.stack(seat)) >= FEWEST and self._world.free_s(seat) <= self._pace.now_s()
            and not self._no_bets.lying(seat)
        ]  # fmt: skip
        if not free:
            return
        seat, begins_s = self._chance.choice(free), self._pace.now_s() + self._chance.uniform(*BEGINS_S)
        how = self._chance.choice((self._riffle, self._put_down, self._put_down, self._splash))
        try:
            if how == self._put_down and may_stay and self._asks and self._chance.random() < STAYS:
                self._leave(seat, begins_s)
            else:
                how(seat, begins_s)
        except WorldError:
            return
        self._report.evening["toys"] += 1

    def end(self) -> None:
        """Waits until nobody toys any more but with chips of which the dealer has said that they are no bet."""
        self._pace.until(self._over_s)
        seat, self._unanswered = self._unanswered, None
        if seat is not None and self._no_bets.lying(seat):
            if not self.wait_answered(lambda: self.said_no_bet(seat), ANSWER_S):
                self.take_up(seat)
            else:
                self._report.evening["chips_left"] += 1

    def take_up(self, seat: int) -> None:
        """A seat takes up what it has left lying."""
        chips = self._no_bets.lying(seat) if seat in self._left else ()
        if chips and all(chip in self._world.bets(seat) for chip in chips):
            self._pace.until(pull_back(self._world, seat, chips, self._pace.now_s()).end_s)
            self._no_bets.gone(seat)
        self._left.discard(seat)

    def take_all_up(self) -> None:
        """The bets are swept: whoever has left a chip lying takes it up."""
        self.end()
        for seat in tuple(self._left):
            self.take_up(seat)

    def _some(self, seat: int, most: int) -> tuple[Chip, ...]:
        return self._world.stack(seat)[-self._chance.randint(1, most) :]

    def _riffle(self, seat: int, at_s: float) -> None:
        for _ in range(self._chance.randint(1, 3)):
            at_s = over_and_back(self._world, seat, self._some(seat, 8), at_s).end_s
        self._over_s = at_s

    def _put_down(self, seat: int, at_s: float) -> None:
        chips = self._some(seat, 4)
        down = push(self._world, seat, chips, at_s)
        self._takes_up(seat, chips, down.end_s + self._chance.uniform(*(DOWN_WHERE_ASKED_S if self._asks else DOWN_S)))

    def _splash(self, seat: int, at_s: float) -> None:
        chips = self._some(seat, 1)
        thrown = toss(self._world, seat, chips, at_s)
        self._takes_up(seat, chips, thrown.end_s + self._chance.uniform(*SPLASHED_S))

    def _takes_up(self, seat: int, chips: Sequence[Chip], at_s: float) -> None:
        up = pull_back(self._world, seat, chips, at_s)
        self._no_bets.lie_until(seat, up.end_s)
        self._over_s = up.end_s

    def _leave(self, seat: int, at_s: float) -> None:
        chips = self._some(seat, 1)
        self._over_s = push(self._world, seat, chips, at_s).end_s
        self._no_bets.lie(seat, chips)
        self._left.add(seat)
        self._unanswered = seat
