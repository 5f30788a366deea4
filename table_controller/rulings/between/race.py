"""Colour-up: a denomination goes, and what is odd of it is raced for (TDA 24; R-300)."""

from __future__ import annotations

from betline.settings import GameSettings
from betline.steps import ColorUp
from table_controller.betting import Illegal
from table_controller.positions import structure_of
from table_controller.rulings.acts.dealer import gathered, with_stacks
from table_controller.rulings.between.stacks import seated
from table_controller.rulings.values import house_money
from table_controller.rulings.values.state import Effect, State

DENOMINATIONS = (1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 1_000_000, 5_000_000)


def race(state: State, step: ColorUp) -> Effect:
    """Every stack loses what the next denomination does not divide; the winners named get one chip of that each.

    Nobody is raced out: who would have nothing keeps one chip. What all have lost makes so many chips, the last of
    them in part where it does not divide: houses round it up or down, both fit.
    """
    if not state.between_hands:
        raise Illegal("not-between-hands", "Wait for the end of the hand: chips are raced off between hands.")
    state = gathered(state)
    chip = _next_denomination(state, step)
    odd = {seat: player.stack % chip for seat, player in state.players.items() if player.stack % chip}
    _check_winners(state, step, chip, odd)
    stacks = {}
    for seat, player in state.players.items():
        kept = player.stack - odd.get(seat, 0) + chip * (seat in step.wins)
        stacks[seat] = kept or (chip if player.stack else 0)
    change = sum(player.stack for player in state.players.values()) - sum(stacks.values())
    raced = state._replace(players=with_stacks(state.players, stacks), least_chip=chip)
    return Effect(state=house_money.booked(with_game(raced, state.game), "race", change))


def with_game(state: State, game: GameSettings) -> State:
    """The table plays this game, in bets that the chips in play can make."""
    if game.unit < state.least_chip:
        game = game.model_copy(update={"unit": state.least_chip})
    return state._replace(game=game, structure=structure_of(game))


def _next_denomination(state: State, step: ColorUp) -> int:
    """What the odd chips are raced for: as the step says, the betting unit, or the next of the usual chips."""
    if step.to is not None:
        if step.to <= step.remove or step.to % step.remove:
            raise Illegal("not-open", f"Chips of {step.remove} are changed for ones of a larger multiple, as 4 times.")
        return step.to
    if state.structure.unit > step.remove:
        return state.structure.unit
    for chip in DENOMINATIONS:
        if chip > step.remove and not chip % step.remove:
            return chip
    raise Illegal("not-open", f"Say what chips of {step.remove} are changed for (`to`).")


def _check_winners(state: State, step: ColorUp, chip: int, odd: dict[int, int]) -> None:
    for seat in step.wins:
        seated(state, seat)
    total = sum(odd.values())
    least, most = total // chip, -(-total // chip)
    number = str(least) if least == most else f"{least} or {most}"
    able = f"seats {', '.join(map(str, odd))}" if odd else "nobody"
    if not least <= len(step.wins) <= most or len(set(step.wins)) < len(step.wins) or not set(step.wins) <= odd.keys():
        raise Illegal(
            "not-open", f"Odd chips for {total} make {number} of {chip}, one a seat at most: {able} may win (TDA 24)."
        )  # fmt: skip
