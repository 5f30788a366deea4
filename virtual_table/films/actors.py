"""Carries out the acts of a film's script in its world; the film's seed decides which chips move."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from virtual_table.films.film_script import Act
from virtual_table.table.dealer_motions import (
    clear_cards,
    deal_board,
    deal_cards,
    exchange,
    gather,
    push_pot,
    return_bet,
)
from virtual_table.table.habits import fidget, hover, show, take_back_from_afar, top_up, toss
from virtual_table.table.holdings import bet_place
from virtual_table.table.player_motions import (
    fake,
    muck,
    over_and_back,
    protect,
    pull_back,
    push,
    push_in,
    put_phone,
    reach_over,
    splash,
    take_phone,
    tap,
    topple,
    unprotect,
)
from virtual_table.table.things import Chip, Motion, Stroke, WorldError
from virtual_table.table.world import World


class Actors:
    """All who sit at the table of one film.

    ``strokes`` are the forward motions of each bet so far. ``unjudged`` are spans (seat, from, to) in which a hand over
    its own zone may be reported or not, for it only grazes the zone on its way.
    """

    def __init__(self, world: World, rng: Random) -> None:
        self._world = world
        self._rng = rng
        self.strokes: dict[tuple[tuple[str, ...], float], tuple[Stroke, ...]] = {}
        self.unjudged: list[tuple[int, float, float]] = []

    def do(self, act: Act, at_s: float) -> float:
        """Carries out the act and returns when it is over; raises WorldError or BankError if it is impossible."""
        world, seat = self._world, act.seat or 0
        match act.act:
            case "push":
                linger_s = act.over_s if "over_s" in act.model_fields_set else 0.0
                done = push(world, seat, self._groups(seat, act.chips), at_s, linger_s)
                self.strokes[tuple(chip.uid for chip in done.chips), done.cross_s] = done.strokes
            case "pull_back":
                done = pull_back(world, seat, self._some(world.bets(seat), act.chips[0]), at_s)
            case "return":
                done = return_bet(world, seat, self._some(world.bets(seat), act.chips[0]), at_s)
            case "fake":
                done = fake(world, seat, at_s)
            case "reach":
                done = reach_over(world, seat, act.over or 0, at_s)
                self.unjudged.append((seat, done.start_s, done.end_s))
            case "toss":
                done = toss(world, seat, self._groups(seat, act.chips[:1])[0], at_s)
                self.strokes[tuple(chip.uid for chip in done.chips), done.cross_s] = done.strokes
            case "top_up":
                done = top_up(world, seat, self._of_another_colour(seat, act.chips[0]), at_s)
                self.strokes[tuple(chip.uid for chip in done.chips), done.cross_s] = done.strokes
            case "hover":
                done = hover(world, seat, at_s, act.over_s)
            case "fidget":
                done = fidget(world, seat, at_s, act.over_s)
            case "take_back":
                done = take_back_from_afar(world, seat, self._some(world.bets(seat), act.chips[0]), at_s)
            case "show":
                done = show(world, seat, at_s)
            case "tap":
                done = tap(world, seat, at_s)
            case "muck":
                done = muck(world, seat, at_s)
            case "splash":
                done = splash(world, seat, self._groups(seat, act.chips[:1])[0], at_s)
            case "topple":
                done = topple(world, seat, act.chips[0], at_s)
            case "carry":
                done = over_and_back(world, seat, self._groups(seat, act.chips[:1])[0], at_s)
            case "push_in":
                done = push_in(world, seat, at_s)
            case "protect":
                done = protect(world, seat, at_s)
            case "unprotect":
                done = unprotect(world, seat, at_s)
            case "phone":
                done = put_phone(world, seat, act.where, at_s)
            case "pocket":
                done = take_phone(world, seat, at_s)
            case "race":
                done = self._race(seat, at_s)
            case "deal":
                done = deal_cards(world, at_s, [place.number for place in world.table.seats])
            case "board":
                done = deal_board(world, sum(act.chips), at_s, act.burn)
            case "change":
                done = self._change(seat, at_s)
            case "pay":
                done = push_pot(world, seat, world.pot(), at_s)
            case "clear":
                done = clear_cards(world, at_s)
            case _:
                done = gather(world, at_s, None if act.seat is None else [act.seat])
        return done.end_s

    def _groups(self, seat: int, counts: Sequence[int]) -> list[tuple[Chip, ...]]:
        chosen = list(self._some(self._world.stack(seat), sum(counts)))
        if len(chosen) < sum(counts):
            raise WorldError("no-chips", f"seat {seat} has {len(chosen)} chips and cannot push {sum(counts)}.")
        groups = []
        for count in counts:
            groups.append(tuple(chosen[:count]))
            del chosen[:count]
        return groups

    def _of_another_colour(self, seat: int, count: int) -> tuple[Chip, ...]:
        """So many chips of one kind that is not the kind of the top of the bet."""
        tops = {chip.key for chip in self._world.holdings.tallest(bet_place(seat))[-1:]}
        kinds: dict[str, list[Chip]] = {}
        for chip in self._world.stack(seat):
            kinds.setdefault(chip.key, []).append(chip)
        enough = sorted(key for key, held in kinds.items() if len(held) >= count and key not in tops)
        if not enough:
            raise WorldError("no-chips", f"Seat {seat} has no {count} chips of another colour.")
        return tuple(kinds[self._rng.choice(enough)][-count:])

    def _change(self, seat: int, at_s: float) -> Motion:
        """The dealer changes the largest chip of the bet for chips of the next smaller denomination."""
        kinds = self._world.chip_set.chips
        for chip in sorted(self._world.bets(seat), key=lambda one: -one.value):
            smaller = [kind for kind in kinds if kind.value < chip.value and chip.value % kind.value == 0]
            fewest = min(smaller, key=lambda kind: chip.value // kind.value, default=None)
            if fewest is not None and chip.value // fewest.value <= 20:
                give = self._world.from_tray({fewest.key: chip.value // fewest.value}, at_s)
                return exchange(self._world, seat, give, [chip], at_s)
        raise WorldError("no-change", f"seat {seat} has no chip in its bet that can be changed.")

    def _race(self, seat: int, at_s: float) -> Motion:
        """The dealer colours up: the smallest chips of a stack for chips of the next denomination."""
        kinds = sorted(self._world.chip_set.chips, key=lambda kind: kind.value)
        for small, large in pairwise(kinds):
            each = large.value // small.value
            held = [chip for chip in self._world.stack(seat) if chip.key == small.key]
            if large.value % small.value == 0 and len(held) >= each:
                count = min(3, len(held) // each)
                give = self._world.from_tray({large.key: count}, at_s)
                return exchange(self._world, seat, give, held[-count * each :], at_s)
        raise WorldError("no-change", f"seat {seat} has no small chips to colour up.")

    def _some(self, chips: Sequence[Chip], count: int) -> tuple[Chip, ...]:
        """So many chips of one kind if there are enough, else from the tops of all piles."""
        kinds: dict[str, list[Chip]] = {}
        for chip in chips:
            kinds.setdefault(chip.key, []).append(chip)
        enough = sorted(key for key, held in kinds.items() if len(held) >= count)
        if enough and self._rng.random() < 0.6:
            return tuple(kinds[self._rng.choice(enough)][-count:])
        return tuple(chips[-count:])
