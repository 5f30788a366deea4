"""Options that are of use only with, or only without, another one: what was given is used or refused, never ignored."""

from __future__ import annotations

from dataclasses import fields
from typing import Final

import typer

from betline.joining import BrokerChoice
from betline.options import UserError

BROKER: Final = tuple(f"broker_{one.name}" for one in fields(BrokerChoice))
"""The parameters of `takes_broker`."""
_SAID: Final = "COMMANDLINE"


def given(context: typer.Context, *names: str) -> list[str]:
    """Of these parameters those that stand on the command line, as a person writes them."""
    found = []
    for one in context.command.params:
        if one.name is None or one.name not in names:
            continue
        source = context.get_parameter_source(one.name)
        if source is not None and source.name == _SAID:
            denied = one.secondary_opts if context.params[one.name] is False else []
            found.append((denied or one.opts)[0])
    return found


def refuse_given(context: typer.Context, *names: str, because: str) -> None:
    """Raises UserError where one of these parameters was given; `because` is what the sentence says after its name."""
    found = given(context, *names)
    if found:
        raise UserError(f"{found[0]} {because}")
