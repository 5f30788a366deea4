"""What a rolling shutter and the exposure time make of moving things.

The rows of a picture are read one after the other, which skews a fast hand; and light is gathered for a while, which
smears it. A frame's time is the middle of the exposure of its middle row.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from virtual_table.camera.arms import PosedArm
from virtual_table.camera.optics import Floats, View
from virtual_table.table.things import Scene, SeenCard, SeenChip

_STEP_PX = 3.0  # between two moments of an exposure that are drawn
_MAX_MOMENTS = 4

_Thing = TypeVar("_Thing", SeenChip, SeenCard)


@dataclass(frozen=True, slots=True)
class Shutter:
    """How long each row gathers light, and how long it takes to read all rows, in seconds."""

    exposure_s: float = 0.0
    readout_s: float = 0.0

    @property
    def whole_s(self) -> float:
        """From the first light in the first row to the last light in the last one."""
        return self.exposure_s + self.readout_s

    def exposed(self, scene_at: Callable[[float], Scene], t_s: float) -> Exposure | None:
        """The exposure of the frame of that time; None if it is instantaneous."""
        if not self.whole_s:
            return None
        return Exposure(self, scene_at(t_s - self.whole_s / 2), scene_at(t_s + self.whole_s / 2))


@dataclass(frozen=True, slots=True)
class Moving:
    """The moving things at one moment of the exposure."""

    chips: tuple[SeenChip, ...]
    cards: tuple[SeenCard, ...]
    arms: tuple[PosedArm, ...]


@dataclass(frozen=True, slots=True)
class Exposure:
    """What a frame is exposed to: the scenes at its first and its last light."""

    shutter: Shutter
    first: Scene
    last: Scene

    def moments(self, view: View, scene: Scene, poses: Callable[[Scene], dict[object, PosedArm]]) -> list[Moving]:
        """The moments to be averaged into the frame; one if nothing is fast."""
        first, last = self.first, self.last
        before, now, after = poses(first), poses(scene), poses(last)
        arms = [(before.get(key, arm), after.get(key, arm)) for key, arm in now.items()]
        chips = list(
            zip(
                _now(scene.moving, first.moving, first.settled, _uid),
                _now(scene.moving, last.moving, last.settled, _uid),
                strict=True,
            )
        )
        cards = list(
            zip(
                _now(scene.cards_moving, first.cards_moving, first.cards_lying, _number),
                _now(scene.cards_moving, last.cards_moving, last.cards_lying, _number),
                strict=True,
            )
        )
        far_px = [float(np.abs(b.ends - a.ends).max()) for a, b in arms]
        scale = float(view.scale((0.0, 0.0, 0.0)))
        far_px += [scale * math.hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) for a, b in chips]
        far_px += [scale * math.hypot(b.x_mm - a.x_mm, b.y_mm - a.y_mm) for a, b in cards]
        share = self.shutter.exposure_s / self.shutter.whole_s
        count = min(_MAX_MOMENTS, max(1, math.ceil(max(far_px, default=0.0) * share / _STEP_PX)))
        return [self._moment(view, share * (step + 0.5) / count, arms, chips, cards) for step in range(count)]

    def _moment(
        self,
        view: View,
        part: float,
        arms: Sequence[tuple[PosedArm, PosedArm]],
        chips: Sequence[tuple[SeenChip, SeenChip]],
        cards: Sequence[tuple[SeenCard, SeenCard]],
    ) -> Moving:
        read = self.shutter.readout_s / self.shutter.whole_s

        def at(rows: Floats) -> Floats:
            return np.asarray(part + read * np.clip(rows / view.height_px, 0.0, 1.0))

        def of(x_mm: float, y_mm: float) -> float:
            return float(at(view.project((x_mm, y_mm, 0.0))[1]))

        return Moving(
            tuple(_chip(a, b, of(a.x_mm, a.y_mm)) for a, b in chips),
            tuple(_card(a, b, of(a.x_mm, a.y_mm)) for a, b in cards),
            tuple(a.towards(b, at) for a, b in arms),
        )


def _now(
    moving: Iterable[_Thing], there: Iterable[_Thing], lying: Sequence[_Thing], key: Callable[[_Thing], object]
) -> list[_Thing]:
    """The moving things as another scene has them; unchanged if it does not have them."""
    known = {key(one): one for one in there}
    return [known.get(key(one)) or next((other for other in lying if key(other) == key(one)), one) for one in moving]


def _uid(chip: SeenChip) -> object:
    return chip.uid


def _number(card: SeenCard) -> object:
    return card.number


def _chip(a: SeenChip, b: SeenChip, share: float) -> SeenChip:
    def mid(x: float, y: float) -> float:
        return x + (y - x) * share

    return replace(
        a,
        x_mm=mid(a.x_mm, b.x_mm),
        y_mm=mid(a.y_mm, b.y_mm),
        z_mm=mid(a.z_mm, b.z_mm),
        turn_rad=mid(a.turn_rad, b.turn_rad),
    )


def _card(a: SeenCard, b: SeenCard, share: float) -> SeenCard:
    def mid(x: float, y: float) -> float:
        return x + (y - x) * share

    return replace(a, x_mm=mid(a.x_mm, b.x_mm), y_mm=mid(a.y_mm, b.y_mm), turn_rad=mid(a.turn_rad, b.turn_rad))
