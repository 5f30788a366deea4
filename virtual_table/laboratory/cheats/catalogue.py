"""All cheats and slips: at which moment each is done, what is done, and what must be raised.

Each is played up to its moment, done, and then everybody waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from firmware_bridge.chips.record import Chip as Registered
from firmware_bridge.chips.record import ChipState
from virtual_table.laboratory.cheats import acts, moments
from virtual_table.laboratory.cheats.acts import CHANGED_MS
from virtual_table.laboratory.stage import Stage

HOT: Final = Registered("E0040100000000A1", "red-5", ChipState.HOT, reason="stolen")
RETIRED: Final = Registered("E0040100000000A2", "red-5", ChipState.RETIRED, reason="worn")
FOREIGN: Final = Registered("E0040100000000A3", "plum-7")
UNKNOWN: Final = "E0040100000000A4"
ENROLLED: Final = (HOT, RETIRED, FOREIGN)
CHANGE_MS: Final = 2_000
"""Chips that are taken out of the tray are changed for others within this time."""
GIVEN_MS: Final = 6_000
"""A dealer gives change that is due to a player within this time."""
LIFTED_MS: Final = 1_500
"""Players who are about to bet hold chips of their stack in the hand for so long."""
COUNTED_MS: Final = 2_400
"""A reader takes so long over a round of `MANY` tags, 8 ms each, and the bridge tells of a round when it is over."""
COPIES: Final = ("cloned-chip", "readers-overlap", "reader-against-camera", "undercall", "unsure-chip", "amount")
"""Of copies in front of the next seat no reader can say more than that they hear the same chips, or too few."""


@dataclass(frozen=True, slots=True)
class Cheat:
    """One way to cheat, or to slip."""

    name: str
    codes: tuple[str, ...]
    """The alerts, and kinds of question, of which one must be raised."""
    when: Callable[[Stage], bool]
    act: Callable[[Stage], float]
    """Does it; returns when it is done, by the laboratory's clock. Raises NoSuchMoment where the chips do not fit, and
    HandSpoilt where that shows too late."""
    camera: bool | None = None
    """Whether it can be noticed with a camera only (True); None: with readers alone as well."""
    stacks: bool = False
    """Whether only antennas under the stacks can notice it."""
    notices: tuple[str, ...] = ()
    """Alerts of the kind info that say before the alarm what is amiss: nobody did wrong yet."""
    due_ms: int = 0
    """How long after it was done honest people may look the same, or the first round that hears it is not over: only
    then there is something to tell."""


CHEATS: Final = (
    Cheat("capping", ("bet-capped",), moments.others_are_to_act, acts.cap),
    Cheat("pinching", ("chips-taken-back", "bet-swapped"), moments.others_are_to_act, acts.pinch),
    Cheat("swap-down", ("bet-swapped", "chips-taken-back"), moments.others_are_to_act, acts.swap_down),
    Cheat("capping-after-the-round", ("bet-capped", "late-bet"), moments.round_over, acts.cap_after_the_round),
    Cheat(
        "pinching-after-the-round",
        ("chips-taken-back", "bet-swapped"),
        moments.round_over_among_several,
        acts.pinch_after_the_round,
    ),
    Cheat("late-bet", ("late-bet",), moments.round_over, acts.late_bet),
    Cheat("part-of-a-bet-not-gathered", ("pot-short", "chips-taken-back"), moments.round_over, acts.gather_short),
    Cheat(
        "a-bet-not-gathered",
        ("pot-short", "chips-taken-back"),
        moments.round_over_among_several,
        acts.gather_all_but_one_bet,
    ),
    Cheat("taken-from-the-pot", ("pot-short",), moments.pot_lies, acts.take_from_pot),
    Cheat("added-to-the-pot", ("pot-over",), moments.round_over, acts.add_to_pot),
    Cheat("wrong-seat-paid", ("wrong-seat-paid",), moments.showdown, acts.pay_the_wrong_seat, camera=True),
    Cheat("paid-too-little", ("wrong-payout",), moments.showdown, acts.pay_too_little),
    Cheat("pot-to-tray", ("pot-to-tray",), moments.showdown, acts.pot_to_tray),
    Cheat("tray-robbed", ("tray-short",), moments.betting, acts.rob_the_tray, notices=("tray-open",), due_ms=CHANGE_MS),
    Cheat(
        "uneven-change",
        ("uneven-change",),
        moments.betting,
        acts.uneven_change,
        notices=("tray-open",),
        due_ms=CHANGE_MS - CHANGED_MS,
    ),
    Cheat("out-of-turn", ("chips-out-of-turn",), moments.later_seat_has_not_acted, acts.out_of_turn),
    Cheat("folded-seat-bets", ("not-in-hand",), moments.somebody_folded, acts.folded_seat_bets),
    Cheat("keyed-call-short", ("ledger-off",), moments.calls, acts.keyed_call_short),
    Cheat("unknown-chip", ("unknown-chip",), moments.bets_in_turn, acts.marked(UNKNOWN)),
    Cheat("foreign-chip", ("foreign-chip",), moments.bets_in_turn, acts.marked(FOREIGN.uid)),
    Cheat("hot-chip", ("hot-chip",), moments.bets_in_turn, acts.marked(HOT.uid)),
    Cheat("retired-chip", ("retired-chip",), moments.bets_in_turn, acts.marked(RETIRED.uid)),
    Cheat("300-strange-chips", ("unknown-chip",), moments.betting, acts.bag_of_strange_chips, due_ms=COUNTED_MS),
    Cheat("change-kept", ("change-not-given",), moments.calls, acts.change_kept, due_ms=GIVEN_MS),
    Cheat(
        "change-kept-by-the-last-caller",
        ("change-not-given",),
        moments.call_ends_the_betting,
        acts.change_kept,
        due_ms=GIVEN_MS,
    ),
    Cheat("stack-gone-south", ("stack-short",), moments.betting, acts.goes_south, stacks=True, due_ms=LIFTED_MS),
    Cheat("copied-chip", ("cloned-chip", "readers-overlap"), moments.betting, acts.copy_lies_elsewhere),
    Cheat("call-with-copies", COPIES, moments.calls_another, acts.call_with_copies),
    Cheat("readers-swapped", ("wrong-hand",), moments.bets_in_turn, acts.swapped_readers, camera=True),
    Cheat("shielded-bet", ("reader-against-camera", "amount"), moments.bets_in_turn, acts.shielded_bet, camera=True),
    Cheat("dead-reader", ("reader-down",), moments.betting, acts.dead_reader),
    Cheat("frozen-reader", ("reader-frozen",), moments.round_over, acts.frozen_reader),
)
