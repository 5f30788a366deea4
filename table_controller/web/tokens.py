"""Who may see and do what in a browser: tokens for links, and what a browser keeps once it has shown one. Pure.

Both are made from one secret and a role, so nothing is kept of them, and all of them end with the secret:

    token     ROLE.MAC          in a link or a QR code; lasts as long as the secret
    pass      ROLE.UNTIL.MAC    in a cookie of a browser; lasts until then, seconds since 1970
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from typing import Final

SECRET_BYTES: Final = 32
MAC_BYTES: Final = 18
"""What is kept of a MAC: 144 bits, 24 letters; nobody guesses it."""
LONGEST: Final = 80
"""No token or pass is longer; what is, is not looked at."""
_ROLE: Final = re.compile(r"board|overlay|dealer|floor|seat-(?:[1-9]|10)")
_UNTIL: Final = re.compile(r"[1-9][0-9]{0,11}")

BOARD: Final = "board"
OVERLAY: Final = "overlay"
DEALER: Final = "dealer"
FLOOR: Final = "floor"
STAFF: Final = (DEALER, FLOOR)


def seat_role(seat: int) -> str:
    """The role of who sits there."""
    return f"seat-{seat}"


def token_for(secret: bytes, role: str) -> str:
    """The token of a role; raises ValueError for what is no role."""
    if _ROLE.fullmatch(role) is None:
        raise ValueError(f"{role!r} is no role")
    return f"{role}.{_mac(secret, 'token', role)}"


def role_of_token(secret: bytes, token: str) -> str | None:
    """The role that a token proves; None where it proves none."""
    role, _, mac = token.partition(".")
    if len(token) > LONGEST or _ROLE.fullmatch(role) is None:
        return None
    return role if _same(mac, _mac(secret, "token", role)) else None


def pass_for(secret: bytes, role: str, until_s: int) -> str:
    """What a browser keeps that has shown the token of a role."""
    return f"{role}.{until_s}.{_mac(secret, 'pass', role, str(until_s))}"


def role_of_pass(secret: bytes, kept: str, now_s: float) -> str | None:
    """The role that a browser's pass still proves; None where it proves none."""
    role, _, rest = kept.partition(".")
    until, _, mac = rest.partition(".")
    if len(kept) > LONGEST or _ROLE.fullmatch(role) is None or _UNTIL.fullmatch(until) is None:
        return None
    if not _same(mac, _mac(secret, "pass", role, until)):
        return None
    return role if now_s < int(until) else None


def until_of_pass(kept: str) -> int:
    """Until when a pass lasts that `role_of_pass` has found good, in seconds since 1970."""
    return int(kept.split(".")[1])


def sees(role: str, channel: str) -> bool:
    """Whether a role may see what is shown on a channel: its own, and what the board shows; the staff sees all."""
    return role in STAFF or channel in (role, BOARD)


def _mac(secret: bytes, *parts: str) -> str:
    whole = hmac.digest(secret, "\0".join(("betline web", *parts)).encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(whole[:MAC_BYTES]).decode()


def _same(said: str, right: str) -> bool:
    return hmac.compare_digest(said.encode(), right.encode())
