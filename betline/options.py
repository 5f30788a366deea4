"""The options that every verb shares, and the exit statuses: 0 done, 1 failed, 2 wrong usage or configuration."""

from __future__ import annotations

import errno
import os
import tempfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import platformdirs
import typer

from betline.login import Login
from betline.settings import DEFAULT_TABLE
from betline.topics import Namespace

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

TableOption = Annotated[
    str | None,
    typer.Option("--table", metavar="FILE|NAME", help="Table file or shipped name. Default: the only table here."),
]
DemoTableOption = Annotated[
    str, typer.Option("--table", metavar="FILE|NAME", help="Table file, or the name of a shipped table.")
]
ThereOption = Annotated[
    str | None,
    typer.Option("--table", metavar="FILE|NAME", help="Table file or shipped name. Default: the only table there."),
]
SiteOption = Annotated[str, typer.Option("--site", metavar="NAME", help="Name of the site on the bus.")]
IdOption = Annotated[
    str | None, typer.Option("--id", metavar="NAME", help="Name of this table on the bus; default the table file's.")
]
JournalOption = Annotated[
    Path | None, typer.Option("--journal", metavar="FILE", help="Journal file; default in your state folder.")
]
KeyOption = Annotated[
    Path | None, typer.Option("--key", metavar="FILE", help="Key of the journal's seals; default in your state folder.")
]
AnchorsOption = Annotated[
    Path | None, typer.Option("--anchors", metavar="FILE", help="Anchors of the journal; default beside it.")
]
DeckOption = Annotated[
    Path | None, typer.Option("--deck", metavar="FILE", help="File of the cards with tags. Default: the user's.")
]
PeopleOption = Annotated[
    Path | None, typer.Option("--people", metavar="FILE", help="File of the staff; default in your config folder.")
]
RegisterOption = Annotated[
    Path | None, typer.Option("--register", metavar="FILE", help="Chip register; default in your state folder.")
]
TapsOption = Annotated[
    Path | None, typer.Option("--taps", metavar="DIR", help="Note here what a recording needs (betline record).")
]
RecordOption = Annotated[
    Path | None,
    typer.Option("--record", metavar="FILE", help="Also record the whole table into this new file (betline record)."),
]
MetricsOption = Annotated[
    str | None,
    typer.Option("--metrics", metavar="[HOST:]PORT", help="Serve figures for Prometheus here (betline[metrics])."),
]
MetricsTargetsOption = Annotated[
    Path | None,
    typer.Option("--metrics-targets", metavar="FILE", help="Where Prometheus is told of it; else the state folder."),
]
MetricsOfAllOption = Annotated[
    str | None,
    typer.Option(
        "--metrics", metavar="[HOST:]PORT", help="Serve figures for Prometheus: the first part here, others after it."
    ),
]
TargetsOption = Annotated[
    Path | None,
    typer.Option(
        "--metrics-targets", metavar="FILE", help="Where Prometheus is told of them; default your state folder."
    ),
]
ByIdOption = Annotated[
    Path, typer.Option("--by-id", metavar="DIR", help="Look for /dev/serial/by-id names here (virtual readers).")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else on standard output.")]

WyomingOption = Annotated[
    str | None, typer.Option("--wyoming", metavar="HOST:PORT", help="A Piper server that speaks, before espeak-ng.")
]
ExternalOption = Annotated[
    bool,
    typer.Option("--external-broker", help="Use the broker at --broker, or of table or site file, start none."),
]
VoiceOption = Annotated[
    str | None,
    typer.Option("--voice", metavar="en|de|fr|es", help="Also say aloud what is announced, in this language."),
]
WebOption = Annotated[
    bool, typer.Option("--web", help="Also show the table in the browsers of this machine (betline web).")
]

FilmOption = Annotated[
    Path | None, typer.Option("--film", metavar="DIR", help="Also film into this new folder (betline film).")
]
FilmMinutesOption = Annotated[
    float | None,
    typer.Option("--film-minutes", metavar="MINUTES", min=0.05, max=600, help="How long it films.  [default: 60]"),
]
FILM_MINUTES = 60.0

OWNER_ONLY_FOLDER = 0o700
"""The mode of a folder in which people's names, hands or pictures lie."""
TABLE_DEFAULT = DEFAULT_TABLE
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})
BROKER_DEFAULT = "127.0.0.1:1883"
SITE_DEFAULT = "home"


