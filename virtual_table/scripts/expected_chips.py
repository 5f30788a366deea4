"""Where the chips should be if all goes as the script means, by simple arithmetic: the truth to compare with.

It knows no rules, only how chips flow: a bet is what a seat has in front of it; at the end of a street the uncalled
part goes back and the rest goes into the pot.
"""

from __future__ import annotations

from collections.abc import Mapping


class ExpectedChips:
    """Stacks behind, bets in front, and the pot, as the players mean them."""

    def __init__(self, stacks: Mapping[int, int], pot: int = 0) -> None:
        self.stacks = dict(stacks)
        self.bets = dict.fromkeys(stacks, 0)
        self.pot = pot

    @property
    def level(self) -> int:
        """The highest bet of the round."""
        return max(self.bets.values())

    def post(self, seat: int, amount: int, *, dead: bool = False) -> None:
        """A forced bet: into the bet, or dead into the pot."""
        self.stacks[seat] -= amount
        if dead:
            self.pot += amount
        else:
            self.bets[seat] += amount

    def bet_to(self, seat: int, to: int) -> int:
        """The seat's bet becomes ``to``; returns how much was added."""
        adds = to - self.bets[seat]
        self.stacks[seat] -= adds
        self.bets[seat] = to
        return adds

    def uncalled(self) -> tuple[int, int] | None:
        """The seat whose bet was not matched, and by how much it exceeds the next; None if all is matched."""
        ordered = sorted(self.bets.items(), key=lambda item: item[1])
        (_, second), (seat, first) = ordered[-2], ordered[-1]
        return (seat, first - second) if first > second else None

    def take_back(self, seat: int, amount: int) -> None:
        """The uncalled part goes back to its stack."""
        self.bets[seat] -= amount
        self.stacks[seat] += amount

    def gather(self) -> None:
        """All bets go into the pot."""
        self.pot += sum(self.bets.values())
        self.bets = dict.fromkeys(self.bets, 0)

    def pay(self, seat: int, amount: int) -> None:
        """A seat gets chips out of the pot."""
        self.pot -= amount
        self.stacks[seat] += amount
