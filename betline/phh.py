"""Hand histories in the PHH format (poker hand history file format, TOML) as frozen values.

The format: Juho Kim, "Recording and Describing Poker Hands", arXiv:2312.11753.

The replay plays them and the virtual table acts them out. Players are numbered from 1 as in the file, in position
order: player 1 is left of the button and the last player is on it; heads-up player 1 is the big blind.
All amounts are whole: where a file has decimals, its amounts are read in the smallest decimal unit that makes those of
the play whole (`scale` of them make one unit of the file).
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

_CARDS = re.compile(r"(?:[2-9TJQKA?][cdhs?])+")
_PLAYER = re.compile(r"p([1-9][0-9]*)")
_MAX_DECIMALS = 6

REQUIRED_AMOUNTS: Mapping[str, tuple[str, ...]] = {
    "NT": ("blinds_or_straddles", "min_bet"),
    "NS": ("blinds_or_straddles", "min_bet"),
    "PO": ("blinds_or_straddles", "min_bet"),
    "N2L1D": ("blinds_or_straddles", "min_bet"),
    "FT": ("blinds_or_straddles", "small_bet", "big_bet"),
    "FO/8": ("blinds_or_straddles", "small_bet", "big_bet"),
    "F2L3D": ("blinds_or_straddles", "small_bet", "big_bet"),
    "FB": ("blinds_or_straddles", "small_bet", "big_bet"),
    "F7S": ("bring_in", "small_bet", "big_bet"),
    "F7S/8": ("bring_in", "small_bet", "big_bet"),
    "FR": ("bring_in", "small_bet", "big_bet"),
}
"""The variants of the format, and the amounts that each must name besides antes, stacks and actions."""


class PhhError(Exception):
    """A file that is no hand history: which file, the line and the key where they are known, and a sentence."""

    def __init__(self, file: str, sentence: str, *, key: str | None = None, line: int | None = None) -> None:
        where = file if line is None else f"{file}:{line}"
        super().__init__(f"{where}: {sentence}" if key is None else f"{where}: {key}: {sentence}")
        self.file = file
        self.sentence = sentence
        self.key = key
        self.line = line


@dataclass(frozen=True, slots=True)
class DealHole:
    """Cards dealt to a player; a card that is not known is `??`."""

    player: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealBoard:
    """Cards dealt to the board: the next street."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fold:
    """A player folds."""

    player: int


@dataclass(frozen=True, slots=True)
class CheckCall:
    """A player checks, or calls where there is a bet."""

    player: int


@dataclass(frozen=True, slots=True)
class BringIn:
    """A player posts the bring-in."""

    player: int


@dataclass(frozen=True, slots=True)
class BetRaise:
    """A player completes, bets or raises: `to` is its total of the round."""

    player: int
    to: int


@dataclass(frozen=True, slots=True)
class ShowMuck:
    """A player shows these cards, or mucks: no cards; None: it shows all that it was dealt."""

    player: int
    cards: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class StandDiscard:
    """A player discards these cards, or stands pat: no cards. The cards that it draws are dealt later."""

    player: int
    cards: tuple[str, ...]


_VERBS = {Fold: "f", CheckCall: "cc", BringIn: "pb"}

PhhAction = DealHole | DealBoard | Fold | CheckCall | BringIn | BetRaise | ShowMuck | StandDiscard


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHistory:
    """One hand. Antes, blinds and stacks are by player; `antes` and `blinds` are what each one is to pay.

    `blinds` are live: 0 for none, negative for a live post out of position. `ante_trimming` False means that antes are
    dead money that nobody has to match (one player pays for all). An amount that the file does not name is 0.
    `finishing_stacks` is None where the file names none. All amounts are in units of 1/`scale` of the file's, which
    makes every one of them whole, those of a pot that was split into half chips as well.
    """

    file: str
    variant: str
    ante_trimming: bool
    antes: tuple[int, ...]
    blinds: tuple[int, ...]
    bring_in: int
    min_bet: int
    small_bet: int
    big_bet: int
    starting_stacks: tuple[int, ...]
    actions: tuple[PhhAction, ...]
    finishing_stacks: tuple[int, ...] | None
    players: tuple[str, ...]
    scale: int

    @property
    def button(self) -> int:
        """The player on the button."""
        return len(self.starting_stacks)

    def in_file_unit(self, amount: int | Decimal) -> str:
        """An amount as the file would write it."""
        return format((Decimal(amount) / self.scale).normalize(), "f")

    def in_file_order(self, amounts: Sequence[int]) -> list[int]:
        """Antes or blinds as the file lists them: heads-up the second player's comes first."""
        return list(amounts[::-1] if len(amounts) == 2 else amounts)

    def notation(self, action: PhhAction, *, scaled: bool = False) -> str:
        """An action as the file would write it; `scaled`: its amount stays in units of 1/`scale`."""
        match action:
            case DealHole(player, cards):
                words = ["d dh", f"p{player}", "".join(cards)]
            case DealBoard(cards):
                words = ["d db", "".join(cards)]
            case BetRaise(player, to):
                words = [f"p{player} cbr", str(to) if scaled else self.in_file_unit(to)]
            case ShowMuck(player, None):
                words = [f"p{player} sm -"]
            case ShowMuck(player, cards) | StandDiscard(player, cards):
                words = [f"p{player}", "sm" if isinstance(action, ShowMuck) else "sd", "".join(cards or ())]
            case Fold(player) | CheckCall(player) | BringIn(player):
                words = [f"p{player}", _VERBS[type(action)]]
        return " ".join(filter(None, words))


