"""`betline site`: the verbs of a site with many tables. What they do is in the parts of this room."""

from __future__ import annotations

import typer

from cardroom.record.cli import (
    site_backup,
    site_erase,
    site_incidents,
    site_record,
    site_restore,
    site_retain,
)
from cardroom.record.verify_cli import site_verify

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    help="A site with many tables: all journals in one PostgreSQL; verify, incidents, retain, erase, backup, restore.",
)
for _name, _verb in (
    ("record", site_record),
    ("verify", site_verify),
    ("incidents", site_incidents),
    ("retain", site_retain),
    ("erase", site_erase),
    ("backup", site_backup),
    ("restore", site_restore),
):
    app.command(_name)(_verb)
