"""The verbs that keep a journal safe: verify, backup, restore, go-on, prune, and names that are taken out."""

from __future__ import annotations

import json as json_text
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    AnchorsOption,
    IdOption,
    JournalOption,
    JsonOption,
    KeyOption,
    SiteOption,
    TableOption,
    UserError,
    namespace,
)
from betline.units import NS_PER_MS
from table_controller.accounts.opened import journal_path, reading, user_errors
from table_controller.accounts.report.printed import Printed

if TYPE_CHECKING:
    from table_controller.journal.anchors import Anchor
    from table_controller.journal.reader import JournalReader
    from table_controller.journal.verify import Verdict
    from table_controller.session.replay import Difference


@takes_broker
def journal_verify(
    former: typer.Context,
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
    anchors: AnchorsOption = None,
    rule_again: Annotated[
        bool, typer.Option("--rule-again", help="Also name the recorded rulings that today's rules make otherwise.")
    ] = False,
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="SEQ:HASH", help="A printed head, as betline report has it."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check that nothing of a journal was changed, removed, put in between, cut off or forged; if so, exit status 1.

    Checked are the pages of the file, the chain of its entries, the seal (by the key, which lies outside the journal),
    the names, and the anchors: heads that were published before. Those beside the journal are always used; --anchors
    names a file with more, for example one to which the messages of the topic "state" were written.

    With --broker or --login also the head that the table published at that broker is used.

    With --head also whether the journal is the one of a printed report: its entry SEQ must have that hash.

    With --rule-again every hand is ruled on again from the checkpoint before it. What differs from the record is a
    report and no error: recorded rulings stand. With --json "rule_again" has one object for each, with seq, hand, act,
    seat, street, step, recorded, today, refused. "sealed" says whether the seal was checked, "anchors" against how
    many, "pruned" up to which entry old hands were taken out, "notes" what could not be checked.

    Example: betline journal verify --journal evening.journal --key /media/stick/journal.key

    Example: betline journal verify --table home-six --broker 127.0.0.1:1883 --rule-again
    """
    with reading(table, site, table_id, _named_once(journal, former.args)) as reader:
        known = [*_anchors(anchors), *_on_the_bus(broker, table, site, table_id, _written_for(reader))]
        printed = None if head is None else Printed.read(head)
        verdict = reader.verify(key, known)
        of_print = None if printed is None or not verdict.ok else printed.against(reader, verdict.pruned)
        found = _ruled_again(reader, verdict.entries) if rule_again and verdict.ok else []
    if json:
        document = _verdict_as_json(verdict)
        if rule_again:
            document["rule_again"] = [one.as_json() for one in found]
        if of_print is not None:
            document["printed"] = {"holds": of_print.holds, "sentence": of_print.sentence}
        typer.echo(json_text.dumps(document))
        if not verdict.ok or (of_print is not None and not of_print.holds):
            raise typer.Exit(FAILED)
        return
    _say(verdict)
    if of_print is not None and not of_print.holds:
        raise UserError(of_print.sentence, FAILED)
    if of_print is not None:
        typer.echo(of_print.sentence)
    for one in found:
        typer.echo(one.sentence)
    if rule_again:
        rulings = f"{len(found)} recorded ruling{'' if len(found) == 1 else 's'}"
        differ = (
            f"Today's rules would change {rulings}." if found else "Today's rules agree with every recorded ruling."
        )
        typer.echo(differ)


def _named_once(journal: Path | None, former: list[str]) -> Path | None:
    """The journal of `--journal`, or without it the bare file that `verify` alone once took: scripts may name it so."""
    if not former:
        return journal
    if journal is not None or len(former) > 1:
        raise UserError("Name the journal once, with --journal FILE.")
    return Path(former[0])


def _say(verdict: Verdict) -> None:
    """What was found, in one line with notes below it; raises UserError where something does not hold."""
    if not verdict.ok:
        what = f"{verdict.sentence[:1].lower()}{verdict.sentence[1:].rstrip('.')}"
        raise UserError(f"The journal was changed after it was written: {what}; keep it for an inquiry.", FAILED)
    pruned = f" Hands up to entry {verdict.pruned} were pruned." if verdict.pruned else ""
    typer.echo(f"{verdict.entries} entries hold. {verdict.sentence}{pruned}")
    for note in verdict.notes:
        typer.echo(f"Note: {note}")


def _verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    return {
        "ok": verdict.ok,
        "entries": verdict.entries,
        "head": verdict.head.hash,
        "broken": verdict.broken_seq,
        "sentence": verdict.sentence,
        "sealed": verdict.sealed,
        "anchors": verdict.anchors,
        "pruned": verdict.pruned,
        "notes": list(verdict.notes),
    }


def _written_for(reader: JournalReader) -> str:
    """Site and name of the journal's table, as SITE/TABLE."""
    return str(next(reader.entries()).data.get("table", ""))


def _anchors(file: Path | None) -> tuple[Anchor, ...]:
    from table_controller.journal.anchors import read_anchors

    if file is None:
        return ()
    with user_errors():
        found = read_anchors(file)
    if not found:
        raise UserError(f"{file} has no anchor; name a file that Betline or a recorder of the bus has written.", FAILED)
    return found


def _on_the_bus(
    broker: BrokerChoice, table: str | None, site: str, table_id: str | None, written_for: str
) -> tuple[Anchor, ...]:
    """The head that the table has published; without a named table that for which the journal was written."""
    if broker.names_nothing:
        return ()
    from betline.settings import load_table
    from table_controller.accounts.published import published_anchor

    settings = None if table is None else load_table(table)
    where = broker.with_settings(settings).address("console")
    if settings is None and table_id is None:
        site, _, table_id = written_for.partition("/")
    return (published_anchor(where, namespace(site, table_id or (settings.name if settings is not None else ""))),)


def _ruled_again(reader: JournalReader, entries: int) -> list[Difference]:
    """What today's rules rule otherwise, with a bar on a terminal while a long journal is gone through."""
    from betline.bench import Progress
    from table_controller.session.replay import ruled_again

    if not sys.stderr.isatty():
        return list(ruled_again(reader.entries()))
    bar = Progress("rule again", sys.stderr)
    try:
        return list(ruled_again(reader.entries(), lambda seq: bar.at(seq, entries, f"entry {seq} of {entries}")))
    finally:
        bar.end()


def journal_backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="The new file.")],
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
) -> None:
    """Copy a journal into one new file and verify the copy; a controller may write it meanwhile.

    The copy can be listed, verified and restored like the journal. It holds names that are erased later: erase them
    there too.

    Example: betline journal backup /media/stick/six-friday.journal --table home-six
    """
    from table_controller.journal.backup import back_up

    path = journal_path(table, site, table_id, journal)
    with user_errors():
        verdict = back_up(path, to, key)
    typer.echo(f"{path} is saved as {to}.")
    _say(verdict)


