"""What a browser may see and do here, and under which names the server is called. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from table_controller.web.tokens import STAFF, pass_for, role_of_pass, role_of_token, sees, until_of_pass

LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "::1")
PASS_S: Final = 24 * 3600
"""How long a browser that has shown a token is let in without it."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Who is let in. Without a secret, which is on loopback only, everybody at this machine may look."""

    secret: bytes | None = None
    names: frozenset[str] = frozenset(LOOPBACK_NAMES)
    """The host names that it is called by; a request for another one comes by way of a strange name server."""
    tls: bool = False

    def is_called(self, host: str) -> bool:
        """Whether a Host header names this server."""
        return _name_of(host) in self.names

    def is_own(self, origin: str | None, host: str) -> bool:
        """Whether a page that asks for something, by its Origin header, is one of this server."""
        return origin == f"{'https' if self.tls else 'http'}://{host}"

    def cookie_name(self, role: str) -> str:
        """The cookie that keeps a role's pass; with TLS no other host or path can set it."""
        return f"{'__Host-' if self.tls else ''}betline-{role}"

    def role_of_token(self, token: str) -> str | None:
        """The role that a token proves."""
        return None if self.secret is None else role_of_token(self.secret, token)

    def new_pass(self, role: str, now_s: float) -> str:
        """What a browser keeps that has shown the token of a role; raises ValueError where no tokens are asked for."""
        if self.secret is None:
            raise ValueError("no tokens are asked for here")
        return pass_for(self.secret, role, int(now_s) + PASS_S)

    def roles(self, cookies: Mapping[str, str], now_s: float) -> tuple[str, ...]:
        """The roles that a browser has shown tokens of."""
        return tuple(role for role, _ in self._passes(cookies, now_s))

    def is_staff(self, cookies: Mapping[str, str], now_s: float) -> bool:
        """Whether a browser may work at the table, as far as this server asks: who it is the table asks by PIN."""
        return self.secret is None or any(role in STAFF for role in self.roles(cookies, now_s))

    def staff_for_s(self, cookies: Mapping[str, str], now_s: float) -> float:
        """For how many seconds more a browser may work at the table; 0 for one that may not, no end on loopback."""
        if self.secret is None:
            return math.inf
        ends = [until_of_pass(one) for role, one in self._passes(cookies, now_s) if role in STAFF]
        return max(0.0, max(ends, default=now_s) - now_s)

    def may_see(self, channel: str, cookies: Mapping[str, str], now_s: float) -> bool:
        """Whether a browser may follow a channel."""
        return self.secret is None or any(sees(role, channel) for role in self.roles(cookies, now_s))

    def _passes(self, cookies: Mapping[str, str], now_s: float) -> tuple[tuple[str, str], ...]:
        """The passes of a browser that are good now, each after its role."""
        if self.secret is None:
            return ()
        prefix = self.cookie_name("")
        kept = (cookie for name, cookie in cookies.items() if name.startswith(prefix))
        return tuple((role, one) for one in kept if (role := role_of_pass(self.secret, one, now_s)) is not None)


def _name_of(host: str) -> str:
    """The name in a Host header, without its port and in small letters; empty where it is none."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
