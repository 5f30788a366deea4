"""The printed sheet of an evening: every level of every game with its times, stakes and what may be bet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from betline.settings import GameSettings, HouseRules, Level, SettingsError, TableSettings, load_house_rules
from table_controller.betting import Illegal
from table_controller.levels import BetSizes, LevelClock, Situation, bet_sizes_of, periods_of, stakes
from table_controller.positions import options_of, structure_of
from table_controller.session.situation import GAME_NAMES, LIMIT_NAMES

MINUTE_MS = 60_000
_COLUMNS = {
    "first to act": "first act",
    "everybody limps to the small blind": "SB, limped",
    "everybody folds to the small blind": "SB, folded",
    "everybody limps to the big blind": "BB, limped",
    "after one pot raise": "pot raised",
    "after one minimum raise": "min raised",
}
_LEGEND = (
    "The last columns: the least and the most that a seat may make it, as first to act, as small or big blind when",
    "all have limped or folded to it, and after one raise of the pot or the minimum. + is bounded by the stack only.",
)


@dataclass(frozen=True, slots=True)
class Row:
    """One level of one game; `number` and `starts_min` are None where the table has no levels."""

    number: int | None
    starts_min: int | None
    level: Level | None
    game: GameSettings
    sizes: BetSizes


@dataclass(frozen=True, slots=True)
class Page:
    """One game with its levels; `name` is None where the table has only one."""

    name: str | None
    rows: tuple[Row, ...]


def pages_of(table: TableSettings, house: HouseRules, players: int) -> tuple[Page, ...]:
    """The sheet of a table; raises SettingsError where a level of a game cannot be dealt."""
    names = [None] if table.rotation is None else [one.name for one in table.rotation.games]
    return tuple(Page(name, tuple(_rows(table, house, players, name))) for name in names)


def check_levels(table: TableSettings) -> None:
    """Raises SettingsError where a level or a game in turn cannot be dealt: before the evening, not in the middle."""
    if table.levels or table.rotation is not None:
        pages_of(table, load_house_rules(table.house.profile, table.house.options), len(table.seats))


def _rows(table: TableSettings, house: HouseRules, players: int, name: str | None) -> Iterator[Row]:
    if not table.levels:
        yield Row(None, None, None, *_game(table, house, players, 1, name))
        return
    periods = periods_of(table.levels)
    for period, starts_ms in zip(periods, LevelClock.of(periods).starts_ms(), strict=True):
        if not period.is_break:
            level = table.levels[period.level - 1]
            yield Row(period.level, starts_ms // MINUTE_MS, level, *_game(table, house, players, period.level, name))


def _game(
    table: TableSettings, house: HouseRules, players: int, level: int, name: str | None
) -> tuple[GameSettings, BetSizes]:
    game = table.game_at(level, name)
    try:
        return game, bet_sizes_of(structure_of(game), options_of(house), players)
    except Illegal as error:
        what = " of ".join(part for part in (f"level {level}" if table.levels else "the game", name) if part)
        raise SettingsError(f"{table.name}: {what} cannot be dealt: {error.sentence}") from None


def as_text(table: TableSettings, pages: tuple[Page, ...], players: int) -> str:
    """The sheet as people read it."""
    lines = [f"{table.title}, {players} players, house rules {table.house.profile}"]
    if table.rotation is not None:
        by, count = table.rotation.by, table.rotation.count
        lines.append("The dealer chooses the game." if by == "choice" else f"Each game lasts {count} {by}.")
    for page in pages:
        game = page.rows[0].game
        title = f"{LIMIT_NAMES[game.limit]} {GAME_NAMES[game.streets]}"
        named = page.name is not None and page.name.casefold() != title.casefold()
        lines += ["", f"{page.name} ({title})" if named else title]
        lines += _table(page)
    return "\n".join((*lines, "", *_LEGEND))


def _table(page: Page) -> list[str]:
    moments = [one.name for one in page.rows[0].sizes.first_round]
    timed = page.rows[0].number is not None
    head = [*(("level", "starts", "min") if timed else ()), "stakes", "bet", *(_COLUMNS[name] for name in moments)]
    grid = [head, *(_cells(row, moments) for row in page.rows)]
    widths = [max(len(line[place]) for line in grid) for place in range(len(head))]
    stakes_at = head.index("stakes")
    lines = []
    for place, cells in enumerate(grid):
        if place and (level := page.rows[place - 1].level) is not None and level.colour_up:
            lines.append(f"  before level {page.rows[place - 1].number} the {level.colour_up}s are coloured up")
        lines.append(
            "  ".join(
                cell.ljust(width) if column == stakes_at else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
            ).rstrip()
        )
        if place and (level := page.rows[place - 1].level) is not None and level.break_minutes:
            lines.append(f"  break of {level.break_minutes} minutes")
    return lines


def _cells(row: Row, moments: list[str]) -> list[str]:
    times = []
    if row.level is not None and row.starts_min is not None:
        times = [str(row.number), f"{row.starts_min // 60}:{row.starts_min % 60:02}", str(row.level.minutes)]
    by_name = {one.name: one for one in row.sizes.first_round}
    bets = dict.fromkeys(least for _, least, _ in row.sizes.min_bets)
    return [*times, stakes(row.game), "/".join(map(str, bets)), *(_range(by_name.get(name)) for name in moments)]


def _range(moment: Situation | None) -> str:
    if moment is None or moment.least is None:
        return "-"
    if moment.most is None:
        return f"{moment.least}+"
    return str(moment.least) if moment.least == moment.most else f"{moment.least}-{moment.most}"


def as_json(table: TableSettings, pages: tuple[Page, ...], players: int) -> str:
    """The sheet as one JSON document."""
    games = [{"name": page.name, "levels": [_row_json(row) for row in page.rows]} for page in pages]
    return json.dumps({"table": table.name, "players": players, "games": games})


def _row_json(row: Row) -> dict[str, Any]:
    level = row.level
    return {
        "level": row.number,
        "starts_min": row.starts_min,
        "minutes": None if level is None else level.minutes,
        "break_minutes": None if level is None else level.break_minutes,
        "colour_up": None if level is None else level.colour_up,
        "stakes": stakes(row.game),
        "game": row.game.model_dump(mode="json", exclude_none=True),
        "first_round": [asdict(one) for one in row.sizes.first_round],
        "bets": [{"street": street, "least": least, "most": most} for street, least, most in row.sizes.min_bets],
    }
