"""A name is taken out of a journal: from the table of names for good, and never from the entries, which hold none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from table_controller.journal.chain import payload_of
from table_controller.journal.entries import Checkpoint, Named, Obeyed, Recorded, SetUp, clear_person
from table_controller.journal.erasing import erase_names
from table_controller.journal.errors import JournalError
from table_controller.journal.reader import JournalReader
from table_controller.session.people import same_name


def erase(path: Path, who: str, key: Path | None = None) -> str:
    """Takes a name out, given itself or as the person's id; returns a sentence that says what was done.

    The names that are left are sealed again with the `key`, default the user's.

    Raises JournalError: ``no-name`` where the journal has no such name, ``in-clear`` where entries of version 1 hold it
    and keep it, and those of the store.
    """
    with JournalReader(path) as reader:
        found = {person: name for person, name in reader.names().items() if person == who or same_name(name, who)}
        names = {who, *found.values()}
        in_clear = sum(_holds(recorded, names) for recorded in reader.entries())
    cleared = erase_names(path, tuple(found), key)  # for nobody too: what an earlier time had to leave in the log
    done = " ".join(f"{name} is erased; in the journal it was {person}." for person, name in found.items())
    if found and not cleared:
        done += f" {path}-wal still holds it, as somebody reads the journal; say the same again when that has ended."
    if in_clear:
        raise JournalError(
            "in-clear",
            f"{done or 'Nothing is erased.'} {in_clear} entries of an older version hold the name, and the chain keeps "
            f"them; delete the journal {path} and {path}.anchors to be rid of it.",
        )
    if not found:
        raise JournalError(
            "no-name", f"The journal {path} has no name {who}; betline journal ledger shows those it has."
        )
    return done


def _holds(recorded: Recorded, names: Iterable[str]) -> bool:
    """Whether an entry has one of the names in clear: one of version 1, or a checkpoint of a table from then."""
    if recorded.kind not in (Named.kind, Obeyed.kind, SetUp.kind, Checkpoint.kind):
        return False
    entry = recorded.entry
    there: list[object] = []
    match entry:
        case Named(name=name):
            there = [name]
        case Obeyed(args=args):
            there = [args.get("name", ""), *_values(args.get("names"))]
        case SetUp(names=given):
            there = [*given.values()]
        case Checkpoint(content=content):
            text = payload_of(content).casefold()
            return any(clear_person(name).casefold() in text for name in names if name.strip())
    return any(same_name(str(one), name) for one in there for name in names)


def _values(names: object) -> list[object]:
    return [*names.values()] if isinstance(names, Mapping) else []
