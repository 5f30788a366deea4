"""A site of twelve tables at one moment of an evening, for the picture of the floor."""

from __future__ import annotations

from typing import Any, Final

from betline import topics
from betline.bus import HostClock, MemoryBus, SiteHub
from betline.messages.common import Birth, Health
from betline.messages.table import Alert, PushView, Question, SensorState, TableState
from betline.settings import load_table
from betline.topics import Namespace, SiteNamespace, topic
from betline.units import NS_PER_S
from cardroom.floor.ear import Ear
from table_controller.console.sample import sample_state

SITE: Final = "grand"
NOW_S: Final = 10_000.0
_SENSORS: Final = tuple(f"reader-{number}" for number in range(1, 7))
_HANDS: Final = 12
"""So many hands were watched at each table before this moment."""


class SampleSite:
    """A broker in memory with the tables, and the ear at it. Its clock stands where it was put."""

    def __init__(self) -> None:
        self.hub = SiteHub()
        self.now_s = NOW_S - 3600
        self.clock = HostClock(lambda: int(self.now_s * NS_PER_S), lambda: int(self.now_s * NS_PER_S))
        self.bus = MemoryBus(self.hub, SiteNamespace(SITE), "floor", clock=self.clock)
        self.ear = Ear(self.bus, SITE, lambda: self.now_s)
        self.ear.start()
        self.controllers: dict[str, MemoryBus] = {}

    def controller(self, name: str) -> MemoryBus:
        """The controller of a table, which is started where it was not there yet."""
        if name not in self.controllers:
            bus = MemoryBus(
                self.hub, Namespace(SITE, name), "controller", presence=topic(topics.STATUS), clock=self.clock
            )
            self.controllers[name] = bus
            birth = Birth(role="controller", version="0.1.0", table=name, config_hash="5a")
            bus.publish(topic(topics.BIRTH), birth)
        return self.controllers[name]

    def says(self, name: str, state: TableState) -> None:
        """A table tells its state."""
        self.controller(name).publish(topic(topics.STATE), state)

    def lives(self, *names: str) -> None:
        """These tables say how they do, as they do every 2 s."""
        for name in names:
            self.controller(name).publish(topic(topics.DEVICE_HEALTH, "controller"), Health(counters={}))

    def opens(self, name: str) -> MemoryBus:
        """The bus at one table."""
        return MemoryBus(self.hub, Namespace(SITE, name), "floor", clock=self.clock)


def sample_site() -> SampleSite:
    """Twelve tables: a ruling waits at two, one is offline, one silent, two have trouble with sensors."""
    site = SampleSite()
    names = [f"table-{number}" for number in range(1, 13)]
    version = 0
    for hand in range(_HANDS):
        site.now_s = NOW_S - 2500 + hand * 200
        for place, name in enumerate(names):
            version += 1
            won = PushView(to=3, pot=0, amount=180 + 35 * ((place * 7 + hand * 3) % 11))
            site.says(name, _state(place, version, hand, phase="hand-over", to_act=None, pot=0, payouts=(won,)))
    site.now_s = NOW_S - 75
    version += 1
    site.says("table-8", _state(7, version, _HANDS, questions=(_ruling(2, "is the raise to 400 binding?"),)))
    site.says("table-5", _state(4, version, _HANDS))
    site.now_s = NOW_S - 41
    site.says("table-11", _state(10, version, _HANDS))
    site.controller("table-11").drop()
    site.now_s = NOW_S - 12
    for place, name in enumerate(names):
        version += 1
        if name not in ("table-5", "table-8", "table-11"):
            site.says(name, _state(place, version, _HANDS, **_special(name)))
    site.now_s = NOW_S
    site.lives(*(name for name in names if name not in ("table-5", "table-11")))
    return site


def _special(name: str) -> dict[str, Any]:
    match name:
        case "table-3":
            return {"questions": (_ruling(5, "chips with unclear words: what is seat 5's act?"),)}
        case "table-6":
            sentence = "reader-2 is silent: key seat 2's amounts."
            sensors = _sensors(**{"reader-2": "offline"})
            return {"sensors": sensors, "alerts": (Alert(severity="error", code="reader-down", sentence=sentence),)}
        case "table-9":
            sentence = "The camera was bumped: betline vision calibrate."
            alert = Alert(severity="warning", code="camera-moved", sentence=sentence)
            return {"sensors": _sensors(overhead="stale"), "alerts": (alert,)}
        case "table-10":
            return {"phase": "hand-over", "to_act": None, "pot": 0}
    return {}


def _ruling(seat: int, sentence: str) -> Question:
    return Question(id=f"floor-{seat}", seat=seat, kind="floor", sentence=f"Seat {seat}: {sentence}",
                    choices=("call", "raise:400"))  # fmt: skip


def _sensors(**other: Any) -> tuple[SensorState, ...]:
    return tuple(SensorState(name=name, state=other.get(name, "online")) for name in (*_SENSORS, "overhead"))


def _state(place: int, version: int, hand: int, **other: Any) -> TableState:
    dealers = ("Ann", "Bob", "Chris", "Dora", "Emil", "")
    streets = ("preflop", "flop", "turn", "river")
    usual: dict[str, Any] = {
        "version": version,
        "journal": f"j{place}",
        "hand_no": 40 + 13 * place + hand,
        "street": streets[place % 4],
        "to_act": (4, 6, 7, 3)[place % 4],
        "pot": 85 + 120 * (place % 5),
        "game": "No-limit hold'em 5/10" if place % 3 else "Pot-limit Omaha 5/10",
        "dealer": dealers[place % len(dealers)],
        "sensors": _sensors(),
        "questions": (),
        "alerts": (),
        "payouts": (),
    }
    return sample_state(load_table()).model_copy(update={**usual, **other})