class UserError(Exception):
    """What the person at the keyboard can mend: printed as one sentence, never with a traceback."""

    def __init__(self, sentence: str, status: int = WRONG_USAGE) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens, and for a broker how a program logs in."""

    host: str
    port: int
    login: Login | None = None
    """How a program logs in there; None where everybody is let in."""

    @classmethod
    def parse(cls, text: str, option: str, example: str) -> Address:
        """Reads HOST:PORT, or HOST with the port of the example; raises UserError, which names the option."""
        usual = example.rpartition(":")[2]
        host, _, port = text.rpartition(":") if ":" in text else (text, "", usual)
        if not host or not port.isdigit() or not 0 < int(port) < 65536:
            raise UserError(f"{option} {text} is no address; write it as HOST:PORT, for example {example}.")
        return cls(host, int(port))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def voice_part(language: str | None, wyoming: str | None) -> list[str]:
    """The words that start the voice beside the other parts, its sentences in its log; none where none is wanted.

    Raises UserError for a server that nothing would be asked of.
    """
    if language is None:
        if wyoming is not None:
            raise UserError("--wyoming needs --voice: say in which language, for example --voice en.")
        return []
    return ["voice", "--print", "--language", language, *(["--wyoming", wyoming] if wyoming is not None else [])]


def namespace(site: str, table_name: str) -> Namespace:
    """The bus namespace of a table; raises UserError where a name cannot be one."""
    try:
        return Namespace(site, table_name)
    except ValueError as error:
        raise UserError(f"--site or --id: {error}.") from None


def default_journal(site: str, table_name: str) -> Path:
    """The journal of a table in the user's state folder."""
    return state_folder() / f"{site}-{table_name}.journal"


def default_key() -> Path:
    """The key of the seals of this user's journals."""
    return state_folder() / "journal.key"


def make_private_folder(folder: Path) -> None:
    """Makes a folder and those above it that are missing, for their owner only; one that exists stays as it is."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=OWNER_ONLY_FOLDER, exist_ok=True)


def write_private(path: Path, content: str | bytes) -> None:
    """Puts a whole file in its place, for its owner only; raises OSError, and then leaves it as it was."""
    make_private_folder(path.parent)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # of mode 600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def name_new(part: Path, to: Path) -> None:
    """Gives a finished file its name; raises FileExistsError where that is taken, OSError.

    The caller removes ``part``, which may be gone by then: a stick with FAT has no links.
    """
    try:
        os.link(part, to)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if to.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(to)) from None
        part.rename(to)


def state_folder() -> Path:
    """Where journals, key, register and calibrations of this user lie."""
    return Path(platformdirs.user_state_dir("betline", appauthor=False))


def file_stamp(at_ms: int) -> str:
    """A time for the name of a file, in the machine's own time zone."""
    return datetime.fromtimestamp(at_ms / 1000).astimezone().strftime("%Y%m%d-%H%M%S")


def set_aside(path: Path, now_ms: int) -> Path:
    """Gives a file another name, which is returned; raises OSError.

    The logs of a database go with it: one that stayed would be taken for that of its successor.
    """
    aside = path.with_name(f"{path.name}.before-{file_stamp(now_ms)}")
    for ending in ("", "-wal", "-shm"):
        file = Path(f"{path}{ending}")
        if file.exists():
            file.rename(f"{aside}{ending}")
    return aside


def check_writable(file: Path | None, option: str) -> None:
    """Raises UserError where this file cannot be made or replaced, before long work is done for it."""
    if file is None:
        return
    try:
        if file.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        probe = file.with_name(f"{file.name}.new-{os.getpid()}")
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UserError(f"{file} cannot be written ({error.strerror}); name another with {option}.") from None


def new_recording(file: Path | None) -> Path | None:
    """The whole path of a recording to be made; raises UserError where it is there already."""
    if file is not None and file.exists():
        raise UserError(f"{file} is there already: name another file with --record, or remove it.")
    return None if file is None else file.absolute()


def minutes_of_film(film: Path | None, minutes: float | None) -> float:
    """How long a film that plays beside the table is; raises UserError where no film is wished for."""
    if film is None and minutes is not None:
        raise UserError("--film-minutes says how long a film is: give --film DIR too, or leave it out.")
    return FILM_MINUTES if minutes is None else minutes
