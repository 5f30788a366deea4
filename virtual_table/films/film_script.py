"""Scripts of films: what happens in front of the virtual camera, act by act, in a YAML file."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from betline.cases.marks import MarkedError, load
from betline.settings import Settings, SettingsError, parse
from virtual_table.camera.sensor import WHITE_K
from virtual_table.scripts.script import ScriptError
from virtual_table.table.layout import BurnPlace

ActName = Literal[
    "push",
    "pull_back",
    "fake",
    "reach",
    "tap",
    "lean",
    "deal",
    "board",
    "muck",
    "splash",
    "topple",
    "carry",
    "push_in",
    "protect",
    "unprotect",
    "phone",
    "pocket",
    "race",
    "change",
    "return",
    "sweep",
    "pay",
    "clear",
    "lamp",
    "flash",
    "bump",
    "wait",
]
HabitName = Literal["toss", "top_up", "hover", "fidget", "take_back", "show", "shade"]
"""How people handle chips and hands beside the plain acts."""
BY_A_SEAT: frozenset[ActName | HabitName] = frozenset(
    {
        *("push", "pull_back", "fake", "reach", "tap", "lean", "muck", "splash", "topple", "carry", "push_in"),
        *("protect", "unprotect", "phone", "pocket", "race", "change", "return", "pay"),
        *("toss", "top_up", "hover", "fidget", "take_back", "show", "shade"),
    }
)

EXAMPLE = """\
table: casino-oval    # a table's name or file
seed: 7               # the same seed makes the same film
felt: "#22456e"       # other colours than the table's, if wanted
sleeve: "#3f6b8f"     # the sleeve colour of every player
stack: 1000           # in front of each seat
camera: { jpeg_quality: 80, flash_every: 101, flicker: 0.01, dropped: 0.002, lost: 0.002, drift: 0.04,
          jitter_ms: 5, exposure_ms: 16.7, readout_ms: 20 }    # fast hands blur and skew
room: { lamps: 2, vignette: 0.3, patterned: false, kelvin: 3400, kelvin_drift: 100 }
acts:                 # one after the other; "at" (seconds) sets the time of one
  - { act: deal }
  - { act: push, seat: 3, chips: [2] }         # one motion with two chips
  - { act: push, seat: 5, chips: [1, 2] }      # a string: two motions
  - { act: push, seat: 8, chips: [30] }        # a shove
  - { act: fake, seat: 4 }                     # a hand over the line, nothing released
  - { act: pull_back, seat: 3, chips: [1] }
  - { act: reach, seat: 6, over: 7 }           # an arm over a neighbour's zone
  - { act: tap, seat: 9 }
  - { act: lean, seat: 2, over_s: 2.0 }        # a head leans over the rim for two seconds
  - { act: muck, seat: 9 }
  - { act: carry, seat: 1, chips: [2] }        # a hand takes chips over the line and back to the stack
  - { act: splash, seat: 10, chips: [4] }      # chips thrown past the own bet zone into the pot
  - { act: push, seat: 6, chips: [9] }
  - { act: topple, seat: 6, chips: [5] }       # five chips fall off the pile when the hand is away
  - { act: push_in, seat: 6 }                  # a player pushes the bet into the pot
  - { act: protect, seat: 2 }                  # a chip as card protector
  - { act: unprotect, seat: 2 }
  - { act: phone, seat: 4, where: zone }       # on the rail, on the felt beside the cards, or in the bet zone
  - { act: pocket, seat: 4 }                   # takes the phone away
  - { act: race, seat: 1 }                     # the dealer changes small chips of a stack for larger ones
  - { act: change, seat: 8 }                   # the dealer changes a chip of the bet
  - { act: return, seat: 8, chips: [1] }       # the dealer gives chips of a bet back
  - { act: sweep, seat: 5 }                    # the dealer gathers one seat's bet only
  - { act: sweep }                             # the dealer gathers all bets
  - { act: board, chips: [3] }                 # the dealer lays so many board cards
  - { act: board, chips: [1], burn: beside }   # after a burn card: beside the row, below it or in the muck
  - { act: pay, seat: 8 }                      # the dealer pushes the pot to a seat
  - { act: clear }                             # the dealer takes the cards
  - { act: lamp, gain: 0.7, over_s: 0.3, pause: 1.5 }
  - { act: lamp, gain: 1.0, kelvin: 5000, pause: 1.5 }
  - { act: flash }                             # a key frame of a bad encoder
  - { act: bump, mm: [14, -9] }                # the camera is knocked
  - { act: wait, pause: 8 }
