"""The cards on the virtual table: who holds which, and the slides that deal, muck and clear them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

from betline.geometry import Point, distance_mm
from betline.settings import TableSettings
from virtual_table.table.layout import BurnPlace, board_places, burn_place, deck_place, hole_card_places
from virtual_table.table.motion import HandPath, PathBuilder, Slide
from virtual_table.table.people import seat_heading
from virtual_table.table.things import SeenCard
from virtual_table.table.timeline import Timeline

_FELT_SPEED_MM_S = 1900.0
_BETWEEN_CARDS_S = 0.10


class Cards:
    """Where the cards are once everything scheduled has happened."""

    def __init__(self, table: TableSettings, timeline: Timeline) -> None:
        self._table = table
        self._timeline = timeline
        self._next_number = 0
        self.held: dict[int, list[SeenCard]] = {}
        self.board: list[SeenCard] = []
        self.muck: list[SeenCard] = []
        self.burnt: list[SeenCard] = []
        self._lies_s: dict[int, float] = {}

    def lie_s(self, seats: Iterable[int] | None = None) -> float:
        """When the last hole card of the seats (None: of all cards) comes to rest; -inf if there is none."""
        cards = self.all() if seats is None else [card for seat in seats for card in self.held.get(seat, ())]
        return max((self._lies_s[card.number] for card in cards), default=-math.inf)

    def lies_s(self, seat: int) -> list[float]:
        """When each hole card of a seat comes to rest."""
        return [self._lies_s[card.number] for card in self.held.get(seat, ())]

    def deal(self, seats: Sequence[int], each: int, builder: PathBuilder, rng: Random) -> float:
        """Deals round by round from the deck to the seats, beside what they have; returns when the last card comes to
        rest.
        """
        deck = deck_place(self._table)
        places = {}
        for seat in seats:
            have, centre = len(self.held.get(seat, ())), self._table.seat(seat).cards_mm
            places[seat] = hole_card_places(centre, seat_heading(self._table, seat), have + each)[have:]
        rest = 0.0
        for turn in range(each):
            for seat in seats:
                place = places[seat][turn]
                towards = 55.0 / distance_mm(deck, place)
                builder.move(
                    (deck[0] + (place[0] - deck[0]) * towards, deck[1] + (place[1] - deck[1]) * towards, 15.0),
                    _BETWEEN_CARDS_S / 2,
                )
                angle = seat_heading(self._table, seat).turn_rad + rng.uniform(-0.12, 0.12)
                card = self._slide(self._new(deck, None), _wobble(place, rng), angle, builder.now_s)
                self.held.setdefault(seat, []).append(card[0])
                rest = max(rest, card[1])
                builder.move((*deck, 15.0), _BETWEEN_CARDS_S / 2)
        return rest

    def deal_board(self, faces: Sequence[str | None], builder: PathBuilder, rng: Random) -> tuple[float, float]:
        """Puts the next board cards down, face up; returns when the first and when the last one comes to rest."""
        deck = deck_place(self._table)
        free = board_places(self._table)[len(self.board) :]
        rests = []
        for face, place in zip(faces, free, strict=False):
            thrown = builder.now_s
            builder.move((*place, 10.0), 0.3)
            card = self._slide(self._new(deck, face), _wobble(place, rng, 1.5), rng.uniform(-0.03, 0.03), thrown, 0.3)
            self.board.append(card[0])
            rests.append(card[1])
            builder.move((*deck, 15.0), 0.2)
        return rests[0], rests[-1]

    def burn(self, where: BurnPlace, builder: PathBuilder, rng: Random) -> float:
        """Puts the top card down, face down; returns when the hand is back at the deck."""
        deck = deck_place(self._table)
        place = burn_place(self._table, where, len(self.burnt))
        thrown = builder.now_s
        builder.move((*place, 10.0), 0.3)
        card = self._slide(self._new(deck, None), _wobble(place, rng), rng.uniform(-0.15, 0.15), thrown, 0.3)
        self.burnt.append(card[0])
        return builder.move((*deck, 15.0), 0.2)

    def throw_away(self, seat: int, grasp_s: float, let_go_s: float, by: HandPath, rng: Random) -> tuple[float, float]:
        """The seat's cards move with its hand and slide on to the muck; returns when they start and when they come to
        rest.
        """
        rest = let_go_s
        for pushed in self._pushed(self.held.pop(seat), grasp_s, let_go_s, by):
            spot = _wobble(self._table.muck_mm, rng, 14.0)
            lying, stops = self._slide(pushed, spot, pushed.turn_rad + rng.uniform(-2.0, 2.0), let_go_s)
            self.muck.append(lying)
            rest = max(rest, stops)
        return grasp_s, rest

    def push_out(self, seat: int, grasp_s: float, let_go_s: float, by: HandPath) -> None:
        """The seat's cards move with its hand and lie where it lets go of them, face up."""
        lying = self._pushed([replace(card, face="4c") for card in self.held[seat]], grasp_s, let_go_s, by)
        self.held[seat] = lying
        self._lies_s.update((card.number, let_go_s) for card in lying)

    def _pushed(self, cards: Iterable[SeenCard], grasp_s: float, let_go_s: float, by: HandPath) -> list[SeenCard]:
        """The cards where a hand has pushed them between two moments of its path."""
        start, end = by.at(grasp_s), by.at(let_go_s)
        lying = []
        for card in cards:
            pushed = replace(card, x_mm=card.x_mm + end[0] - start[0], y_mm=card.y_mm + end[1] - start[1])
            slide = Slide(
                grasp_s, let_go_s, (card.x_mm, card.y_mm), (pushed.x_mm, pushed.y_mm), card.turn_rad, card.turn_rad
            )
            self._timeline.slide_card(card, slide)
            self._timeline.lay_card(pushed, let_go_s)
            lying.append(pushed)
        return lying

    def clear(self, at_s: float, rng: Random) -> float:
        """All cards slide to the deck and leave the table; returns when the last has left."""
        deck = deck_place(self._table)
        rest = at_s
        for card in self.all():
            start = at_s + rng.uniform(0.0, 0.5)
            lying, stops = self._slide(replace(card, face=None), deck, 0.0, start)
            self._timeline.take_off_card(lying.number, stops)
            rest = max(rest, stops)
        self._lies_s.clear()
        self.held.clear()
        self.board.clear()
        self.muck.clear()
        self.burnt.clear()
        return rest

    def all(self) -> tuple[SeenCard, ...]:
        """Every card on the felt."""
        return (*(card for cards in self.held.values() for card in cards), *self.board, *self.muck, *self.burnt)

    def _new(self, where: Point, face: str | None) -> SeenCard:
        self._next_number += 1
        return SeenCard(self._next_number, where[0], where[1], 0.0, face)

    def _slide(
        self, card: SeenCard, to: Point, turn_rad: float, start_s: float, took_s: float | None = None
    ) -> tuple[SeenCard, float]:
        origin = (card.x_mm, card.y_mm)
        took = took_s or 0.18 + distance_mm(origin, to) / _FELT_SPEED_MM_S
        self._timeline.slide_card(card, Slide(start_s, start_s + took, origin, to, card.turn_rad, turn_rad))
        lying = replace(card, x_mm=to[0], y_mm=to[1], turn_rad=turn_rad)
        self._lies_s[card.number] = start_s + took
        self._timeline.lay_card(lying, start_s + took)
        return lying, start_s + took


def _wobble(point: Point, rng: Random, by_mm: float = 4.0) -> Point:
    return (point[0] + rng.uniform(-by_mm, by_mm), point[1] + rng.uniform(-by_mm, by_mm))
