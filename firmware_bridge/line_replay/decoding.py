"""The recorded bytes of a table's serial lines, decoded again: what each reader heard, held against what was published.

The state machine of the link is fed the recorded bytes at the recorded times. What the bridge sent is known too, and
that tells the rest: which antenna it asked, and whether somebody waited for an act there, which sets the pace and is
not in the bytes. So the machine is asked with every answer to that question, and goes on with the one under which it
sends what was sent. A machine that would have sent something else has lost track, which is told.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from betline.settings import Reader, TableSettings
from betline.units import NS_PER_MS
from firmware_bridge.chips.record import UID
from firmware_bridge.effects import Effect, OpenPort, RoundOver, Send, Trouble
from firmware_bridge.evidence import ZoneEvidence
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.catalogue import configured
from firmware_bridge.rf_arbiter import RfArbiter
from firmware_bridge.schedule import Channel
from firmware_bridge.seating import Seating
from firmware_bridge.waits import channels_of

Way = Literal["rx", "tx", "opened", "lost", "closed"]
Figures = tuple[str, int, int, int, int]
"""Of one chip: UID, hits, rounds, missed, quiet."""
Published = dict[str, list[tuple[str, int, frozenset[Figures]]]]
"""The snapshots of a reader by zone: life of the bridge, number of the round, and the figures of its chips."""
EARLY_NS: Final = 100 * NS_PER_MS
"""A round may have begun so much before its first bytes were written: its thread, or a neighbour's turn, kept it."""
_ROUNDED_NS: Final = 1_000
"""The machine reckons in ms: a time that is made of its own may lie just before it."""
TICKS: Final = 3
"""A tick may only find out when the next one is due."""
_TICKS_AT_ONCE: Final = 1000


@dataclass(frozen=True, slots=True)
class Noted:
    """One thing that happened at a line."""

    at_ns: int
    way: Way
    data: bytes = b""


@dataclass(slots=True)
class Rounds:
    """What a reader's bytes say: for each of its lives and zones the evidence after each round."""

    zones: list[dict[tuple[str, int], frozenset[Figures]]] = field(default_factory=list)
    count: int = 0
    lost_ns: list[int] = field(default_factory=list)
    """When the machine would have sent something else than the bridge sent; its life is not decoded any further."""


def decoded(table: TableSettings, reader: Reader, line: Sequence[Noted]) -> Rounds:
    """The rounds in a reader's recorded bytes."""
    found = Rounds()
    lives = list(_lives(line))
    for life in lives:
        _Life(table, reader, found).play(life)
    return found


def _lives(line: Sequence[Noted]) -> Iterator[list[Noted]]:
    """The bridge's lives: in each its port is opened, and not opened once more without having been lost or closed."""
    life: list[Noted] = []
    is_open = False
    for noted in line:
        if noted.way == "opened" and is_open:
            yield life
            life = []
        is_open = noted.way not in ("lost", "closed") if noted.way not in ("rx", "tx") else is_open
        life.append(noted)
    if life:
        yield life


