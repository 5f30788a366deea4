"""Chips before the cards, and those that come after them: antes, blinds, dead blinds, straddles."""

from __future__ import annotations

from random import Random

from betline.steps import Straddle
from virtual_table.play.acting import Acting
from virtual_table.play.dealer import Dealer
from virtual_table.play.habits import Habits
from virtual_table.play.link import ControllerLink
from virtual_table.play.no_bets import NoBets
from virtual_table.play.pace import Pace
from virtual_table.play.report import Report
from virtual_table.scripts.script import HandScript
from virtual_table.table import bank
from virtual_table.table.dealer_motions import gather, take_to_pot
from virtual_table.table.player_motions import push
from virtual_table.table.things import Chip, Motion
from virtual_table.table.world import World

STRADDLE_WAIT_S = 5.0
KEYED_APART_S = (0.0, 2.5)
"""A hasty dealer keys a post so long before or after its chips are put out."""
REMINDED = 0.5
"""Share of the late antes that come only when the dealer has asked for them."""
REMINDED_S = (3.0, 6.0)
TAKEN_AT_ONCE = 0.6
"""Share of dead money beside a bet that the dealer takes into the pot at once; the rest lies there until he gathers."""


class Posting:
    """What is put out for a hand before anybody acts, by the clock of the director."""

    def __init__(
        self,
        world: World,
        link: ControllerLink,
        dealer: Dealer,
        acting: Acting,
        no_bets: NoBets,
        report: Report,
        pace: Pace,
        chance: Random,
        habits: Habits,
    ) -> None:
        self._world = world
        self._link = link
        self._dealer = dealer
        self._acting = acting
        self._no_bets = no_bets
        self._report = report
        self._pace = pace
        self._chance = chance
        self._habits = habits
        self._owing: dict[int, int] = {}
        """Live posts whose chips come only after the cards were keyed out, by seat."""
        self._owing_dead: dict[int, int] = {}
        """Antes and dead blinds that do."""

    def put_out(self, script: HandScript) -> None:
        """Antes, gathered, then blinds and live posts; some of it may be owed until `finish`."""
        antes, beside = self._dead(script)
        for seat, ante in script.antes.items():
            self._acting.expected.post(seat, ante, dead=True)
        pushed = [self._acting.push_exact(seat, ante) for seat, ante in antes.items()]
        if pushed:
            self._pace.until(max(motion.end_s for motion in pushed))
            self._pace.until(gather(self._world, self._pace.now_s()).end_s)
        due = {seat: min(blind, self._acting.expected.stacks[seat]) for seat, blind in script.posts.items()}
        if due and self._does(self._habits.posts_late):
            late = self._chance.choice(sorted(due))
            self._owing[late] = due[late]
            if late in beside:
                self._owing_dead[late] = self._owing_dead.get(late, 0) + beside.pop(late)
        blinds = [
            self._push_with_dead(seat, blind, beside.get(seat, 0))
            for seat, blind in due.items()
            if seat not in self._owing
        ]
        for seat, blind in due.items():
            self._acting.expected.post(seat, blind)
        if blinds:
            self._pace.until(max(motion.rest_s for motion in blinds))
        for seat in beside:
            self._take_dead(seat)

    def straddle(self, seat: int, to: int) -> None:
        """The seat straddles: the chips show it, and the dealer keys it where they are not understood."""
        self._report.evening["straddles"] += 1
        self._pace.pause(self._chance.uniform(*self._pace.pauses.think_s))
        if self._does(self._habits.straddle_early):
            self._straddle_keyed_first(seat, to)
            return
        pushed = self._acting.push_exact(seat, to)
        self._acting.expected.post(seat, to)
        if self._does(self._habits.straddle_late):
            self._pace.pause(self._chance.uniform(*KEYED_APART_S))
            if not self._has_straddled(seat, to):
                self._key_straddle(seat, to)
        self._pace.until(pushed.rest_s)
        if not self._dealer.wait(lambda: self._has_straddled(seat, to), STRADDLE_WAIT_S):
            self._dealer.pause()
            self._key_straddle(seat, to)

    def finish(self) -> None:
        """Those who were slow put their posts out now."""
        for seat, amount in self._owing.items():
            self._pace.pause(self._chance.uniform(*KEYED_APART_S))
            dead = self._owing_dead.pop(seat, 0)
            self._pace.until(self._push_with_dead(seat, amount, dead).rest_s)
            if dead:
                self._report.evening["dead_posts_late"] += 1
                self._take_dead(seat)
        for seat, amount in self._owing_dead.items():
            self._report.evening["antes_late"] += 1
            self._pace.pause(self._chance.uniform(*(REMINDED_S if self._does(REMINDED) else KEYED_APART_S)))
            self._pace.until(self._push_with_dead(seat, 0, amount).rest_s)
            self._take_dead(seat)
        self._owing, self._owing_dead = {}, {}

    # --- dead money

    def _dead(self, script: HandScript) -> tuple[dict[int, int], dict[int, int]]:
        """The dead money that is put out first, and the dead blinds that come together with the live post."""
        antes, beside = dict(script.antes), {}
        self._report.evening["dead_posts"] += len(script.dead)
        for seat, amount in script.dead.items():
            if seat in script.posts and self._does(self._habits.dead_with_live):
                beside[seat] = amount
                antes[seat] -= amount
        antes = {seat: amount for seat, amount in antes.items() if amount}
        if antes and self._does(self._habits.antes_late):
            late = self._chance.choice(sorted(antes))
            self._owing_dead[late] = antes.pop(late)
        return antes, beside

    def _push_with_dead(self, seat: int, live: int, dead: int) -> Motion:
        """A seat puts out a live post and dead money in one motion, where its chips can make both."""
        if not dead:
            return self._acting.push_exact(seat, live)
        chips = self._acting.exact(seat, dead)
        if live:
            rest = [chip for chip in self._world.stack(seat) if chip not in chips]
            beside = bank.pick_exact(rest, live)
            if beside is None:
                pushed = push(self._world, seat, chips, self._pace.now_s())
                self._no_bets.lie(seat, chips)
                self._pace.until(pushed.end_s)
                return self._acting.push_exact(seat, live)
            pushed = push(self._world, seat, (*chips, *beside), self._pace.now_s())
        else:
            pushed = push(self._world, seat, chips, self._pace.now_s())
        self._no_bets.lie(seat, chips)
        return pushed

    def _take_dead(self, seat: int) -> None:
        """The dealer takes the dead money before a seat into the pot, at once or with the bets."""
        chips: tuple[Chip, ...] = self._no_bets.lying(seat)
        if chips and self._does(TAKEN_AT_ONCE):
            self._dealer.pause()
            self._pace.until(take_to_pot(self._world, seat, chips, self._pace.now_s()).end_s)
            self._no_bets.gone(seat)

    # --- straddles

    def _key_straddle(self, seat: int, to: int) -> None:
        """Keys a straddle whose chips lie there; they may be understood at that moment."""
        self._dealer.key(Straddle(seat=seat, to=to), unless=lambda: self._has_straddled(seat, to))

    def _straddle_keyed_first(self, seat: int, to: int) -> None:
        """The player has said it, the dealer keys it, and the chips come after."""
        self._dealer.key(Straddle(seat=seat, to=to))
        if self._does(self._habits.posts_late):
            self._owing[seat] = to
        else:
            self._pace.pause(self._chance.uniform(*KEYED_APART_S))
            self._acting.push_exact(seat, to)
        self._acting.expected.post(seat, to)

    def _has_straddled(self, seat: int, to: int) -> bool:
        state = self._link.state
        return state is not None and any(one.seat == seat and one.bet == to for one in state.seats)

    def _does(self, share: float) -> bool:
        """Whether somebody follows a habit this time."""
        return share > 0 and self._chance.random() < share
