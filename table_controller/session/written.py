"""The written forms that the journal needs beside those of steps: a table's setup, and what changed of a mapping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from betline.settings import GameSettings, HouseRules
from betline.steps.setup import LastHand, Start, TableSetup


def setup_to_data(setup: TableSetup) -> dict[str, Any]:
    """A setup as JSON, with every house rule spelt out: the shipped profiles may change, the journal may not."""
    return {
        "game": setup.game.model_dump(mode="json", exclude_defaults=True),
        "house": setup.house.model_dump(mode="json", exclude_unset=True),
        "seats": _by_seat(setup.seats),
        "button": setup.button,
        "start": None if setup.start is None else {**asdict(setup.start), "paid": _by_seat(setup.start.paid)},
        "last_hand": None if setup.last_hand is None else asdict(setup.last_hand),
        "in_front": {seat: list(chips) for seat, chips in (_by_seat(setup.in_front) or {}).items()},
        "missed": {seat: list(blinds) for seat, blinds in (_by_seat(setup.missed) or {}).items()},
        "rock": setup.rock,
        "kill": setup.kill,
        "legs": _by_seat(setup.legs),
    }


def setup_of(data: Mapping[str, Any]) -> TableSetup:
    """The setup that `setup_to_data` wrote."""
    start, last = data["start"], data["last_hand"]
    return TableSetup(
        game=GameSettings.model_validate(data["game"]),
        house=HouseRules.model_validate(data["house"]),
        seats=_seats(data["seats"]),
        button=data["button"],
        start=None
        if start is None
        else Start(
            street=start["street"],
            pot=start["pot"],
            paid=None if start["paid"] is None else _seats(start["paid"]),
            folded=tuple(start["folded"]),
            first=start["first"],
        ),
        last_hand=None if last is None else LastHand(**last),
        in_front={seat: tuple(chips) for seat, chips in _seats(data["in_front"]).items()},
        missed={seat: tuple(blinds) for seat, blinds in _seats(data["missed"]).items()},
        rock=data["rock"],
        kill=data["kill"],
        legs=_seats(data["legs"]),
    )


def changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What of ``new`` differs from ``old``, mappings looked into; nothing ever leaves such a mapping."""
    found: dict[str, Any] = {}
    for key, value in new.items():
        before = old.get(key)
        if value == before:
            continue
        both = isinstance(value, Mapping) and isinstance(before, Mapping)
        found[key] = changed(before or {}, value) if both else value
    return found


def merged(old: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """``old`` with a change: `merged(old, changed(old, new)) == new`."""
    found = dict(old)
    for key, value in change.items():
        before = found.get(key)
        found[key] = merged(before, value) if isinstance(value, Mapping) and isinstance(before, Mapping) else value
    return found


def _by_seat(values: Mapping[int, Any] | None) -> dict[str, Any] | None:
    return None if values is None else {str(seat): value for seat, value in values.items()}


def _seats(values: Mapping[str, Any]) -> dict[int, Any]:
    return {int(seat): value for seat, value in values.items()}
