"""An entry of the journal: the class of all kinds, and how an entry stands in the chain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from betline.fields import FieldError
from table_controller.journal import codec
from table_controller.journal.errors import JournalError


class Entry:
    """One thing that happened; every kind is a frozen dataclass that reads and writes itself."""

    __slots__ = ()
    kind: ClassVar[str]

    def __init_subclass__(cls) -> None:
        _KINDS[cls.kind] = cls

    @property
    def data(self) -> dict[str, Any]:
        """The entry as the journal's file has it: JSON values only."""
        written: dict[str, Any] = codec.write(type(self), self)
        return written

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """The entry with that data; raises JournalError (``damaged``) for what no controller writes."""
        try:
            found: Self = codec.read(cls, data)
        except (codec.CodecError, FieldError) as error:
            raise JournalError(
                "damaged", f"The journal holds what no controller writes ({cls.kind}: {error})."
            ) from None
        return found


_KINDS: dict[str, type[Entry]] = {}


def read_entry(kind: str, data: Mapping[str, Any]) -> Entry:
    """The entry of that kind; raises JournalError (``damaged``) for an unknown kind and what no controller writes."""
    cls = _KINDS.get(kind)
    if cls is None:
        raise JournalError("damaged", f"The journal holds an entry of the unknown kind {kind}.")
    return cls.read(data)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as it stands in the journal: its number, its times, and its link in the chain."""

    seq: int
    at_ms: int
    mono_ns: int
    kind: str
    data: Mapping[str, Any]
    prev: str
    hash: str

    @property
    def entry(self) -> Entry:
        """The entry as a value; raises JournalError (``damaged``)."""
        return read_entry(self.kind, self.data)
