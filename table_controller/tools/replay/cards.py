"""The cards of a hand as its history has them: who holds what, what the board shows, what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

UNKNOWN = "??"


class Disagreement(Exception):
    """The file does something that the game does not allow, or leaves out what is needed to play it."""


def is_known(card: str) -> bool:
    """Both rank and suit are known."""
    return "?" not in card


@dataclass(frozen=True, slots=True)
class Cards:
    """The cards of each player, in the order in which they came, and of the board."""

    hole: Mapping[int, tuple[str, ...]]
    board: tuple[str, ...] = ()

    def dealt(self, player: int, cards: Sequence[str]) -> Cards:
        """The player has these cards as well."""
        return self._with(player, (*self.hole[player], *cards))

    def boarded(self, cards: Sequence[str]) -> Cards:
        """The board has these cards as well."""
        return replace(self, board=(*self.board, *cards))

    def discarded(self, player: int, cards: Sequence[str], full: int) -> Cards:
        """The player has thrown these away; a hand of fewer than `full` cards was not recorded in full.

        An unknown discard out of a known hand leaves a hand that nobody knows. Raises Disagreement for a card that
        the player does not hold, or more cards than it has.
        """
        if len(cards) > full:
            raise Disagreement(f"player {player} discards {len(cards)} cards of {full}")
        held = list(self.hole[player])
        held += [UNKNOWN] * (full - len(held))
        for card in cards:
            if card in held:
                held.remove(card)
            elif any(not is_known(other) for other in held):
                held.remove(next(other for other in held if not is_known(other)))
            elif is_known(card):
                raise Disagreement(f"player {player} discards {card} and holds {''.join(held) or 'no other card'}")
            else:
                held = [UNKNOWN] * (len(held) - 1)
        return self._with(player, tuple(held))

    def shown(self, player: int, cards: Sequence[str], full: int) -> Cards:
        """The player has shown these of its `full` cards; what it keeps face down is what was dealt.

        Raises Disagreement for more cards than it has.
        """
        if len(cards) > full:
            raise Disagreement(f"player {player} shows {len(cards)} cards and has {full}")
        face_up = [card for card in cards if is_known(card)]
        others = [card for card in self.hole[player] if is_known(card) and card not in face_up]
        hand = (face_up + others)[:full] if len(face_up) < full else face_up
        return self._with(player, tuple(hand + [UNKNOWN] * (full - len(hand))))

    def not_dealt(self, player: int, cards: Sequence[str]) -> list[str]:
        """Cards of these that the player cannot hold, because it was dealt others."""
        held = self.hole[player]
        room = sum(not is_known(card) for card in held) if held else len(cards)
        strange = [card for card in cards if is_known(card) and card not in held]
        return strange[room:]

    def out_already(self, cards: Sequence[str], players: Iterable[int]) -> list[str]:
        """Cards of these that are on the board, with one of the players, or twice among themselves."""
        seen = {card for card in (*self.board, *[card for p in players for card in self.hole[p]]) if is_known(card)}
        return [card for n, card in enumerate(cards) if card in seen or (is_known(card) and card in cards[:n])]

    def _with(self, player: int, cards: tuple[str, ...]) -> Cards:
        return replace(self, hole={**self.hole, player: cards})
