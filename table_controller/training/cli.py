"""`betline train`: the verb."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from betline.counting import counted
from betline.options import DONE, JsonOption, UserError

if TYPE_CHECKING:
    from table_controller.training.asking import Mode
    from table_controller.training.moments import House
    from table_controller.training.score import Progress

MOST_NAMED: Final = 3
LISTED_WITH: Final = 1
"""The seed of the questions that are counted: how many there are does not depend on it."""

app = typer.Typer(add_completion=False, rich_markup_mode=None)


class ThemeName(StrEnum):
    """The colours of the screen."""

    DARK = "dark"
    LIGHT = "light"
    COLOUR_BLIND = "colour-blind"
    CONTRAST = "contrast"


@app.callback()
def _training_room() -> None:
    """Training for dealers and players."""


@app.command()
def train(
    context: typer.Context,
    player: Annotated[bool, typer.Option("--player/--dealer", help="Questions for a player. Default: dealer.")] = False,
    house: Annotated[
        str | None,
        typer.Option(
            "--house", metavar="NAME|FILE", help="Rules: tda, cash, home, or your own file. Default: each case's."
        ),
    ] = None,
    topic: Annotated[
        list[str] | None,
        typer.Option("--topic", metavar="NAME", help="Only this topic; may be repeated. list: all with questions."),
    ] = None,
    level: Annotated[
        int | None, typer.Option("--level", min=1, max=3, help="1 what comes every shift, 2 most evenings too, 3 all.")
    ] = None,
    questions: Annotated[
        int, typer.Option("--questions", min=1, max=200, metavar="N", help="How many are asked.")
    ] = 10,
    name: Annotated[str, typer.Option("--name", metavar="PERSON", help="Whose score it is.")] = "me",
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="The same seed deals the same questions.")
    ] = None,
    score: Annotated[bool, typer.Option("--score", help="Print how far you are, topic by topic, and end.")] = False,
    text: Annotated[bool, typer.Option("--text", help="No screen: lines, for a screen reader or a pipe.")] = False,
    theme: Annotated[ThemeName, typer.Option("--theme", help="The colours; F5 changes them.")] = ThemeName.DARK,
    json: JsonOption = False,
) -> None:
    """Train rulings: a situation is told and drawn, you rule, the table explains; what you missed comes back.

    Example: betline train

    Example: betline train --player --house home --questions 5

    Example: betline train --topic oversized-chip --topic string-bets --name Ann

    Example: betline train --topic list

    Example: betline train --player --topic list

    Example: betline train --score --name Ann

    Example: betline train --text --seed 7
    """
    from random import SystemRandom

    from betline.together import refuse_given
    from table_controller.training import deck, plain, sitting
    from table_controller.training import score as scores
    from table_controller.training.leitner import Card
    from table_controller.training.record import read_record, record_file, write_record

    mode: Mode = "player" if player else "dealer"
    if topic == ["list"]:
        _list(mode, _house(house), json=json)
        return
    if text or json or score:
        refuse_given(context, "theme", because="is for the screen.")
    wanted = tuple([one for one in deck.chosen(topic or ()) if level is None or one.level <= level])
    if not wanted:
        raise UserError(f"No topic of these is of level {level} or below.")
    rules = _house(house)
    file = record_file(name)
    cards = read_record(file)
    day = date.today().toordinal()  # noqa: DTZ011 -- the day on the wall of whoever trains
    titles = {one.name: one.title for one in wanted}
    dealt_with = SystemRandom().randrange(2**32) if seed is None else seed
    if score:
        rows = scores.progress(wanted, sitting.all_questions(wanted, mode, rules, dealt_with), cards, day)
        _print_score(rows, json=json)
        return

    def deal(known: Mapping[str, Card]) -> sitting.Sitting:
        return sitting.dealt(wanted, mode, rules, known, questions, day, dealt_with + len(known))

    def keep(learnt: Mapping[str, Card]) -> None:
        write_record(file, learnt)

    if not sitting.dealt(wanted, mode, rules, cards, 1, day, dealt_with).of:
        raise UserError(_nothing_to_ask(titles, mode, house))
    if text or json:
        teller = plain.InJson() if json else plain.InWords(titles)
        plain.run(deal(cards), _lines(), typer.echo, keep, teller)
        return
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UserError("There is no terminal here: use --text for lines, or --json for a program.")
    from table_controller.console.palette import THEMES
    from table_controller.training.screen.app import TrainApp

    raise typer.Exit(TrainApp(deal, cards, keep, titles, mode, theme=THEMES[theme.value]).run() or DONE)


def _lines() -> Iterator[str]:
    """Standard input line by line, each when it is there."""
    while line := sys.stdin.readline():
        yield line


def _house(name: str | None) -> House | None:
    from betline.settings import load_house_rules
    from table_controller.training.moments import House

    return None if name is None else House(Path(name).name, load_house_rules(name))


def _nothing_to_ask(titles: Mapping[str, str], mode: Mode, house: str | None) -> str:
    """Why there is no question, and what to do."""
    which = " and ".join(titles) if len(titles) <= MOST_NAMED else "these topics"
    under = "" if house is None else f" under the rules of {house}"
    player = " --player" if mode == "player" else ""
    more = f" --house {house}" if house else ""
    where = f"betline train{player}{more} --topic list"
    return f"Of {which} there is no question for a {mode}{under}; {where} names the topics that have some."


def _list(mode: Mode, house: House | None, *, json: bool) -> None:
    """The topics that have questions, with their titles and how many."""
    import json as json_format

    from table_controller.training import deck, sitting

    counts = {one.name: len(sitting.all_questions([one], mode, house, LISTED_WITH)) for one in deck.topics()}
    found = [one for one in deck.topics() if counts[one.name]]
    if json:
        rows = [
            {"name": one.name, "title": one.title, "level": one.level, "questions": counts[one.name]} for one in found
        ]
        typer.echo(json_format.dumps(rows))
        return
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        questions = counted(counts[one.name], "question")
        typer.echo(f"{one.name:<{width}}  {one.title} ({deck.LEVELS[one.level]}, {questions})")


def _print_score(rows: Iterable[Progress], *, json: bool) -> None:
    import json as json_format
    from dataclasses import asdict

    from table_controller.training.score import as_table

    typer.echo(json_format.dumps([asdict(row) for row in rows]) if json else as_table(rows))
