"""`betline bridge replay`: the serial lines of a recorded table once more."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from betline.counting import counted
from betline.options import DONE, FAILED, JsonOption, UserError

if TYPE_CHECKING:
    from betline.table_recording.reading import Recording
    from firmware_bridge.line_replay.decoding import Noted, Published, Way

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What betline record has made.")],
    json_: JsonOption = False,
) -> int:
    """Decode the recorded bytes of every reader again, and compare with what the bridge published of its zones.

    Exit status 1 where a zone comes out otherwise, or the file is damaged. A reader loses track where this program
    would have sent other bytes: it is changed, or a thread was held up when it was recorded; from there on nothing of
    it is compared. The inputs of the controller are replayed by betline replay-table.

    Example: betline bridge replay tuesday.mcap
    """
    from pydantic import ValidationError

    from betline.settings import TableSettings
    from betline.table_recording.reading import Recording
    from firmware_bridge.line_replay.decoding import compared, decoded

    recording = Recording(file)
    try:
        table = TableSettings.model_validate_json(recording.about["table"])
    except (KeyError, ValidationError):
        raise UserError(f"The table in {file} cannot be read: use the version that recorded it.") from None
    lines, published = _gathered(recording)
    trouble = recording.trouble
    if trouble is not None:
        typer.echo(f"betline: {trouble.sentence}", err=True)
    if not any(lines.values()):
        raise UserError(f"{file} has no serial bytes: record with betline run --record, or bridge run --taps.", FAILED)
    damaged = trouble is not None and trouble.damaged
    status, rows = FAILED if damaged else DONE, []
    for reader in table.readers:
        rounds = decoded(table, reader, lines[reader.id])
        found = compared(rounds, published[reader.id])
        nothing = bool(found.undecoded) and not found.alike
        status = FAILED if found.different or nothing else status
        row = {
            "reader": reader.id, "protocol": reader.protocol, "rounds": found.rounds, "alike": found.alike,
            "undecoded": found.undecoded, "different": found.different, "lost_track": len(rounds.lost_ns),
        }  # fmt: skip
        rows.append(row)
        if not json_:
            lost = f", lost track {counted(len(rounds.lost_ns), 'time')}" if rounds.lost_ns else ""
            counts = f"{found.rounds} rounds; published {found.alike} alike, {len(found.different)} otherwise"
            typer.echo(f"{reader.id:<14} {reader.protocol:<8} {counts}, {found.undecoded} not decoded{lost}")
            for sentence in found.different[:3]:
                typer.echo(f"    {sentence}")
    if json_:
        told = {
            "cut": trouble is not None and not damaged,
            "damaged": trouble.as_json() if trouble and damaged else None,
        }
        typer.echo(json.dumps({"readers": rows, **told, "ok": status == DONE}))
    return status


def _gathered(recording: Recording) -> tuple[dict[str, list[Noted]], dict[str, Published]]:
    """By reader what happened at its line, and what was published of its zones."""
    from betline.table_recording.writing import BUS, SERIAL
    from firmware_bridge.line_replay.decoding import Noted

    lines: dict[str, list[Noted]] = defaultdict(list)
    published: dict[str, Published] = defaultdict(lambda: defaultdict(list))
    for message in recording.messages(SERIAL, f"{BUS}zone/", f"{BUS}private/zone/"):
        line = message.line
        if message.channel.startswith(SERIAL):
            reader, way = message.channel.removeprefix(SERIAL).split("/")
            what: Way = line["event"] if way == "port" else cast("Way", way)
            lines[reader].append(Noted(message.at_ns, what, bytes.fromhex(line.get("hex", ""))))
        elif message.channel.endswith(("/chips", "/tags")):
            figures = [(one["uid"], one["hits"], one["rounds"], one["missed"], one["quiet"]) for one in line["chips"]]
            published[line["reader"]][line["zone"]].append((line["boot_id"], line["round_no"], frozenset(figures)))
    return lines, published
