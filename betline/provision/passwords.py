"""Passwords of a mosquitto's accounts: made by chance, kept in its file as PBKDF2-SHA512 (RFC 8018), form ``$7$``."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

ROUNDS = 101
"""As mosquitto_passwd does; a password of 192 bits of chance cannot be tried out however fast each try is."""
SALT_BYTES = 12
HASH_BYTES = 64
_FORM = "7"


def new_password() -> str:
    """A password that nobody has to type."""
    return secrets.token_urlsafe(24)


def hashed(password: str, salt: bytes | None = None) -> str:
    """What stands behind the user's name in mosquitto's password file."""
    salt = secrets.token_bytes(SALT_BYTES) if salt is None else salt
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS, HASH_BYTES)
    return f"${_FORM}${ROUNDS}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def fits(password: str, stored: str) -> bool:
    """Whether a line of the password file is this password's."""
    parts = stored.split("$")
    if len(parts) != 5 or parts[1] != _FORM:
        return False
    try:
        salt = base64.b64decode(parts[3], validate=True)
    except ValueError:
        return False
    return hmac.compare_digest(hashed(password, salt), stored)
