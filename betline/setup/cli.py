"""The verb ``betline setup``."""

from __future__ import annotations

import json as json_text
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from betline.joining import BrokerChoice, takes_broker_or_its_own
from betline.options import (
    DONE,
    FAILED,
    SITE_DEFAULT,
    ByIdOption,
    JsonOption,
    PeopleOption,
    RegisterOption,
    SiteOption,
    UserError,
)
from betline.settings.model import nearest
from betline.settings.readers import BY_ID
from betline.setup.files import start_command
from betline.setup.hardware import Hardware
from betline.setup.interview import NAMES, asked, completed, next_asked, pruned, read_all
from betline.setup.jobs import Done, Jobs, run_jobs
from betline.setup.playing import Tried, Watcher, play
from betline.setup.question import AnswerError, Answers
from betline.setup.sections import voice
from betline.setup.store import Folder, Written, read_answers
from betline.setup.trial import Link
from betline.setup.work import Work, what_is_left
from betline.together import refuse_given

app = typer.Typer(add_completion=False, rich_markup_mode=None)
_WORK: Final = ("enrol", "calibrate", "pins")
_OF_QUESTIONS: Final = ("answers", "given", "only", "yes", "people", "probe", "questions")


@app.callback()
def _setups() -> None:
    """Setting a table up."""


@app.command()
@takes_broker_or_its_own("For the test hand; default: what table or site file say, else one of its own.")
def setup(
    context: typer.Context,
    broker: BrokerChoice,
    directory: Annotated[
        Path, typer.Option("--dir", metavar="DIR", help="Folder of the table's files; begun where it is not there.")
    ] = Path("my-table"),
    answers: Annotated[
        Path | None, typer.Option("--answers", metavar="FILE", help="Answers to begin with, as answers.toml has them.")
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One answer; may be repeated.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="PART", help=f"Ask again: {', '.join(NAMES)}.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Ask nothing: take what is preselected where nothing was said.")
    ] = False,
    by_id: ByIdOption = BY_ID,
    register: RegisterOption = None,
    people: PeopleOption = None,
    enrol: Annotated[
        str | None,
        typer.Option(
            "--enrol", metavar="KEY=N", help="Teach it the stack of N chips of this type on the first antenna."
        ),
    ] = None,
    calibrate: Annotated[bool, typer.Option("--calibrate", help="Calibrate the camera; its picture is kept.")] = False,
    pins: Annotated[
        Path | None,
        typer.Option(
            "--pins", metavar="FILE", help="File of mode 600 with a name and a PIN a line; - is standard input."
        ),
    ] = None,
    test_hand: Annotated[
        bool, typer.Option("--test-hand", help="Play a test hand on the table that was set up, and end.")
    ] = False,
    site: SiteOption = SITE_DEFAULT,
    seat: Annotated[int | None, typer.Option("--seat", metavar="N", help="Whose bet the test hand is.")] = None,
    probe: Annotated[
        bool, typer.Option("--probe/--no-probe", help="Look which readers, cameras and broker there are.")
    ] = True,
    questions: Annotated[
        bool, typer.Option("--questions", help="List the questions with their answers, and end.")
    ] = False,
    json: JsonOption = False,
) -> int:
    """Set a table up, question by question, and write its files; it goes on where it was left.

    Example: betline setup --dir kitchen

    Example: betline setup --dir kitchen --only readers

    Example: betline setup --dir kitchen --set shape.size=2100x1050 --set shape.seats=8 --yes

    Example: betline setup --dir kitchen --enrol red-5=20 --calibrate

    Example: betline setup --dir kitchen --test-hand --seat 3

    Example: betline setup --dir club-2 --answers club-1/answers.toml --set shape.title="Table 2" --yes --json
    """
    unknown = next((name for name in only or () if name not in NAMES), None)
    if unknown is not None:
        raise UserError(f"--only {unknown} is no part of the set-up; {nearest(unknown, NAMES)}")
    if seat is not None and not test_hand:
        raise UserError("--seat says whose bet the test hand is: give --test-hand too, or leave it out.")
    if test_hand:
        because = "is of no use with --test-hand: play the test hand when the table is set up."
        refuse_given(context, *_OF_QUESTIONS, *_WORK, because=because)
    if questions:
        refuse_given(context, *_WORK, because="is work to be done: leave it out with --questions.")
    if yes and not questions:
        refuse_given(context, "only", because="asks again, and --yes asks nothing: leave one of them out.")
    hardware, folder = Hardware(by_id), Folder(directory)
    if test_hand:
        speaks = voice.language_of(folder.answers())
        return _test_hand(
            folder, Tried(folder.table, seat, by_id, register, broker=broker, site=site, voice=speaks), json=json
        )
    jobs = Jobs.read(enrol, pins, calibrate=calibrate)
    yes = yes or jobs.any
    before = folder.answers()
    try:
        said = {} if answers is None else read_answers(answers)
        said |= dict(_pair(text) for text in given or ())
        if probe and not json:
            typer.echo("Looking for readers, cameras and a broker: up to 10 s.", err=True)
        found = hardware.look() if probe else hardware.nothing()
        start = read_all({**pruned({**before, **said}, found), **said}, found)
        if questions:
            _list_questions(start, found, tuple(only or ()), json=json)
            return DONE
        if not (yes or json) and _can_draw():
            from betline.setup.screens.app import run_wizard

            status = run_wizard(folder, hardware, found, start, tuple(only or ()), register, people, broker, site)
            again = shlex.join(["betline", "setup", "--dir", str(directory)])
            typer.echo(f"The answers are kept. To go on: {again}", err=True)
            return status
        if not yes:
            one = next_asked(start, found, tuple(only or ()))
            what = f"; {one.question.key} comes next" if one else ""
            raise UserError(f"There is no terminal to ask at{what}: give --answers or --set, and --yes.")
        complete = completed(start, found)
    except AnswerError as error:
        raise UserError(str(error)) from None
    written = folder.write(complete, _complete_or_none(before))
    work = Work(folder, by_id, register, people)
    done = run_jobs(jobs, work, complete, lambda sentence: typer.echo(sentence, err=True))
    left = what_is_left(work.standing(complete), complete, directory)
    _say(folder, complete, written, done, left, json=json)
    failed = any(one.is_fault for one in written.findings) or any(not one.good for one in done)
    return FAILED if failed else DONE


