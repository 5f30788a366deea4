"""Acts scripts out: players move their chips, the dealer moves and keys, and every ruling is compared.

The director knows what everybody means; the controller hears of it only through readers, camera and keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from betline.counting import counted
from betline.settings import TableSettings
from betline.steps import Award, CardsOut, ChopBlinds, Deal, NextHand, SitDown, Winners
from virtual_table.play.acting import SEEN_WAIT_S, Acting
from virtual_table.play.between_hands import BetweenHands
from virtual_table.play.cashier import Cashier
from virtual_table.play.dealer import Dealer
from virtual_table.play.habits import Habits
from virtual_table.play.link import ControllerLink
from virtual_table.play.no_bets import NoBets
from virtual_table.play.pace import Pace
from virtual_table.play.posting import Posting
from virtual_table.play.report import Report, Wrong
from virtual_table.play.rulings import TURN_WAIT_S
from virtual_table.play.toying import Toying
from virtual_table.scripts.blinds import clockwise
from virtual_table.scripts.expected_chips import ExpectedChips
from virtual_table.scripts.script import Awarded, Chopped, HandScript, PlayerAct, Step, StreetDealt
from virtual_table.table.dealer_motions import clear_cards, deal_board, deal_cards, gather, push_pot
from virtual_table.table.world import World

FLOP = 3


class Director:
    """Plays hand after hand, by the clock of its pace."""

    def __init__(
        self,
        world: World,
        link: ControllerLink,
        seed: int,
        pace: Pace,
        habits: Habits | None = None,
        report: Report | None = None,
    ) -> None:
        """``habits`` are those of careful people by default; counts go to ``report`` where one is given."""
        self._world = world
        self._link = link
        self._pace = pace
        self._habits = habits = habits or Habits()
        self.report = Report() if report is None else report
        self._dealer = Dealer(
            link, self.report, Random(f"dealer-{seed}"), pace, _reader_of(world.table), habits.answers_late
        )
        self._no_bets = NoBets(world, pace.now_s)
        self._dealer.no_bet = self._no_bets.asked_about
        self._cashier = Cashier(world, pace.now_s, pace.until, self._no_bets.bets)
        chance = self._chance = Random(f"people-{seed}")
        self._acting = Acting(
            world, link, self._dealer, self._cashier, self.report, pace, chance, habits, self._no_bets
        )
        self._toying = Toying(world, self._no_bets, self.report, pace, Random(f"toys-{seed}"), habits.toys)
        self._toying.wait_answered, self._toying.said_no_bet = self._dealer.wait, self._dealer.has_denied
        self._acting.take_up = self._toying.take_up
        self._posting = Posting(
            world, link, self._dealer, self._acting, self._no_bets, self.report, pace, chance, habits
        )  # fmt: skip
        self._between = BetweenHands(world, link, self._dealer, self.report, pace)
        self._hurries = False
        self._alerts_reported = 0

    # --- a hand ------------------------------------------------------------------------------------------------------

    def seat_everybody(self, people: Iterable[SitDown]) -> None:
        """Everybody sits down before the first hand, the chips there already."""
        self._between.seat_everybody(people)

    def play(self, script: HandScript, notify: Callable[[str], None] = lambda _sentence: None) -> None:
        """Acts one hand out and adds what came of it to the report; raises ControllerSilent and Stopped."""
        for _ in self.steps(script, notify):
            pass

    def steps(
        self, script: HandScript, notify: Callable[[str], None] = lambda _sentence: None
    ) -> Iterator[tuple[Step, ...]]:
        """The same, step by step: gives what is done next, and does it when asked for more."""
        began_s, self._dealer.keys = self._pace.now_s(), Counter()
        self._dealer.folded.clear()
        self._between.hand_s = began_s
        self._begin(script)
        for steps in _together(script.steps):
            yield tuple(steps)
            step = steps[0]
            self._toying.end()
            if isinstance(step, PlayerAct):
                self._toy(steps, script)
                self._acting.do([act for act in steps if isinstance(act, PlayerAct)], script.steps)
                notify(f"hand {self.report.hands + 1}: {counted(self.report.acts, 'act')}, {self.report.wrong} wrong")
            elif isinstance(step, StreetDealt):
                self._street(script, step)
            elif isinstance(step, Chopped):
                self._chop(script)
            else:
                self._award(script, step)
        self._end(script)
        self.report.hands += 1
        self.report.keys_by_hand.append(self._dealer.keys.total())
        self.report.kinds_by_hand.append(self._dealer.keys)
        self.report.hand_seconds.append(self._pace.now_s() - began_s)

    def _begin(self, script: HandScript) -> None:
        self._acting.expected = ExpectedChips(script.seats, script.pot)
        self._between.change(script.changes)
        if script.chosen is not None:
            self._between.choose(script.chosen)
        self._set_stacks(script)
        if script.pot:
            self._world.fill_pot(script.pot, self._pace.now_s())
        told = self._tells_the_hand(script)
        if told:
            self._posting.put_out(script)
        if script.setup is not None:
            self._dealer.key(script.setup, counted=False)
        elif not told or not self._dealer.wait(self._has_begun, SEEN_WAIT_S):
            bomb_pot = script.bomb_pot or None
            self.report.evening["bomb_pots"] += bomb_pot is not None
            self._dealer.key(NextHand(button=script.button if self.report.hands == 0 else None, bomb_pot=bomb_pot))
        if script.blinds is not None:
            self._between.check_positions(script)
        if (script.posts or script.antes) and not told:
            self._posting.put_out(script)
        for seat, to in script.straddles.items():
            self._posting.straddle(seat, to)
        if script.blinds is not None:
            self._between.check_posts(script)
        order = clockwise(script.seats, script.button)
        self._pace.until(deal_cards(self._world, self._pace.now_s(), order, script.hole_cards).rest_s)
        if script.posts or script.antes:
            self._dealer.pause()
            if self._link.state is None or self._link.state.phase == "posting":  # the camera may have seen the cards
                self._dealer.key(CardsOut(), done_already="not-open")
        if script.bomb_pot:
            self._pace.until(deal_board(self._world, FLOP, self._pace.now_s()).rest_s)
        self._posting.finish()

    def _toy(self, steps: Sequence[Step], script: HandScript) -> None:
        """Somebody whose turn cannot come meanwhile may toy with chips while these act."""
        acting = {step.seat for step in steps if isinstance(step, PlayerAct)}
        left = script.steps[_place(steps[-1], script.steps) + 1 :]
        following = next((step.seat for step in left if isinstance(step, PlayerAct)), None)
        again = {step.seat for step in left if isinstance(step, PlayerAct)}
        chopped = bool(left) and isinstance(left[0], Chopped)
        idle = [
            seat
            for seat in script.seats
            if seat not in acting and seat != following and not (chopped and seat in script.posts)
        ]
        self._toying.begin(idle, may_stay=bool(again.intersection(idle)))

    def _tells_the_hand(self, script: HandScript) -> bool:
        """Whether the dealer lets the blinds say that the next hand is on."""
        if not self._habits.spares_keys or script.setup is not None or script.antes or not self.report.hands:
            return False
        if self._has_begun():
            self._is_early(script, "the hand")
        return bool(self._world.table.readers) and len(script.posts) > 1

    def _has_begun(self) -> bool:
        return self._phase() == "posting"

    def _is_early(self, script: HandScript, what: str) -> None:
        """Counts what was inferred before anybody did it."""
        self.report.is_wrong(Wrong("begun", None, self._pace.now_s(), f"{script.title}: {what} had not begun"))

    def _set_stacks(self, script: HandScript) -> None:
        """Makes the chips on the table what the script says that everybody begins with."""
        for seat, stack in script.seats.items():
            held = self._world.value(self._world.stack(seat))
            if script.setup is not None and held != stack:
                self._world.clear_stack(seat, self._pace.now_s())
                self._world.fill_stack(seat, stack, self._pace.now_s())
            elif held != stack:
                self.report.faults.append(f"{script.title}: seat {seat} has {held} in chips, it should have {stack}")

    def _chop(self, script: HandScript) -> None:
        """Everybody else has folded, and the blinds take theirs back (R-204)."""
        self.report.evening["chops"] += 1
        self._dealer.pause()
        self._dealer.key(ChopBlinds())
        self._toying.take_all_up()
        for seat, blind in script.posts.items():
            self._acting.expected.take_back(seat, blind)
            self._pace.until(self._cashier.give_back(seat, blind).end_s)

    def _street(self, script: HandScript, street: StreetDealt) -> None:
        if self._habits.spares_keys and self._is_on(street):
            self._is_early(script, street.street)
        self._toying.take_all_up()
        self._return_uncalled()
        self._acting.expected.gather()
        self._pace.pause(self._pace.pauses.look_s)
        gathered = gather(self._world, self._pace.now_s())
        self._no_bets.all_gone()
        early = street.betting and self._does(self._habits.street_early)
        if early:
            self._dealer.key(Deal(street=street.street))
        self._pace.until(gathered.rest_s)
        self._pace.until(deal_board(self._world, street.cards, self._pace.now_s()).rest_s)
        self._acting.finish_unkeyed()
        if self._habits.spares_keys and street.betting:
            if not self._world.table.cameras or not self._dealer.wait(lambda: self._is_on(street), SEEN_WAIT_S):
                self._dealer.pause()
                self._dealer.key(Deal(street=street.street))
        elif street.betting and not early:
            self._dealer.owes = Deal(street=street.street)
            if not self._does(self._habits.street_late):
                self._dealer.pause()
                self._dealer.key_what_is_owed()

    def _is_on(self, street: StreetDealt) -> bool:
        state = self._link.state
        return state is not None and state.street == street.street

    def _does(self, share: float) -> bool:
        """Whether somebody follows a habit this time."""
        return share > 0 and self._chance.random() < share

    def _award(self, script: HandScript, award: Awarded) -> None:
        self._dealer.key_what_is_owed()
        self._hurries = self._does(self._habits.next_hand_early)
        bets = self._acting.expected.level > 0
        self._toying.take_all_up()
        self._return_uncalled()
        self._acting.expected.gather()
        gathered = gather(self._world, self._pace.now_s())
        self._no_bets.all_gone()
        self._pace.until(gathered.rest_s)
        pushes = self._habits.spares_keys and bool(self._world.table.cameras) and bool(self._world.table.readers)
        if bets or not pushes:
            self._acting.finish_unkeyed(all_folded=not award.pots)
        if award.pots and not pushes:
            self._key_award(award)
        paid = self._push_pots(script)
        self._acting.finish_unkeyed()
        if award.pots and pushes:
            self._dealer.winners = frozenset(paid)
            if not self._dealer.wait(lambda: self._phase() == "hand-over", SEEN_WAIT_S):
                self._key_award(award)
            self._dealer.winners = frozenset()

    def _key_award(self, award: Awarded) -> None:
        self._dealer.wait(lambda: self._phase() in ("showdown", "round-over", "hand-over"), TURN_WAIT_S)
        self._dealer.pause()
        self._dealer.key(Award(pots=self._winners(award)))

    def _push_pots(self, script: HandScript) -> list[int]:
        """The pots go to those who have won them, who are returned."""
        finishing, paid = script.finishing or {}, []
        for seat in sorted(finishing):
            amount = finishing[seat] - self._acting.expected.stacks[seat]
            if amount > 0:
                pushed = push_pot(self._world, seat, self._cashier.from_pot(amount), self._pace.now_s())
                self._pace.until(pushed.start_s if self._hurries else pushed.rest_s)
                self._acting.expected.pay(seat, amount)
                paid.append(seat)
        return paid

    def _winners(self, award: Awarded) -> tuple[Winners, ...]:
        """The winners of each pot as the table has them: who has the best hand wins every pot that is open to it.

        A script may name fewer pots, since pots between the same unbeaten hands are one to it.
        """
        state = self._link.state
        pots = [set(pot.seats) for pot in state.pots] if state else []
        if len(pots) <= len(award.pots):
            return tuple([(winners,) for winners in award.pots])
        best = [next((set(w) & seats for w in award.pots if set(w) & seats), set()) for seats in pots]
        return tuple([(tuple(sorted(winners)),) for winners in best])

    def _end(self, script: HandScript) -> None:
        over = ("hand-over", "idle")  # a hand that was chopped counts as none
        if script.finishing is not None and not self._dealer.wait(lambda: self._phase() in over, TURN_WAIT_S):
            self.report.faults.append(f"{script.title}: the hand did not end (phase {self._phase()})")
        self._between.check_stacks(script)
        if script.setup is not None:
            self.report.player_order = script.player_order
        heard = self._link.alerts_heard()
        self.report.heard(self._link.alerts(self._alerts_reported))
        self._alerts_reported = heard
        cleared = clear_cards(self._world, self._pace.now_s())
        if not self._hurries:
            self._pace.until(cleared.end_s)
        self._world.forget_truth(self._pace.now_s())
        for seat in () if self._habits.keeps_stacks or self._hurries else script.seats:
            self._world.recolour_stack(seat, self._pace.now_s())
        self._pace.pause(self._pace.pauses.between_hands_s)

    def _return_uncalled(self) -> None:
        uncalled = self._acting.expected.uncalled()
        if uncalled is not None:
            self._acting.expected.take_back(*uncalled)
            self._pace.until(self._cashier.give_back(*uncalled).end_s)

    def _phase(self) -> str | None:
        state = self._link.state
        return state.phase if state else None


def _reader_of(table: TableSettings) -> dict[int, str]:
    """The reader of each seat that has one."""
    zones = {served.zone: reader.id for reader in table.readers for served in reader.antennas}
    return {n: zones[zone] for n in (seat.number for seat in table.seats) if (zone := f"seat-{n}") in zones}


def _place(step: Step, steps: Sequence[Step]) -> int:
    """Where a step stands in the script; two of them may be alike."""
    return next(place for place, one in enumerate(steps) if one is step)


def _together(steps: Sequence[Step]) -> list[list[Step]]:
    """The steps, with checks in a row and folds in a row put together: their players follow one another quickly."""
    groups: list[list[Step]] = []
    for step in steps:
        last = groups[-1][-1] if groups else None
        passive = isinstance(step, PlayerAct) and step.manner is None and step.kind in ("check", "fold")
        alike = isinstance(last, PlayerAct) and isinstance(step, PlayerAct) and last.kind == step.kind
        if passive and alike and isinstance(last, PlayerAct) and last.manner is None:
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups
