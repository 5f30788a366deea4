"""The link machine with readers that speak by themselves, boot when opened, or begin anew; a script for a codec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from firmware_bridge.effects import ClosePort, Effect, OpenPort, RoundOver, Send, Trouble
from firmware_bridge.link import ReaderLink
from firmware_bridge.protocols.family import (
    Ask,
    Delivery,
    Inventory,
    LineCounters,
    LineSettings,
    Listen,
    Refused,
    Step,
    TagKind,
    TagRead,
    Traits,
)
from firmware_bridge.schedule import Channel

NS = 1_000_000
TAG = TagRead("E004010000000001", TagKind.ISO15693)
ROUND = Inventory((TAG,))


@dataclass
class Script:
    """A family whose every byte is a word: R a round, L listen on, A ask, X refused, B rebooted, all else noise."""

    begin: Step = field(default_factory=lambda: Listen(1000.0))
    at_silence: Step | None = None
    boots_ms: float = 0.0
    delivery: Delivery = Delivery.PUSHED
    fed: list[bytes] = field(default_factory=list)

    @property
    def traits(self) -> Traits:
        line = LineSettings(115_200, "N")
        return Traits("script", "Script", line, (115_200,), frozenset(), 1, False, self.delivery, self.boots_ms)

    def dialogue(self) -> ScriptDialogue:
        return ScriptDialogue(self)

    @property
    def probe(self) -> bytes:
        return b"?"

    def recognise(self, answer: bytes) -> str | None:
        return "script" if answer else None


class ScriptDialogue:
    def __init__(self, script: Script) -> None:
        self._script = script
        self.counters = LineCounters()
        self.damaged = False

    def inventory(self, antenna: int | None) -> Step:
        return self._script.begin

    def silence(self) -> Step | None:
        return self._script.at_silence

    def feed(self, data: bytes, now_ms: float) -> Step | None:
        self._script.fed.append(data)
        words: dict[bytes, Step] = {
            b"R": ROUND,
            b"L": Listen(500.0),
            b"A": Ask(b"ack", 100.0),
            b"X": Refused("x", "no"),
        }
        if data in (*words, b"B"):
            self.counters = replace(self.counters, frames=self.counters.frames + 1)
        if data == b"B":
            self.counters = replace(self.counters, reboots=self.counters.reboots + 1)
        return words.get(data)


@dataclass
class Shell:
    """Obeys a link; `lines` are the bytes that come, by time."""

    link: ReaderLink
    now_ms: float = 0.0
    effects: list[tuple[float, Effect]] = field(default_factory=list)

    def run(self, until_ms: float, says: Callable[[float], bytes] = lambda _: b"") -> None:
        while self.now_ms < until_ms:
            self.now_ms = round(self.now_ms + 1.0)
            now = int(self.now_ms * NS)
            self._obey(self.link.tick(now))
            data = says(self.now_ms)
            if data:
                self._obey(self.link.received(now, data))

    def _obey(self, effects: list[Effect]) -> None:
        for effect in effects:
            self.effects.append((self.now_ms, effect))
            if isinstance(effect, OpenPort):
                self._obey(self.link.opened(int(self.now_ms * NS)))

    def times(self, kind: type[Effect]) -> list[float]:
        return [at for at, effect in self.effects if isinstance(effect, kind)]


def shell(script: Script) -> Shell:
    link = ReaderLink(script, [Channel("seat-1")])
    link.attend(frozenset({"seat-1"}), 0)
    return Shell(link)


def every(period_ms: int, what: bytes) -> Callable[[float], bytes]:
    return lambda now: what if now % period_ms == 0 else b""


def test_every_snapshot_that_is_pushed_is_a_round_whether_the_link_listens_or_rests() -> None:
    one = shell(Script())
    one.run(1005, every(10, b"R"))
    rounds = one.times(RoundOver)
    assert len(rounds) == 100
    assert one.link.health.cycles == 100
    assert one.link.health.timeouts == 0
    stamps = [effect.last_byte_ns for _, effect in one.effects if isinstance(effect, RoundOver)]
    assert stamps == sorted(set(stamps))


def test_what_a_reader_asks_between_rounds_is_answered() -> None:
    one = shell(Script())
    one.run(5, lambda now: b"R" if now == 3 else b"")
    assert one.link.is_resting
    one.run(20, lambda now: b"A" if now == 10 else b"")
    assert [effect.data for _, effect in one.effects if isinstance(effect, Send)] == [b"ack"]
    assert one.link.in_round


def test_refusal_between_rounds_is_trouble_and_the_next_round_comes() -> None:
    one = shell(Script())
    one.run(5, lambda now: b"R" if now == 3 else b"")
    one.run(200, lambda now: {10: b"X", 150: b"R"}.get(now, b""))
    assert [effect.code for _, effect in one.effects if isinstance(effect, Trouble)] == ["x"]
    assert one.link.health.refusals == 1
    assert len(one.times(RoundOver)) == 2


def test_listening_ends_in_time_though_the_reader_never_stops_talking() -> None:
    one = shell(Script(begin=Listen(200.0), at_silence=ROUND))
    one.run(5000, every(3, b"."))
    gaps = [later - earlier for earlier, later in zip(one.times(RoundOver), one.times(RoundOver)[1:], strict=False)]
    assert len(gaps) > 20
    assert max(gaps) <= 202
    assert one.link.health.timeouts == 0


def test_a_listened_round_in_which_nothing_was_said_is_stamped_with_its_end() -> None:
    one = shell(Script(begin=Listen(200.0), at_silence=Inventory(())))
    one.run(3000)
    for at, effect in one.effects:
        if isinstance(effect, RoundOver):
            assert abs(effect.last_byte_ns / NS - at) <= 1
            assert 199 <= effect.cycle_ms <= 201
    assert len(one.times(RoundOver)) > 10


def test_a_pushing_reader_that_falls_silent_is_a_time_out_and_is_opened_again() -> None:
    one = shell(Script())
    one.run(1000, every(100, b"R"))
    one.run(20_000)
    assert one.link.health.timeouts >= 3
    assert {effect.code for _, effect in one.effects if isinstance(effect, Trouble)} == {"silent"}
    assert one.link.health.reconnects >= 1


def test_silence_between_two_rounds_is_told_to_the_dialogue_for_noise_ends_with_it() -> None:
    script = Script()
    one = shell(script)
    one.run(4, lambda now: b"R" if now == 3 else b"")
    one.run(40, lambda now: b"." if now == 10 else b"")
    assert script.fed == [b"R", b".", b""]


def test_board_that_boots_when_it_is_opened_is_waited_for() -> None:
    script = Script(begin=Ask(b"?", 50.0), boots_ms=6000.0, delivery=Delivery.ASKED)
    one = shell(script)
    one.run(5500)
    assert len(one.times(OpenPort)) == 1
    assert one.link.health.timeouts > 5
    one.run(7000, every(10, b"R"))
    assert len(one.times(RoundOver)) > 5
    assert len(one.times(OpenPort)) == 1


def test_port_that_opens_but_never_answers_is_opened_again_less_and_less_often() -> None:
    one = shell(Script(begin=Ask(b"?", 50.0), delivery=Delivery.ASKED))
    one.run(60_000)
    opens, closes = one.times(OpenPort), one.times(ClosePort)
    pauses = [opened - closed for opened, closed in zip(opens[1:], closes, strict=False)]
    assert len(pauses) > 5
    assert pauses == sorted(pauses)
    assert 1900 <= pauses[-1] <= 2001


def test_reboots_are_counted_over_reconnections() -> None:
    one = shell(Script())
    one.run(100, lambda now: b"B" if now in (20, 40) else b"")
    assert one.link.health.reboots == 2
    one.link.lost(int(one.now_ms * NS), "gone")
    one.run(2000, lambda now: b"B" if now == 1500 else b"")
    assert one.link.health.reboots == 3
    assert one.link.health.reconnects == 1
