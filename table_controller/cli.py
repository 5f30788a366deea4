"""The verbs of the table controller: the service itself, the console, cases, hand histories and the journal."""

from __future__ import annotations

import logging
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from betline import logs
from betline.joining import BrokerChoice, takes_broker
from betline.known_tables import the_table
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    Address,
    AnchorsOption,
    DeckOption,
    IdOption,
    JournalOption,
    JsonOption,
    KeyOption,
    MetricsOption,
    PeopleOption,
    SiteOption,
    TableOption,
    TapsOption,
    ThereOption,
    UserError,
    WyomingOption,
    default_journal,
    namespace,
)
from betline.together import BROKER, refuse_given
from table_controller.accounts.cli import journal_app
from table_controller.accounts.histories.cli import export
from table_controller.accounts.report.cli import report
from table_controller.history.cli import journal_serve
from table_controller.tools.case_file import journal_case
from table_controller.tools.rule.flags import Repeating

WYOMING_EXAMPLE = "127.0.0.1:10200"
LanguageOption = Annotated[str, typer.Option("--language", metavar="en|de|fr|es", help="What is spoken.")]

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None)
journal_app.command("case")(journal_case)
journal_app.command("serve")(journal_serve)
app.add_typer(journal_app, name="journal")
app.command("export")(export)
app.command("report")(report)


@app.callback()
def _controller_room() -> None:
    """The table controller: rulings, journal and console."""


@app.command()
@takes_broker
def controller(
    broker: BrokerChoice,
    table: TableOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    journal: JournalOption = None,
    key: KeyOption = None,
    anchors: AnchorsOption = None,
    people: PeopleOption = None,
    deck: DeckOption = None,
    taps: TapsOption = None,
    metrics: MetricsOption = None,
) -> None:
    """Run the table controller until interrupted: sensors and dealer in, rulings out.

    The journal is sealed with the key; each head is published, and kept as an anchor outside the journal's file.

    Where people of the staff are enrolled, it obeys who has signed in only (betline people --help).

    Example: betline controller --table home-six --broker 127.0.0.1:1883
    """
    from betline.deck import usual_deck
    from betline.metrics.places import address_of
    from betline.people.record import PeopleError
    from betline.people.roll import usual_roll
    from betline.settings import load_table
    from table_controller.journal.errors import JournalError
    from table_controller.service.running import run_controller
    from table_controller.tools.sheet import check_levels

    settings = load_table(the_table(table))
    check_levels(settings)
    name = table_id or settings.name
    space = namespace(site, name)
    try:
        file = journal or default_journal(site, name)
        where = broker.with_settings(settings).address("controller")
        figures_at = address_of("controller", metrics, settings)
        status = run_controller(
            settings, where, space, file, key, anchors, people or usual_roll(), deck or usual_deck(), taps, figures_at
        )
    except (JournalError, PeopleError) as error:
        raise UserError(str(error), FAILED) from None
    raise typer.Exit(status)


class ThemeName(StrEnum):
    """The colours of the console."""

    DARK = "dark"
    LIGHT = "light"
    COLOUR_BLIND = "colour-blind"
    CONTRAST = "contrast"


