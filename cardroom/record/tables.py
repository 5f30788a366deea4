"""The tables of the database, as SQLAlchemy knows them; `migrations` makes them."""

from __future__ import annotations

from typing import Final

from sqlalchemy import BigInteger, Column, Date, DateTime, Identity, Integer, LargeBinary, MetaData, Table, Text
from sqlalchemy.dialects.postgresql import JSON

metadata: Final = MetaData()

site: Final = Table("site", metadata, Column("name", Text, primary_key=True), Column("zone", Text, nullable=False))
"""One row: whose database this is, and the time zone of its days."""

journal: Final = Table(
    "journal",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("table_name", Text, nullable=False),
    Column("journal", Text, nullable=False),
    Column("branch", Integer, nullable=False),
    Column("fork_of", Integer),
    Column("fork_seq", BigInteger, nullable=False),
    Column("fork_hash", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("hash", Text, nullable=False),
    Column("pruned_to", BigInteger, nullable=False),
    Column("pruned_hash", Text, nullable=False),
)
"""Each journal and how far it is recorded. Of one that was rewritten each version is a branch of its own, with the rows
after the last that it has in common with the branch it forked from."""

entry: Final = Table(
    "entry",
    metadata,
    Column("journal_id", Integer, nullable=False, primary_key=True),
    Column("seq", BigInteger, nullable=False, primary_key=True),
    Column("day", Date, nullable=False, primary_key=True),
    Column("at", DateTime(timezone=True)),
    Column("at_ms", BigInteger, nullable=False),
    Column("mono_ns", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("payload", JSON, nullable=False),
    Column("hash", LargeBinary, nullable=False),
)
"""The entries, in a partition for each day. `payload` is JSON and not JSONB: that keeps the text that was hashed."""

anchor: Final = Table(
    "anchor",
    metadata,
    Column("journal_id", Integer, primary_key=True),
    Column("seq", BigInteger, primary_key=True),
    Column("hash", Text, primary_key=True),
    Column("seal", Text, nullable=False),
    Column("heard", DateTime(timezone=True), nullable=False),
)
"""Sealed heads as the table told them."""

incident: Final = Table(
    "incident",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("table_name", Text, nullable=False),
    Column("journal", Text, nullable=False),
    Column("seq", BigInteger, nullable=False),
    Column("code", Text, nullable=False),
    Column("found", Text, nullable=False),
    Column("sentence", Text, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)
"""What was wrong with a journal; once for each thing that was found."""

removed: Final = Table(
    "removed",
    metadata,
    Column("id", Integer, Identity(), primary_key=True),
    Column("journal_id", Integer, nullable=False),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("last_hash", Text, nullable=False),
    Column("day", Date, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)
"""Rows that retention took out: the chain goes on from `last_hash`."""

person: Final = Table(
    "person",
    metadata,
    Column("journal_id", Integer, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("name", Text, nullable=False),
)
"""Names of people; no entry has one, so they can be erased."""

erased: Final = Table(
    "erased",
    metadata,
    Column("journal_id", Integer, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("at", DateTime(timezone=True), nullable=False),
)
"""Persons whose names were erased, by id: they are not taken in again."""
