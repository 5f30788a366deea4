"""One event of a plan: what goes wrong, on what, when, for how long, and how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any, Final, Literal

from pydantic import Field, model_validator

from betline.settings.model import Settings
from virtual_table.readers.faults import PERFECT, FaultPlan
from virtual_table.readers.reading import USUAL, Reading

What = Literal[
    "unplug", "stuck", "reboot", "burst", "misreads", "kill", "broker-away", "latency", "clock-step", "camera-frozen",
    "camera-black", "camera-moved", "camera-blocked", "disk-full",
]  # fmt: skip
Strikes = Literal["reader", "program", "camera", "broker", "clock", "journal"]
ALL: Final = "all"
ANY: Final = "any"
FOR_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of fault: what it strikes, the amount that it takes, and what it strikes where `on` is left out."""

    strikes: Strikes
    means: str
    amount: str = ""
    usual: str = ALL


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        "unplug": Kind("reader", "the cable is pulled, and plugged in again after its time"),
        "stuck": Kind("reader", "neither receives nor sends until its time is over or it is plugged in again"),
        "reboot": Kind("reader", "forgets everything and is deaf until it is up"),
        "burst": Kind("reader", "the line has the `chances` given here, the keys of `[line]`", "chances"),
        "misreads": Kind("reader", "reads as `reading` says, the keys of `[reading]`", "reading"),
        "kill": Kind("program", "killed with SIGKILL, and started again after its time", usual=""),
        "broker-away": Kind("broker", "no program has a broker; what the broker keeps is there afterwards"),
        "latency": Kind("broker", "every message comes `latency_ms` later", "latency_ms"),
        "clock-step": Kind("clock", "the wall clock steps by `step_s`; back after its time, if one is given", "step_s"),
        "camera-frozen": Kind("camera", "gives the same picture again and again"),
        "camera-black": Kind("camera", "gives black pictures: a covered lens, or no light"),
        "camera-moved": Kind("camera", "was shoved: its picture is `moved_px` off, across and down", "moved_px"),
        "camera-blocked": Kind("camera", "something covers the `share` of its view from the left", "share"),
        "disk-full": Kind("journal", "the journal cannot be written", usual="controller"),
    }
)
AMOUNTS: Final = tuple(dict.fromkeys(kind.amount for kind in KINDS.values() if kind.amount))
PROGRAMS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "program": ("controller", "bridge", "vision", "broker"),
        "broker": ("broker",),
        "clock": ("controller", "bridge", "vision", "console"),
        "journal": ("controller",),
    }
)
"""The names that `on` may have, where they are the same at every table."""


class FaultEvent(Settings):
    """A fault at a time that may recur, or at random times."""

    what: What = Field(description=f"one of {', '.join(KINDS)}; docs/faults.md says what each means")
    on: str = Field(
        default="",
        description="a reader's id, a program (controller, bridge, vision, broker, console) or a camera's id; all, or "
        "any: one of them, drawn anew each time. Left out: all that it can strike",
    )
    at_s: float | None = Field(default=None, ge=0, description="seconds after play begins")
    for_s: float | None = Field(
        default=None, gt=0, description="how long it lasts, in seconds; 1 where nothing is said, a clock step for good"
    )
    every_s: float | None = Field(default=None, gt=0, description="recurs after this many seconds, for ever")
    per_minute: float | None = Field(
        default=None, gt=0, le=600, description="in place of at_s: at random times, so many a minute on average"
    )
    chances: FaultPlan = Field(default=PERFECT, description="of a burst: the chances of the line")
    reading: Reading = Field(default=USUAL, description="of misreads: how the reader reads meanwhile")
    latency_ms: float | None = Field(default=None, gt=0, le=60_000, description="of latency: how much later")
    step_s: float | None = Field(default=None, description="of a clock step: by how much, forwards or backwards")
    moved_px: tuple[float, float] = Field(default=(40.0, 0.0), description="of a moved camera: across and down")
    share: float = Field(default=0.5, gt=0, le=1, description="of a blocked camera: so much of its view")

    @model_validator(mode="before")
    @classmethod
    def _older(cls, data: Any) -> Any:
        """`reader` is what `on` was called while plans were of readers alone."""
        if isinstance(data, dict) and "reader" in data and "on" not in data:
            return {("on" if key == "reader" else key): value for key, value in data.items()}
        return data

    @model_validator(mode="after")
    def _whole(self) -> FaultEvent:
        kind = KINDS[self.what]
        if (self.at_s is None) == (self.per_minute is None):
            raise ValueError("says when by at_s or by per_minute, one of the two")
        if self.every_s is not None and self.at_s is None:
            raise ValueError("every_s goes with at_s; per_minute recurs by itself")
        said = self.model_fields_set
        for amount in AMOUNTS:
            if amount in said and amount != kind.amount:
                takes = f"takes {kind.amount}" if kind.amount else "takes no amount"
                raise ValueError(f"{amount} is not of {self.what}, which {takes}")
        if kind.amount in ("chances", "reading", "latency_ms", "step_s") and kind.amount not in said:
            raise ValueError(f"{self.what} needs {kind.amount}")
        if self.step_s == 0:
            raise ValueError("step_s must not be 0")
        if not (self.on or kind.usual):
            raise ValueError(f"{self.what} needs on: {', '.join(PROGRAMS[kind.strikes])}, all or any")
        return self

    @property
    def strikes(self) -> Strikes:
        """What it strikes."""
        return KINDS[self.what].strikes

    @property
    def lasts_s(self) -> float:
        """How long it lasts; infinite for a clock step that is not taken back."""
        if self.for_s is not None:
            return self.for_s
        return float("inf") if self.what == "clock-step" else FOR_S

    @property
    def target(self) -> str:
        """What `on` says, or what it means where it is left out."""
        return self.on or KINDS[self.what].usual

    def begins(self, chance: Random) -> Iterator[tuple[float, float]]:
        """When it begins, in order, each with a number below 1 that decides whom `any` strikes."""
        if self.per_minute is not None:
            at_s = 0.0
            while True:
                at_s += chance.expovariate(self.per_minute / 60.0)
                yield at_s, chance.random()
        at_s = self.at_s or 0.0
        yield at_s, chance.random()
        while self.every_s is not None:
            at_s += self.every_s
            yield at_s, chance.random()
