"""`betline replay-table`: a recorded table replayed, verified, looked at; a wrong ruling made a case."""

from __future__ import annotations

import json as json_format
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from betline.options import DONE, FAILED, WRONG_USAGE, JsonOption, UserError

if TYPE_CHECKING:
    from betline.table_recording.reading import Recording
    from table_controller.session import Terms
    from table_controller.table_replay.evidence import Pages
    from table_controller.table_replay.track import Track

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def _table_replay() -> None:
    """Recorded tables."""


@app.command("replay-table")
def replay_table(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What betline record has made.")],
    verify: Annotated[
        bool, typer.Option("--verify", help="Compare every ruling; exit status 1 at the first difference.")
    ] = False,
    list_all: Annotated[bool, typer.Option("--list", help="A line for each thing that happened.")] = False,
    until: Annotated[
        str | None,
        typer.Option("--until", metavar="M:SS|hand:N", help="Open there; with --json print the state then."),
    ] = None,
    case: Annotated[
        str | None, typer.Option("--case", metavar="HAND[:ACT]", help="Make a case of this ruling, or the hand's last.")
    ] = None,
    should: Annotated[
        str | None,
        typer.Option("--should", metavar="KEY=VALUE,...", help="With --case: what the ruling should have been."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="With --case: a new file; default the screen.")
    ] = None,
    json: JsonOption = False,
) -> int:
    """Replay a recorded table through the real session, in its own time, as fast as this machine can.

    Without options it opens a viewer: the console's table, what happened beside it, and keys to step from ruling to
    ruling and back. The same recording and the same program come to the same, and --verify prints the hash of it all.
    A file that is damaged is replayed up to the damage, and --verify ends with status 1.

    Example: betline replay-table tuesday.mcap

    Example: betline replay-table tuesday.mcap --verify

    Example: betline replay-table tuesday.mcap --until hand:7

    Example: betline replay-table tuesday.mcap --case 7:12 --should ruling=call,to=1100 -o seven.yaml
    """
    from betline.table_recording.reading import Recording
    from table_controller.recorder.about import terms_in
    from table_controller.tools.case_file import make_case

    if sum((verify, list_all, case is not None)) > 1:
        raise UserError("Say one of --verify, --list and --case.")
    if case is None and (should is not None or out is not None):
        raise UserError("--should and -o belong to --case.")
    recording = Recording(file)
    if case is not None:
        return make_case(_journal_of(recording), case, should, out, json=json)
    terms = terms_in(recording.about)
    if verify:
        return _verify(recording, terms, json=json)
    if list_all:
        return _list(recording, terms, until, json=json)
    if json:
        return _state(recording, terms, until)
    if not sys.stdout.isatty():
        raise UserError("The viewer needs a terminal: say --verify, --list or --json.", WRONG_USAGE)
    from table_controller.table_replay.track import Track
    from table_controller.table_replay.viewer import ReplayViewer, seconds_of_place

    if until is not None and not until.startswith("hand:"):
        seconds_of_place(until)
    return ReplayViewer(Track(recording, terms), until or "").run() or DONE


def _journal_of(recording: Recording) -> Pages:
    from betline.table_recording.writing import JOURNAL
    from table_controller.recorder.journal_tail import of_line
    from table_controller.table_replay.evidence import Pages

    entries = [of_line(message.line) for message in recording.messages(JOURNAL)]
    _tell_trouble(recording)
    return Pages(entries, entries[-1].seq if entries else 0)


def _tell_trouble(recording: Recording) -> None:
    """Says what is wrong with a file that has been read."""
    if recording.trouble is not None:
        typer.echo(f"betline: {recording.trouble.sentence}", err=True)


def _verify(recording: Recording, terms: Terms, *, json: bool) -> int:
    from table_controller.table_replay.verify import verified

    progress = _Progress()
    began_s = time.perf_counter()
    verdict = verified(recording, terms, lambda _turn, moment, _: progress.show(moment.now.mono_ns))
    progress.end()
    took_s = time.perf_counter() - began_s
    if json:
        typer.echo(json_format.dumps(verdict.as_json()))
        return DONE if verdict.ok else FAILED
    if not verdict.starts:
        raise UserError(
            f"{recording.path} has nothing that the controller took: record with betline run --record, or start the "
            "controller with --taps.",
            FAILED,
        )
    for remark in verdict.remarks:
        typer.echo(f"betline: {remark}", err=True)
    if verdict.difference is not None:
        typer.echo(f"DIFFERS at {verdict.difference.sentence}")
        return FAILED
    compared = ", ".join(f"{count} {kind}" for kind, count in sorted(verdict.compared.items()))
    span = f"{verdict.inputs} inputs of {verdict.seconds:.0f} s, replayed in {took_s:.1f} s"
    typer.echo(f"{'DAMAGED, up to there as' if verdict.damaged else 'As'} recorded: {compared}; {span}.")
    typer.echo(f"hash: {verdict.hash}")
    return DONE if verdict.ok else FAILED


def _list(recording: Recording, terms: Terms, until: str | None, *, json: bool) -> int:
    track, last = _read(recording, terms, until)
    for mark in track.marks:
        if mark.turn > last:
            break
        if json:
            found = {
                "seconds": round(mark.seconds, 3), "turn": mark.turn, "kind": mark.kind, "hand": mark.hand_no,
                "act": mark.act_no or None, "text": mark.text,
            }  # fmt: skip
            typer.echo(json_format.dumps(found))
        else:
            act = f"{mark.hand_no}:{mark.act_no}" if mark.act_no else ""
            typer.echo(f"{mark.clock:>10}  {mark.kind:<12} {act:>7}  {mark.text}")
    return DONE


def _state(recording: Recording, terms: Terms, until: str | None) -> int:
    track, last = _read(recording, terms, until)
    player = track.at(last)
    found = {
        "turn": last, "seconds": round(track.seconds_of(last), 3), "at_ms": player.now.at_ms,
        "state": track.state(player).model_dump(mode="json"),
    }  # fmt: skip
    typer.echo(json_format.dumps(found))
    return DONE


def _read(recording: Recording, terms: Terms, until: str | None) -> tuple[Track, int]:
    """The whole recording replayed, and the turn of a place; the last one where none is named."""
    from table_controller.table_replay.track import Track
    from table_controller.table_replay.viewer import seconds_of_place, turn_of_place

    track = Track(recording, terms)
    track.read()
    _tell_trouble(recording)
    turn = track.turns if until is None else turn_of_place(track, until)
    if turn is None:
        hands = [str(one.hand_no) for one in track.marks if one.kind == "hand"]
        there = f"hands {hands[0]} to {hands[-1]}" if len(hands) > 1 else f"hand {hands[0]}" if hands else "no hand"
        raise UserError(f"There is no {until} in {recording.path}; it has {there}.", FAILED)
    if until is not None and not until.startswith("hand:") and seconds_of_place(until) > track.seconds:
        minutes, seconds = divmod(int(track.seconds), 60)
        raise UserError(f"{recording.path} ends at {minutes}:{seconds:02}, before {until}.", FAILED)
    return track, turn


class _Progress:
    """How far the replay is, on a terminal."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._began_ns: int | None = None
        self._shown_s = 0.0

    def show(self, mono_ns: int) -> None:
        if not self._live or time.monotonic() - self._shown_s < 0.2:
            return
        self._began_ns = mono_ns if self._began_ns is None else self._began_ns
        self._shown_s = time.monotonic()
        minutes, seconds = divmod((mono_ns - self._began_ns) // 1_000_000_000, 60)
        print(f"\r\x1b[Kreplayed up to {minutes}:{seconds:02d}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._live:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
