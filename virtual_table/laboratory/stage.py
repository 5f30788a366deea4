"""A laboratory played step by step: honest play up to a moment at which something can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from betline.messages.table import Ruling, SeatState, TableState
from virtual_table.laboratory.laboratory import Laboratory
from virtual_table.laboratory.readers import Tamper
from virtual_table.readers.field import FieldTag
from virtual_table.scripts.script import HandScript, PlayerAct, Step, StreetDealt
from virtual_table.table.things import Chip

BETS = ("bet", "raise", "call")
HANDS_TRIED = 12


class NoSuchMoment(Exception):
    """The hands that were played had no such moment."""


class HandSpoilt(NoSuchMoment):
    """Something was done before it showed that it does not suit: nobody can play honestly on from there."""


class Stage:
    """What is to be known of the table at a moment between two steps of a hand."""

    def __init__(self, lab: Laboratory) -> None:
        self.lab = lab
        self.chance = Random(f"cheat-{lab.seed}")
        self.next: tuple[Step, ...] = ()
        """What is done next, if people are honest."""
        self.script: HandScript | None = None
        self._playing: Iterator[tuple[Step, ...]] = iter(())
        self._evening = self._steps()

    def play_until(self, wanted: Callable[[Stage], bool]) -> None:
        """Plays honestly on, up to the next step before which the wanted holds; raises NoSuchMoment."""
        for steps in self._evening:
            self.next = steps
            if wanted(self):
                return
        raise NoSuchMoment

    def _steps(self) -> Iterator[tuple[Step, ...]]:
        """What is done next, in all hands of the evening."""
        lab = self.lab
        for tried, script in enumerate(lab.scripts()):
            if tried == HANDS_TRIED:
                break
            if tried == 0:
                lab.seat_everybody(lab.first)
            self.script = script
            self._playing = lab.director.steps(script)
            yield from self._playing

    def resume(self) -> None:
        """Plays the hand to its end."""
        for _ in self._playing:
            pass

    # --- what readers hear

    def reads_as(self, uids: Mapping[str, str]) -> None:
        """These chips answer with other UIDs from now on."""
        self._tamper(lambda tags, _: tuple([tag._replace(uid=uids.get(tag.uid, tag.uid)) for tag in tags]))

    def lie_too(self, uids: Sequence[str], zone: str) -> None:
        """Chips with these UIDs lie in a zone too."""
        self._tamper(
            lambda tags, zones: (
                *tags,
                *[FieldTag(uid, antenna) for antenna, served in zones.items() if served == zone for uid in uids],
            )
        )

    def deafens(self, zone: str) -> None:
        """The antenna of a zone hears nothing any more."""
        self._tamper(lambda tags, zones: tuple([tag for tag in tags if zones[tag.antenna] != zone]))

    def swaps(self, one: str, other: str) -> None:
        """The antennas of two zones are exchanged."""
        swapped = {one: other, other: one}

        def heard(tags: tuple[FieldTag, ...], zones: Mapping[int, str]) -> tuple[FieldTag, ...]:
            kept = [tag for tag in tags if zones[tag.antenna] not in swapped]
            for antenna, zone in zones.items():
                if zone in swapped:
                    lies = self.lab.world.in_field(swapped[zone], self.now_s)
                    kept += [FieldTag(uid, antenna, signal, pile) for uid, signal, pile in lies]
            return tuple(kept)

        self._tamper(heard)

    def _tamper(self, tamper: Tamper) -> None:
        assert self.lab.bridge is not None
        self.lab.bridge.tamper = tamper

    # --- what is to be known

    @property
    def now_s(self) -> float:
        """The time now."""
        return self.lab.agenda.now_s()

    @property
    def state(self) -> TableState:
        """What the controller shows."""
        state = self.lab.link.state
        assert state is not None
        return state

    def seat(self, number: int) -> SeatState:
        """What it shows of a seat."""
        return next(seat for seat in self.state.seats if seat.seat == number)

    @property
    def acting(self) -> PlayerAct | None:
        """The act that comes next."""
        return self.next[0] if self.next and isinstance(self.next[0], PlayerAct) else None

    def asked_s(self, since_s: float, kinds: tuple[str, ...]) -> list[float]:
        """When the state first had a question of one of these kinds, after that moment."""
        return [
            told.at_s
            for told in self.lab.messages
            if told.at_s > since_s
            and isinstance(told.body, TableState)
            and any(question.kind in kinds for question in told.body.questions)
        ][:1]

    @property
    def next_acts(self) -> tuple[PlayerAct, ...]:
        """The acts that come next, together."""
        return tuple([step for step in self.next if isinstance(step, PlayerAct)])

    @property
    def bettor(self) -> int | None:
        """The seat that acted last with chips on this street, and that nobody has raised."""
        rulings = [told.body for told in self.lab.messages if isinstance(told.body, Ruling)]
        with_chips = [one for one in rulings if one.ruling in BETS]
        now = (self.state.hand_no, self.state.street)
        if not with_chips or (with_chips[-1].hand_no, with_chips[-1].street) != now:
            return None
        seat = with_chips[-1].seat
        most = max(one.bet for one in self.state.seats)
        return seat if seat is not None and self.seat(seat).bet == most > 0 else None

    @property
    def round_is_over(self) -> bool:
        """Whether bets lie there and are gathered next, for another street."""
        over = self.state.phase in ("round-over", "showdown")
        return bool(self.next) and isinstance(self.next[0], StreetDealt) and over and bool(self.betting)

    @property
    def betting(self) -> list[int]:
        """The seats in front of which chips lie."""
        return [seat.number for seat in self.lab.table.seats if self.lab.world.bets(seat.number)]

    def small_chips(self, seat: int, count: int, below: int | None = None) -> tuple[Chip, ...]:
        """The smallest chips of a seat's stack, worth less than `below` together; empty where it has not so many."""
        chips = sorted(self.lab.world.stack(seat), key=lambda chip: (chip.value, chip.uid))[:count]
        few = len(chips) < count or (below is not None and self.lab.world.value(chips) >= below)
        return () if few else tuple(chips)
