"""Colours by name, for the canvas and for Textual: dark, light, for the colour-blind, and of high contrast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from betline.settings import TableSettings

DARK, LIGHT, SAFE, CONTRAST = "betline", "betline-light", "betline-safe", "betline-contrast"
THEMES: dict[str, str] = {"dark": DARK, "light": LIGHT, "colour-blind": SAFE, "contrast": CONTRAST}
"""The themes by what people call them, in the order of their key."""


_MIDDLE = 0.5


@dataclass(frozen=True, slots=True)
class Palette:
    """Named colours; a style of the canvas is a name of ``styles``, or ``upper/lower`` for the two halves of a cell."""

    page: str
    surface: str
    text: str
    dim: str
    accent: str
    on_accent: str
    good: str
    warn: str
    bad: str
    alarm: str
    on_alarm: str
    cool: str
    felt: str
    inner: str
    rail: str
    plate: str
    button: str

    @classmethod
    def dark(cls, table: TableSettings) -> Self:
        """The felt and rail of the table, darkened until white can be read on them."""
        felt = _darkened(table.felt.colour, 0.055)
        return cls(
            page="#0d1014", surface="#171c22", text="#f0ede4", dim="#b6bec6", accent="#ffc94a", on_accent="#1a1300",
            good="#7ee2a0", warn="#ffb35c", bad="#ffa3a8", alarm="#b3222b", on_alarm="#ffffff", cool="#8fd0ff",
            felt=felt.hex, inner=felt.lighten(0.035).hex, rail=_darkened(table.felt.rail_colour, 0.045).hex,
            plate="#161c23", button="#2a333d",
        )  # fmt: skip

    @classmethod
    def light(cls, table: TableSettings) -> Self:
        """Dark letters on a light ground, for bright rooms; the felt of the table, lightened."""
        felt = _lightened(table.felt.colour, 0.62)
        return cls(
            page="#f6f3ec", surface="#e6e1d6", text="#14181c", dim="#454c54", accent="#7a3d00", on_accent="#ffffff",
            good="#0b5a2a", warn="#8a3500", bad="#98101a", alarm="#98101a", on_alarm="#ffffff", cool="#0a4478",
            felt=felt.hex, inner=felt.lighten(0.04).hex, rail=_lightened(table.felt.rail_colour, 0.5).hex,
            plate="#fdfbf6", button="#d3ccbd",
        )  # fmt: skip

    @classmethod
    def safe(cls, table: TableSettings) -> Self:
        """Colours that every eye tells apart: those of Okabe and Ito, no green beside red."""
        felt = _darkened("#1b3a5c", 0.035)
        return cls(
            page="#0d1014", surface="#171c22", text="#f2f2f2", dim="#a3abb3", accent="#f0e442", on_accent="#161400",
            good="#56b4e9", warn="#e69f00", bad="#ff8a3d", alarm="#8f3b00", on_alarm="#ffffff", cool="#56b4e9",
            felt=felt.hex, inner=felt.lighten(0.035).hex, rail=_darkened(table.felt.rail_colour, 0.045).hex,
            plate="#161c23", button="#2a333d",
        )  # fmt: skip

    @classmethod
    def all(cls, table: TableSettings) -> dict[str, Self]:
        """The palette of each theme, by the theme's name."""
        return {DARK: cls.dark(table), LIGHT: cls.light(table), SAFE: cls.safe(table), CONTRAST: cls.contrast()}

    @classmethod
    def contrast(cls) -> Self:
        """White on black, black on white where it matters."""
        return cls(
            page="#000000", surface="#000000", text="#ffffff", dim="#d0d0d0", accent="#ffff00", on_accent="#000000",
            good="#ffffff", warn="#ffff00", bad="#ffffff", alarm="#ffffff", on_alarm="#000000", cool="#ffffff",
            felt="#000000", inner="#000000", rail="#4a4a4a", plate="#000000", button="#303030",
        )  # fmt: skip

    def theme(self, name: str) -> Theme:
        """The same colours for Textual's own widgets."""
        return Theme(
            name, primary=self.accent, secondary=self.cool, accent=self.accent, foreground=self.text,
            background=self.page, surface=self.surface, panel=self.surface, success=self.good, warning=self.warn,
            error=self.bad, dark=_luminance(Color.parse(self.page)) < _MIDDLE,
        )  # fmt: skip

    def styles(self) -> dict[str, Style]:
        """Every style of the canvas by name."""
        grounds = {"page": self.page, "felt": self.felt, "inner": self.inner, "rail": self.rail}
        styles = {
            f"{upper}/{lower}": Style(color=upper_colour, bgcolor=lower_colour)
            for upper, upper_colour in grounds.items()
            for lower, lower_colour in grounds.items()
        }
        on = {"page": self.page, "felt": self.inner, "rail": self.rail, "plate": self.plate, "surface": self.surface}
        for ground, colour in on.items():
            prefix = "" if ground == "page" else f"{ground}-"
            styles |= {
                f"{prefix}text": Style(color=self.text, bgcolor=colour),
                f"{prefix}bold": Style(color=self.text, bgcolor=colour, bold=True),
                f"{prefix}dim": Style(color=self.dim, bgcolor=colour),
                f"{prefix}accent": Style(color=self.accent, bgcolor=colour, bold=True),
                f"{prefix}good": Style(color=self.good, bgcolor=colour),
                f"{prefix}warn": Style(color=self.warn, bgcolor=colour, bold=True),
                f"{prefix}bad": Style(color=self.bad, bgcolor=colour, bold=True),
                f"{prefix}cool": Style(color=self.cool, bgcolor=colour, bold=True),
            }
        return styles | {
            "page": Style(color=self.text, bgcolor=self.page),
            "surface": Style(color=self.text, bgcolor=self.surface),
            "plate": Style(color=self.text, bgcolor=self.plate),
            "acting": Style(color=self.on_accent, bgcolor=self.accent, bold=True),
            "tag": Style(color=self.page, bgcolor=self.text, bold=True),
            "question": Style(color=self.page, bgcolor=self.cool, bold=True),
            "banner": Style(color=self.on_alarm, bgcolor=self.alarm, bold=True),
            "key": Style(color=self.accent, bgcolor=self.surface, bold=True),
            "button": Style(color=self.text, bgcolor=self.button),
            "button-key": Style(color=self.accent, bgcolor=self.button, bold=True),
        }


def _darkened(colour: str, most: float) -> Color:
    """The colour, darkened to at most that relative luminance."""
    shade = Color.parse(colour)
    while _luminance(shade) > most:
        shade = shade.darken(0.02)
    return shade


def _lightened(colour: str, least: float) -> Color:
    """The colour, lightened to at least that relative luminance."""
    shade = Color.parse(colour)
    while _luminance(shade) < least:
        shade = shade.lighten(0.02)
    return shade


def _luminance(colour: Color) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = colour.normalized
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
