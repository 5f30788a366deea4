"""The verb ``betline doctor``."""

from __future__ import annotations

import importlib
import json as json_text
from collections import Counter
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from betline.doctor.answer import Answer, Examination, State, Visit
from betline.joining import BrokerChoice, takes_broker
from betline.known_tables import the_table
from betline.options import (
    FAILED,
    ByIdOption,
    JsonOption,
    RegisterOption,
    TableOption,
)
from betline.settings import DEFAULT_TABLE, load_table
from betline.settings.readers import BY_ID
from betline.together import refuse_given

app = typer.Typer(add_completion=False, rich_markup_mode=None)

MACHINE: Final = "machine"
"""What needs no table."""
EXAMINATIONS: Final = {
    MACHINE: "betline.doctor.machine",
    "table": "betline.doctor.files",
    "broker": "betline.doctor.broker",
    "services": "betline.doctor.services",
    "figures": "betline.doctor.figures",
    "readers": "firmware_bridge.doctor",
    "camera": "vision.doctor",
}
"""What is looked at, in order, and the module of the room that knows it."""
_SIGNS: Final = {State.OK: "ok", State.WARNING: "!", State.FAULT: "FAULT", State.SKIPPED: "-"}
_WIDTH: Final = 18


@app.callback()
def _doctors() -> None:
    """What stands between this machine and a hand."""


@app.command()
@takes_broker
def doctor(
    context: typer.Context,
    broker: BrokerChoice,
    table: TableOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="PART", help=f"Look at {', '.join(EXAMINATIONS)} only; may be repeated."),
    ] = None,
    by_id: ByIdOption = BY_ID,
    register: RegisterOption = None,
    camera: Annotated[
        str | None, typer.Option("--source", metavar="SOURCE", help="Look at this camera in place of the table file's.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Look at everything between this machine and a hand, and say what to do; status 1 where there is a fault.

    Stop a running table first: two programs cannot read one reader.

    Example: betline doctor --table my-table.toml

    Example: betline doctor --table my-table.toml --only readers --json
    """
    unknown = sorted(set(only or ()) - set(EXAMINATIONS))
    if unknown:
        raise typer.BadParameter(f"{unknown[0]} is none of {', '.join(EXAMINATIONS)}")
    parts = tuple(only or EXAMINATIONS)
    if "camera" not in parts:
        refuse_given(context, "camera", because="names a camera: add --only camera.")
    if "readers" not in parts:
        refuse_given(context, "by_id", "register", because="is for the readers: add --only readers.")
    needs_none = table is None and parts == (MACHINE,)
    about = DEFAULT_TABLE if needs_none else the_table(table)
    visit = Visit(load_table(about), about, broker, by_id, register, camera)
    found = []
    for part, answer in examined(visit, parts):
        found.append((part, answer))
        if not json:
            typer.echo(line(answer))
    counted = Counter(answer.state for _, answer in found)
    if json:
        rows = [
            {"part": part, "what": one.what, "state": one.state.value, "sentence": one.sentence, "remedy": one.remedy}
            for part, one in found
        ]
        name = None if needs_none else visit.table.name
        typer.echo(json_text.dumps({"table": name, "healthy": not counted[State.FAULT], "answers": rows}))
    else:
        typer.echo(_summary(counted))
    if counted[State.FAULT]:
        raise typer.Exit(FAILED)


def examined(visit: Visit, parts: tuple[str, ...]) -> Iterator[tuple[str, Answer]]:
    """The answers of the parts named, each as soon as it is there."""
    for part, module in EXAMINATIONS.items():
        if part in parts:
            examine: Examination = importlib.import_module(module).examine
            for answer in examine(visit):
                yield part, answer


def line(answer: Answer) -> str:
    """One answer as a person reads it, the remedy below it."""
    sign = _SIGNS[answer.state]
    first = f"{sign:>5}  {answer.what:<{_WIDTH}} {answer.sentence}"
    return first if not answer.remedy else f"{first}\n{'':7}{'':{_WIDTH}} {answer.remedy}"


def _summary(counted: Counter[State]) -> str:
    faults, warnings = counted[State.FAULT], counted[State.WARNING]
    warned = f"{warnings} warning{'' if warnings == 1 else 's'}"
    if faults:
        return f"\n{faults} fault{'' if faults == 1 else 's'} to mend before a hand is played, {warned}."
    if warnings:
        return f"\nHands can be played; {warned}."
    return "\nAll is well."
