"""The verb `hooks`."""

from __future__ import annotations

import secrets
import time
from pathlib import Path
from typing import Annotated

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.login import LoginError, read_secret
from betline.options import (
    DONE,
    FAILED,
    SITE_DEFAULT,
    WRONG_USAGE,
    IdOption,
    MetricsOption,
    SiteOption,
    ThereOption,
    UserError,
)
from betline.together import BROKER, refuse_given

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _web_hooks() -> None:
    """Webhooks of a table."""


@app.command()
@takes_broker
def hooks(
    context: typer.Context,
    broker: BrokerChoice,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    to: Annotated[str | None, typer.Option("--to", metavar="URL", help="Where it is posted: https://...")] = None,
    secret: Annotated[
        Path | None, typer.Option("--secret", metavar="FILE", help="File of mode 600 with the secret whsec_...")
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option("--event", metavar="NAME", help="act, all-in, hand-over or alert; all where none is named."),
    ] = None,
    once: Annotated[bool, typer.Option("--try", help="Post one message of the type betline.try, and end.")] = False,
    new_secret: Annotated[
        Path | None, typer.Option("--new-secret", metavar="FILE", help="Make a secret in a new file, and end.")
    ] = None,
    metrics: MetricsOption = None,
) -> None:
    """Post what happens at a table to an address on the web, signed after Standard Webhooks.

    It tells what the board may show. Each message is tried six times within eight minutes; 500 may wait.

    Example: betline hooks --new-secret hook.secret

    Example: betline hooks --to https://club.example/betline --secret hook.secret --try

    Example: betline hooks --table home-six --to https://club.example/betline --secret hook.secret --event hand-over
    """
    from betline.metrics.places import address_of
    from betline.tables_there import chosen_table
    from table_controller.happenings.telling import HAPPENINGS
    from table_controller.hooks.delivery import Target, post
    from table_controller.hooks.files import keep_secret
    from table_controller.hooks.service import now_as_text, run_hooks
    from table_controller.hooks.signing import Message, secret_of

    if new_secret is not None:
        refuse_given(
            context,
            "to",
            "secret",
            "event",
            "once",
            "table",
            "metrics",
            *BROKER,
            because="is of no use with --new-secret.",
        )
        typer.echo(f"{new_secret} holds the secret; give the receiver what stands in it: {keep_secret(new_secret)}")
        raise typer.Exit(DONE)
    if to is None or secret is None:
        raise UserError("Say where and with which secret: --to URL --secret FILE.", WRONG_USAGE)
    kinds = tuple(event or HAPPENINGS)
    if unknown := [kind for kind in kinds if kind not in HAPPENINGS]:
        raise UserError(f"--event is one of {', '.join(HAPPENINGS)}, not {unknown[0]}.", WRONG_USAGE)
    target = Target.parse(to)
    try:
        key = secret_of(read_secret(secret))
    except LoginError as error:
        raise UserError(str(error)) from None
    except ValueError as error:
        raise UserError(f"{secret} holds no secret. {error} Make one with betline hooks --new-secret FILE.") from None
    if once:
        refuse_given(context, "event", "table", "metrics", *BROKER, because="is of no use with --try.")
        try:
            status = post(
                target, Message.of(f"msg_try_{secrets.token_hex(8)}", "try", now_as_text(), {}), key, time.time()
            )
        except OSError as error:
            raise UserError(f"{to} does not answer ({error}).", FAILED) from None
        typer.echo(f"{to} answered {status}.")
        raise typer.Exit(DONE if 200 <= status < 300 else FAILED)
    chosen = chosen_table(broker, table, site, table_id, "home")
    where = broker.with_settings(chosen.settings).address("home", "display")
    figures_at = address_of("hooks", metrics, chosen.settings)
    raise typer.Exit(run_hooks(where, chosen.names, target, key, kinds, figures_at))
