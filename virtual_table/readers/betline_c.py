"""The reader firmware compiled from C, called through ctypes.

The sources come with the package. They are compiled once into the user's cache folder, under a name that changes with
them; without a C compiler, or if it fails, the twin in Python takes over.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.resources
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

import platformdirs

from virtual_table.readers.betline_core import CoreSetup, Listener, Said

COMPILERS: Final = ("cc", "gcc", "clang")
COMPILE_S: Final = 60.0
_CORE: Final = ("bl_cobs", "bl_crc32", "bl_frame", "bl_iso15693", "bl_message", "bl_reader")
_UID_BYTES: Final = 8
_TAGS = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_uint8,
    ctypes.POINTER(ctypes.c_uint8),
    ctypes.POINTER(ctypes.c_uint8),
    ctypes.c_size_t,
    ctypes.POINTER(ctypes.c_bool),
)
_SAID = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint8), ctypes.c_size_t)


class NoFirmwareError(Exception):
    """The firmware cannot be compiled here; the text says why."""


class _Setup(ctypes.Structure):
    _fields_ = (
        ("antennas", ctypes.c_uint8),
        ("seat", ctypes.c_uint8),
        ("air_permille", ctypes.c_uint16),
        ("serial", ctypes.c_char_p),
        ("ctx", ctypes.c_void_p),
        ("tags", _TAGS),
        ("said", _SAID),
    )


class FirmwareCore:
    """Implements `ReaderCore` with the compiled firmware. Raises NoFirmwareError."""

    def __init__(self, setup: CoreSetup, listener: Listener) -> None:
        self._code = firmware()
        self._listener = listener
        self._said: list[Said] = []
        self._failure: BaseException | None = None
        self._device = ctypes.create_string_buffer(self._code.bl_device_size())
        self._setup = _Setup(
            antennas=setup.antennas,
            seat=setup.seat,
            air_permille=setup.air_permille,
            serial=setup.serial.encode("ascii"),
            tags=_TAGS(self._tags),
            said=_SAID(self._say),
        )

    def power_on(self, boot_id: int, now_us: int) -> list[Said]:
        return self._do(
            self._code.bl_device_power_on, ctypes.byref(self._setup), ctypes.c_uint32(boot_id), ctypes.c_uint64(now_us)
        )

    def receive(self, data: bytes, now_us: int) -> list[Said]:
        return self._do(self._code.bl_device_receive, data, ctypes.c_size_t(len(data)), ctypes.c_uint64(now_us))

    @property
    def next_us(self) -> int:
        return int(self._code.bl_device_next_us(self._device))

    def speak(self, now_us: int) -> list[Said]:
        return self._do(self._code.bl_device_speak, ctypes.c_uint64(now_us))

    def _do(self, function: Callable[..., Any], *arguments: Any) -> list[Said]:
        function(self._device, *arguments)
        said, self._said = self._said, []
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure
        return said

    def _tags(self, _: int, antenna: int, uids: Any, rssi: Any, capacity: int, disturbed: Any) -> int:
        try:
            answering = self._listener(antenna)
        except Exception as error:  # an exception cannot pass through C
            self._failure = error
            return 0
        tags = answering.tags[:capacity]
        ctypes.memmove(uids, b"".join(uid.to_bytes(_UID_BYTES, "big") for uid, _ in tags), len(tags) * _UID_BYTES)
        ctypes.memmove(rssi, bytes(strength for _, strength in tags), len(tags))
        disturbed[0] = answering.disturbed
        return len(tags)

    def _say(self, _: int, at_us: int, data: Any, length: int) -> None:
        self._said.append(Said(at_us, ctypes.string_at(data, length)))


@cache
def firmware() -> ctypes.CDLL:
    """The compiled firmware. Raises NoFirmwareError with a sentence."""
    try:
        code = ctypes.CDLL(str(build(Path(platformdirs.user_cache_dir("betline", appauthor=False)) / "firmware")))
    except OSError as error:
        raise NoFirmwareError(f"the reader firmware could not be compiled or loaded ({error})") from None
    code.bl_device_size.restype = ctypes.c_size_t
    code.bl_device_next_us.restype = ctypes.c_uint64
    return code


@cache
def has_firmware() -> bool:
    """Whether the compiled firmware can be used on this machine."""
    try:
        firmware()
    except NoFirmwareError:
        return False
    return True


def compiler() -> str | None:
    """The system's C compiler."""
    return next((found for name in COMPILERS if (found := shutil.which(name)) is not None), None)


def build(folder: Path) -> Path:
    """The library in `folder`, compiled if the one for these sources is not there. Raises NoFirmwareError, OSError."""
    root = Path(str(importlib.resources.files("firmware_bridge"))) / "firmware"
    sources = [root / "core" / f"{name}.c" for name in _CORE]
    sources += [root / "sim" / "sim_radio.c", root / "host" / "bl_device.c"]
    includes = [root / name for name in ("core", "sim", "host")]
    texts = (path.read_bytes() for path in sorted((*sources, *(one for at in includes for one in at.glob("*.h")))))
    library = folder / f"betline-{hashlib.sha256(b''.join(texts)).hexdigest()[:16]}.so"
    if library.exists():
        return library
    program = compiler()
    if program is None:
        raise NoFirmwareError(f"there is no C compiler ({', '.join(COMPILERS)}) on this machine")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        fresh = Path(work) / library.name
        flags = ["-std=c11", "-O2", "-shared", "-fPIC", *(f"-I{path}" for path in includes)]
        command = [program, *flags, "-o", str(fresh), *map(str, sources)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_S, check=False)
        except subprocess.TimeoutExpired:
            raise NoFirmwareError(f"{program} took more than {COMPILE_S:.0f} s over the reader firmware") from None
        if done.returncode:
            raise NoFirmwareError(f"{program} could not compile the reader firmware: {done.stderr.strip()[:200]}")
        os.replace(fresh, library)
    return library
