"""Cheats and slips, acted out by the virtual people in otherwise honest hands.

Each is played up to a moment that suits it, done, and then everybody waits. What the dealer palms leaves the felt
without a hand: no sensor sees whose it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from betline.steps import Act, Award
from firmware_bridge.chips.record import Chip as Registered
from firmware_bridge.chips.record import ChipState
from virtual_table.laboratory.stage import NoSuchMoment, Stage
from virtual_table.scripts.script import Awarded, PlayerAct
from virtual_table.table import bank
from virtual_table.table.dealer_motions import gather, push_pot
from virtual_table.table.holdings import POT, TRAY, bet_place
from virtual_table.table.player_motions import pull_back, push
from virtual_table.table.things import Chip

HOT: Final = Registered("E0040100000000A1", "red-5", ChipState.HOT, reason="stolen")
RETIRED: Final = Registered("E0040100000000A2", "red-5", ChipState.RETIRED, reason="worn")
FOREIGN: Final = Registered("E0040100000000A3", "plum-7")
UNKNOWN: Final = "E0040100000000A4"
MANY: Final = 300
"""Tags that nobody knows, as in a bag of another club's chips."""
ENROLLED: Final = (HOT, RETIRED, FOREIGN)
CHANGE_MS: Final = 2_000
"""Chips that are taken out of the tray are changed for others within this time."""
CHANGED_MS: Final = 1_000
"""The dealer who makes uneven change takes so long from the one to the other."""
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
    """Does it; returns when it is done, by the laboratory's clock. Raises NoSuchMoment where the chips do not fit."""
    camera: bool | None = None
    """Whether it can be noticed with a camera only (True); None: with readers alone as well."""
    stacks: bool = False
    """Whether only antennas under the stacks can notice it."""
    notices: tuple[str, ...] = ()
    """Alerts of the kind info that say before the alarm what is amiss: nobody did wrong yet."""
    due_ms: int = 0
    """How long after it was done honest people may look the same, or the first round that hears it is not over: only
    then there is something to tell."""


# --- moments


def _others_are_to_act(stage: Stage) -> bool:
    act, bettor = stage.acting, stage.bettor
    return act is not None and bettor is not None and all(one.seat != bettor for one in stage.next_acts)


def _round_over(stage: Stage) -> bool:
    return stage.round_is_over


def _round_over_among_several(stage: Stage) -> bool:
    return stage.round_is_over and len(stage.betting) > 1


def _pot_lies(stage: Stage) -> bool:
    return stage.acting is not None and bool(stage.lab.world.pot()) and stage.state.street != "preflop"


def _betting(stage: Stage) -> bool:
    return stage.acting is not None


def _showdown(stage: Stage) -> bool:
    over = bool(stage.next) and isinstance(stage.next[0], Awarded) and bool(stage.next[0].pots)
    return over and len(stage.state.pots) == 1 and len(set(_bets(stage).values())) <= 1


def _somebody_folded(stage: Stage) -> bool:
    return stage.acting is not None and bool(_folded(stage))


def _bets_in_turn(stage: Stage) -> bool:
    act = stage.acting
    return act is not None and act.kind in ("call", "bet", "raise") and act.manner is None


def _calls(stage: Stage) -> bool:
    act = stage.acting
    return act is not None and act.kind == "call" and act.to - stage.seat(act.seat).bet > 0


def _calls_another(stage: Stage) -> bool:
    act = stage.acting
    return act is not None and _calls(stage) and stage.bettor not in (None, act.seat)


def _later_seat_has_not_acted(stage: Stage) -> bool:
    return stage.acting is not None and _later(stage) is not None


# --- what people do


def _cap(stage: Stage) -> float:
    return _push(stage, stage.bettor or 0, stage.chance.randint(1, 3))


def _pinch(stage: Stage) -> float:
    return _pull(stage, stage.bettor or 0)


def _swap_down(stage: Stage) -> float:
    seat, world = stage.bettor or 0, stage.lab.world
    lies = world.bets(seat) if seat else ()
    less = stage.small_chips(seat, min(len(lies), 4), below=world.value(lies)) if lies else ()
    if not lies or not less:
        raise NoSuchMoment
    pull_back(world, seat, lies, stage.now_s)
    return push(world, seat, less, stage.now_s).rest_s


def _cap_after_the_round(stage: Stage) -> float:
    return _push(stage, stage.chance.choice(_in_hand(stage)), stage.chance.randint(1, 3))


def _pinch_after_the_round(stage: Stage) -> float:
    return _pull(stage, stage.chance.choice(stage.betting))


def _late_bet(stage: Stage) -> float:
    none = [seat.seat for seat in stage.state.seats if seat.status in ("in", "folded") and not seat.bet]
    if not none:
        raise NoSuchMoment
    return _push(stage, stage.chance.choice(none), 2)


