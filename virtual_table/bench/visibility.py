"""What the camera misses, measured: chips of every shipped colour on several felts, things that are no chips, taps.

``python -m virtual_table.bench.visibility`` prints it; with ``--write`` it becomes what `betline vision calibrate`
says (``vision/calibration/measured.json``). A chip counts as seen when its seat's bet settles
after the hand that brought it.
"""

from __future__ import annotations

import datetime
import json
import math
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from typing import Final, NamedTuple, TextIO

from betline.geometry import centroid
from betline.settings import ChipSet, ChipType, Seat, TableSettings, load_chip_set, load_table
from betline.supervise import as_worker
from betline.units import NS_PER_S
from virtual_table.camera import Renderer
from virtual_table.camera.renderer import Room
from virtual_table.films.film import Film
from virtual_table.films.film_script import script_of
from virtual_table.table.things import Looks, Scene, SeenArm, SeenCard, SeenChip, SeenPhone
from vision.calibration.felt_colours import apart, felt_at_seats
from vision.calibration.visibility import MEASURED, Case, Measured
from vision.calibration.visibility import Point as MeasuredPoint
from vision.detect.detector import Detector, make_detector
from vision.frame.events import CameraEvent

TABLE: Final = "casino-oval"
CHIP_SETS: Final = ("cash", "high-stakes")
"""Every colour of the shipped sets is in one of these."""
FELTS: Final = {"green": "#1f5c3a", "blue": "#24476b", "black": "#26262a", "light green": "#2a7a45"}
"""The first two are the shipped tables'; no held-out felt is among them."""
NEAR_BLACK: Final = {"near black 1": "#33343a", "near black 2": "#3a3b41", "near black 3": "#42434a"}
"""On these only black chips are measured, plain ones: here they begin to be seen."""
ROUNDS: Final = 1
"""Ten seats a round have one chip each."""
LEARNS, REACHES, LIES = 25, 10, 24
"""Frames: until the felt is known, with hands over the zones, and after they have left."""
FRAME_NS: Final = 33_333_333
SEED: Final = 4711
_LOOKS: Final = Looks(skin="#c68863", sleeve="#d8d4cc", bare_mm=60.0, girth=1.0)


def measured(told: TextIO | None = None) -> Measured:
    """Measures everything; ``told`` is a stream for a line a felt."""
    points: list[MeasuredPoint] = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context, as_worker) as pool:
        asked = [(name, plain, pool.submit(_points, name, plain)) for name in FELTS for plain in (False, True)]
        asked += [(name, True, pool.submit(_points, name, True)) for name in NEAR_BLACK]
        cases = pool.submit(_cases)
        for name, plain, done in asked:
            points += done.result()
            if told is not None:
                print(f"{name} felt, {'plain' if plain else 'marked'} chips: measured", file=told, flush=True)
        return Measured(datetime.datetime.now(tz=datetime.UTC).date().isoformat(), tuple(points), tuple(cases.result()))


def _points(name: str, plain: bool) -> list[MeasuredPoint]:
    if name in NEAR_BLACK:
        return list(of_felt(name, NEAR_BLACK[name], ROUNDS, ("black-100",), plain=plain))
    return list(of_felt(name, FELTS[name], ROUNDS, plain=plain))


def _cases() -> list[Case]:
    return list(others())


def others() -> Iterator[Case]:
    """Everything but single chips: what came of ten seats' cards, phones, overlapping chips, printed felt, taps."""
    table, chips = load_table(TABLE), all_chips()
    seats = len(table.seats)
    for name, things in (("card", _card), ("phone", _phone)):
        told = Play(table, chips).told(partial(things, Random(SEED)))
        yield Case(f"{name}-told-as-bet", seats, len(seats_of(told, "bet_settled")))
    for overlap in (25, 50):
        play = Play(table, chips)
        play.told(partial(_two, play, chips, overlap))
        yield Case(f"overlap-{overlap}-counted-as-two", seats, sum(one.footprints == 2 for one in play.view))
    for key in ("red-5", "black-100"):
        play = Play(table, chips, patterned=True)
        told = play.told(partial(_one, play, key))
        yield Case(f"printed-felt-{key}-told", seats, len(seats_of(told, "bet_settled")))
    yield _taps()


