"""The file of the tokens: one secret of which they are all made, readable by its owner only."""

from __future__ import annotations

import base64
import binascii
import secrets
from pathlib import Path
from typing import Final

from betline.login import LoginError, read_secret
from betline.options import UserError, write_private
from table_controller.web.tokens import SECRET_BYTES

_PREFIX: Final = "betline-web-1:"


def read_tokens(file: Path) -> bytes:
    """The secret in a file. Raises UserError where there is none, or others could have read it."""
    try:
        line = read_secret(file)
    except LoginError as error:
        raise UserError(str(error)) from None
    try:
        secret = base64.b64decode(line.removeprefix(_PREFIX), validate=True) if line.startswith(_PREFIX) else b""
    except binascii.Error:
        secret = b""
    if len(secret) != SECRET_BYTES:
        raise UserError(f"{file} is no file of codes: make one with betline web --new-tokens {file}.")
    return secret


def write_tokens(file: Path) -> None:
    """Puts a new secret into a file: all codes and passes that were made of another one end. Raises UserError."""
    line = f"{_PREFIX}{base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()}\n"
    try:
        write_private(file, line)
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}): name another file.") from None
