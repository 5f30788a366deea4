"""The verbs of `betline site` on what is recorded; each opens the database, does one thing, and leaves it."""

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
    JsonOption,
    MetricsOption,
    MetricsTargetsOption,
    SiteOption,
    UserError,
)
from cardroom.record.opened import DatabaseOption, DataOption, counter, database, say, site_bus, user_errors, wipe

if TYPE_CHECKING:
    from cardroom.record.recorder import Recorder

SHOWN_S = 1.0
GIVEN_UP_S = 60.0
"""`--once` waits so long for tables, and for a database that is away."""


@takes_broker
def site_record(
    broker: BrokerChoice,
    site: SiteOption = SITE_DEFAULT,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    zone: Annotated[
        str | None,
        typer.Option("--zone", metavar="NAME", help="Time zone of the site's days. Default: this machine's."),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Record what is missing, and end.")] = False,
    json: JsonOption = False,
    metrics: MetricsOption = None,
    metrics_targets: MetricsTargetsOption = None,
) -> None:
    """Record the journals of all tables of a site into one PostgreSQL, each entry once and in order, until interrupted.

    Beside each table's controller runs `betline journal serve`. What a table wrote while this was away is fetched. A
    journal that was changed, shortened or written anew is named, and both versions are kept (betline site incidents).

    With --once it ends when every table that answers is recorded to its end; exit status 1 where one did not answer or
    could not be recorded on. With --json the end is one document: rows, batches, tables, behind, unanswered, incidents.

    Example: betline site record --broker mqtts://site.lan:8883 --login logins --site casino --zone Europe/Vienna

    Example: betline site record --once --json --data /var/lib/betline/site

    Example: betline site record --database postgresql://betline@db.lan/betline

    Example: betline site record --metrics 9480
    """
    from betline.metrics.family import Timing
    from betline.metrics.places import read_address, tell_of_site
    from betline.metrics.serving import served
    from betline.stopping import stopping
    from betline.watchdog import Watchdog
    from cardroom.record.days import zone_here
    from cardroom.record.errors import RecordError
    from cardroom.record.recorder import Recorder
    from cardroom.record.store import Store

    figures_at = None if metrics is None else read_address(metrics)
    tell_of_site("site-record", figures_at, site, metrics_targets)
    with user_errors(), database(data, database_url) as address:

        def opened() -> Store:
            try:
                return Store(address(), site, zone, writes=True)
            except RecordError as error:
                if error.code != "no-record":
                    raise
                return Store(address(), site, zone_here(), writes=True)

        bus = site_bus(broker, site, "recorder")
        recorder = Recorder(bus, opened, say)
        progress, dog = _Progress(recorder), Watchdog()
        until_s = time.monotonic() + GIVEN_UP_S
        try:
            recorder.start()
            timings = (Timing("to_row", "", recorder.to_row),)
            with served(figures_at, bus, lambda: timings, recorder.figures), stopping() as stop:
                while not stop():
                    recorder.pump()
                    progress.show()
                    dog.serves()
                    if recorder.counted.rows and not recorder.away:
                        until_s = time.monotonic() + GIVEN_UP_S
                    if once and (progress.rests() or time.monotonic() > until_s):
                        break
        finally:
            progress.end()
            recorder.close()
            bus.close()
    found = progress.found()
    if json:
        typer.echo(json_text.dumps(found))
    else:
        say(
            f"{found['rows']} entries of {found['tables']} tables recorded in {found['seconds']:.1f} s; "
            f"{found['behind']} are missing, {found['incidents']} incidents."
        )
    if once and (found["behind"] or found["unanswered"] or found["stuck"] or not found["tables"]):
        raise UserError(_why_not(found), FAILED)


def site_incidents(data: DataOption = None, database_url: DatabaseOption = None, json: JsonOption = False) -> None:
    """List what was wrong with journals: rewritten, shortened, missing or broken entries, and pruned ones.

    Example: betline site incidents --data /var/lib/betline/site
    """
    from cardroom.record.store import Store

    with user_errors(), database(data, database_url) as address, Store(address()) as store:
        found = store.incidents()
    if json:
        typer.echo(json_text.dumps(found, default=str))
        return
    for one in found:
        typer.echo(f"{one['at']:%Y-%m-%d %H:%M:%S}  {one['code']}: {one['sentence']}")
    if not found:
        say("Nothing was wrong so far.")


def site_retain(
    days: Annotated[int, typer.Option("--days", metavar="N", min=1, help="How many days before today are kept.")],
    data: DataOption = None,
    database_url: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Take the days out of the database that are older, whole; for each journal a row says which entries went.

    Today and the N days before it stay. `betline site verify` follows the chains over what was taken out.

    Example: betline site retain --days 400
    """
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    from cardroom.record.keeping import first_kept, retain
    from cardroom.record.store import Store

    with user_errors(), database(data, database_url) as address, Store(address()) as store:
        today = datetime.now(UTC).astimezone(ZoneInfo(store.zone)).date()
        dropped = retain(store, first_kept(today, days))
    if json:
        typer.echo(json_text.dumps([{"day": str(one.day), "rows": one.rows} for one in dropped]))
        return
    rows = sum(one.rows for one in dropped)
    typer.echo(f"{len(dropped)} days with {rows} entries were taken out." if dropped else "Nothing is that old.")


@takes_broker
def site_erase(
    broker: BrokerChoice,
    who: Annotated[str, typer.Argument(metavar="NAME|ID", help="A name as a ledger shows it, or a person's id.")],
    site: SiteOption = SITE_DEFAULT,
    data: DataOption = None,
    database_url: DatabaseOption = None,
    json: JsonOption = False,
) -> None:
    """Take a person's name out of the database and, where tables allow it, out of their journals.

    Entries stay, under an id that says nothing. A table takes part where its `betline journal serve` was started with
    --may-erase; of another one it is said what to do there. Backups made before still have the name.

    Exit status 1 where a table did not do it, or nobody has that name.

    Example: betline site erase "Ann B." --broker mqtts://site.lan:8883 --login logins
    """
    from cardroom.record.asking import erase_at_tables
    from cardroom.record.keeping import erase
    from cardroom.record.store import Store

    with user_errors(), database(data, database_url) as address, Store(address(), site) as store:
        bus = site_bus(broker, site, "eraser")
        try:
            answers = erase_at_tables(bus, who)
        finally:
            bus.close()
        taken = erase(store, who)
    tables = {
        table: {"ok": answer is not None and answer.ok, "journals": 0 if answer is None else answer.journals,
                "sentence": "It did not answer: ask again." if answer is None else answer.sentence}
        for table, answer in answers.items()
    }  # fmt: skip
    if json:
        typer.echo(json_text.dumps({"database": len(taken), "tables": tables}))
    else:
        typer.echo(f"The name was taken out of {len(taken)} journals in the database.")
        for table, said in tables.items():
            typer.echo(f"{table}: {said['sentence']}")
    at_tables = sum(int(str(said["journals"])) for said in tables.values())
    if not all(said["ok"] for said in tables.values()) or not (taken or at_tables):
        raise typer.Exit(FAILED)


def site_backup(
    to: Annotated[Path, typer.Argument(metavar="TO", help="A new file.")],
    data: DataOption = None,
    database_url: DatabaseOption = None,
) -> None:
    """Write the whole database into one file, also while it is recorded into (pg_dump).

    It holds names that are erased later: erase them again after a restore, or keep no older backup.

    Example: betline site backup /media/stick/site-friday.dump
    """
    from cardroom.record.keeping import back_up

    with user_errors(), database(data, database_url) as address:
        back_up(address(), to)
    typer.echo(f"The database is saved as {to}.")


def site_restore(
    backup: Annotated[Path, typer.Argument(metavar="BACKUP", help="A file that backup has made.")],
    data: DataOption = None,
    database_url: DatabaseOption = None,
) -> None:
    """Put a backup into an empty database, check every row, and say how far it is; the recorder then fetches the rest.

    Example: betline site restore /media/stick/site-friday.dump --data /var/lib/betline/site-new
    """
    from cardroom.record.keeping import restore
    from cardroom.record.store import Store
    from cardroom.record.verify import verify_rows

    with user_errors(), database(data, database_url) as address:
        restore(address(), backup)
        with Store(address()) as store:
            found = verify_rows(store, counter("rows checked"))
    wipe()
    if found.problems:
        raise UserError(f"It was restored, and does not hold: {found.problems[0]}", FAILED)
    typer.echo(f"{found.rows} rows of {found.journals} journals are back, and all hold.")


class _Progress:
    """How far the recorder is: a line that is drawn over on a terminal."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._began_s = self._shown_s = time.monotonic()
        self._rows = 0
        self._rest_s: float | None = None
        self._live = sys.stderr.isatty()
        self._ended_s = self._began_s

    def rests(self) -> bool:
        """Whether all there is was recorded, and nothing came for a second."""
        now_s = time.monotonic()
        if not self._recorder.tables or not self._recorder.at_rest():
            self._rest_s = None
            return False
        self._rest_s = self._rest_s or now_s
        return now_s - self._rest_s > SHOWN_S

    def show(self) -> None:
        now_s = time.monotonic()
        if not self._live or now_s - self._shown_s < SHOWN_S:
            return
        rows = self._recorder.counted.rows
        rate = (rows - self._rows) / (now_s - self._shown_s)
        away = ", the database is away" if self._recorder.away else ""
        line = (
            f"{len(self._recorder.tables)} tables, {rows} entries, {rate:.0f}/s, {self._recorder.behind} behind{away}"
        )
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
        self._rows, self._shown_s = rows, now_s

    def end(self) -> None:
        self._ended_s = time.monotonic()
        wipe()

    def found(self) -> dict[str, Any]:
        counted = self._recorder.counted
        return {
            "rows": counted.rows, "batches": counted.batches, "refused": counted.refused,
            "incidents": counted.incidents, "outages": counted.outages, "dropped": counted.dropped,
            "tables": len(self._recorder.tables), "behind": self._recorder.behind,
            "unanswered": self._recorder.unanswered(), "stuck": [list(one) for one in self._recorder.stuck()],
            "seconds": round(self._ended_s - self._began_s, 1),
        }  # fmt: skip


def _why_not(found: dict[str, Any]) -> str:
    if not found["tables"]:
        return "No table was heard: start betline journal serve beside each controller, and see --site and --broker."
    if found["unanswered"]:
        return (
            f"These tables did not answer: {', '.join(found['unanswered'])}. See that betline journal serve runs there."
        )
    if found["stuck"]:
        return "Not every journal could be recorded to its end: betline site incidents."
    return f"{found['behind']} entries are missing still: run it again."
