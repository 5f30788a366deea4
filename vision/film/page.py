"""The question page on this machine: a small HTTP server on loopback whose address has a secret in it."""

from __future__ import annotations

import hmac
import json
import secrets
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from vision.film.page_html import PAGE
from vision.film.session import Session
from vision.film.store import FilmError, write_new

HOST: Final = "127.0.0.1"
DOOR: Final = "label.html"
MOST_BYTES: Final = 100_000
_PATIENCE_S: Final = 10.0


class LabelPage:
    """Serves from its making until `close`; also a context manager. Raises FilmError where the port is taken."""

    def __init__(self, session: Session, port: int = 0) -> None:
        self._session = session
        self._lock = threading.Lock()
        self._token = secrets.token_urlsafe(16)
        self.finished = threading.Event()
        """Set when the person has pressed the key that ends it."""
        page = self

        class Handler(_Handler):
            asked = page

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request: object, client_address: object) -> None:
                """A browser breaks off what it no longer shows: nobody needs to know."""
                if not isinstance(sys.exception(), OSError):
                    super().handle_error(request, client_address)  # type: ignore[arg-type]

        try:
            self._http = Server((HOST, port), Handler)
        except OSError as error:
            raise FilmError(f"The page cannot be served at port {port} ({error.strerror}): name another one.") from None
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.1,), name="film-http", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """What to open in a browser on this machine."""
        return f"http://{HOST}:{self.port}/{self._token}/"

    @contextmanager
    def door(self, folder: Path) -> Iterator[str]:
        """The address of a file that leads to the page and only its owner can read; raises FilmError.

        A browser is started with it: the page's own address would be in the list of processes, for everybody to see.
        """
        file = folder.absolute() / DOOR
        try:
            write_new(file, f'<!doctype html><meta http-equiv="refresh" content="0; url={self.url}">')
        except OSError as error:
            raise FilmError(f"{file} cannot be written ({error.strerror}): free some space.") from None
        try:
            yield file.as_uri()
        finally:
            file.unlink(missing_ok=True)

    def close(self) -> None:
        """Ends it; each answer is written already."""
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(_PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def way(self, path: str, host: str | None) -> list[str] | None:
        """The words of a path behind the secret; None for a stranger's, or one that came by another name."""
        first, *rest = path.partition("?")[0].lstrip("/").split("/")
        known = hmac.compare_digest(first.encode(), self._token.encode())
        return rest if known and host in (f"{HOST}:{self.port}", f"localhost:{self.port}") else None

    def get(self, way: list[str]) -> tuple[str, bytes] | None:
        """The kind and content of what is asked for; None where there is none such."""
        with self._lock:
            match way:
                case [""]:
                    return "text/html; charset=utf-8", PAGE.encode()
                case ["film.json"]:
                    return "application/json", json.dumps(self._session.overview()).encode()
                case ["clip", at] if _below(at, len(self._session.clips)):
                    return "application/json", json.dumps(self._session.clip(int(at))).encode()
                case ["picture", at, number] if _below(at, len(self._session.clips)) and _below(number, 100_000):
                    try:
                        return "image/jpeg", self._session.picture(int(at), int(number))
                    except (IndexError, FilmError):
                        return None
        return None

    def post(self, way: list[str], said: Any) -> str | None:
        """Does what is said; a sentence where it cannot be done, None otherwise."""
        if not isinstance(said, dict):
            return "The page sent nothing that can be read: reload it."
        with self._lock:
            try:
                match way:
                    case ["clip", at] if _below(at, len(self._session.clips)):
                        if said.get("answer") is None:
                            self._session.take_back(int(at))
                        else:
                            self._session.answer(int(at), said)
                    case ["end"]:
                        self.finished.set()
                    case _:
                        return "There is no such clip: reload the page."
            except FilmError as error:
                return str(error)
        return None


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    timeout = _PATIENCE_S
    asked: LabelPage

    def do_GET(self) -> None:
        way = self.asked.way(self.path, self.headers.get("Host"))
        found = None if way is None else self.asked.get(way)
        if found is None:
            self.send_error(404 if way is not None else 403)
            return
        self._answer(200, *found)

    def do_POST(self) -> None:
        way = self.asked.way(self.path, self.headers.get("Host"))
        length = self.headers.get("Content-Length", "")
        if way is None or not length.isdecimal() or int(length) > MOST_BYTES:
            self.send_error(403 if way is None else 413)
            return
        try:
            said = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            said = None
        sentence = self.asked.post(way, said)
        self._answer(200 if sentence is None else 400, "application/json", json.dumps({"sentence": sentence}).encode())

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; frame-ancestors 'none'")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is written to the terminal: the address has a secret in it."""


def _below(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 8 and int(text) < most
