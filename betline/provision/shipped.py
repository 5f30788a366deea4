"""``python -m betline.provision.shipped`` writes ``config/broker``, for who makes accounts by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from betline.provision.mosquitto import access, bridge, shipped_access, shipped_configuration
from betline.provision.rights import site_accounts
from betline.provision.site_acts import LINK, link_rights, site_rights
from betline.settings.site import INSTALLED_IN

FOLDER = "config/broker"
_TABLES = ("table-1", "table-2")
_SITE_ACCESS = """\
# Who may say and hear what at the broker of a site (docs/site.md): an example with one pit of two tables. Write your
# site's name for SITE. betline provision site makes one for your site. Made by: python -m betline.provision.shipped
"""
_BRIDGE = """\
# An example: the bridge of one pit of two tables, by hand. betline provision site makes one for your site, with its
# certificates and its password. Made by: python -m betline.provision.shipped

"""


def files() -> Mapping[str, str]:
    """The files of that folder."""
    return {
        "mosquitto.conf": shipped_configuration(),
        "mosquitto.acl": shipped_access(),
        "site.acl": _SITE_ACCESS + _site_access(),
        "bridge.conf": _BRIDGE + _bridge(),
    }


def _site_access() -> str:
    """The access list of a site's broker, with the bridge of one pit of two tables."""
    rights = {one.name: site_rights(one, one.name, "SITE") for one in site_accounts()}
    return access({**rights, f"{LINK}pit-a": link_rights("SITE", "pit-a", _TABLES)})


def _bridge() -> str:
    return bridge("SITE", "pit-a", _TABLES, "site.lan:8883", INSTALLED_IN, f"{LINK}pit-a", "PASSWORD")


if __name__ == "__main__":
    for name, text in files().items():
        (Path(__file__).resolve().parents[2] / FOLDER / name).write_text(text, encoding="utf-8")
