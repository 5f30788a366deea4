"""The file of a webhook's secret."""

from __future__ import annotations

import secrets
from pathlib import Path

from betline.options import FAILED, UserError, write_private
from table_controller.hooks.signing import SECRET_BYTES, written


def keep_secret(file: Path) -> str:
    """Puts a new secret into a new file, and returns it as it is passed on. Raises UserError."""
    if file.exists():
        raise UserError(f"Name another file: {file} is there already.", FAILED)
    text = written(secrets.token_bytes(SECRET_BYTES))
    try:
        write_private(file, f"{text}\n")
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): name another file.", FAILED) from None
    return text