class _Life:
    """One life of the bridge, at one reader."""

    def __init__(self, table: TableSettings, reader: Reader, found: Rounds) -> None:
        channels = channels_of(reader)
        neighbours = RfArbiter({one.id: frozenset(one.rf_neighbours) for one in table.readers})
        zones = tuple(channel.zone for channel in channels)
        self._family = configured(reader.protocol, reader.settings)
        self._link = ReaderLink(
            self._family,
            channels,
            shares_field=neighbours.is_shared(reader.id),
            seating=Seating(reader.port, zones),
            introduces=True,
        )
        self._attended: list[frozenset[str]] = [frozenset(), *(frozenset({zone}) for zone in zones)]
        self._evidence = {zone: ZoneEvidence(window=table.sensing.window_rounds) for zone in zones}
        self._rounds: dict[tuple[str, int], frozenset[Figures]] = {}
        self._found = found
        found.zones.append(self._rounds)

    def play(self, life: Sequence[Noted]) -> None:
        """All that happened in it, until the machine loses track."""
        due: list[bytes] = []
        for number, noted in enumerate(life):
            if noted.way == "tx":
                if due and due.pop(0) == noted.data:
                    continue
                sent = self._until(noted.at_ns, noted.data)
                if not sent or sent[0] != noted.data:
                    self._found.lost_ns.append(noted.at_ns)
                    return
                due = sent[1:]
                continue
            self._until(noted.at_ns)
            due = self._take(noted, _next_sent(life, number))

    def _take(self, noted: Noted, next_sent: bytes | None) -> list[bytes]:
        """Bytes, or what became of the port; what the machine sends at once."""
        match noted.way:
            case "rx":
                return self._receives(noted, next_sent)
            case "opened":
                if not self._link.is_open:
                    self._obey(self._link.tick(max(noted.at_ns, self._link.wake_ns + _ROUNDED_NS)))
                    self._obey(self._link.opened(noted.at_ns))
            case _:
                if self._link.is_open:
                    self._obey(self._link.lost(noted.at_ns, noted.way))
        return []

    def _receives(self, noted: Noted, next_sent: bytes | None) -> list[bytes]:
        """Whether a second look follows a round depends on who waits: what was sent next decides."""
        before = self._copy() if self._link.in_round else None
        effects = self._link.received(noted.at_ns, noted.data)
        if before is None or not any(isinstance(one, RoundOver) for one in effects):
            self._obey(effects)
            return _sent(effects)
        tried = [(self._link, effects)]
        for attended in self._attended:
            trial = copy.deepcopy(before, {id(self._family): self._family})
            trial.attend(attended, noted.at_ns)
            tried.append((trial, trial.received(noted.at_ns, noted.data)))
        asked = [one for one in tried if _sent(one[1])[:1] == [next_sent]]
        silent = [one for one in tried if not _sent(one[1])]
        self._link, effects = (asked or silent or tried)[0]
        self._obey(effects)
        return _sent(effects)

    def _copy(self) -> ReaderLink | None:
        """The machine to try something with; None in the middle of a round of a family whose rounds are generators."""
        try:
            return copy.deepcopy(self._link, {id(self._family): self._family})
        except TypeError:
            return None

    def _until(self, now_ns: int, sends: bytes | None = None) -> list[bytes]:
        """Lets time pass; what the machine sends at `now_ns`, if it is to send that."""
        for _ in range(_TICKS_AT_ONCE):
            if self._link.wake_ns > now_ns:
                break
            trial = self._copy()
            if trial is None and sends is None:
                break
            if trial is None:  # had it sent something before now, that would have been noted
                effects = self._link.tick(self._link.wake_ns + _ROUNDED_NS)
                self._obey(effects)
                if _sent(effects):
                    return _sent(effects)
                continue
            effects = trial.tick(trial.wake_ns + _ROUNDED_NS)
            if _sent(effects) or any(isinstance(one, OpenPort) for one in effects):
                break  # when it was sent is noted: it may have waited for a neighbour, or for this thread
            if sends is None and any(isinstance(one, Trouble) for one in effects):
                break  # the answer was read after its deadline by a thread that was late: nothing was asked meanwhile
            if trial.wake_ns == self._link.wake_ns:
                break
            self._link = trial
            self._obey(effects)
        return [] if sends is None else self._sends(now_ns, sends)

    def _sends(self, now_ns: int, sends: bytes) -> list[bytes]:
        """Somebody who waits is the better reason for an early round than a thread that was late."""
        for early_ns in (NS_PER_MS, EARLY_NS):
            for attended in (None, *self._attended):
                trial = self._copy()
                if trial is None:
                    continue
                if attended is not None:
                    trial.attend(attended, now_ns)
                effects = _asked(trial, now_ns, now_ns + early_ns, sends)
                if effects:
                    self._link = trial
                    self._obey(effects)
                    return _sent(effects)
        return []

    def _obey(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, RoundOver):
                self._round(effect, effect.channel)

    def _round(self, over: RoundOver, channel: Channel) -> None:
        fit = [tag for tag in over.tags if UID.match(tag.uid)]
        evidence = self._evidence[channel.zone].after(fit, over.last_byte_ns, over.quiet)
        self._evidence[channel.zone] = evidence
        heard = frozenset((one.uid, one.hits, one.rounds, one.missed, one.quiet) for one in evidence.heard())
        self._rounds[channel.zone, evidence.round_no] = heard
        self._found.count += 1


def _asked(link: ReaderLink, now_ns: int, until_ns: int, sends: bytes) -> list[Effect]:
    """What a tick leads to by which the machine sends that; empty where none does."""
    for _ in range(TICKS):
        if link.wake_ns > until_ns:
            break
        effects = link.tick(max(now_ns, link.wake_ns + _ROUNDED_NS))
        if _sent(effects)[:1] == [sends]:
            return effects
    return []


def _next_sent(life: Sequence[Noted], number: int) -> bytes | None:
    """What the bridge sent next, if nothing came in before that."""
    following = life[number + 1] if number + 1 < len(life) else None
    return following.data if following is not None and following.way == "tx" else None


def _sent(effects: Sequence[Effect]) -> list[bytes]:
    return [effect.data for effect in effects if isinstance(effect, Send)]


@dataclass(slots=True)
class Compared:
    """The evidence that was published, held against that which the bytes give."""

    rounds: int = 0
    alike: int = 0
    undecoded: int = 0
    """Published, and not decoded: the machine had lost track, or the bytes of it were not noted."""
    different: list[str] = field(default_factory=list)
    """A sentence for each that differs."""


def compared(rounds: Rounds, published: Published) -> Compared:
    """What was published of a reader's zones, held against its decoded rounds."""
    found = Compared(rounds=rounds.count)
    lives: dict[str, int] = {}
    for snapshots in published.values():
        for life, _, _ in snapshots:
            lives.setdefault(life, len(lives))
    for zone, snapshots in published.items():
        for life, round_no, figures in snapshots:
            number = lives[life]
            made = rounds.zones[number].get((zone, round_no)) if number < len(rounds.zones) else None
            if made is None:
                found.undecoded += 1
            elif made == figures:
                found.alike += 1
            else:
                found.different.append(_sentence(zone, round_no, figures, made))
    return found


def _sentence(zone: str, round_no: int, published: frozenset[Figures], made: frozenset[Figures]) -> str:
    told, now = _by_uid(published - made), _by_uid(made - published)
    return f"{zone}, round {round_no}: published {told or 'nothing more'}, decoded {now or 'nothing more'}"


def _by_uid(figures: frozenset[Figures]) -> str:
    return ", ".join(f"{uid} {hits}/{rounds}" for uid, hits, rounds, _, _ in sorted(figures))
