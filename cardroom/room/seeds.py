"""Seeds of draws to come, in a file beside the room's journal that its owner alone may read.

Their digests stand in the journal before the draw, they themselves after it. The file is written before the entry with
the digest, so a program that was killed finds the seed. A seed that was used stays: everybody knows it by then.
"""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Final

from betline.options import write_private
from cardroom.room.errors import RoomError
from cardroom.room.lots import digest_of
from table_controller.journal.files import beside

SEED_BYTES: Final = 32


class Seeds:
    """The seeds of one room."""

    def __init__(self, journal: Path) -> None:
        self.path = beside(journal, ".seeds")

    def of(self, digest: str) -> str:
        """The seed of a digest; raises RoomError (`seed-lost`)."""
        found = self._read().get(digest)
        if found is None or digest_of(found) != digest:
            raise RoomError(
                "seed-lost",
                f"The seed that was told beforehand is not in {self.path}: restore that file, or tell another seed "
                "with the reason: betline room commit --reason TEXT.",
            )
        return found

    def new(self) -> str:
        """Makes a seed, keeps it, and gives its digest. Raises RoomError (`seeds`)."""
        seed = secrets.token_hex(SEED_BYTES)
        digest = digest_of(seed)
        try:
            write_private(self.path, json.dumps({**self._read(), digest: seed}))
        except OSError as error:
            raise RoomError("seeds", f"{self.path} cannot be written ({error.strerror}); make room there.") from None
        return digest

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads(self.path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return {}
        return {str(digest): str(seed) for digest, seed in found.items()} if isinstance(found, dict) else {}