def _one(play: Play, key: str, seat: Seat) -> Things:
    return Things((play.chip(key, seat),))


def _two(play: Play, chips: ChipSet, overlap: int, seat: Seat) -> Things:
    """A chip that lies on a part of another."""
    low, angle = play.chip("red-5", seat), play.rng.uniform(0, math.tau)
    apart_mm = chips.diameter_mm * (1 - overlap / 100)
    x, y = low.x_mm + apart_mm * math.cos(angle), low.y_mm + apart_mm * math.sin(angle)
    return Things((low, replace(low, uid=f"{low.uid}F", x_mm=x, y_mm=y, z_mm=chips.thickness_mm)))


def _card(rng: Random, seat: Seat) -> Things:
    return Things(cards=(SeenCard(seat.number, *centroid(seat.bet_zone_mm), rng.uniform(0, math.tau), None),))


def _phone(rng: Random, seat: Seat) -> Things:
    return Things(phones=(SeenPhone(*centroid(seat.bet_zone_mm), 0.0, rng.uniform(0, math.tau), 0.0),))


def _taps() -> Case:
    acts = "".join(f"  - {{ act: tap, seat: {seat}, pause: 1.2 }}\n" for seat in (*range(1, 11), *range(10, 0, -1)))
    film = Film(script_of(f"seed: {SEED}\nacts:\n  - {{ act: deal }}\n{acts}", "taps"))
    detector, told = make_detector(film.table), []
    for shot in film.shots():
        seen = detector.process(shot.picture, round(shot.stamp_s * NS_PER_S), shot.number)
        told += [one for one in seen if one.kind == "tap_suspect"]
    return Case("taps-told", 20, len(told))


def of_felt(
    name: str, colour: str, rounds: int, keys: tuple[str, ...] = (), *, plain: bool = False
) -> Iterator[MeasuredPoint]:
    """Every chip type (or those of ``keys``) on one felt; ``plain``: without inlay and edge spots."""
    table = load_table(TABLE)
    table = table.model_copy(update={"felt": table.felt.model_copy(update={"colour": colour})})
    chips = all_chips()
    for chip in chips.chips:
        if not keys or chip.key in keys:
            yield _measured_chip(table, chips, chip, name, rounds, plain)


def _measured_chip(
    table: TableSettings, chips: ChipSet, chip: ChipType, felt: str, rounds: int, plain: bool
) -> MeasuredPoint:
    """One chip type on one felt; each round has a table of its own, so that nothing is left of the one before."""
    told, shares, levels = 0, [], 0.0
    for number in range(rounds):
        play = Play(table, chips, plain, seed=SEED + number)
        told += len(seats_of(play.told(partial(_one, play, chip.key)), "bet_settled"))
        shares += [min(1.0, one.area_mm2 / play.chip_mm2) for one in play.view]
        levels = median(apart(chip.colour, table.felt.colour, seen) for seen in play.felt.values())
    return MeasuredPoint(
        felt=felt, chip=chip.key, plain=plain, levels=round(levels), chips=rounds * len(table.seats), told=told,
        area=round(median(shares), 2),
    )  # fmt: skip


def all_chips() -> ChipSet:
    """One set with every colour that is shipped."""
    sets = [load_chip_set(name) for name in CHIP_SETS]
    kinds: dict[str, ChipType] = {}
    for chip in (chip for one in sets for chip in one.chips):
        kinds.setdefault(chip.colour, chip)
    return sets[0].model_copy(update={"chips": tuple(kinds.values())})


class Things(NamedTuple):
    """What lies on the felt."""

    chips: tuple[SeenChip, ...] = ()
    cards: tuple[SeenCard, ...] = ()
    phones: tuple[SeenPhone, ...] = ()


