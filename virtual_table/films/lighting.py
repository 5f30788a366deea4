"""The light of a film: slow swings of the exposure and the lamps' colour, and lamps that go on and off."""

from __future__ import annotations

import math

from virtual_table.camera.sensor import Light

_STEP_S = 10.0 / 3
_STEPS = 11_000  # ten hours
_EXPOSURE_S = 30.0
_COLOUR_S = 50.0

Points = tuple[tuple[float, float], ...]


def drifting(exposure: float, kelvin: float, by_kelvin: float) -> Light:
    """The exposure swings by that share in 30 s, the colour temperature by so many kelvin in 50 s."""
    return Light(
        _swing(1.0, exposure, _EXPOSURE_S) if exposure else (),
        _swing(kelvin, by_kelvin, _COLOUR_S) if by_kelvin else (),
    )


def changed(light: Light, from_s: float, to_s: float, gain: float, kelvin: float | None, drawn_kelvin: float) -> Light:
    """The light as it was before, then evenly to another brightness and, if given, another colour."""
    points = _then(light.points, from_s, light.gain(from_s), to_s, gain)
    if kelvin is None:
        return Light(points, light.kelvins)
    before = light.kelvin(from_s) if light.kelvins else drawn_kelvin
    return Light(points, _then(light.kelvins, from_s, before, to_s, kelvin))


def _swing(middle: float, by: float, period_s: float) -> Points:
    times = (_STEP_S * step for step in range(_STEPS))
    return tuple((t, middle + by * math.sin(math.tau * t / period_s)) for t in times)


def _then(points: Points, from_s: float, now: float, to_s: float, then: float) -> Points:
    return (*(point for point in points if point[0] < from_s), (from_s, now), (to_s, then))