@app.command()
@takes_broker
def console(
    context: typer.Context,
    broker: BrokerChoice,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="No screen: a line a change, a command a line; ? lists the commands.")
    ] = False,
    keys: Annotated[
        str | None,
        typer.Option("--keys", metavar="NAME|FILE", help="Other keys: numpad, foot-pedal, or a TOML file [keys]."),
    ] = None,
    theme: Annotated[
        ThemeName, typer.Option("--theme", help="The colours; F5 changes them, NO_COLOR takes them away.")
    ] = ThemeName.DARK,
    metrics: MetricsOption = None,
    ends_table: Annotated[bool, typer.Option("--ends-table", hidden=True)] = False,
    ends_demo: Annotated[bool, typer.Option("--ends-demo", hidden=True)] = False,
) -> None:
    """Open the dealer's console; it is a client of the bus like any other.

    Example: betline console --table home-six

    Example: betline console --table home-six --plain

    Example: betline console --keys numpad --theme light
    """
    from betline.metrics.places import read_address
    from betline.tables_there import chosen_table
    from table_controller.console.keymaps import keys_for, users_file

    if plain:
        refuse_given(context, "theme", because="is for the screen: leave it out with --plain.")
    chosen_one = chosen_table(broker, table, site, table_id)
    settings, names = chosen_one.settings, chosen_one.names
    wanted = keys_for(keys, settings.keys, users_file())
    where = broker.with_settings(settings).address("console")
    figures_at = None if metrics is None else read_address(metrics)  # any number of consoles may share a table file
    if plain:
        from table_controller.console.keys import using
        from table_controller.console.plain.run import run_plain

        with using(wanted):
            raise typer.Exit(run_plain(settings, where, names, figures_at))
    from table_controller.console.app import run_console
    from table_controller.console.palette import THEMES

    chosen = THEMES[theme.value]
    raise typer.Exit(
        run_console(
            settings,
            where,
            names,
            ends_table=ends_table,
            ends_demo=ends_demo,
            keys=wanted,
            theme=chosen,
            metrics=figures_at,
        )
    )


@app.command()
@takes_broker
def voice(
    context: typer.Context,
    broker: BrokerChoice,
    table: ThereOption = None,
    site: SiteOption = SITE_DEFAULT,
    table_id: IdOption = None,
    language: LanguageOption = "en",
    wyoming: WyomingOption = None,
    say: Annotated[
        str | None, typer.Option("--say", metavar="TEXT", help="Speak this sentence and end; needs no table.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE.wav", help="With --say: write a sound file, play nothing.")
    ] = None,
    show: Annotated[bool, typer.Option("--print", help="Also print each sentence, one a line.")] = False,
    metrics: MetricsOption = None,
) -> None:
    """Say aloud what the table announces; how much is chosen on the console with F9.

    Example: betline voice --table home-six --language de

    Example: betline voice --wyoming 127.0.0.1:10200

    Example: betline voice --say "Seat four, eight hundred eighty to call." --out call.wav
    """
    from betline.metrics.places import address_of
    from betline.tables_there import chosen_table
    from table_controller.announce.numbers import language_of
    from table_controller.voice.service import run_voice, say_once

    if say is not None:
        of_table = ("table", "site", "table_id", "show", "metrics", *BROKER)
        refuse_given(context, *of_table, because="is for what a table announces: leave it out with --say.")
    spoken = language_of(language)
    if spoken is None:
        raise UserError(f"--language {language} is not spoken; say en, de, fr or es.")
    server = None if wyoming is None else Address.parse(wyoming, "--wyoming", WYOMING_EXAMPLE)
    if say is not None:
        raise typer.Exit(say_once(say, spoken, server, out))
    if out is not None:
        raise UserError("--out needs --say: it writes one sentence to a file.")
    chosen = chosen_table(broker, table, site, table_id)
    settings, space = chosen.settings, chosen.names
    write = typer.echo if show else None
    raise typer.Exit(
        run_voice(
            settings,
            broker.with_settings(settings).address("voice", "console"),
            space,
            spoken,
            server,
            write,
            lambda why: logs.say(why, logging.WARNING, plain=f"betline: {why}"),
            address_of("voice", metrics, settings),
        )
    )


