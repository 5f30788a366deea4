"""Checks of readers, markers and camera against the zones that they serve."""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from typing import Final, Protocol, cast

from betline.geometry import centroid, contains, distance_mm
from betline.settings import BADGE_ZONE, BOARD_ZONE, Camera, Reader, TableSettings, is_for_cards, is_for_chips
from betline.settings.readers import FAMILIES
from betline.tables.finding import Finding

_WAITS: Final = "firmware_bridge.waits"
"""The module of the readers' room that knows their schedule."""
_LEAST_MARKERS = 4
_LEAST_MARKER_PX = 24.0
_LEAST_SPREAD = 0.5
_LEAST_CHIP_PX = 18.0
_CHIP_MM = 39.0
_MOST_TILT = 0.36
"""20 degrees, as the ratio of the camera's offset to its height."""


class _Waits(Protocol):
    def too_long(self, table: TableSettings) -> Iterator[tuple[str, dict[str, float]]]: ...


def readers_do_not_fit(table: TableSettings) -> Iterator[Finding]:
    """Outputs that a family does not have, chips that no two readers both read, seats that nothing reads."""
    middle = centroid(table.felt.outline_mm)
    for reader in table.readers:
        family = FAMILIES[reader.protocol]
        beyond = [antenna for antenna in reader.antennas if antenna.antenna > family.antennas]
        if beyond:
            outputs = "one antenna" if family.antennas == 1 else f"{family.antennas} antennas"
            yield Finding(
                reader.id,
                f"a {reader.protocol} reader has {outputs}, no output {beyond[0].antenna}; "
                "use one reader a zone, or another family.",
                _zone_middle(table, beyond[0].zone),
            )
        elif reader.protocol == "pn532" and reads_chips(reader):
            yield Finding(
                reader.id,
                "a pn532 reads two tags at a time: badges and cards, no stacks. Take feig or betline for chips.",
                _zone_middle(table, reader.antennas[0].zone),
                is_fault=False,
            )
    airs = {FAMILIES[reader.protocol].air for reader in table.readers if reads_chips(reader)}
    if len(airs) > 1:
        yield Finding(
            "readers", "they do not all read the same chips: HF, NFC and UHF are mixed. Take one kind.", middle
        )
    if not table.readers:
        return
    served = {antenna.zone for reader in table.readers for antenna in reader.antennas}
    for seat in table.seats:
        if f"seat-{seat.number}" not in served:
            yield Finding(
                f"seat-{seat.number}",
                "no antenna reads its bets; name one in [[readers]], or the dealer keys what this seat bets.",
                centroid(seat.bet_zone_mm),
                is_fault=False,
            )


def reads_chips(reader: Reader) -> bool:
    """Whether chips lie over any of its antennas; badges and cards do over the others."""
    return any(is_for_chips(antenna.zone) for antenna in reader.antennas)


def zones_wait_too_long(table: TableSettings) -> Iterator[Finding]:
    """Readers that go round so many zones that some are called silent between two rounds."""
    waits = cast("_Waits", importlib.import_module(_WAITS))
    for reader, late in waits.too_long(table):
        zones = len(next(one.antennas for one in table.readers if one.id == reader))
        worst, stale_ms = max(late, key=lambda zone: late[zone]), table.sensing.stale_ms
        enough_ms = 500 * math.ceil(late[worst] / 500)
        many = f"it reads {zones} zones one after the other" if zones > 1 else "a full round of it is slow"
        yield Finding(
            reader,
            f"{many}: in a busy hand {worst} waits {late[worst] / 1000:.1f} s for its next round and counts as silent "
            f"after {stale_ms / 1000:g} s. Give pot and tray, then some of the seats, another reader; or set "
            f"stale_ms = {enough_ms} and offline_ms = {2 * enough_ms} under [sensing], and wait longer for a reader "
            "that has died.",
            _zone_middle(table, worst),
            is_fault=False,
        )


