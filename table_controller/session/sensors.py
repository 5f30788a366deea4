"""How the readers and the camera do, as the controller sees it: what they say of themselves and how old their data is.

A silent sensor is stale, then offline, never "empty": what it last said is not taken back. A sensor that was never
heard of is unknown and raises no alert, since every sensor is optional. One that has just been started and says so,
such as a camera that learns the felt, raises none before `STARTING_MS`. One that served the table before a restart is
awaited: it raises its alert where it stays silent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from betline.messages.common import PresenceState
from betline.messages.table import Alert, SensorState
from betline.settings import TableSettings
from betline.units import NS_PER_MS

Kind = Literal["bridge", "reader", "camera"]
Condition = Literal["online", "starting", "stale", "offline", "unknown"]

STARTING_MS: Final = 15_000
"""So long a sensor may start before people are told: a camera needs a second or two in which no hand is at a seat."""

_WITHOUT: dict[Kind, str] = {
    "bridge": "key all amounts",
    "reader": "key the amounts of its seats",
    "camera": "key folds and checks",
}
_LOOK: dict[Kind, str] = {
    "bridge": "start the readers' program again",
    "reader": "look at its cable and power",
    "camera": "look at its cable and light",
}
"""What else to do while one of its kind is down."""


@dataclass(frozen=True, slots=True)
class Sensor:
    """One sensor or the program that serves it; ``said`` is its own word, ``heard_ns`` when its data last came,
    ``awaited_ns`` since when a sensor that served the table before is awaited, and ``starting_ns`` since when it says
    that it starts.
    """

    name: str
    kind: Kind
    said: PresenceState | None = None
    detail: str = ""
    heard_ns: int | None = None
    awaited_ns: int | None = None
    condition: Condition = "unknown"
    code: str = ""
    """What it says is wrong, empty where it has no code for it."""
    starting_ns: int | None = None
    late: bool = False
    """It is stale because it has been starting for too long."""

    def judged(self, now_ns: int, stale_ms: int, offline_ms: int) -> Sensor:
        """The sensor with the condition that its word and the age of its data make."""
        condition: Condition = self.said or ("unknown" if self.heard_ns is None else "online")
        since_ns = self.awaited_ns if self.heard_ns is None else self.heard_ns
        if condition != "offline" and since_ns is not None:
            age_ms = (now_ns - since_ns) / NS_PER_MS
            condition = "offline" if age_ms > offline_ms else "stale" if age_ms > stale_ms else condition
        late = condition == "starting" and now_ns - (self.starting_ns or 0) > STARTING_MS * NS_PER_MS
        condition = "stale" if late else condition
        return (
            self if (condition, late) == (self.condition, self.late) else replace(self, condition=condition, late=late)
        )

    @property
    def down(self) -> bool:
        """Whether people should know that it does not work."""
        return self.condition in ("stale", "offline")

    @property
    def alert_code(self) -> str:
        """The code of its alert while it is down."""
        return self.code or f"{self.kind}-down"

    @property
    def over(self) -> Alert:
        """That its alert holds no more."""
        return Alert(severity="info", code=self.alert_code, sentence=f"{self.name} is back.", active=False)

    @property
    def alert(self) -> Alert:
        """The alert for it while it is down."""
        code = self.alert_code
        if self.code:
            return Alert(severity="error", code=code, sentence=f"{self.name}: {self.detail} {self._until_then}")
        said = self.detail and (f". {self.detail}" if self.detail.endswith(".") else f" ({self.detail}).")
        to_do = f"{_WITHOUT[self.kind]}, and {_LOOK[self.kind]}"
        how = "not ready yet" if self.late else "silent" if self.condition == "stale" else "down"
        sentence = f"{to_do[:1].upper()}{to_do[1:]}: {self.name} is {how}{said or '.'}"
        severity: Literal["warning", "error"] = "warning" if self.condition == "stale" else "error"
        return Alert(severity=severity, code=code, sentence=sentence)

    @property
    def _until_then(self) -> str:
        return f"Until then {_WITHOUT[self.kind]}."


@dataclass(frozen=True, slots=True)
class Sensors:
    """All sensors by name, in the order of the table file, then as they came."""

    stale_ms: int
    offline_ms: int
    known: Mapping[str, Sensor] = field(default_factory=dict)

    @classmethod
    def of(cls, table: TableSettings) -> Sensors:
        """The sensors that a table file names, none of them heard yet."""
        named = [Sensor(reader.id, "reader") for reader in table.readers]
        named += [Sensor(camera.id, "camera") for camera in table.cameras]
        return cls(table.sensing.stale_ms, table.sensing.offline_ms, {sensor.name: sensor for sensor in named})

    def awaited(self, programs: Collection[str], now_ns: int) -> Sensors:
        """Those that programs of these names served before a restart, the bridge or a camera, are awaited from now."""
        known = {
            name: replace(sensor, awaited_ns=now_ns) if _program_of(sensor) in programs else sensor
            for name, sensor in self.known.items()
        }
        return replace(self, known=known)

    def heard(self, name: str, kind: Kind, now_ns: int) -> Sensors:
        """Data of a sensor came in."""
        return self._with(replace(self._sensor(name, kind), heard_ns=now_ns), now_ns)

    def says(
        self,
        name: str,
        kind: Kind,
        state: PresenceState,
        detail: str,
        now_ns: int,
        code: str = "",
    ) -> Sensors:
        """A sensor, or the broker in its name, said how it does."""
        sensor = self._sensor(name, kind)
        starting_ns = (now_ns if sensor.starting_ns is None else sensor.starting_ns) if state == "starting" else None
        return self._with(replace(sensor, said=state, detail=detail, code=code, starting_ns=starting_ns), now_ns)

    def aged(self, now_ns: int) -> Sensors:
        """All conditions judged anew; the same object where none has changed."""
        judged = {name: sensor.judged(now_ns, self.stale_ms, self.offline_ms) for name, sensor in self.known.items()}
        if all(judged[name] is sensor for name, sensor in self.known.items()):
            return self
        return replace(self, known=judged)

    def changed_since(self, before: Sensors) -> tuple[Sensor, ...]:
        """The sensors of which people must hear that they went up or down, or that something else is wrong now."""
        return tuple(sensor for name, sensor in self.known.items() if _standing(sensor) != before.standing(name))

    def alerts_since(self, before: Sensors) -> tuple[Alert, ...]:
        """What people must hear: alerts that hold no more, and new ones."""
        changed = self.changed_since(before)
        over = [before.known[sensor.name].over for sensor in changed if before.standing(sensor.name)]
        return (*over, *(sensor.alert for sensor in changed if sensor.down))

    def standing(self, name: str) -> str:
        """The code of a sensor's alert, empty while it has none."""
        return _standing(self.known[name]) if name in self.known else ""

    def looks_like(self, other: Sensors) -> bool:
        """Whether people would see no difference; data that only came anew makes none."""
        return len(self.known) == len(other.known) and all(
            (sensor.condition, sensor.detail) == (before.condition, before.detail)
            for sensor, before in zip(self.known.values(), other.known.values(), strict=True)
        )

    @property
    def alerts(self) -> tuple[Alert, ...]:
        """What does not work at this moment."""
        return tuple(sensor.alert for sensor in self.known.values() if sensor.down)

    @property
    def states(self) -> tuple[SensorState, ...]:
        """All sensors for the state."""
        return tuple(
            SensorState(name=sensor.name, state=sensor.condition, detail=sensor.detail)
            for sensor in self.known.values()
        )

    def _sensor(self, name: str, kind: Kind) -> Sensor:
        return self.known.get(name) or Sensor(name, kind)

    def _with(self, sensor: Sensor, now_ns: int) -> Sensors:
        judged = sensor.judged(now_ns, self.stale_ms, self.offline_ms)
        return replace(self, known={**self.known, sensor.name: judged})


def _program_of(sensor: Sensor) -> str:
    """The program that serves a sensor, by its name on the bus."""
    return "bridge" if sensor.kind == "reader" else sensor.name


def _standing(sensor: Sensor) -> str:
    return sensor.alert_code if sensor.down else ""
