"""The files of a mosquitto: its configuration, its password file and its access list. Pure.

Forms by mosquitto.conf(5) of mosquitto 2.0, the oldest that Debian 12 and Raspberry Pi OS have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from betline.bus.wire import MAX_BYTES
from betline.provision.rights import Account, lines, shipped_accounts

INSTALLED_IN = "/etc/mosquitto/betline"
CONFIGURATION, ACCESS, PASSWORDS = "mosquitto.conf", "access.acl", "passwords"
AUTHORITY, SERVER, SERVER_KEY, REVOKED = "ca.pem", "server.pem", "server-key.pem", "revoked.pem"

_LIMITS = f"""\
# Without this a publication from inside a handler waits for a delayed acknowledgement, 36 to 78 ms.
set_tcp_nodelay true

# The default of 1000 loses what exceeds it without a word. Not 0, which has no limit: mosquitto 2.0.11 then closes the
# connection of who says something that the access list refuses.
max_queued_messages 100000
# No program of Betline reads a longer message.
message_size_limit {MAX_BYTES}
# Where it is kept stands in the main file of Debian's mosquitto, /etc/mosquitto/mosquitto.conf.
persistence true
autosave_interval 60

# To see each message that the access list refused ("Denied PUBLISH from ..."), for a while; it is much:
#log_type all
"""

_SHIPPED = """\
# mosquitto for a real table, without TLS: betline provision makes one with TLS, and an account for each device.
# Copy this to /etc/mosquitto/conf.d/betline.conf, and the access list to /etc/mosquitto/betline.acl.
# Make the accounts first: mosquitto_passwd -c /etc/mosquitto/betline.passwd controller
# Then, without -c: {others}.

per_listener_settings false
listener 1883 0.0.0.0
allow_anonymous false
password_file /etc/mosquitto/betline.passwd
acl_file /etc/mosquitto/betline.acl

"""
_SHIPPED_ACCESS = """\
# Who may say and read what: copy to /etc/mosquitto/betline.acl. Each account writes what its program publishes and
# nothing else. This holds for every table of the broker, and for a camera with the id overhead; betline provision makes
# a list that is bound to one table file. Made by: python -m betline.provision.shipped
"""


def configuration(port: int, installed_in: str, *, certificates: bool) -> str:
    """A listener with TLS and passwords; with ``certificates`` a client needs one of the authority's as well."""
    here = PurePosixPath(installed_in)
    asks = [f"cafile {here / AUTHORITY}", "require_certificate true", f"crlfile {here / REVOKED}"]
    said = [
        "# Made by betline provision, which writes it anew: change it there.",
        "",
        "per_listener_settings false",
        f"listener {port}",
        f"certfile {here / SERVER}",
        f"keyfile {here / SERVER_KEY}",
        "tls_version tlsv1.2",
        *(asks if certificates else []),
        "allow_anonymous false",
        f"password_file {here / PASSWORDS}",
        f"acl_file {here / ACCESS}",
    ]
    return "\n".join(said) + "\n\n" + _LIMITS


def shipped_configuration() -> str:
    """What `config/broker` has for who makes accounts by hand, without TLS."""
    return _SHIPPED.format(others=", ".join(one.name for one in shipped_accounts()[1:])) + _LIMITS


def shipped_access() -> str:
    """The access list that `config/broker` has, for every table of the broker."""
    return _SHIPPED_ACCESS + access({one.name: access_lines(one, one.name, "+", "+") for one in shipped_accounts()})


def access_lines(account: Account, user: str, site: str, table: str) -> str:
    """What an access list says of one account, below the line with its user."""
    return "\n".join(lines(account, user, site, table)[1:])


def access(users: Mapping[str, str]) -> str:
    """An access list of these users."""
    return "".join(f"\nuser {user}\n{said}\n" for user, said in users.items())


def users_of(text: str) -> dict[str, str]:
    """What an access list says of each user."""
    found: dict[str, list[str]] = {}
    said: list[str] = []
    for line in text.splitlines():
        if line.startswith("user "):
            said = found.setdefault(line.removeprefix("user ").strip(), [])
        elif line.strip() and not line.startswith("#"):
            said.append(line)
    return {user: "\n".join(rights) for user, rights in found.items()}


def passwords(stored: Mapping[str, str]) -> str:
    """A password file."""
    return "".join(f"{user}:{secret}\n" for user, secret in stored.items())


def stored_in(text: str) -> dict[str, str]:
    """The users of a password file, and what stands behind each."""
    pairs: Iterable[tuple[str, str, str]] = (line.strip().partition(":") for line in text.splitlines())
    return {user: secret for user, _, secret in pairs if user and secret}