def load(path: str | Path) -> HandHistory:
    """Read a file. Raises PhhError where it cannot be read or is no hand history."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise PhhError(str(path), f"The file cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise PhhError(str(path), "The file is not text in UTF-8.") from None
    return parse(text, str(path))


def parse(text: str, file: str = "<text>") -> HandHistory:
    """Read the text of a file that is called `file` in errors. Raises PhhError where it is no hand history."""
    try:
        table = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        sentence = f"This is not valid TOML: {str(error).split(' (at ')[0]}."
        raise PhhError(file, sentence, line=int(place[1]) if place else None) from None
    return _Reader(table, text.splitlines(), file).history()


def written(history: HandHistory, fields: Mapping[str, object] | None = None) -> str:
    """The text of a file with that history and further ``fields``: numbers, words, lists and tables of them.

    A program's own fields begin with an underscore.
    """
    found: dict[str, object] = {"variant": history.variant}
    if history.ante_trimming:
        found["ante_trimming_status"] = True
    amounts = {"bring_in": history.bring_in, "small_bet": history.small_bet, "big_bet": history.big_bet}
    amounts["min_bet"] = history.min_bet
    needed = REQUIRED_AMOUNTS[history.variant]
    found["antes"] = history.in_file_order(history.antes)
    if "blinds_or_straddles" in needed:
        found["blinds_or_straddles"] = history.in_file_order(history.blinds)
    found |= {key: amount for key, amount in amounts.items() if key in needed}
    found["starting_stacks"] = list(history.starting_stacks)
    found["actions"] = [history.notation(action, scaled=True) for action in history.actions]
    found["players"] = list(history.players)
    if history.finishing_stacks is not None:
        found["finishing_stacks"] = list(history.finishing_stacks)
    return "".join(f"{key} = {_toml(value)}\n" for key, value in {**found, **(fields or {})}.items())


def _toml(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key} = {_toml(one)}' for key, one in value.items())}}}"
    return json.dumps(value, ensure_ascii=False)


class _Reader:
    """Turns the table of one file into a history, and knows where its keys stand."""

    def __init__(self, table: Mapping[str, object], lines: list[str], file: str) -> None:
        self.table = table
        self.lines = lines
        self.file = file

    def history(self) -> HandHistory:
        variant = self.need("variant")
        if not isinstance(variant, str) or variant not in REQUIRED_AMOUNTS:
            raise self.error("variant", f"There is no variant {variant!r}; there are {', '.join(REQUIRED_AMOUNTS)}.")
        for key in ("antes", "starting_stacks", "actions", *REQUIRED_AMOUNTS[variant]):
            self.need(key)
        stacks = self.amounts("starting_stacks")
        players = len(stacks)
        if not 2 <= players <= 10:
            raise self.error("starting_stacks", f"A hand has 2 to 10 players, not {players}.")
        antes = self.amounts("antes", players)
        blinds = self.amounts("blinds_or_straddles", players)
        single = {key: self.amount(key) for key in ("bring_in", "min_bet", "small_bet", "big_bet")}
        notes = self.action_texts()
        sizes = [size for note in notes if (size := self.size(note)) is not None]
        finishing = self.amounts("finishing_stacks", players) if "finishing_stacks" in self.table else None
        scale = _scale([*stacks, *antes, *blinds, *single.values(), *sizes, *(finishing or ())])
        if scale > 10**_MAX_DECIMALS:
            raise self.error("starting_stacks", f"Amounts have more than {_MAX_DECIMALS} decimals.")
        if min(stacks) <= 0:
            raise self.error("starting_stacks", "Every player needs chips.")
        trimming = self.table.get("ante_trimming_status", False)
        if not isinstance(trimming, bool):
            raise self.error("ante_trimming_status", "This must be true or false.")
        return HandHistory(
            file=self.file,
            variant=variant,
            ante_trimming=trimming,
            antes=_by_player(antes, scale),
            blinds=_by_player(blinds, scale),
            bring_in=int(single["bring_in"] * scale),
            min_bet=int(single["min_bet"] * scale),
            small_bet=int(single["small_bet"] * scale),
            big_bet=int(single["big_bet"] * scale),
            starting_stacks=tuple([int(stack * scale) for stack in stacks]),
            actions=tuple([self.action(note, players, scale) for note in notes]),
            finishing_stacks=None if finishing is None else tuple([int(stack * scale) for stack in finishing]),
            players=self.names(players),
            scale=scale,
        )

    def need(self, key: str) -> object:
        if key not in self.table:
            raise PhhError(self.file, "The file must name this.", key=key)
        return self.table[key]

    def error(self, key: str, sentence: str) -> PhhError:
        return PhhError(self.file, sentence, key=key, line=self.line_of(key))

    def line_of(self, key: str, part: str | None = None) -> int | None:
        """The line of a key, or of the first text `part` after it."""
        start = next((n for n, line in enumerate(self.lines) if re.match(rf"\s*{re.escape(key)}\s*=", line)), None)
        if start is None:
            return None
        if part is not None:
            start = next((n for n in range(start, len(self.lines)) if part in self.lines[n]), start)
        return start + 1

    def number(self, key: str, value: object) -> Decimal:
        if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite():
            raise self.error(key, f"{value!r} is not an amount.")
        return Decimal(value)

    def amount(self, key: str) -> Decimal:
        number = self.number(key, self.table.get(key, 0))
        if number < 0 or (key in self.table and number == 0):
            raise self.error(key, "This must be more than 0.")
        return number

    def amounts(self, key: str, count: int | None = None) -> list[Decimal]:
        values = self.table.get(key, [0] * (count or 0))
        if not isinstance(values, list):
            raise self.error(key, "This must be a list of amounts, one a player.")
        numbers = [self.number(key, value) for value in values]
        if count is not None and len(numbers) != count:
            raise self.error(key, f"There are {count} players and {len(numbers)} amounts.")
        if key != "blinds_or_straddles" and any(number < 0 for number in numbers):
            raise self.error(key, "Amounts cannot be negative.")
        return numbers

    def names(self, players: int) -> tuple[str, ...]:
        values = self.table.get("players", [f"p{number}" for number in range(1, players + 1)])
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.error("players", "This must be a list of names.")
        if len(values) != players:
            raise self.error("players", f"There are {players} players and {len(values)} names.")
        return tuple(values)

    def action_texts(self) -> list[str]:
        values = self.table["actions"]
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.error("actions", "This must be a list of actions in quotes.")
        return [value for value in values if value.partition("#")[0].strip()]

    def wrong(self, note: str, sentence: str) -> PhhError:
        return PhhError(self.file, f"{note!r}: {sentence}", key="actions", line=self.line_of("actions", note))

    def size(self, note: str) -> Decimal | None:
        """The amount of a bet or raise, as written; None for other actions."""
        words = note.partition("#")[0].split()
        if len(words) != 3 or words[1] != "cbr":
            return None
        if not re.fullmatch(r"[0-9]+(\.[0-9]+)?", words[2]):
            raise self.wrong(note, f"{words[2]} is not an amount.")
        return Decimal(words[2])

    def action(self, note: str, players: int, scale: int) -> PhhAction:
        match note.partition("#")[0].split():
            case ["d", "dh", who, cards]:
                return DealHole(self.player(note, who, players), self.cards(note, cards))
            case ["d", "db", cards]:
                return DealBoard(self.cards(note, cards))
            case [who, "f"]:
                return Fold(self.player(note, who, players))
            case [who, "cc"]:
                return CheckCall(self.player(note, who, players))
            case [who, "pb"]:
                return BringIn(self.player(note, who, players))
            case [who, "cbr", _]:
                return BetRaise(self.player(note, who, players), int((self.size(note) or 0) * scale))
            case [who, "sm"]:
                return ShowMuck(self.player(note, who, players), ())
            case [who, "sm", "-"]:
                return ShowMuck(self.player(note, who, players), None)
            case [who, "sm", cards]:
                return ShowMuck(self.player(note, who, players), self.cards(note, cards))
            case [who, "sd"]:
                return StandDiscard(self.player(note, who, players), ())
            case [who, "sd", cards]:
                return StandDiscard(self.player(note, who, players), self.cards(note, cards))
        raise self.wrong(note, "This is no action of the format.")

    def player(self, note: str, who: str, players: int) -> int:
        number = _PLAYER.fullmatch(who)
        if number is None or int(number[1]) > players:
            raise self.wrong(note, f"There is no player {who}; there are p1 to p{players}.")
        return int(number[1])

    def cards(self, note: str, cards: str) -> tuple[str, ...]:
        if not _CARDS.fullmatch(cards):
            raise self.wrong(note, f"{cards} are no cards.")
        return tuple([cards[place : place + 2] for place in range(0, len(cards), 2)])


def _by_player(amounts: list[Decimal], scale: int) -> tuple[int, ...]:
    """Antes and blinds are listed in position order, small blind first; heads-up that is the second player."""
    ordered = amounts[::-1] if len(amounts) == 2 else amounts
    return tuple([int(amount * scale) for amount in ordered])


def _scale(amounts: Iterable[Decimal]) -> int:
    """The power of ten that makes all amounts whole."""
    decimals = 0
    for amount in amounts:
        exponent = amount.normalize().as_tuple().exponent
        if isinstance(exponent, int):
            decimals = max(decimals, -exponent)
    return int(10**decimals)
