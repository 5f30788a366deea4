"""`betline vision tune`: the numbers of the running detector, over the bus."""

from __future__ import annotations

from typing import Annotated

import typer

from betline.joining import VISIT_S, BrokerChoice, join, takes_broker
from betline.options import SITE_DEFAULT, IdOption, JsonOption, SiteOption, ThereOption, UserError


@takes_broker
def tune(
    broker: BrokerChoice,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The number; alone: what it does.")] = None,
    value: Annotated[str | None, typer.Argument(metavar="VALUE", help="What it shall be, or: default.")] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List all numbers, their ranges and what they do.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Also at the next start.")] = False,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set one of the numbers by which the running detector decides, over the bus, from the next frame on.

    Example: betline vision tune quiet_ms 350 --keep
    """
    import json

    from betline.tables_there import chosen_table
    from vision.tuning.command import TuneClient, described, given

    if list_all == (name is not None):
        raise UserError("Give the name of a number, or --list for all of them.")
    if keep and value is None:
        raise UserError("--keep keeps a value: give NAME and VALUE.")
    chosen = chosen_table(broker, table, site, table_id)
    settings = chosen.settings
    if not settings.cameras:
        raise UserError(f"Table {settings.name} has no camera; add a [[cameras]] section to its file.")
    wanted = None if value is None else given(value)
    where = broker.with_settings(settings).address("console")
    bus = join(where, chosen.names, "tune", patience_s=VISIT_S)
    try:
        client = TuneClient(bus, settings.cameras[0].id)
        if name is not None and value is not None:
            sentence = client.set(name, wanted, keep=keep)
            typer.echo(json.dumps({"name": name, "sentence": sentence}) if as_json else sentence)
            return
        numbers = [number for number in client.numbers() if name in (None, number.name)]
    finally:
        bus.close()
    if not numbers:
        raise UserError(f"The detector has no number {name}: --list shows all.")
    typer.echo(
        json.dumps([number.model_dump() for number in numbers])
        if as_json
        else "\n".join(described(number) for number in numbers)
    )
