"""The verb `trace`."""

from __future__ import annotations

from typing import Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import DONE, SITE_DEFAULT, IdOption, SiteOption, ThereOption, UserError

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _tracer() -> None:
    """Traces of acts."""


@app.command()
@takes_broker
def trace(
    broker: BrokerChoice,
    to: Annotated[
        str, typer.Option("--to", metavar="URL", help="Where OTLP over HTTP is taken.")
    ] = "http://127.0.0.1:4318/v1/traces",
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
) -> None:
    """Send each act of a table as a trace of OpenTelemetry: last byte, settle, rule, journal, announce.

    It only listens; the table's programs know nothing of it. Needs pip install 'betline[traces]'.

    Example: betline trace --table home-six

    Example: betline trace --table my-table.toml --to http://collector.lan:4318/v1/traces
    """
    import signal

    from betline import logs, topics
    from betline.bus import Listener, Received
    from betline.joining import join
    from betline.tables_there import chosen_table
    from betline.watchdog import Watchdog
    from table_controller.tracing.acts import Acts
    from table_controller.tracing.export import SpanExport

    if not to.startswith(("http://", "https://")):
        raise UserError(f"--to {to} is no address; write it as http://127.0.0.1:4318/v1/traces.")
    export = SpanExport(to)
    chosen = chosen_table(broker, table, site, table_id, "controller")
    where = broker.with_settings(chosen.settings).address("controller")
    acts = Acts(chosen.names.site, chosen.names.table)

    def take(received: Received) -> None:
        spans = acts.heard(received)
        if spans is not None:
            export.act(spans)

    bus = join(where, chosen.names, "trace")
    kinds = (topics.ZONE_CHIPS, topics.ANNOUNCEMENT, topics.EVENT)
    listener = Listener(bus, kinds, take, Watchdog().serves)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: listener.stop())
    try:
        listener.start()
        listener.run()
    finally:
        bus.close()
        export.close()
    logs.say(f"Sent {export.sent} acts to {to}.")
    raise typer.Exit(DONE)
