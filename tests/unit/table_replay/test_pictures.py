"""Pictures for a recording: the next one of a stream, or the one at an address; what gives none is said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from table_controller.recorder.pictures import NoPicture, Pictures, one_picture

JPEG = b"\xff\xd8 a picture \xff\xd9"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        if self.path == "/stream.mjpg":
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=b")
            self.end_headers()
            for _ in range(2):
                head = f"--b\r\nContent-Type: image/jpeg\r\nContent-Length: {len(JPEG)}\r\n\r\n"
                self.wfile.write(head.encode() + JPEG + b"\r\n")
            return
        self.send_header("Content-Type", "image/jpeg" if self.path == "/one.jpg" else "text/html")
        self.end_headers()
        self.wfile.write(JPEG)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def page() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_picture_comes_out_of_a_stream_and_from_an_address(page: str) -> None:
    assert one_picture(f"{page}/stream.mjpg") == JPEG
    assert one_picture(f"{page}/one.jpg") == JPEG


def test_what_gives_no_picture_is_said(page: str) -> None:
    with pytest.raises(NoPicture, match="text/html"):
        one_picture(f"{page}/")
    with pytest.raises(NoPicture, match="does not answer"):
        one_picture("http://127.0.0.1:9/")


def test_pictures_are_taken_until_it_is_stopped(page: str) -> None:
    came, taken = threading.Event(), list[bytes]()

    def take(_: int, jpeg: bytes) -> None:
        taken.append(jpeg)
        came.set()

    pictures = Pictures(f"{page}/one.jpg", 10, take)
    pictures.start()
    assert came.wait(10)
    pictures.stop()
    assert taken[0] == JPEG
