"""A camera on loopback that speaks RTSP 1.0 (RFC 2326) and sends JPEG in RTP (RFC 2435) over the same connection."""

import base64
import contextlib
import math
import re
import select
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.imaging.pictures import Picture

PERIOD_S = 0.01
PATIENCE_S = 10.0
CLOCK_HZ = 90_000
PACKET_BYTES = 1400
JPEG_PAYLOAD, MARKER = 26, 0x80
TABLES_IN_BAND = 255
TYPES = {0x21: 0, 0x22: 1}
"""The JPEG's luma sampling, as its SOF gives it, and the RTP type that says the same."""
SAMPLINGS = {0: cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422, 1: cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420}
DQT, SOF0, SOS, EOI = 0xDB, 0xC0, 0xDA, b"\xff\xd9"
NO_RESTARTS = frozenset({0xE0, 0xC4, DQT, SOF0, SOS})
"""The segments that a receiver can rebuild: no DRI among them, and no progressive frame."""


@dataclass(frozen=True, slots=True)
class Jpeg:
    """What of a JPEG goes over the wire; the receiver builds the rest anew."""

    kind: int
    width_px: int
    height_px: int
    tables: bytes
    scan: bytes


def taken_apart(jpeg: bytes) -> Jpeg:
    tables, at = b"", 2
    kind = width_px = height_px = 0
    while True:
        code, length = struct.unpack_from(">xBH", jpeg, at)
        assert code in NO_RESTARTS, f"segment {code:#x} has no place in RTP"
        body = jpeg[at + 4 : at + 2 + length]
        at += 2 + length
        if code == DQT:
            tables += b"".join(body[start + 1 : start + 65] for start in range(0, len(body), 65))
        elif code == SOF0:
            height_px, width_px = struct.unpack_from(">xHH", body)
            kind = TYPES[body[7]]
        elif code == SOS:
            assert jpeg.endswith(EOI)
            return Jpeg(kind, width_px, height_px, tables, jpeg[at : -len(EOI)])


def packets(jpeg: Jpeg, number: int, stamp: int, source: int) -> Iterator[bytes]:
    """The RTP packets of one frame; ``number`` is that of the first."""
    at = 0
    while at < len(jpeg.scan):
        head = struct.pack(
            ">IBBBB", at, jpeg.kind, TABLES_IN_BAND, jpeg.width_px // 8, jpeg.height_px // 8
        )  # the type-specific byte, 0, is the top of the offset's word
        if at == 0:
            head += struct.pack(">BBH", 0, 0, len(jpeg.tables)) + jpeg.tables
        piece = jpeg.scan[at : at + PACKET_BYTES - len(head)]
        at += len(piece)
        last = MARKER if at == len(jpeg.scan) else 0
        rtp = struct.pack(">BBHII", 0x80, JPEG_PAYLOAD | last, number & 0xFFFF, stamp & 0xFFFFFFFF, source)
        yield rtp + head + piece
        number += 1


