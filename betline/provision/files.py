"""How the folders of `betline provision` are read and written: text, JSON and certificates, for their owner only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from betline.options import write_private
from betline.provision.certificates import NotPem, Signed


class ProvisionError(Exception):
    """What a person can mend, in one sentence."""


def read_signed(cert: Path, key: Path) -> Signed | None:
    """A certificate with its key; None where one is missing or they do not belong together."""
    try:
        return Signed.read(text_of(cert), text_of(key))
    except NotPem:
        return None


def text_of(path: Path) -> str:
    """A file's text, empty where it is missing; raises ProvisionError."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise ProvisionError(f"{path} cannot be read ({error}): run this as the user who made it.") from None


def read_json(path: Path) -> dict[str, Any]:
    """A file's object, empty where it is missing; raises ProvisionError."""
    text = text_of(path)
    try:
        said = json.loads(text) if text else {}
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise ProvisionError(unreadable(path))
    return said


def unreadable(path: Path) -> str:
    """What to say of a file that holds something else."""
    return f"{path} cannot be understood: put it back from a copy, or name a new folder."


def as_json(value: Mapping[str, Any]) -> str:
    """An object as a file's text."""
    return json.dumps(value, indent=1) + "\n"


def put(path: Path, text: str) -> bool:
    """Writes a file for its owner only; False where it was like this already. Raises ProvisionError."""
    if path.exists() and text_of(path) == text and path.stat().st_mode & 0o077 == 0:
        return False
    try:
        write_private(path, text)
    except OSError as error:
        raise ProvisionError(f"{path} cannot be written ({error.strerror}): name another folder.") from None
    return True