class Play:
    """One table before its camera and detector, frame by frame."""

    def __init__(
        self, table: TableSettings, chips: ChipSet, plain: bool = False, patterned: bool = False, seed: int = SEED
    ) -> None:
        self._table = table
        self._camera = Renderer(table, chips, table.cameras[0], seed, room=Room(plain_chips=plain, patterned=patterned))
        self._detector: Detector = make_detector(table)
        self.chip_mm2 = self._detector.thresholds.chip_mm2
        self.view = self._detector.view()
        self.rng = Random(seed)
        self._frame = 0
        self._number = 0
        self._shows(Things(), (), LEARNS)
        self.felt = felt_at_seats(self._camera.frame(_scene(0.0, Things(), ())), table, self._detector.calibration)

    def told(self, things: Callable[[Seat], Things]) -> list[CameraEvent]:
        """What is told when a hand has brought these things to each seat; once only."""
        lying = [things(seat) for seat in self._table.seats]
        arms = tuple(_arm(seat) for seat in self._table.seats)
        self._shows(Things(), arms, REACHES)
        seen = self._shows(_together(lying), (), LIES)
        self.view = self._detector.view()
        return seen

    def chip(self, key: str, seat: Seat) -> SeenChip:
        """A chip in the middle half of a seat's bet zone."""
        (x, y), self._number = centroid(seat.bet_zone_mm), self._number + 1
        dx, dy = self.rng.uniform(-20, 20), self.rng.uniform(-20, 20)
        return SeenChip(f"{self._number:08X}", key, x + dx, y + dy, 0.0, self.rng.uniform(0, math.tau))

    def _shows(self, things: Things, arms: tuple[SeenArm, ...], frames: int) -> list[CameraEvent]:
        told: list[CameraEvent] = []
        for _ in range(frames):
            t_ns = self._frame * FRAME_NS
            picture = self._camera.frame(_scene(t_ns / NS_PER_S, things, arms))
            told += [one for one in self._detector.process(picture, t_ns, self._frame) if one.seat is not None]
            self._frame += 1
        return told


def seats_of(told: list[CameraEvent], event: str) -> set[int]:
    """The seats where an event was told."""
    return {one.seat for one in told if one.kind == event and one.seat is not None}


def _together(each: list[Things]) -> Things:
    chips, cards, phones = (chain.from_iterable(part) for part in zip(*each, strict=True))
    return Things(tuple(chips), tuple(cards), tuple(phones))


def _scene(t_s: float, things: Things, arms: tuple[SeenArm, ...]) -> Scene:
    return Scene(t_s, things.chips, (), things.cards, (), arms, phones=things.phones)


def _arm(seat: Seat) -> SeenArm:
    """An arm from beyond the seat's rail to the middle of its bet zone."""
    x, y = centroid(seat.bet_zone_mm)
    out = (seat.rail_mm[0] - x, seat.rail_mm[1] - y)
    length = math.hypot(*out)
    shoulder = (seat.rail_mm[0] + 350 * out[0] / length, seat.rail_mm[1] + 350 * out[1] / length)
    return SeenArm(f"seat-{seat.number}", shoulder, (x, y, 20.0), 1.0, True, _LOOKS)


def lines(found: Measured) -> list[str]:
    """The table in Markdown: chips told of those laid, and the share of their area that was seen."""
    felts = [felt for felt in dict.fromkeys(point.felt for point in found.points) if felt not in NEAR_BLACK]
    rows = [f"| chip | {' | '.join(felts)} |", "| --- |" + " --- |" * len(felts)]
    for chip, plain in dict.fromkeys((point.chip, point.plain) for point in found.points):
        cells = {one.felt: one for one in found.points if (one.chip, one.plain) == (chip, plain)}
        shown = [f"{cells[felt].told} of {cells[felt].chips}, {cells[felt].area:.0%}" for felt in felts]
        rows.append(f"| {chip}{', plain' if plain else ''} | {' | '.join(shown)} |")
    near = [one for one in found.points if one.felt in NEAR_BLACK]
    rows += [
        "",
        *(f"{one.chip}, plain, {one.levels} levels: {one.told} of {one.chips}, {one.area:.0%}" for one in near),
    ]
    return [*rows, "", *(f"{case.name}: {case.those} of {case.of}" for case in found.cases)]


def main(arguments: list[str]) -> int:
    """Measures, prints, and with --write keeps."""
    found = measured(sys.stderr)
    print("\n".join(lines(found)))
    if "--write" in arguments:
        Path(MEASURED).write_text(json.dumps(found.as_json(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
