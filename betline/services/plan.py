"""What is to be installed: for which table, in whose systemd, and which parts that takes. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from betline.metrics.places import PARTS as WITH_FIGURES
from betline.settings import TableSettings

Scope = Literal["system", "user"]
PREFIX: Final = "betline-"
USER, KIOSK_USER = "betline", "betline-kiosk"
PARTS: Final = ("broker", "controller", "history", "bridge", "vision", "voice", "web", "kiosk")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_LOCAL_CAMERA: Final = re.compile(r"^(usb:|/)")


@dataclass(frozen=True, slots=True)
class Plan:
    """One table's services."""

    scope: Scope
    table: TableSettings
    file: str
    """The table's file by its full path, or a shipped table's name."""
    program: str
    """The full path of the program `betline`."""
    host: str
    port: int
    site: str
    id: str
    external: bool = False
    """The broker is somebody else's service."""
    voice: str | None = None
    kiosk: bool = False
    web: bool = False
    """The pages for browsers, on this machine only where `web_files` is empty."""
    web_files: str = ""
    """The folder of `web.crt`, `web.key` and `web.tokens`: other machines see the pages, the staff has its remote."""
    history: bool = False
    """A site may ask for the journals."""
    may_erase: bool = False
    """The site may take names out of them."""
    broker: tuple[str, ...] = ()
    """The options by which the programs reach the broker and log in; files by their full paths."""
    handed: Mapping[str, str] = field(default_factory=dict)
    """By part the login folder that systemd reads and hands to it; the program itself need not be able to read it."""

    @property
    def name(self) -> str:
        """What the units of this table begin with."""
        return f"{PREFIX}{self.id}"

    @property
    def target(self) -> str:
        """The unit by which all others are started and stopped."""
        return f"{self.name}.target"

    def unit(self, part: str) -> str:
        """A part's unit."""
        return f"{self.name}-{part}.service"

    def parts(self) -> tuple[str, ...]:
        """The parts that this table needs, in the order in which they start."""
        wanted = {
            "broker": not self.external,
            "controller": True,
            "history": self.history,
            "bridge": bool(self.table.readers),
            "vision": bool(self.table.cameras),
            "voice": self.voice is not None,
            "web": self.web,
            "kiosk": self.kiosk,
        }
        return tuple(part for part in PARTS if wanted[part])

    def command(self, part: str) -> tuple[str, ...]:
        """The words that start a part."""
        own = ("--broker", f"{self.host}:{self.port}")
        common = ("--table", self.file, *(self.broker or own), "--site", self.site, "--id", self.id)
        match part:
            case "broker":
                return (self.program, "broker", "--quiet", *own)
            case "bridge" | "vision":
                return (self.program, part, "run", *common)
            case "history":
                erases = ("--may-erase",) if self.may_erase else ()
                return (self.program, "journal", "serve", *common, *erases)
            case "voice":
                return (self.program, "voice", "--print", "--language", self.voice or "en", *common)
            case "web" if self.web_files:
                named = (("--cert", "web.crt"), ("--key", "web.key"), ("--tokens", "web.tokens"))
                files = [word for name, file in named for word in (name, f"{self.web_files}/{file}")]
                return (self.program, "web", *common, "--host", "0.0.0.0", *files, "--remote")
            case "kiosk":
                return ("/usr/bin/cage", "-s", "--", "/usr/bin/foot", "--", self.program, "console", *common)
        return (self.program, part, *common)

    def accounts(self, part: str) -> tuple[str, ...]:
        """The accounts by which a part may log in, the first that is there."""
        camera = self.table.cameras[0].id if self.table.cameras else ""
        pages = ("console",) if self.web_files else ("display", "console")
        of_parts = {
            "history": ("controller",),
            "vision": (camera,),
            "voice": ("voice", "console"),
            "web": pages,
            "kiosk": ("console",),
        }
        return of_parts.get(part, (part,))

    def stays_on_this_machine(self, part: str) -> bool:
        """Whether a part speaks to this machine only."""
        if self.host not in _LOOPBACK or (part == "web" and self.web_files):
            return False
        figures = self.table.metrics
        if figures is not None and figures.host not in _LOOPBACK and part in WITH_FIGURES:
            return False
        if part == "bridge":
            return not any("://" in reader.port for reader in self.table.readers)
        if part == "vision":
            return all(_LOCAL_CAMERA.match(camera.source) for camera in self.table.cameras)
        return True
