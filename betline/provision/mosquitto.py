"""The files of a mosquitto: its configuration, its password file and its access list. Pure.

Forms by mosquitto.conf(5) of mosquitto 2.0, the oldest that Debian 12 and Raspberry Pi OS have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from betline.bus.wire import MAX_BYTES
from betline.provision.crossings import link_topic, topic_lines
from betline.provision.rights import Account, lines, shipped_accounts

INSTALLED_IN = "/etc/mosquitto/betline"
CONFIGURATION, ACCESS, PASSWORDS = "mosquitto.conf", "access.acl", "passwords"
AUTHORITY, SERVER, SERVER_KEY, REVOKED = "ca.pem", "server.pem", "server-key.pem", "revoked.pem"
BRIDGE, BRIDGE_AUTHORITY, BRIDGE_CERT, BRIDGE_KEY = "bridge.conf", "bridge-ca.pem", "bridge.pem", "bridge-key.pem"
BRIDGE_KEEPALIVE_S = 5
"""The least that mosquitto takes: a link that is dead without a word is noticed within twice that."""

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


def bridge(
    site: str, pit: str, tables: Iterable[str], address: str, installed_in: str, user: str, password: str
) -> str:
    """The bridge of a pit's broker to the site's at ``address`` (HOST:PORT), for its own tables alone.

    mosquitto.conf(5), "Configuring Bridges". The file holds the password of the bridge's account.
    """
    here = PurePosixPath(installed_in)
    said = [
        "# Made by betline provision site, which writes it anew: change the site file, and run that again.",
        "# Loaded after the file of the broker itself. It holds a password: for the broker's user only.",
        "",
        f"connection {user}",
        f"address {address}",
        "bridge_protocol_version mqttv311",
        f"bridge_cafile {here / BRIDGE_AUTHORITY}",
        f"bridge_certfile {here / BRIDGE_CERT}",
        f"bridge_keyfile {here / BRIDGE_KEY}",
        "bridge_tls_version tlsv1.2",
        f"remote_clientid {user}",
        f"remote_username {user}",
        f"remote_password {password}",
        f"local_clientid {user}",
        "",
        "# What waits for the site is kept while the link is cut, and over a restart of this broker.",
        "cleansession false",
        "# The site's access list refuses to unsubscribe from what was never asked for, and would drop the bridge.",
        "bridge_attempt_unsubscribe false",
        "try_private true",
        f"keepalive_interval {BRIDGE_KEEPALIVE_S}",
        "restart_timeout 1 10",
        "# The site learns by this, which its broker keeps, whether the link stands: 1 or 0.",
        "notifications true",
        f"notification_topic {link_topic(site, pit)}",
        "",
        *topic_lines(site, tables),
    ]
    return "\n".join(said) + "\n"


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