def journal_restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A copy that backup has made.")],
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
) -> None:
    """Put a backup in the place of a journal that is damaged or gone; what was there is kept beside it.

    Stop the controller first. A backup that ends before the journal did is refused by the next controller until you
    have accepted that: betline journal go-on.

    Example: betline journal restore /media/stick/six-friday.journal --table home-six
    """
    from table_controller.journal.backup import restore

    path = journal_path(table, site, table_id, journal)
    with user_errors():
        verdict, aside = restore(path, backup, time.time_ns() // NS_PER_MS, key)
    kept = f" What was there is kept as {aside}." if aside is not None else ""
    typer.echo(f"{path} has the {verdict.entries} entries of {backup}.{kept}")


@takes_broker
def journal_go_on(
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
    anchors: AnchorsOption = None,
) -> None:
    """Accept a journal as it stands, where its end is lost or its seal does not hold, so that play can go on.

    An entry says for good what was wrong. Count the stacks before the next hand: the books are those of the last entry
    that is there. A journal whose chain is broken cannot be gone on with: restore a backup.

    Example: betline journal go-on --table home-six
    """
    from table_controller.journal.entries import Accepted
    from table_controller.journal.store import Journal

    with reading(table, site, table_id, journal) as reader:
        written_for = _written_for(reader)
    path, at_ms = journal_path(table, site, table_id, journal), time.time_ns() // NS_PER_MS
    published = _on_the_bus(broker, table, site, table_id, written_for)
    with user_errors():
        opened = Journal.open(
            path, written_for, at_ms, time.monotonic_ns(), key=key, anchors=anchors, accept=True, published=published
        )
        try:
            accepted = next(opened.newest(Accepted.kind), None)
            before, ends = opened.opened_at.seq, opened.head.seq
        finally:
            opened.close()
    if accepted is None or accepted.seq <= before:
        typer.echo("Nothing is wrong with this journal; start the controller.")
    else:
        typer.echo(
            f"Accepted: {accepted.data['sentence']} The journal goes on from entry {ends}. Count the stacks before "
            "the next hand."
        )


def journal_prune(
    keep_days: Annotated[int, typer.Option("--keep-days", metavar="DAYS", min=1, help="Hands of so many days stay.")],
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
) -> None:
    """Take hands out of a journal that are older than so many days, and names that no hand knows any more.

    Whole hands go, and the last two always stay. What is left can be verified as before: the seal says where it begins.
    Stop the controller first. Pictures of acts have a limit of their own (betline vision run --rings-days).

    Example: betline journal prune --keep-days 90
    """
    from table_controller.journal.prune import prune
    from table_controller.journal.store import Journal

    with reading(table, site, table_id, journal) as reader:
        written_for = _written_for(reader)
    path, at_ms, mono_ns = (
        journal_path(table, site, table_id, journal),
        time.time_ns() // NS_PER_MS,
        time.monotonic_ns(),
    )
    with user_errors():
        opened = Journal.open(path, written_for, at_ms, mono_ns, key=key)
        try:
            taken = prune(opened, keep_days, at_ms, mono_ns)
        finally:
            opened.close()
    if not taken.entries:
        typer.echo(f"No hand of {path} is older than {keep_days} days.")
    else:
        typer.echo(f"{taken.hands} hands with {taken.entries} entries and {taken.names} names are taken out of {path}.")


def journal_erase(
    who: Annotated[str, typer.Argument(metavar="NAME|ID", help="A name as the ledger shows it, or a player's id.")],
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
) -> None:
    """Take a name out of a journal for good; hands and amounts stay, under an id that says nothing.

    A controller that is running forgets it within a few seconds. Exit status 1 where the journal has no such name.

    Example: betline journal erase "Ann B."
    """
    from table_controller.accounts import erasure

    path = journal_path(table, site, table_id, journal)
    with user_errors():
        typer.echo(erasure.erase(path, who, key))
