"""What people do when they cheat or slip, and what happens to the readers then.

Each does it and returns when it is done, by the laboratory's clock. Where the chips do not fit it raises NoSuchMoment
before it does anything, or HandSpoilt. What the dealer palms leaves the felt without a hand: no sensor sees whose it
was.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from betline.steps import Act, Award
from virtual_table.laboratory.cheats import moments
from virtual_table.laboratory.stage import HandSpoilt, NoSuchMoment, Stage
from virtual_table.table import bank
from virtual_table.table.dealer_motions import gather, push_pot
from virtual_table.table.holdings import POT, TRAY, bet_place
from virtual_table.table.player_motions import pull_back, push
from virtual_table.table.things import Chip

MANY: Final = 300
"""Tags that nobody knows, as in a bag of another club's chips."""
CHANGED_MS: Final = 1_000
"""The dealer who makes uneven change takes so long from the one to the other."""


def cap(stage: Stage) -> float:
    """Whoever bet last adds chips to the bet."""
    return _push(stage, stage.bettor or 0, stage.chance.randint(1, 3))


def pinch(stage: Stage) -> float:
    """Whoever bet last takes half of the bet back."""
    return _pull(stage, stage.bettor or 0)


def swap_down(stage: Stage) -> float:
    """Whoever bet last puts chips of less value in the place of the bet."""
    seat, world = stage.bettor or 0, stage.lab.world
    lies = world.bets(seat) if seat else ()
    less = stage.small_chips(seat, min(len(lies), 4), below=world.value(lies)) if lies else ()
    if not lies or not less:
        raise NoSuchMoment
    pull_back(world, seat, lies, stage.now_s)
    return push(world, seat, less, stage.now_s).rest_s


def cap_after_the_round(stage: Stage) -> float:
    """A player in the hand adds chips when all have acted."""
    return _push(stage, stage.chance.choice(_in_hand(stage)), stage.chance.randint(1, 3))


def pinch_after_the_round(stage: Stage) -> float:
    """A player takes half of the bet back when all have acted."""
    return _pull(stage, stage.chance.choice(stage.betting))


def late_bet(stage: Stage) -> float:
    """A seat without a bet puts chips out when all have acted."""
    none = [seat.seat for seat in stage.state.seats if seat.status in ("in", "folded") and not seat.bet]
    if not none:
        raise NoSuchMoment
    return _push(stage, stage.chance.choice(none), 2)


