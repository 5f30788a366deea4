"""The options that all verbs of the room share, and how they reach a verb: as one `Desk`."""

from __future__ import annotations

import getpass
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, NoReturn, get_type_hints

import typer

from betline.joining import BrokerChoice, takes_broker
from betline.options import (
    FAILED,
    SITE_DEFAULT,
    JsonOption,
    KeyOption,
    PeopleOption,
    SiteOption,
    UserError,
    state_folder,
)
from betline.people.roll import usual_roll
from betline.settings import config_dir, parse, read_toml
from betline.settings.site import site_of_file
from cardroom.room.errors import RoomError
from cardroom.room.rules import RoomRules
from cardroom.room.verbs.desk import Desk

JournalOfRoom = Annotated[
    Path | None, typer.Option("--journal", metavar="FILE", help="The room's journal; default in your state folder.")
]
SiteFileOption = Annotated[
    Path | None,
    typer.Option(
        "--site-file",
        metavar="FILE",
        help="The file of the whole site: a table whose pit is cut off from it is not counted on.",
    ),
]
ByOption = Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who does this. Default: your login name.")]
PinFileOption = Annotated[
    Path | None, typer.Option("--pin-file", metavar="FILE", help="File of mode 600 with the PIN of --by.")
]
RulesOption = Annotated[
    Path | None, typer.Option("--rules", metavar="FILE", help="The house's options of room work (docs/room.md).")
]
WaitOption = Annotated[
    float, typer.Option("--wait", metavar="SECONDS", min=0, help="Wait so long for a table to end its hand.")
]
PlayerArgument = Annotated[str, typer.Argument(metavar="PLAYER", help="The player, by name.")]
TableArgument = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name on the bus.")]
GameOption = Annotated[str | None, typer.Option("--game", metavar="NAME", help="Which game; default the only one.")]
SeedOption = Annotated[
    str | None,
    typer.Option(
        "--seed", metavar="TEXT", help="Draw from this seed, with --reason. Default: the one told beforehand."
    ),
]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why the same list is drawn again, or from another seed.")
]
WhyOption = Annotated[
    str, typer.Option("--why", metavar="TEXT", help="Why the floor says so, as it stands in the journal: TDA 9.")
]
PublicOption = Annotated[
    str,
    typer.Option(
        "--public",
        metavar="TEXT",
        help="The second part of the seed: dice or the like, thrown before everybody after the list has closed.",
    ),
]
PlanOption = Annotated[bool, typer.Option("--plan", help="Only show who would move.")]


def at_desk(verb: Callable[..., None]) -> Callable[..., Any]:
    """Gives a verb the options of the room; they reach it as one `Desk`, and its errors become sentences."""

    def with_desk(
        broker: BrokerChoice,
        journal: JournalOfRoom = None,
        site: SiteOption = SITE_DEFAULT,
        by: ByOption = None,
        pin_file: PinFileOption = None,
        rules: RulesOption = None,
        people: PeopleOption = None,
        wait: WaitOption = 0.0,
        key: KeyOption = None,
        site_file: SiteFileOption = None,
        json: JsonOption = False,
        **given: Any,
    ) -> None:
        try:
            pits = None
            if site_file is not None:
                whole = site_of_file(site_file, None if site == SITE_DEFAULT else site)
                site, pits = whole.name, whole.tables_of_pits
            path = journal or state_folder() / f"{site}.room"
            who = by or getpass.getuser()
            staff = people or usual_roll()
            desk = Desk(path, who, load_rules(rules), json, site, broker, staff, pin_file, wait, key, pits)
            try:
                verb(desk, **given)
            finally:
                desk.close()
        except RoomError as error:
            raise UserError(str(error), FAILED) from None

    own = [one for one in inspect.signature(verb).parameters.values() if one.name != "desk"]
    hints = get_type_hints(verb, include_extras=True)
    common = [one for one in inspect.signature(with_desk).parameters.values() if one.name != "given"]
    common_hints = get_type_hints(with_desk, include_extras=True)
    with_desk.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[one.name]) for one in own),
            *(one.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=common_hints[one.name]) for one in common),
        ]
    )
    with_desk.__annotations__ = {**common_hints, **hints}
    with_desk.__annotations__.pop("given", None)
    with_desk.__annotations__.pop("desk", None)
    with_desk.__name__, with_desk.__doc__ = verb.__name__, verb.__doc__
    return takes_broker(with_desk)


def load_rules(file: Path | None) -> RoomRules:
    """The house's options of room work, the shipped ones with what a file sets otherwise; raises SettingsError."""
    usual = read_toml(config_dir() / "room" / "usual.toml")
    return parse(
        RoomRules, {**usual, **({} if file is None else read_toml(file))}, str(file or "config/room/usual.toml")
    )


def wrong_usage(sentence: str) -> NoReturn:
    """Refuses a command line."""
    raise UserError(sentence)