"""


class Act(Settings):
    """One act; it begins ``pause`` seconds after the end of the one before, or at a time of its own."""

    act: ActName | HabitName
    at: float | None = Field(default=None, ge=0, description="seconds from the start of the film")
    pause: float = Field(
        default=0.6, ge=-1, le=3700, description="seconds after the act before; below 0 before its end"
    )
    seat: int | None = Field(default=None, description="the seat that acts, or that the dealer serves")
    chips: tuple[int, ...] = Field(default=(2,), min_length=1, description="how many chips in each motion, or cards")
    where: Literal["rail", "felt", "zone"] = Field(default="zone", description="where a phone is put")
    burn: BurnPlace | None = Field(default=None, description="where a burn card lies before board cards")
    over: int | None = Field(default=None, description="the seat over whose zone an arm reaches")
    gain: float = Field(default=0.7, gt=0, le=1.6, description="brightness after the change, 1 at the start")
    kelvin: float | None = Field(default=None, ge=2000, le=8000, description="colour temperature after the change")
    over_s: float = Field(default=0.3, gt=0, description="seconds for the light to change, or that something lasts")
    mm: tuple[float, float] = Field(default=(12.0, 8.0), description="how far the view moves on the felt")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.act in BY_A_SEAT and self.seat is None:
            raise ValueError(f"the act {self.act} needs a seat")
        if self.act == "reach" and self.over is None:
            raise ValueError("the act reach needs over: the seat whose zone the arm reaches over")
        if any(count < 1 for count in self.chips):
            raise ValueError("each motion needs at least one chip")
        return self


class FilmCamera(Settings):
    """The camera's permanent faults."""

    jpeg_quality: int | None = Field(
        default=None, ge=30, le=100, description="of each picture, before the film's own encoding"
    )
    flash_every: int = Field(default=0, ge=0, description="frames between two key-frame flashes; 0 for none")
    flicker: float = Field(default=0.0, ge=0, le=0.05, description="share by which the brightness of bands flickers")
    dropped: float = Field(default=0.0, ge=0, le=0.2, description="share of frames that repeat the one before")
    lost: float = Field(default=0.0, ge=0, le=0.2, description="share of frames that never arrive; a file repeats them")
    jitter_ms: float = Field(default=0.0, ge=0, le=12, description="standard deviation of the frames' time stamps")
    exposure_ms: float = Field(default=0.0, ge=0, le=33, description="exposure time: fast hands blur")
    readout_ms: float = Field(default=0.0, ge=0, le=33, description="from the first row to the last: fast hands skew")
    drift: float = Field(default=0.0, ge=0, le=0.15, description="share by which the exposure drifts in 30 s")


class FilmRoom(Settings):
    """What differs from cardroom to cardroom."""

    lamps: int = Field(default=1, ge=1, le=3, description="lamps that throw shadows")
    vignette: float | None = Field(default=None, ge=0, le=0.6, description="share of light that the corners lack")
    patterned: bool = Field(default=False, description="a speed cloth with the suits woven in")
    kelvin: float = Field(default=WHITE_K, ge=2000, le=8000, description="colour temperature of the lamps")
    kelvin_drift: float = Field(default=0.0, ge=0, le=600, description="how far it swings in 50 s")
    photos: Literal["training", "held_out"] | None = Field(
        default=None, description="arms, chips, cards and felt cut out of photos: to tune with, or for scoring only"
    )


class FilmScript(Settings):
    """A film: the table, how it looks, what happens."""

    table: str = Field(default="casino-oval", description="a table's name or file")
    chip_set: str | None = Field(default=None, description="a chip set's name or file; default the table's")
    seed: int = Field(default=1, description="the same seed makes the same film")
    felt: str | None = Field(
        default=None, pattern=r"^#[0-9a-f]{6}$", description="the colour of the felt; default the table's"
    )
    rail: str | None = Field(
        default=None, pattern=r"^#[0-9a-f]{6}$", description="the colour of the rail; default the table's"
    )
    sleeve: str | None = Field(default=None, pattern=r"^#[0-9a-f]{6}$", description="the sleeve of every player")
    stack: int = Field(default=1000, gt=0, description="the stack in front of each seat")
    camera: FilmCamera = FilmCamera()
    room: FilmRoom = FilmRoom()
    acts: tuple[Act, ...] = Field(min_length=1)
    end_pause: float = Field(default=1.5, ge=0, description="seconds of film after the last act")


def read_script(path: Path) -> FilmScript:
    """The script of a file; raises ScriptError."""
    try:
        return script_of(path.read_text(encoding="utf-8"), path.name)
    except (OSError, UnicodeDecodeError) as error:
        raise ScriptError(f"{path.name} cannot be read: {error}.") from None


def script_of(text: str, name: str) -> FilmScript:
    """The script of a text; raises ScriptError."""
    try:
        return parse(FilmScript, load(text).data, name)
    except SettingsError as error:
        raise ScriptError(str(error)) from None
    except MarkedError as error:
        raise ScriptError(f"{name}, line {error.line}: {error.sentence}") from None
