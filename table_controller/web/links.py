"""The links of a table's pages, each with its code behind the #, which a browser tells no server."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from table_controller.web.tokens import BOARD, DEALER, OVERLAY, seat_role, token_for


@dataclass(frozen=True, slots=True)
class Link:
    """One page for one role."""

    title: str
    address: str


def links(
    url: str,
    seats: Iterable[int],
    secret: bytes,
    *,
    remote: bool = False,
    console: bool = False,
    floor: bool = False,
) -> tuple[Link, ...]:
    """Board, overlay, the staff's remote, console and floor where there are such, and each seat of a server."""
    found = [("Board", "board", BOARD), ("Overlay", "overlay", OVERLAY)]
    found += [("Remote, for the staff only", "remote", DEALER)] if remote else []
    found += [("Console, for the staff only", "console", DEALER)] if console else []
    found += [("Floor, for the staff only", "floor", DEALER)] if floor else []
    found += [(f"Seat {seat}", f"seat/{seat}", seat_role(seat)) for seat in seats]
    return tuple(Link(title, f"{url}/{path}#{token_for(secret, role)}") for title, path, role in found)