@app.command(cls=Repeating)
def rule(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="A case without `expect`; - is standard input.")
    ] = None,
    case: Annotated[str | None, typer.Option("--case", metavar="ID", help="Which case of FILE, of several.")] = None,
    game: Annotated[str | None, typer.Option("--game", metavar="YAML", help="The game, as in a case.")] = None,
    house: Annotated[str | None, typer.Option("--house", metavar="YAML", help="Profile and options.")] = None,
    seats: Annotated[str | None, typer.Option("--seats", metavar="YAML", help="Seat: stack.")] = None,
    button: Annotated[str | None, typer.Option("--button", metavar="SEAT", help="The seat of the button.")] = None,
    start: Annotated[str | None, typer.Option("--start", metavar="YAML", help="Where a hand is resumed.")] = None,
    last_hand: Annotated[str | None, typer.Option("--last-hand", metavar="YAML", help="The hand before.")] = None,
    in_front: Annotated[str | None, typer.Option("--in-front", metavar="YAML", help="Chips not changed yet.")] = None,
    missed: Annotated[str | None, typer.Option("--missed", metavar="YAML", help="Blinds that seats owe.")] = None,
    rock: Annotated[str | None, typer.Option("--rock", metavar="SEAT", help="Who holds the rock.")] = None,
    kill: Annotated[str | None, typer.Option("--kill", metavar="SEAT", help="Who has triggered a kill.")] = None,
    legs: Annotated[str | None, typer.Option("--legs", metavar="YAML", help="Pots won in a row.")] = None,
    before: Annotated[
        list[str] | None, typer.Option("--before", metavar="STEP...", help="The steps before the act, in order.")
    ] = None,
    act: Annotated[str | None, typer.Option("--act", metavar="STEP", help="The act that is ruled on.")] = None,
    json: JsonOption = False,
    why: Annotated[bool, typer.Option("--why", help="With --json, also the arithmetic and the options.")] = False,
) -> None:
    """Rule on one act and explain: the last step of a case file, or of a case in flags, each the YAML of its key.

    Example: betline rule dispute.yaml

    Example: betline rule --game '{limit: no-limit, blinds: [50, 100]}' --seats '{1: 9000, 2: 9000, 3: 9000}'
    --button 3 --before '{seat: 3, action: raise, to: 300}' --act '{seat: 1, chips: [500]}'
    """
    from betline.cases import CaseError
    from table_controller.tools.rule.run import run_rule
    from table_controller.tools.rule.story import from_file, from_flags

    setup = {
        "game": game, "house": house, "seats": seats, "button": button, "start": start, "last_hand": last_hand,
        "in_front": in_front, "missed": missed, "rock": rock, "kill": kill, "legs": legs,
    }  # fmt: skip
    named = {key: text for key, text in setup.items() if text is not None}
    if why and not json:
        raise UserError("--why belongs to --json; the page for people says it all.")
    if file is not None and (named or before or act is not None):
        raise UserError("Name a file, or the case in flags, not both.")
    if file is None and (act is None or case is not None):
        raise UserError("Name a case file, or the case in flags with its act in --act.")
    try:
        story = from_file(file, case) if file is not None else from_flags(named, before or [], act or "")
        status = run_rule(story, json=json, why=why)
    except CaseError as error:
        raise UserError(str(error)) from None
    raise typer.Exit(status)


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hand histories in the PHH format.")],
    json: JsonOption = False,
) -> None:
    """Play hand histories through the engine to their finishing stacks, in every variant of the PHH format.

    Hold'em, short deck, Omaha, stud, razz, draw and badugi; high-low split among them.

    Example: betline replay hand.phh --json
    """
    from table_controller.tools.replay import replay_files

    raise typer.Exit(replay_files(files, json=json))


@app.command()
def levels(
    table: TableOption = None,
    players: Annotated[
        int | None, typer.Option("--players", min=2, max=10, metavar="N", help="Players; default every seat.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Print the levels of a table: times, blinds, antes, and the least and the most that may be bet at each.

    Example: betline levels --table tournament
    """
    from betline.settings import load_house_rules, load_table
    from table_controller.tools import sheet

    settings = load_table(the_table(table))
    house = load_house_rules(settings.house.profile, settings.house.options)
    number = players or len(settings.seats)
    pages = sheet.pages_of(settings, house, number)
    typer.echo((sheet.as_json if json else sheet.as_text)(settings, pages, number))
