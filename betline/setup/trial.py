"""The test hand as a list of links of the chain, each seen or not yet: what the bus says comes in. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal

from betline.messages.common import Body, Presence
from betline.messages.devices import CameraView, LineEvent, ZoneChips
from betline.messages.table import Announcement, Ruling, TableState
from betline.settings import TableSettings

Part = Literal[
    "broker", "controller", "reader", "camera", "hand", "antenna", "chips", "camera-saw", "ruling", "announcement",
    "voice",
]  # fmt: skip
_HEARD_HITS: Final = 3
_BETS: Final = frozenset({"bet_settled", "bet_amended", "chips_crossing"})
_REMEDIES: Final[dict[Part, str]] = {
    "broker": "betline doctor --only broker says what is wrong with it.",
    "controller": "See the log of the controller.",
    "reader": "betline doctor --only readers says what is wrong with it.",
    "camera": "betline doctor --only camera says what is wrong with it.",
    "hand": "Clear the seat's bet zone of chips, and begin again.",
    "antenna": "Lay the chip on the seat's bet zone; betline setup --only readers finds its antenna anew.",
    "chips": "Push a chip that is enrolled; key C of betline setup enrols them.",
    "camera-saw": "Calibrate it: betline vision calibrate --help; more light from above helps.",
    "ruling": "Take the hand back behind the line when the chip lies there.",
    "announcement": "See the log of the controller.",
    "voice": "betline voice --help says how to try it alone.",
}


@dataclass(frozen=True, slots=True)
class Link:
    """One link of the chain: what it is, whether it was seen to work, and in words what was seen or is to be done."""

    part: Part
    what: str
    seen: bool | None = None
    """None: not yet."""
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class Push:
    """What the person is asked to do: the seat and how much."""

    seat: int
    amount: int

    def __str__(self) -> str:
        return f"Seat {self.seat}: push {self.amount}"


def push_for(table: TableSettings, values: Iterable[int], seat: int | None = None) -> Push:
    """A bet of one chip, by the seat that was named or the first that an antenna reads."""
    served = {antenna.zone for reader in table.readers for antenna in reader.antennas}
    numbers = [one.number for one in table.seats]
    read = [number for number in numbers if f"seat-{number}" in served]
    big = max(table.game.blinds, default=1)
    amount = min((value for value in values if value >= big), default=max(values, default=big))
    return Push(seat or (read or numbers)[0], amount)


@dataclass(slots=True)
class Trial:
    """The links of one test hand, in the order in which they come."""

    push: Push
    readers: tuple[str, ...]
    camera: str | None
    is_read: bool
    """Whether an antenna reads the seat; without one the bet is keyed."""
    _links: dict[tuple[Part, str], Link] = field(default_factory=dict)
    _asked: bool = False
    _before: dict[str, frozenset[str]] = field(default_factory=dict)
    """What lay in each zone when the person was asked."""
    _now: dict[str, str] = field(default_factory=dict)
    """What each zone and the camera say since then, in words."""

    @classmethod
    def of(cls, table: TableSettings, push: Push, *, broker: str = "", speaks: bool = False) -> Trial:
        """The trial of a table: its readers, camera and voice are proven as far as it has them."""
        seat = f"seat-{push.seat}"
        is_read = any(antenna.zone == seat for reader in table.readers for antenna in reader.antennas)
        camera = table.cameras[0].id if table.cameras else None
        trial = cls(push, tuple(reader.id for reader in table.readers), camera, is_read)
        wanted: list[tuple[Part, str]] = [("broker", broker)] if broker else []
        wanted += [("controller", "controller")]
        wanted += [("reader", reader) for reader in trial.readers]
        wanted += [("camera", camera)] if camera else []
        wanted += [("hand", "hand")]
        wanted += [("antenna", f"antenna of seat {push.seat}"), ("chips", "chip")] if is_read else []
        wanted += [("camera-saw", "chip in the picture")] if camera and is_read else []
        wanted += [("ruling", "ruling"), ("announcement", "announcement")]
        wanted += [("voice", "voice")] if speaks else []
        for part, what in wanted:
            trial._links[part, what] = Link(part, what)
        return trial

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, in order."""
        return tuple(self._links.values())

    @property
    def parts_answered(self) -> bool:
        """Whether controller, readers and camera have all come online."""
        return all(one.seen for one in self.links if one.part in ("broker", "controller", "reader", "camera"))

    @property
    def over(self) -> bool:
        """Whether every link was seen, or one that nothing can mend any more was not."""
        return all(one.seen is not None for one in self.links)

    @property
    def proven(self) -> bool:
        """Whether every link was seen to work."""
        return all(one.seen for one in self.links)

    def asked(self) -> None:
        """The person was asked to push: what comes from now on counts."""
        self._asked = True

    @property
    def heard_now(self) -> str:
        """What antennas and camera say since the person was asked, in words; empty as long as that is nothing."""
        return " ".join(f"{words}." for words in self._now.values() if words)

    def let_in(self, sentence: str) -> tuple[Link, ...]:
        """The broker has let us in."""
        return self._see("broker", sentence)

    def spoke(self, sentence: str) -> tuple[Link, ...]:
        """The voice has said something, and has not complained."""
        return self._see("voice", f'it says "{sentence}": can you hear it?')

    def hear(self, name: str, body: Body) -> tuple[Link, ...]:
        """Takes a message, ``name`` being the device, zone or seat that it is of; the links that it proves."""
        if isinstance(body, Presence) and name == "voice":
            return self._voice(body)
        if isinstance(body, Presence):
            return self._presence(name, body)
        if isinstance(body, TableState):
            return self._state(body)
        if isinstance(body, CameraView) and self.push.seat in {view.seat for view in body.seats}:
            return self._see("camera", f"sees seat {self.push.seat}")
        if isinstance(body, ZoneChips):
            self._lies(body)
        if not self._asked:
            return ()
        if isinstance(body, ZoneChips) and body.zone == f"seat-{self.push.seat}":
            return self._chips(body)
        if isinstance(body, LineEvent):
            return self._crossed(body)
        if isinstance(body, Ruling) and body.seat == self.push.seat:
            return self._ruling(body)
        if isinstance(body, Announcement) and body.seat != self.push.seat:
            return self._see("announcement", f'"{body.text}"')
        return ()

    def give_up(self) -> tuple[Link, ...]:
        """Whatever was not seen by now was not, with what to do about it; gives these links."""
        lost = [one for one in self.links if one.seen is None]
        for one in lost:
            self._links[one.part, one.what] = Link(one.part, one.what, False, f"not seen. {_REMEDIES[one.part]}")
        return tuple(self._links[one.part, one.what] for one in lost)

    def _presence(self, name: str, body: Presence) -> tuple[Link, ...]:
        for part in ("controller", "reader"):
            link = self._links.get((part, name))
            if link is not None and link.seen is None and body.state == "online":
                return self._put(link, True, "is there")
        return ()

    def _voice(self, body: Presence) -> tuple[Link, ...]:
        link = self._links.get(("voice", "voice"))
        if link is None or link.seen is not None or body.code != "silent":
            return ()
        return self._put(link, False, body.detail)

    def _lies(self, body: ZoneChips) -> None:
        """Notes what came to a zone since the person was asked."""
        lying = {chip.uid: chip for chip in body.chips if chip.hits >= _HEARD_HITS}
        if not self._asked:
            self._before[body.zone] = frozenset(lying)
            return
        new = [chip for uid, chip in lying.items() if uid not in self._before.get(body.zone, ())]
        wrong = "" if body.zone == f"seat-{self.push.seat}" else f", not that of seat {self.push.seat}"
        names = ", ".join(sorted(chip.chip_type or chip.uid for chip in new))
        self._now[body.zone] = f"The antenna of {body.zone.replace('-', ' ')}{wrong} hears {names}" if new else ""

    def _crossed(self, body: LineEvent) -> tuple[Link, ...]:
        if body.seat is None:
            return ()
        saw = f"{body.kind.replace('_', ' ')} at seat {body.seat}"
        self._now["camera"] = f"The camera saw {saw}"
        ours = body.seat == self.push.seat and body.kind in _BETS
        return self._see("camera-saw", f"it saw {saw}") if ours else ()

    def _state(self, body: TableState) -> tuple[Link, ...]:
        seat = next((one for one in body.seats if one.seat == self.push.seat), None)
        if seat is None or body.to_act != self.push.seat or not (seat.based or not self.is_read):
            return ()
        return self._see("hand", f"seat {self.push.seat} is to act, its zone is empty")

    def _chips(self, body: ZoneChips) -> tuple[Link, ...]:
        lying = [chip for chip in body.chips if chip.hits >= _HEARD_HITS]
        if not lying:
            return ()
        heard = self._see("antenna", f"{body.reader} hears {len(lying)} chip{'' if len(lying) == 1 else 's'} there")
        strange = [chip.uid for chip in lying if chip.chip_type is None]
        if strange:
            link = self._links.get(("chips", "chip"))
            unknown = f"{strange[0]} is no chip of the register: key C of betline setup, or betline chips enrol --help."
            return (*heard, *(self._put(link, False, unknown) if link and link.seen is None else ()))
        names = ", ".join(sorted(str(chip.chip_type) for chip in lying))
        return (*heard, *self._see("chips", f"it is {names}, by the register"))

    def _ruling(self, body: Ruling) -> tuple[Link, ...]:
        link = next(one for one in self.links if one.part == "ruling")
        if link.seen is not None:
            return ()
        right = body.to == self.push.amount and (body.source == "chips" or not self.is_read)
        wrong = "" if right else f" {self.push.amount} was asked for: look at the chip's type and worth."
        return self._put(link, right, f"{body.sentence}{wrong}")

    def _see(self, part: Part, sentence: str) -> tuple[Link, ...]:
        link = next((one for one in self.links if one.part == part), None)
        return () if link is None or link.seen is not None else self._put(link, True, sentence)

    def _put(self, link: Link, seen: bool, sentence: str) -> tuple[Link, ...]:
        proven = Link(link.part, link.what, seen, sentence)
        self._links[link.part, link.what] = proven
        return (proven,)