def gather_short(stage: Stage) -> float:
    """The dealer gathers the bets and keeps half of one of them."""
    world = stage.lab.world
    rich = [seat for seat in stage.betting if len(world.bets(seat)) > 1]
    if not rich:
        raise NoSuchMoment
    bet = world.bets(stage.chance.choice(rich))
    return _gathered_without(stage, bet[: max(1, len(bet) // 2)])


def gather_all_but_one_bet(stage: Stage) -> float:
    """The dealer gathers the bets and keeps one of them."""
    return _gathered_without(stage, stage.lab.world.bets(stage.chance.choice(stage.betting)))


def _gathered_without(stage: Stage, chips: tuple[Chip, ...]) -> float:
    motion = gather(stage.lab.world, stage.now_s)
    stage.lab.world.take_off_table(chips, (motion.start_s + motion.rest_s) / 2)
    return motion.rest_s


def take_from_pot(stage: Stage) -> float:
    """Somebody takes chips out of the pot."""
    return _palm(stage, stage.lab.world.pot(), 2)


def add_to_pot(stage: Stage) -> float:
    """The bets are gathered, and chips from elsewhere are put with them."""
    world, lab = stage.lab.world, stage.lab
    rest_s = gather(world, stage.now_s).rest_s
    lab.let(rest_s + 0.5 - stage.now_s)
    chips = world.holdings.withdraw(bank.breakdown(25, world.chip_set))
    world.put_down(chips, POT, stage.now_s)
    return stage.now_s


def rob_the_tray(stage: Stage) -> float:
    """The dealer takes the dearest chips out of the tray."""
    return _palm(stage, sorted(stage.lab.world.tray(), key=lambda chip: -chip.value), 2)


def uneven_change(stage: Stage) -> float:
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


def pay_the_wrong_seat(stage: Stage) -> float:
    """The pot goes to a seat that has not won it."""
    winner = _award(stage)
    others = [seat for seat in _in_hand(stage) if seat != winner]
    if not others:
        raise HandSpoilt
    world = stage.lab.world
    return push_pot(world, stage.chance.choice(others), world.pot(), stage.now_s).rest_s


def pay_too_little(stage: Stage) -> float:
    """The winner gets all of the pot but one chip."""
    winner = _award(stage)
    world = stage.lab.world
    pot = world.pot()
    return push_pot(world, winner, pot[: len(pot) - 1], stage.now_s).rest_s


def pot_to_tray(stage: Stage) -> float:
    """Two chips of the pot go into the tray."""
    _award(stage)
    world = stage.lab.world
    chips = world.pot()[-2:]
    world.take_off_table(chips, stage.now_s)
    stage.lab.let(0.6)
    world.put_down(chips, TRAY, stage.now_s)
    return stage.now_s


def out_of_turn(stage: Stage) -> float:
    """A seat puts chips out before its turn."""
    seat = moments.later(stage)
    assert seat is not None
    return _push(stage, seat, 3)


def folded_seat_bets(stage: Stage) -> float:
    """A seat that has folded puts chips out."""
    return _push(stage, stage.chance.choice(moments.folded(stage)), 2)


def keyed_call_short(stage: Stage) -> float:
    """The dealer keys a call, and one chip of it is missing."""
    act = stage.acting
    assert act is not None
    world = stage.lab.world
    owed = act.to - stage.seat(act.seat).bet
    chips = bank.pick_exact(world.stack(act.seat), owed)
    if chips is None or len(chips) < 2:
        raise NoSuchMoment
    stage.lab.link.command(Act(seat=act.seat, action="call"))
    return push(world, act.seat, chips[:-1], stage.now_s).rest_s


def marked(uid: str) -> Callable[[Stage], float]:
    """The acting seat's bet has a chip that is not what it should be."""

    def act(stage: Stage) -> float:
        chips = _bet_of_acting(stage)
        stage.reads_as({chips[0].uid: uid})
        assert stage.acting is not None
        return push(stage.lab.world, stage.acting.seat, chips, stage.now_s).rest_s

    return act


def bag_of_strange_chips(stage: Stage) -> float:
    """A bag of chips that nobody knows is put down on a bet zone without bets."""
    free = [seat.number for seat in stage.lab.table.seats if seat.number not in stage.betting]
    if not free:
        raise NoSuchMoment
    stage.lie_too([f"E00401000001{number:04X}" for number in range(MANY)], bet_place(stage.chance.choice(free)))
    return stage.now_s


def change_kept(stage: Stage) -> float:
    """The acting seat calls with one chip that is too large, and nobody gives the change."""
    act = stage.acting
    assert act is not None
    owed = act.to - stage.seat(act.seat).bet
    chip = bank.pick_over(stage.lab.world.stack(act.seat), owed)
    if chip is None or stage.seat(act.seat).bet:
        raise NoSuchMoment
    return push(stage.lab.world, act.seat, (chip,), stage.now_s).rest_s


def goes_south(stage: Stage) -> float:
    """A player pockets half of its stack."""
    stack = stage.lab.world.stack(stage.chance.choice(_in_hand(stage)))
    return _palm(stage, stack, len(stack) // 2)


def copy_lies_elsewhere(stage: Stage) -> float:
    """A copy of a chip that was bet answers from a seat without a bet."""
    world = stage.lab.world
    bet = world.bets(stage.chance.choice(stage.betting)) if stage.betting else ()
    far = [seat.number for seat in stage.lab.table.seats if seat.number not in stage.betting]
    if not bet or not far:
        raise NoSuchMoment
    stage.lie_too([bet[0].uid], bet_place(stage.chance.choice(far)))
    return stage.now_s


def call_with_copies(stage: Stage) -> float:
    """The acting seat calls with copies of the chips that lie in the bet."""
    bettor, act = stage.bettor, stage.acting
    assert act is not None
    assert bettor is not None
    chips, bet = _bet_of_acting(stage), stage.lab.world.bets(bettor)
    stage.reads_as({mine.uid: theirs.uid for mine, theirs in zip(chips, bet, strict=False)})
    return push(stage.lab.world, act.seat, chips, stage.now_s).rest_s


def swapped_readers(stage: Stage) -> float:
    """The cables of two readers are swapped, and the seat to act bets."""
    act = stage.acting
    assert act is not None
    free = [seat for seat in _in_hand(stage) if seat not in stage.betting and seat != act.seat]
    if act.seat in stage.betting or not free:
        raise NoSuchMoment
    chips = _bet_of_acting(stage)
    stage.swaps(bet_place(act.seat), bet_place(stage.chance.choice(free)))
    return push(stage.lab.world, act.seat, chips, stage.now_s).rest_s


def shielded_bet(stage: Stage) -> float:
    """The acting seat bets, and its antenna hears nothing."""
    act = stage.acting
    assert act is not None
    if act.seat in stage.betting:
        raise NoSuchMoment
    chips = _bet_of_acting(stage)
    stage.deafens(bet_place(act.seat))
    return push(stage.lab.world, act.seat, chips, stage.now_s).rest_s


def dead_reader(stage: Stage) -> float:
    """The reader of the acting seat fails."""
    act = stage.acting
    assert act is not None
    assert stage.lab.bridge is not None
    stage.lab.bridge.fail(_reader_of(stage, act.seat))
    return stage.now_s


def frozen_reader(stage: Stage) -> float:
    """The reader of a bet repeats what it heard, and the bets are gathered."""
    world = stage.lab.world
    rich = [seat for seat in stage.betting if len(world.bets(seat)) > 2]
    if not rich:
        raise NoSuchMoment
    assert stage.lab.bridge is not None
    stage.lab.bridge.freeze(_reader_of(stage, stage.chance.choice(rich)))
    stage.lab.let(3.0)
    return gather(world, stage.now_s).rest_s


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
        raise HandSpoilt
    lab.let(0.5)
    return winner


def _bet_of_acting(stage: Stage) -> tuple[Chip, ...]:
    act = stage.acting
    assert act is not None
    chips = bank.pick_exact(stage.lab.world.stack(act.seat), act.to - stage.seat(act.seat).bet)
    if not chips:
        raise NoSuchMoment
    return chips


def _in_hand(stage: Stage) -> list[int]:
    return [seat.seat for seat in stage.state.seats if seat.status == "in"]