class RtspCamera:
    """Films what ``painted`` gives for each frame's number; it can fall silent, go away and come back."""

    def __init__(
        self, painted: Callable[[int], Picture], *, kind: int = 1, session_s: int = 60, login: str = ""
    ) -> None:
        self._painted = painted
        self._kind = kind
        self._session_s = session_s
        self._login = f"Basic {base64.b64encode(login.encode()).decode()}" if login else ""
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self.heard: list[str] = []
        self.transports: list[str] = []
        self.sent = 0
        self.limit = math.inf
        self.port = 0
        self.appear()

    @property
    def url(self) -> str:
        return f"rtsp://127.0.0.1:{self.port}/table"

    def appear(self) -> None:
        """Answers at its port, at first one that is free."""
        self._there = True
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        self._start(self._listen, self._listener)

    def vanish(self) -> None:
        """Cuts every connection and leaves the port."""
        if not self._there:
            return
        with self._lock:
            self._there = False
            for one in (self._listener, *self._connections):
                with contextlib.suppress(OSError):  # the other side may have been faster
                    one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()
        self._threads.clear()
        self._listener.close()

    def _start(self, run: Callable[[socket.socket], None], with_socket: socket.socket) -> None:
        thread = threading.Thread(target=run, args=(with_socket,), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _listen(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                if not self._there:
                    connection.close()
                    return
                self._connections.add(connection)
                self._start(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        connection.settimeout(PATIENCE_S)
        try:
            _Session(self, connection).run()
        except OSError:
            """The receiver has gone, or the camera has."""
        finally:
            with self._lock:
                self._connections.remove(connection)
            connection.close()

    def frame(self) -> tuple[int, Jpeg] | None:
        """The next frame and its number, None while the camera is silent."""
        with self._lock:
            if self.sent >= self.limit:
                return None
            number, self.sent = self.sent, self.sent + 1
        sampling = [cv2.IMWRITE_JPEG_QUALITY, 90, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, SAMPLINGS[self._kind]]
        written, jpeg = cv2.imencode(".jpg", self._painted(number), sampling)
        assert written
        parts = taken_apart(np.asarray(jpeg).tobytes())
        assert parts.kind == self._kind
        return number, parts

    def answer(self, method: str, url: str, headers: dict[str, str]) -> tuple[str, list[str], str]:
        """The status, headers and body that a request gets."""
        self.heard.append(method)
        session = f"Session: 12345678;timeout={self._session_s}"
        if method != "OPTIONS" and headers.get("authorization", "") != self._login:
            return "401 Unauthorized", ['WWW-Authenticate: Basic realm="table"'], ""
        match method:
            case "OPTIONS":
                return "200 OK", ["Public: OPTIONS, DESCRIBE, SETUP, PLAY, GET_PARAMETER, TEARDOWN"], ""
            case "DESCRIBE":
                sdp = (
                    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nc=IN IP4 0.0.0.0\r\nt=0 0\r\n"
                    f"m=video 0 RTP/AVP {JPEG_PAYLOAD}\r\na=control:video\r\n"
                )
                return "200 OK", [f"Content-Base: {url}/", "Content-Type: application/sdp"], sdp
            case "SETUP":
                self.transports.append(headers["transport"])
                if not headers["transport"].startswith("RTP/AVP/TCP;"):
                    return "461 Unsupported Transport", [], ""
                return "200 OK", ["Transport: RTP/AVP/TCP;unicast;interleaved=0-1", session], ""
            case "PLAY" | "GET_PARAMETER" | "TEARDOWN":
                return "200 OK", [session], ""
        return "501 Not Implemented", [], ""


class _Session:
    """One connection: requests are answered and frames sent by the same thread, so that neither cuts the other."""

    def __init__(self, camera: RtspCamera, connection: socket.socket) -> None:
        self._camera = camera
        self._connection = connection
        self._received = b""
        self._playing = False
        self._packets = 0

    def run(self) -> None:
        while True:
            readable, _, _ = select.select([self._connection], [], [], PERIOD_S)
            if readable:
                data = self._connection.recv(65536)
                if not data or not self._take(data):
                    return
            elif self._playing and (frame := self._camera.frame()) is not None:
                self._send(*frame)

    def _take(self, data: bytes) -> bool:
        """Answers what is whole; whether the connection goes on."""
        self._received += data
        while self._received:
            if self._received.startswith(b"$"):  # what the receiver reports of the stream
                end = 4 + int.from_bytes(self._received[2:4], "big")
                if len(self._received) < max(end, 4):
                    return True
                self._received = self._received[end:]
                continue
            text, whole, rest = self._received.partition(b"\r\n\r\n")
            if not whole:
                return True
            self._received = rest
            if not self._answer(text.decode()):
                return False
        return True

    def _answer(self, request: str) -> bool:
        first, *lines = request.split("\r\n")
        method, url, _ = first.split(" ")
        headers = {name.lower(): value for name, value in (re.split(r":\s*", line, maxsplit=1) for line in lines)}
        status, more, body = self._camera.answer(method, url, headers)
        reply = [f"RTSP/1.0 {status}", f"CSeq: {headers['cseq']}", *more, f"Content-Length: {len(body)}", "", body]
        self._connection.sendall("\r\n".join(reply).encode())
        self._playing = self._playing or method == "PLAY"
        return method != "TEARDOWN"

    def _send(self, number: int, jpeg: Jpeg) -> None:
        stamp = round(number * PERIOD_S * CLOCK_HZ)
        whole = list(packets(jpeg, self._packets, stamp, source=0x7AB1E))
        self._packets += len(whole)
        self._connection.sendall(b"".join(struct.pack(">cBH", b"$", 0, len(one)) + one for one in whole))