def markers_are_poor(table: TableSettings) -> Iterator[Finding]:
    """Markers off the felt, too few of them, or all at one end."""
    middle = centroid(table.felt.outline_mm)
    for marker in table.markers:
        if not contains(table.felt.outline_mm, marker.centre_mm):
            yield Finding(f"marker-{marker.id}", "lies off the felt; it must lie flat on it.", marker.centre_mm)
    if not table.cameras:
        return
    if len(table.markers) < _LEAST_MARKERS:
        yield Finding(
            "markers",
            f"{len(table.markers)} are too few to calibrate the camera by; list {_LEAST_MARKERS} or more.",
            middle,
            is_fault=False,
        )
        return
    for axis, name in ((0, "wide"), (1, "deep")):
        felt = [corner[axis] for corner in table.felt.outline_mm]
        spread = [marker.centre_mm[axis] for marker in table.markers]
        if max(spread) - min(spread) < _LEAST_SPREAD * (max(felt) - min(felt)):
            yield Finding(
                "markers",
                f"they lie on less than half of the felt, as {name} as it is; spread them all around.",
                (sum(marker.centre_mm[0] for marker in table.markers) / len(table.markers), middle[1]),
                is_fault=False,
            )


def camera_sees_too_little(table: TableSettings) -> Iterator[Finding]:
    """A camera that misses a part of the felt, hangs askew, or sees chips too small."""
    for camera in table.cameras:
        x, y, height_mm = camera.position_mm
        if height_mm <= 0:
            yield Finding(
                "camera", f"hangs {height_mm:.0f} mm above the felt; measure its height from the felt up.", (x, y)
            )
            continue
        if distance_mm((x, y), camera.look_at_mm) > _MOST_TILT * height_mm:
            yield Finding(
                "camera",
                "looks at the felt from aside, by more than 20 degrees; hang it over the middle.",
                (x, y),
                is_fault=False,
            )
        yield from _picture(table, camera)


def _picture(table: TableSettings, camera: Camera) -> Iterator[Finding]:
    pinhole = camera.pinhole()
    cut = [
        corner
        for corner in table.felt.betting_line_mm
        if not _is_in(pinhole.project((corner[0], corner[1], 0.0)), camera)
    ]
    if cut:
        yield Finding(
            "camera", f"does not see the betting line at [{cut[0][0]:.0f}, {cut[0][1]:.0f}]; hang it higher.", cut[0]
        )
    else:
        off = [
            corner
            for corner in table.felt.outline_mm
            if not _is_in(pinhole.project((corner[0], corner[1], 0.0)), camera)
        ]
        if off:
            yield Finding(
                "camera",
                f"does not see the felt at [{off[0][0]:.0f}, {off[0][1]:.0f}]; "
                "hang it higher, or stacks there go unseen.",
                off[0],
                is_fault=False,
            )
    chips_px = {seat.number: _width_px(camera, centroid(seat.bet_zone_mm), _CHIP_MM) for seat in table.seats}
    number = min(chips_px, key=lambda seat: chips_px[seat])
    if chips_px[number] < _LEAST_CHIP_PX:
        yield Finding(
            "camera",
            f"a chip of seat {number} is {chips_px[number]:.0f} pixels wide in its picture; "
            f"{_LEAST_CHIP_PX:.0f} are needed: hang it lower or take one with more pixels.",
            centroid(table.seat(number).bet_zone_mm),
            is_fault=False,
        )


def _width_px(camera: Camera, at: tuple[float, float], width_mm: float) -> float:
    pinhole = camera.pinhole()
    left = pinhole.project((at[0] - width_mm / 2, at[1], 0.0))
    right = pinhole.project((at[0] + width_mm / 2, at[1], 0.0))
    return distance_mm(left, right)


def _is_in(point: tuple[float, float], camera: Camera) -> bool:
    return 0 <= point[0] < camera.width_px and 0 <= point[1] < camera.height_px


def _zone_middle(table: TableSettings, zone: str) -> tuple[float, float]:
    kind, _, number = zone.partition("-")
    if number.isdigit():
        seat = table.seat(int(number))
        if is_for_cards(zone):
            return seat.cards_mm
        return centroid(seat.bet_zone_mm if kind == "seat" else seat.stack_zone_mm)
    area = {"pot": table.pot, BOARD_ZONE: table.pot, "tray": table.tray, BADGE_ZONE: table.badge}[zone]
    assert area is not None
    return centroid(area.polygon_mm)
