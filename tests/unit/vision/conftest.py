"""The geometry of a table under its camera is worked out once for all detectors of these tests."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from vision.detect import detector
from vision.frame import owners, rail


def once(make: Callable[..., Any]) -> Callable[..., Any]:
    """What was made of the same things before; nobody changes it."""
    made: dict[bytes, Any] = {}

    def found(*asked: object) -> Any:
        key = pickle.dumps(asked)
        if key not in made:
            made[key] = make(*asked)
        return made[key]

    return found


@pytest.fixture(scope="session", autouse=True)
def geometry_worked_out_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(detector, "seat_zones", once(detector.seat_zones))
        patch.setattr(owners, "rail_owners", once(rail.rail_owners))
        patch.setattr(owners, "far_zones", once(rail.far_zones))
        yield
