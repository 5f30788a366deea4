"""The ground floor's own verbs: the broker, and running all parts with real hardware."""

from __future__ import annotations

from typing import Annotated

import typer

from betline.options import BROKER_DEFAULT, FAILED, Address, BrokerOption, UserError

app = typer.Typer(no_args_is_help=True)


@app.callback()
def _ground_floor() -> None:
    """The broker, and all parts together."""


@app.command()
def broker(
    address: BrokerOption = BROKER_DEFAULT,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not say where it listens.")] = False,
) -> None:
    """Serve MQTT on loopback until interrupted.

    Example: betline broker --broker 127.0.0.1:1883
    """
    from betline.broker import LOOPBACK, BrokerError, serve

    where = Address.parse(address)
    if where.host not in (LOOPBACK, "localhost"):
        raise UserError(
            f"The embedded broker listens on {LOOPBACK} only; for {where.host} use mosquitto with config/broker."
        )
    if not quiet:
        typer.echo(f"MQTT broker on {LOOPBACK}:{where.port}; Ctrl-C stops it.", err=True)
    try:
        serve(where.port)
    except BrokerError as error:
        raise UserError(str(error), FAILED) from None