def _gather_short(stage: Stage) -> float:
    world = stage.lab.world
    rich = [seat for seat in stage.betting if len(world.bets(seat)) > 1]
    if not rich:
        raise NoSuchMoment
    bet = world.bets(stage.chance.choice(rich))
    return _gathered_without(stage, bet[: max(1, len(bet) // 2)])


def _gather_all_but_one_bet(stage: Stage) -> float:
    return _gathered_without(stage, stage.lab.world.bets(stage.chance.choice(stage.betting)))


def _gathered_without(stage: Stage, chips: tuple[Chip, ...]) -> float:
    motion = gather(stage.lab.world, stage.now_s)
    stage.lab.world.take_off_table(chips, (motion.start_s + motion.rest_s) / 2)
    return motion.rest_s


def _take_from_pot(stage: Stage) -> float:
    return _palm(stage, stage.lab.world.pot(), 2)


def _add_to_pot(stage: Stage) -> float:
    world, lab = stage.lab.world, stage.lab
    rest_s = gather(world, stage.now_s).rest_s
    lab.let(rest_s + 0.5 - stage.now_s)
    chips = world.holdings.withdraw(bank.breakdown(25, world.chip_set))
    world.put_down(chips, POT, stage.now_s)
    return stage.now_s


def _rob_the_tray(stage: Stage) -> float:
    return _palm(stage, sorted(stage.lab.world.tray(), key=lambda chip: -chip.value), 2)


def _uneven_change(stage: Stage) -> float:
    """A player gets more out of the tray than goes into it."""
    world = stage.lab.world
    act = stage.acting
    assert act is not None
    out = sorted(world.tray(), key=lambda chip: -chip.value)[:1]
    less = stage.small_chips(act.seat, 2, below=out[0].value)
    if not less:
        raise NoSuchMoment
    world.take_off_table((*out, *less), stage.now_s)
    stage.lab.let(CHANGED_MS / 1000)
    world.put_down(less, TRAY, stage.now_s)
    return stage.now_s


def _pay_the_wrong_seat(stage: Stage) -> float:
    winner = _award(stage)
    others = [seat for seat in _in_hand(stage) if seat != winner]
    if not others:
        raise NoSuchMoment
    world = stage.lab.world
    return push_pot(world, stage.chance.choice(others), world.pot(), stage.now_s).rest_s


def _pay_too_little(stage: Stage) -> float:
    winner = _award(stage)
    world = stage.lab.world
    pot = world.pot()
    return push_pot(world, winner, pot[: len(pot) - 1], stage.now_s).rest_s


def _pot_to_tray(stage: Stage) -> float:
    _award(stage)
    world = stage.lab.world
    chips = world.pot()[-2:]
    world.take_off_table(chips, stage.now_s)
    stage.lab.let(0.6)
    world.put_down(chips, TRAY, stage.now_s)
    return stage.now_s


def _out_of_turn(stage: Stage) -> float:
    seat = _later(stage)
    assert seat is not None
    return _push(stage, seat, 3)


def _folded_seat_bets(stage: Stage) -> float:
    return _push(stage, stage.chance.choice(_folded(stage)), 2)


def _keyed_call_short(stage: Stage) -> float:
    act = stage.acting
    assert act is not None
    world = stage.lab.world
    owed = act.to - stage.seat(act.seat).bet
    chips = bank.pick_exact(world.stack(act.seat), owed)
    if chips is None or len(chips) < 2:
        raise NoSuchMoment
    stage.lab.link.command(Act(seat=act.seat, action="call"))
    return push(world, act.seat, chips[:-1], stage.now_s).rest_s


def _marked(uid: str) -> Callable[[Stage], float]:
    """The acting seat's bet has a chip that is not what it should be."""

    def act(stage: Stage) -> float:
        chips = _bet_of_acting(stage)
        stage.reads_as({chips[0].uid: uid})
        assert stage.acting is not None
        return push(stage.lab.world, stage.acting.seat, chips, stage.now_s).rest_s

    return act


def _bag_of_strange_chips(stage: Stage) -> float:
    """A bag of chips that nobody knows is put down on a bet zone without bets."""
    free = [seat.number for seat in stage.lab.table.seats if seat.number not in stage.betting]
    if not free:
        raise NoSuchMoment
    stage.lie_too([f"E00401000001{number:04X}" for number in range(MANY)], bet_place(stage.chance.choice(free)))
    return stage.now_s


def _change_kept(stage: Stage) -> float:
    """The acting seat calls with one chip that is too large, and nobody gives the change."""
    act = stage.acting
    assert act is not None
    owed = act.to - stage.seat(act.seat).bet
    chip = bank.pick_over(stage.lab.world.stack(act.seat), owed)
    if chip is None or stage.seat(act.seat).bet:
        raise NoSuchMoment
    return push(stage.lab.world, act.seat, (chip,), stage.now_s).rest_s


def _goes_south(stage: Stage) -> float:
    """A player pockets half of its stack."""
    stack = stage.lab.world.stack(stage.chance.choice(_in_hand(stage)))
    return _palm(stage, stack, len(stack) // 2)


def _copy_lies_elsewhere(stage: Stage) -> float:
    world = stage.lab.world
    bet = world.bets(stage.chance.choice(stage.betting)) if stage.betting else ()
    far = [seat.number for seat in stage.lab.table.seats if seat.number not in stage.betting]
    if not bet or not far:
        raise NoSuchMoment
    stage.lie_too([bet[0].uid], bet_place(stage.chance.choice(far)))
    return stage.now_s


def _call_with_copies(stage: Stage) -> float:
    """The acting seat calls with copies of the chips that lie in the bet."""
    bettor, act = stage.bettor, stage.acting
    assert act is not None
    assert bettor is not None
    chips, bet = _bet_of_acting(stage), stage.lab.world.bets(bettor)
    stage.reads_as({mine.uid: theirs.uid for mine, theirs in zip(chips, bet, strict=False)})
    return push(stage.lab.world, act.seat, chips, stage.now_s).rest_s


def _swapped_readers(stage: Stage) -> float:
    """The cables of two readers are swapped, and the seat to act bets."""
    act = stage.acting
    assert act is not None
    free = [seat for seat in _in_hand(stage) if seat not in stage.betting and seat != act.seat]
    if act.seat in stage.betting or not free:
        raise NoSuchMoment
    stage.swaps(bet_place(act.seat), bet_place(stage.chance.choice(free)))
    return push(stage.lab.world, act.seat, _bet_of_acting(stage), stage.now_s).rest_s


def _shielded_bet(stage: Stage) -> float:
    act = stage.acting
    assert act is not None
    if act.seat in stage.betting:
        raise NoSuchMoment
    stage.deafens(bet_place(act.seat))
    return push(stage.lab.world, act.seat, _bet_of_acting(stage), stage.now_s).rest_s


def _dead_reader(stage: Stage) -> float:
    act = stage.acting
    assert act is not None
    assert stage.lab.bridge is not None
    stage.lab.bridge.fail(_reader_of(stage, act.seat))
    return stage.now_s


def _frozen_reader(stage: Stage) -> float:
    """The reader of a bet repeats what it heard, and the bets are gathered."""
    world = stage.lab.world
    rich = [seat for seat in stage.betting if len(world.bets(seat)) > 2]
    if not rich:
        raise NoSuchMoment
    assert stage.lab.bridge is not None
    stage.lab.bridge.freeze(_reader_of(stage, stage.chance.choice(rich)))
    stage.lab.let(3.0)
    return gather(world, stage.now_s).rest_s


# --- by which


def _reader_of(stage: Stage, seat: int) -> str:
    names = {antenna.zone: reader.id for reader in stage.lab.table.readers for antenna in reader.antennas}
    return names[bet_place(seat)]


def _push(stage: Stage, seat: int, count: int) -> float:
    chips = stage.small_chips(seat, count)
    if not chips:
        raise NoSuchMoment
    return push(stage.lab.world, seat, chips, stage.now_s).rest_s


def _pull(stage: Stage, seat: int) -> float:
    bet = stage.lab.world.bets(seat)
    return pull_back(stage.lab.world, seat, bet[: max(1, len(bet) // 2)], stage.now_s).rest_s


def _palm(stage: Stage, chips: tuple[Chip, ...] | list[Chip], most: int) -> float:
    stage.lab.world.take_off_table(chips[:most], stage.now_s)
    return stage.now_s


def _award(stage: Stage) -> int:
    """The bets are gathered, and the only pot goes to one seat; returns the winner."""
    lab = stage.lab
    lab.let(gather(lab.world, stage.now_s).rest_s + 0.5 - stage.now_s)
    winner = stage.chance.choice(stage.state.pots[0].seats)
    if not lab.link.command(Award(pots=(((winner,),),))).ok or len(lab.world.pot()) < 3:
        raise NoSuchMoment
    lab.let(0.5)
    return winner


def _bet_of_acting(stage: Stage) -> tuple[Chip, ...]:
    act = stage.acting
    assert act is not None
    chips = bank.pick_exact(stage.lab.world.stack(act.seat), act.to - stage.seat(act.seat).bet)
    if not chips:
        raise NoSuchMoment
    return chips


def _bets(stage: Stage) -> dict[int, int]:
    return {seat: stage.lab.world.value(stage.lab.world.bets(seat)) for seat in stage.betting}


def _in_hand(stage: Stage) -> list[int]:
    return [seat.seat for seat in stage.state.seats if seat.status == "in"]


def _folded(stage: Stage) -> list[int]:
    return [seat.seat for seat in stage.state.seats if seat.status == "folded" and seat.seat not in stage.betting]


def _later(stage: Stage) -> int | None:
    """A seat that is to act on this street after the one to act, and has not yet."""
    assert stage.script is not None
    steps = stage.script.steps
    place = next(number for number, step in enumerate(steps) if step is stage.next[-1])
    acted = {step.seat for step in _of_street(steps[:place][::-1])}
    to_act = {step.seat for step in stage.next if isinstance(step, PlayerAct)}
    later = [step.seat for step in _of_street(steps[place + 1 :]) if step.seat not in acted | to_act]
    return later[0] if later else None


def _of_street(steps: tuple[object, ...]) -> list[PlayerAct]:
    found: list[PlayerAct] = []
    for step in steps:
        if not isinstance(step, PlayerAct):
            break
        found.append(step)
    return found


CHEATS: Final = (
    Cheat("capping", ("bet-capped",), _others_are_to_act, _cap),
    Cheat("pinching", ("chips-taken-back", "bet-swapped"), _others_are_to_act, _pinch),
    Cheat("swap-down", ("bet-swapped", "chips-taken-back"), _others_are_to_act, _swap_down),
    Cheat("capping-after-the-round", ("bet-capped", "late-bet"), _round_over, _cap_after_the_round),
    Cheat(
        "pinching-after-the-round",
        ("chips-taken-back", "bet-swapped"),
        _round_over_among_several,
        _pinch_after_the_round,
    ),
    Cheat("late-bet", ("late-bet",), _round_over, _late_bet),
    Cheat("part-of-a-bet-not-gathered", ("pot-short", "chips-taken-back"), _round_over, _gather_short),
    Cheat("a-bet-not-gathered", ("pot-short", "chips-taken-back"), _round_over_among_several, _gather_all_but_one_bet),
    Cheat("taken-from-the-pot", ("pot-short",), _pot_lies, _take_from_pot),
    Cheat("added-to-the-pot", ("pot-over",), _round_over, _add_to_pot),
    Cheat("wrong-seat-paid", ("wrong-seat-paid",), _showdown, _pay_the_wrong_seat, camera=True),
    Cheat("paid-too-little", ("wrong-payout",), _showdown, _pay_too_little),
    Cheat("pot-to-tray", ("pot-to-tray",), _showdown, _pot_to_tray),
    Cheat("tray-robbed", ("tray-short",), _betting, _rob_the_tray, notices=("tray-open",), due_ms=CHANGE_MS),
    Cheat(
        "uneven-change",
        ("uneven-change",),
        _betting,
        _uneven_change,
        notices=("tray-open",),
        due_ms=CHANGE_MS - CHANGED_MS,
    ),
    Cheat("out-of-turn", ("chips-out-of-turn",), _later_seat_has_not_acted, _out_of_turn),
    Cheat("folded-seat-bets", ("not-in-hand",), _somebody_folded, _folded_seat_bets),
    Cheat("keyed-call-short", ("ledger-off",), _calls, _keyed_call_short),
    Cheat("unknown-chip", ("unknown-chip",), _bets_in_turn, _marked(UNKNOWN)),
    Cheat("foreign-chip", ("foreign-chip",), _bets_in_turn, _marked(FOREIGN.uid)),
    Cheat("hot-chip", ("hot-chip",), _bets_in_turn, _marked(HOT.uid)),
    Cheat("retired-chip", ("retired-chip",), _bets_in_turn, _marked(RETIRED.uid)),
    Cheat("300-strange-chips", ("unknown-chip",), _betting, _bag_of_strange_chips, due_ms=COUNTED_MS),
    Cheat("change-kept", ("change-not-given",), _calls, _change_kept, due_ms=GIVEN_MS),
    Cheat("stack-gone-south", ("stack-short",), _betting, _goes_south, stacks=True, due_ms=LIFTED_MS),
    Cheat("copied-chip", ("cloned-chip", "readers-overlap"), _betting, _copy_lies_elsewhere),
    Cheat("call-with-copies", COPIES, _calls_another, _call_with_copies),
    Cheat("readers-swapped", ("wrong-hand",), _bets_in_turn, _swapped_readers, camera=True),
    Cheat("shielded-bet", ("reader-against-camera", "amount"), _bets_in_turn, _shielded_bet, camera=True),
    Cheat("dead-reader", ("reader-down",), _betting, _dead_reader),
    Cheat("frozen-reader", ("reader-frozen",), _round_over, _frozen_reader),
)
