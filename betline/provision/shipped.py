"""``python -m betline.provision.shipped`` writes ``config/broker``, for who makes accounts by hand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from betline.provision.mosquitto import shipped_access, shipped_configuration

FOLDER = "config/broker"


def files() -> Mapping[str, str]:
    """The files of that folder."""
    return {"mosquitto.conf": shipped_configuration(), "mosquitto.acl": shipped_access()}


if __name__ == "__main__":
    for name, text in files().items():
        (Path(__file__).resolve().parents[2] / FOLDER / name).write_text(text, encoding="utf-8")
