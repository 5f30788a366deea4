"""Checkpoints: a start goes on from the last one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from table_controller.journal.chain import digest_of
from table_controller.journal.entries.entry import Entry
from table_controller.journal.entries.hands import Money


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint(Entry):
    """The table and the evening at one moment, since version 3: a start goes on from the last one.

    What ``content`` holds is the business of `session.checkpoint`; ``form`` is its version.
    """

    kind: ClassVar[str] = "checkpoint"
    hand_no: int
    form: int
    money: Money | None
    content: Mapping[str, Any]
    digest: str
    """SHA-256 of the content."""

    @classmethod
    def of(cls, hand_no: int, form: int, money: Money | None, content: Mapping[str, Any]) -> Checkpoint:
        """The checkpoint with its digest."""
        return cls(hand_no=hand_no, form=form, money=money, content=content, digest=digest_of(content))

    @property
    def holds(self) -> bool:
        """Whether the content is that of the digest."""
        return digest_of(self.content) == self.digest
