"""Proving a PIN without sending it: SRP-6a (RFC 5054, RFC 2945) with SHA-256 and scrypt.

Whoever listens on the bus learns nothing by which PINs could be tried out: each try needs an exchange with the
controller, which counts them. Both sides end with a key of that one sign-in, by which commands are signed.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from functools import cached_property
from typing import Final

N: Final = int(
    "AC6BDB41324A9A9BF166DE5E1389582FAF72B6651987EE07FC3192943DB56050A37329CBB4A099ED8193E0757767A13DD52312AB"
    "4B03310DCD7F48A9DA04FD50E8083969EDB767B0CF6095179A163AB3661A05FBD5FAAAE82918A9962F0B93B855F97993EC975EEA"
    "A80D740ADBF4FF747359D041D5C33EA71D281E446B14773BCA97B43A23FB801676BD207A436C6481F1D2B9078717461A5B9D32E6"
    "88F87748544523B524B0D57D5EA77A2775D2ECFA032CFBDBF52FB3786160279004E57AE6AF874E7303CE53299CCC041C7BC308D8"
    "2A5698F3A8D0C38271AE35F8E9DBFBB694B5C803D89F7AE435DE236D525F54759B65E372FCD68EF20FA7111F9E4AFF73",
    16,
)
"""The 2048-bit group of RFC 5054, appendix A; its generator is 2, a primitive root."""
G: Final = 2
SECRET_BITS: Final = 256
SALT_BYTES: Final = 16
_BYTES: Final = 256
_COST: Final = 2**14
"""What one try of a PIN against a stolen file costs: about 0.1 s and 16 MB (RFC 7914)."""


class BadExchange(Exception):
    """The other side has sent what no honest one sends."""


def _hash(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def _padded(number: int) -> bytes:
    return number.to_bytes(_BYTES, "big")


_K: Final = int.from_bytes(_hash(_padded(N), _padded(G)), "big")


def _secret(pin: str, salt: bytes) -> int:
    return int.from_bytes(hashlib.scrypt(pin.encode(), salt=salt, n=_COST, r=8, p=1, dklen=32), "big")


def verifier_of(pin: str, salt: bytes) -> int:
    """What is kept of a PIN: it checks a proof and cannot be used to make one."""
    return pow(G, _secret(pin, salt), N)


@dataclass(frozen=True, slots=True)
class Proven:
    """What both sides have at the end: each its proof, and the key that signs commands."""

    of_person: bytes
    of_table: bytes
    key: bytes


def _proven(shared: int, person: str, salt: bytes, here: int, there: int) -> Proven:
    key = _hash(_padded(shared))
    said = _hash(person.encode(), salt, _padded(here), _padded(there))
    return Proven(*(hmac.digest(key, word + said, "sha256") for word in (b"person", b"table", b"commands")))


def _scrambler(here: int, there: int) -> int:
    found = int.from_bytes(_hash(_padded(here), _padded(there)), "big")
    if not found:
        raise BadExchange
    return found


def public_from(text: str) -> int:
    """A public number out of a message; raises BadExchange for one that gives the other side away."""
    try:
        number = int(text, 16)
    except ValueError:
        raise BadExchange from None
    if not 0 < number < N:
        raise BadExchange
    return number


@dataclass(frozen=True)
class PersonSide:
    """The side that knows the PIN; ``secret`` is a random number of 256 bits, new for every sign-in."""

    person: str
    pin: str
    secret: int

    @cached_property
    def public(self) -> int:
        """What is sent first."""
        return pow(G, self.secret, N)

    def proven(self, salt: bytes, there: int) -> Proven:
        """What follows from the table's answer; raises BadExchange."""
        scrambler, own = _scrambler(self.public, there), _secret(self.pin, salt)
        shared = pow((there - _K * pow(G, own, N)) % N, self.secret + scrambler * own, N)
        return _proven(shared, self.person, salt, self.public, there)


@dataclass(frozen=True)
class TableSide:
    """The side that knows the verifier; ``there`` is the person's public number."""

    person: str
    salt: bytes
    verifier: int
    secret: int
    there: int

    @cached_property
    def public(self) -> int:
        """What is answered."""
        return (_K * self.verifier + pow(G, self.secret, N)) % N

    @cached_property
    def proven(self) -> Proven:
        """What must come from whoever knows the PIN, and what is answered then; raises BadExchange."""
        scrambler = _scrambler(self.there, self.public)
        shared = pow(self.there * pow(self.verifier, scrambler, N) % N, self.secret, N)
        return _proven(shared, self.person, self.salt, self.there, self.public)