def _can_draw() -> bool:
    """Whether there is a terminal on which questions can be shown."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _test_hand(folder: Folder, tried: Tried, *, json: bool) -> int:
    if not folder.table.exists():
        raise UserError(f"There is no table in {folder.path} yet: betline setup --dir {folder.path} makes one.")

    def show(link: Link) -> None:
        if not json:
            typer.echo(f"{'ok' if link.seen else 'NOT SEEN':<9} {link.what}: {link.sentence}")

    def heard(sentence: str) -> None:
        if sentence and not json:
            typer.echo(f"{'':<9} {sentence}")

    trial = play(tried, Watcher(show, lambda push: typer.echo(f"{push}.", err=json), heard))
    if json:
        rows = [
            {"part": one.part, "what": one.what, "seen": bool(one.seen), "sentence": one.sentence}
            for one in trial.links
        ]
        typer.echo(json_text.dumps({"proven": trial.proven, "links": rows}, ensure_ascii=False))
    else:
        typer.echo("The whole chain works." if trial.proven else "Put right what is marked, then try again.")
    return DONE if trial.proven else FAILED


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UserError(f"--set {text} is no answer; write KEY=VALUE, for example --set shape.seats=8.")
    return key.strip(), value.strip()


def _complete_or_none(answers: Answers) -> Answers | None:
    return answers if answers and next_asked(answers) is None else None


def _list_questions(answers: Answers, found: Any, only: tuple[str, ...], *, json: bool) -> None:
    listed = [one.question for one in asked(answers, found, only)]
    if json:
        rows = [
            {
                "key": one.key,
                "asks": one.asks,
                "means": one.means,
                "choices": [choice.value for choice in one.choices],
                "usual": one.usual,
                "must": one.must,
                "answer": answers.get(one.key),
            }
            for one in listed
        ]
        typer.echo(json_text.dumps({"questions": rows}, ensure_ascii=False))
        return
    for one in listed:
        answer = answers.get(one.key)
        stands = f"= {answer}" if answer is not None else f"(usual: {one.usual})" if one.usual else "(must be answered)"
        typer.echo(f"{one.key} {stands}\n    {one.asks} {one.means}")
        if one.choices:
            typer.echo(f"    {one.offered()}")


def _say(
    folder: Folder, answers: Answers, written: Written, done: tuple[Done, ...], left: tuple[str, ...], *, json: bool
) -> None:
    start = start_command(answers, str(folder.table))
    if json:
        document = {
            "written": [str(path) for path in written.files],
            "kept": [str(path) for path in written.kept],
            "findings": [
                {"where": one.where, "sentence": one.sentence, "fault": one.is_fault} for one in written.findings
            ],
            "done": [{"good": one.good, "sentence": one.sentence} for one in done],
            "left": list(left),
            "start": start,
        }
        typer.echo(json_text.dumps(document, ensure_ascii=False))
        return
    for path in written.files:
        typer.echo(f"Written: {path}")
    for path in written.kept:
        typer.echo(f"It had been changed by hand; what it said is in {path}.")
    for one in written.findings:
        typer.echo(f"{'fault' if one.is_fault else 'warning'}: {one}")
    for job in done:
        typer.echo(f"{'Done' if job.good else 'NOT DONE'}: {job.sentence}")
    for sentence in left:
        typer.echo(f"Next: {sentence}")
    typer.echo(f"Look at it: betline table draw {folder.table} -o {folder.table.with_suffix('.svg')}")
    typer.echo(f"Change one part later: {shlex.join(['betline', 'setup', '--dir', str(folder.path), '--only'])} PART")
    typer.echo(f"Start it: {start}")
