"""From answers to files: the table, the house rules, the chip set, the answers themselves. Pure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Final

from betline.settings import SettingsError
from betline.settings.model import shown
from betline.setup.interview import NAMES
from betline.setup.question import Answers
from betline.setup.sections import broker as broker_section
from betline.setup.sections import camera, chips, game, house, readers, shape, voice
from betline.tables.writing import NewTable

TABLE: Final = "table.toml"
HOUSE: Final = "house.toml"
CHIPS: Final = "chips.toml"
ANSWERS: Final = "answers.toml"
_STACK_BIG_BLINDS: Final = 100


def files_of(answers: Answers) -> dict[str, str]:
    """The files that complete answers make, by name."""
    made = {TABLE: _table(answers), HOUSE: house.house_text(answers)}
    if answers["chips.set"] == chips.OWN:
        made[CHIPS] = chips.chip_set_text(answers)
    return made


def answers_text(answers: Answers) -> str:
    """The answers as a file that can be read, changed and given again; there are no secrets among them."""
    lines = [
        "# What betline setup was answered. It goes on from here; betline setup --only readers asks one part again.",
        "# There are no passwords or PINs in it.",
    ]
    for section in NAMES:
        rows = [(key.partition(".")[2], text) for key, text in answers.items() if key.partition(".")[0] == section]
        if rows:
            lines += ["", f"[{section}]", *(f'{key} = "{text}"' for key, text in rows)]
    return "\n".join(lines) + "\n"


def answers_of(data: Mapping[str, object], where: str) -> dict[str, str]:
    """The answers in the contents of an answers file; raises SettingsError for anything else."""
    found: dict[str, str] = {}
    for section, group in data.items():
        if section not in NAMES or not isinstance(group, Mapping):
            raise SettingsError(f"{where}: {section} is no section of the set-up; they are {', '.join(NAMES)}.")
        for key, value in group.items():
            if not isinstance(value, str | int | bool):
                raise SettingsError(f"{where}: {section}.{key} must be a text, not {shown(value)}.")
            found[f"{section}.{key}"] = _text(key, value)
    return found


def start_command(answers: Answers, table: str) -> str:
    """What starts this table."""
    words = ["betline", "run", "--table", table]
    if answers["voice.language"] != voice.OFF:
        words += ["--voice", answers["voice.language"]]
    return shlex.join(words)


def _table(answers: Answers) -> str:
    size = shape.size_of(answers)
    small, big = game.blinds(answers)
    text = NewTable(
        name=shape.short_name(answers),
        title=answers["shape.title"],
        form=answers["shape.form"],  # type: ignore[arg-type]
        width=size.width,
        depth=size.depth,
        in_inches=size.in_inches,
        over_rail=answers["shape.over_rail"] == "yes",
        seats=int(answers["shape.seats"]),
        dealer=answers["shape.dealer"] == "yes",
        readers=None,
        camera=None if answers["camera.source"] == camera.NONE else answers["camera.source"],
        chip_set=CHIPS if answers["chips.set"] == chips.OWN else answers["chips.set"],
        house=HOUSE,
        limit=answers["game.limit"],
        streets=answers["game.streets"],
        blinds=(small, big),
        starting_stack=big * _STACK_BIG_BLINDS,
    ).text()
    made = f"# Made by betline setup. Start it: {start_command(answers, TABLE)}"
    return f"{made}\n{text}{broker_section.table_text(answers)}{readers.tables_text(answers)}".rstrip() + "\n"


def _text(key: str, value: str | int | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower() if key not in ("over_rail", "dealer") else ("yes" if value else "no")
    return str(value)
