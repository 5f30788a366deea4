"""Motion JPEG as bytes: however it is cut, whatever is in it."""

import pytest

from vision.imaging.mjpeg import MAX_AGE_NS, MAX_PART_BYTES, MjpegError, Part, PartReader, Stamps, boundary_of


def part(body: bytes, *headers: str) -> bytes:
    lines = [f"Content-Length: {len(body)}", "Content-Type: image/jpeg", *headers]
    return b"--frame\r\n" + "\r\n".join(lines).encode() + b"\r\n\r\n" + body + b"\r\n"


def read(data: bytes, step: int) -> list[Part]:
    reader = PartReader(b"--frame")
    return [found for at in range(0, len(data), step) for found in reader.feed(data[at : at + step])]


@pytest.mark.parametrize("step", [1, 7, 100000])
def test_parts_are_found_however_the_bytes_arrive(step: int) -> None:
    parts = read(part(b"one--frame inside", "X-Mono-Ns: 123", "X-Frame: 4") + part(b"two"), step)

    assert [found.jpeg for found in parts] == [b"one--frame inside", b"two"]
    assert (parts[0].number("X-Mono-Ns"), parts[0].number("X-Frame")) == (123, 4)
    assert parts[1].number("X-Mono-Ns") is None


def test_a_part_without_a_length_ends_at_the_next_boundary() -> None:
    data = b"--frame\r\nContent-Type: image/jpeg\r\n\r\nabc\r\n--frame\r\n\r\ndef\r\n--frame"

    assert [found.jpeg for found in read(data, 3)] == [b"abc", b"def"]


def test_a_header_that_is_no_number_is_none() -> None:
    assert read(part(b"x", "X-Frame: -1e9"), 50)[0].number("X-Frame") is None


def test_noise_before_the_first_boundary_is_skipped_without_growing() -> None:
    reader = PartReader(b"--frame")
    for _ in range(1000):
        assert list(reader.feed(b"\x00" * 1000)) == []
    assert [found.jpeg for found in reader.feed(part(b"x"))] == [b"x"]


def test_a_picture_without_end_is_refused() -> None:
    with pytest.raises(MjpegError, match="too large"):
        list(PartReader(b"--frame").feed(b"--frame\r\nContent-Length: 99999999999\r\n\r\n"))
    with pytest.raises(MjpegError, match="no end"):
        list(PartReader(b"--frame").feed(b"--frame\r\n\r\n" + b"x" * (MAX_PART_BYTES + 1)))


@pytest.mark.parametrize(
    ("content_type", "boundary"),
    [
        ("multipart/x-mixed-replace; boundary=frame", b"--frame"),
        ('multipart/x-mixed-replace;boundary="--a b"', b"--a b"),
    ],
)
def test_the_boundary_is_named_by_the_content_type(content_type: str, boundary: bytes) -> None:
    assert boundary_of(content_type) == boundary


@pytest.mark.parametrize("content_type", ["", "text/html", "multipart/x-mixed-replace", "image/jpeg; boundary=x"])
def test_what_is_no_motion_jpeg_is_refused(content_type: str) -> None:
    with pytest.raises(MjpegError):
        boundary_of(content_type)


def test_a_camera_of_this_machine_is_believed_to_the_nanosecond_and_one_of_another_machine_is_translated():
    arrived_ns, hour_ns = 50 * 3600 * 10**9, 3600 * 10**9
    assert Stamps(here=True).shown_ns(arrived_ns - 40_000_000, arrived_ns) == arrived_ns - 40_000_000
    assert Stamps(here=False).shown_ns(None, arrived_ns) == arrived_ns
    for off_ns, here in ((-9 * hour_ns, False), (9 * hour_ns, False), (9 * hour_ns, True), (-2 * MAX_AGE_NS, True)):
        stamps = Stamps(here=here)
        stamps.shown_ns(arrived_ns - 30_000_000 + off_ns, arrived_ns)
        later_ns = arrived_ns + 33_000_000
        late = stamps.shown_ns(later_ns - 230_000_000 + off_ns, later_ns)
        assert abs(late - (later_ns - 200_000_000)) < 1_000_000
