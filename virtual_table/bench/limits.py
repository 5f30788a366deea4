"""What the camera misses, measured: single chips of every shipped colour on felts of several colours.

``python -m virtual_table.bench.limits`` prints the table; with ``--write`` it also becomes what `betline vision
calibrate` reckons with (``vision/measured.json``). A chip counts as told when its seat's bet settles after the hand that
brought it.
"""

from __future__ import annotations

import datetime
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import Final

from betline.geometry import Point
from betline.settings import ChipSet, ChipType, Seat, TableSettings, load_chip_set, load_table
from virtual_table.camera import Renderer
from virtual_table.things import Looks, Scene, SeenArm, SeenChip
from vision.detector import Detector, Seen, make_detector
from vision.felt_colours import apart, felt_at_seats
from vision.limits import MEASURED, Measured
from vision.limits import Point as MeasuredPoint

TABLE: Final = "casino-oval"
CHIP_SETS: Final = ("cash", "high-stakes")
"""Every colour of the shipped sets is in one of these."""
FELTS: Final = {"green": "#1f5c3a", "blue": "#24476b", "black": "#26262a", "red": "#8a1f2a", "grey": "#6c6f74"}
"""The first two are the shipped tables'."""
ROUNDS: Final = 2
"""Ten seats a round have one chip each."""
LEARNS, REACHES, LIES = 25, 10, 24
"""Frames: until the felt is known, with hands over the zones, and after they have left."""
FRAME_NS: Final = 33_333_333
SEED: Final = 4711
_LOOKS: Final = Looks(skin="#c68863", sleeve="#d8d4cc", bare_mm=60.0, girth=1.0)


def measured(told: object = None) -> Measured:
    """Measures everything; ``told`` is a stream for a line a felt."""
    points = []
    for felt, colour in FELTS.items():
        for point in of_felt(felt, colour, ROUNDS):
            points.append(point)
        if told is not None:
            print(f"{felt} felt: {len(points)} points", file=sys.stderr, flush=True)
    return Measured(date=datetime.datetime.now(tz=datetime.UTC).date().isoformat(), points=tuple(points))


def of_felt(name: str, colour: str, rounds: int, keys: tuple[str, ...] = ()) -> Iterator[MeasuredPoint]:
    """Every chip type (or those of ``keys``) on one felt."""
    table = load_table(TABLE)
    table = table.model_copy(update={"felt": table.felt.model_copy(update={"colour": colour})})
    chips = all_chips()
    play = _Play(table, chips)
    for chip in chips.chips:
        if not keys or chip.key in keys:
            yield play.of(chip, name, rounds)


def all_chips() -> ChipSet:
    """One set with every colour that is shipped."""
    sets = [load_chip_set(name) for name in CHIP_SETS]
    kinds = {chip.colour: chip for one in sets for chip in one.chips}
    return sets[0].model_copy(update={"chips": tuple(kinds.values())})


class _Play:
    """One table before its camera and detector, frame by frame."""

    def __init__(self, table: TableSettings, chips: ChipSet) -> None:
        self._table = table
        self._chips = chips
        self._camera = Renderer(table, chips, table.cameras[0], SEED)
        self._detector: Detector = make_detector(table)
        self._rng = Random(SEED)
        self._frame = 0
        self._number = 0
        self._shows((), (), LEARNS)
        self._felt = felt_at_seats(self._camera.frame(_scene(0.0, (), ())), table, self._detector.calibration)

    def of(self, chip: ChipType, felt: str, rounds: int) -> MeasuredPoint:
        told, shares = 0, []
        chip_mm2 = self._detector.thresholds.chip_mm2
        for _ in range(rounds):
            lying = tuple(self._lies(chip, seat) for seat in self._table.seats)
            self._shows((), tuple(_arm(seat, self._table) for seat in self._table.seats), REACHES)
            seen = self._shows(lying, (), LIES)
            told += len({one.seat for one in seen if one.event.event == "bet_settled"})
            shares += [min(1.0, one.area_mm2 / chip_mm2) for one in self._detector.view()]
            self._shows(lying, tuple(_arm(seat, self._table) for seat in self._table.seats), REACHES)
            self._shows((), (), LIES)
        levels = median(apart(chip.colour, self._table.felt.colour, seen) for seen in self._felt.values())
        return MeasuredPoint(
            felt=felt, chip=chip.key, levels=round(levels), chips=rounds * len(self._table.seats), told=told,
            area=round(median(shares), 2),
        )  # fmt: skip

    def _lies(self, chip: ChipType, seat: Seat) -> SeenChip:
        """A chip in the middle half of a seat's bet zone."""
        corners = seat.bet_zone_mm
        x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
        self._number += 1
        dx, dy = self._rng.uniform(-20, 20), self._rng.uniform(-20, 20)
        return SeenChip(f"{self._number:08X}", chip.key, x + dx, y + dy, 0.0, self._rng.uniform(0, math.tau))

    def _shows(self, chips: tuple[SeenChip, ...], arms: tuple[SeenArm, ...], frames: int) -> list[Seen]:
        told: list[Seen] = []
        for _ in range(frames):
            t_ns = self._frame * FRAME_NS
            picture = self._camera.frame(_scene(t_ns / 1e9, chips, arms))
            told += [one for one in self._detector.process(picture, t_ns, self._frame) if isinstance(one, Seen)]
            self._frame += 1
        return told


def _scene(t_s: float, chips: tuple[SeenChip, ...], arms: tuple[SeenArm, ...]) -> Scene:
    return Scene(t_s, chips, (), (), (), arms)


def _arm(seat: Seat, table: TableSettings) -> SeenArm:
    """An arm from beyond the seat's rail to the middle of its bet zone."""
    corners = seat.bet_zone_mm
    x, y = (sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1))
    out: Point = (seat.rail_mm[0] - x, seat.rail_mm[1] - y)
    length = math.hypot(*out)
    shoulder = (seat.rail_mm[0] + 350 * out[0] / length, seat.rail_mm[1] + 350 * out[1] / length)
    return SeenArm(f"seat-{seat.number}", shoulder, (x, y, 20.0), 1.0, True, _LOOKS)


def lines(found: Measured) -> list[str]:
    """The table in Markdown: chips told of those laid, and the share of their area that was seen."""
    felts = list(dict.fromkeys(point.felt for point in found.points))
    rows = [f"| chip | {' | '.join(felts)} |", "| --- |" + " --- |" * len(felts)]
    for chip in dict.fromkeys(point.chip for point in found.points):
        cells = {one.felt: one for one in found.points if one.chip == chip}
        shown = [f"{cells[felt].told}/{cells[felt].chips}, {cells[felt].area:.0%}" for felt in felts]
        rows.append(f"| {chip} | {' | '.join(shown)} |")
    return rows


def main(arguments: list[str]) -> int:
    """Measures, prints, and with --write keeps."""
    found = measured(sys.stderr)
    print("\n".join(lines(found)))
    if "--write" in arguments:
        Path(MEASURED).write_text(json.dumps(found.as_json(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
