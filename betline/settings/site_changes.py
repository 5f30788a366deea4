"""What one site changes on a table that is described elsewhere: things that lie a little off, ports of its readers.

Both work on the keys of a table file before they are checked, whether they come from a shape, polygons or another file.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from betline.settings.model import SettingsError, nearest, shown

SEAT_PARTS = ("rail", "line", "bet_zone", "stack_zone", "cards")

Keys = dict[str, Any]


def with_ports(keys: Keys, ports: object) -> Keys:
    """The keys with the ports of some readers named, by the readers' ids; raises SettingsError."""
    if not isinstance(ports, dict):
        raise SettingsError(f"ports must be a group of keys, one a reader, not {shown(ports)}.")
    readers = {reader["id"]: reader for reader in _listed(keys, "readers") if isinstance(reader.get("id"), str)}
    for name in ports:
        if name not in readers:
            raise SettingsError(f"ports.{name} is no reader of this table; {nearest(name, readers)}")
    changed = [
        {**reader, **({"port": ports[reader["id"]]} if reader.get("id") in ports else {})}
        for reader in _listed(keys, "readers")
    ]
    return {**keys, "readers": changed}


def with_moved(keys: Keys, moved: object) -> Keys:
    """The keys with things moved by [x, y] millimetres, a camera by [x, y, z]; raises SettingsError.

    A thing is seat-3, a part of it as seat-3.bet_zone, pot, tray, badge, dealer, muck, marker-2 or camera.
    """
    changed = copy.deepcopy(keys)
    movers = _movers(changed)
    for name, offset in flat_moves(moved):
        if name not in movers:
            raise SettingsError(f"moved.{name} is nothing that lies on this table; {nearest(name, movers)}")
        wanted = 3 if name == "camera" else 2
        if not isinstance(offset, list) or len(offset) != wanted or not all(_is_number(part) for part in offset):
            axes = "[x, y, z]" if wanted == 3 else "[x, y]"
            raise SettingsError(f"moved.{name} must be {axes} in millimetres, not {shown(offset)}.")
        movers[name](offset)
    return changed


def movable(keys: Keys) -> tuple[str, ...]:
    """The names of all things that can be moved at a table with these keys."""
    return tuple(_movers(copy.deepcopy(keys)))


def _movers(keys: Keys) -> dict[str, Callable[[list[float]], None]]:
    """What each name moves, in place."""
    movers: dict[str, Callable[[list[float]], None]] = {}
    for seat in _listed(keys, "seats"):
        name = f"seat-{seat.get('number')}"
        for part in SEAT_PARTS:
            movers[f"{name}.{part}"] = _mover(seat, f"{part}_mm")
        movers[name] = _all([movers[f"{name}.{part}"] for part in SEAT_PARTS])
    for zone in ("pot", "tray", "badge"):
        if isinstance(keys.get(zone), dict):
            movers[zone] = _mover(keys[zone], "polygon_mm")
    for thing in ("dealer", "muck"):
        movers[thing] = _mover(keys, f"{thing}_mm")
    for marker in _listed(keys, "markers"):
        movers[f"marker-{marker.get('id')}"] = _mover(marker, "centre_mm")
    for camera in _listed(keys, "cameras"):
        movers["camera"] = _mover(camera, "position_mm")
    return movers


def _mover(group: Keys, key: str) -> Callable[[list[float]], None]:
    def move(offset: list[float]) -> None:
        if key in group:
            group[key] = _moved(group[key], offset)

    return move


def _all(moves: list[Callable[[list[float]], None]]) -> Callable[[list[float]], None]:
    def move(offset: list[float]) -> None:
        for one in moves:
            one(offset)

    return move


def _moved(place: Any, offset: list[float]) -> Any:
    """A point or a list of points, moved; what is neither stays, for the check of the file to name it."""
    if not isinstance(place, list):
        return place
    if all(_is_number(part) for part in place):
        return [part + by for part, by in zip(place, offset, strict=False)]
    return [_moved(point, offset) for point in place]


def flat_moves(group: object, above: str = "moved") -> Iterator[tuple[str, Any]]:
    """Names with their offsets; without quotes TOML reads seat-3.bet_zone as a group in a group."""
    if not isinstance(group, Mapping):
        raise SettingsError(f"{above} must be a group of keys, not {shown(group)}.")
    for name, value in group.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{part}", offset) for part, offset in flat_moves(value, f"{above}.{name}"))
        else:
            yield name, value


def _listed(keys: Keys, key: str) -> list[Keys]:
    found = keys.get(key, [])
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
