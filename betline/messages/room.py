"""What a cardroom says of itself at its tables: how far its journal is, and the draws that it has told beforehand."""

from __future__ import annotations

from pydantic import Field

from betline.messages.common import Body
from betline.messages.history import Digest


class DrawToCome(Body):
    """The next draw of a tournament, told before its list closes."""

    game: str = Field(max_length=100)
    digest: Digest = Field(description="SHA-256 of the seed, which is told after the draw")


class RoomHead(Body):
    """How far the journal of the cardroom is (retained); whoever keeps it can prove later what was written by then."""

    journal: Digest = Field(description="which journal: the hash of its first entry")
    journal_seq: int = Field(ge=1, description="its newest entry")
    journal_head: Digest = Field(description="the hash of that")
    journal_seal: Digest = Field(description="HMAC of these three under the key of the journal's seals")
    draws: tuple[DrawToCome, ...] = ()
