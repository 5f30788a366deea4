"""The firmware's C sources built for tests: as a shared library or as a program with sanitizers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.shared import made_once

FIRMWARE = Path(__file__).parents[3] / "firmware_bridge" / "firmware"
TESTS = Path(__file__).parent / "c"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-Werror", "-Wconversion", "-Wshadow", "-Wpedantic")
SANITIZED = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g", "-O1")
INCLUDES = tuple(f"-I{FIRMWARE / folder}" for folder in ("core", "sim"))


def compiler() -> str:
    """The system's C compiler; skips the test where there is none."""
    found = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if found is None:
        pytest.skip("no C compiler (cc, gcc or clang) is installed")
    return found


def compiled(program: str, name: str, arguments: Iterable[str | Path]) -> Path:
    """What one run of a compiler makes, once in a run of the tests; its words are the test's failure."""
    words = (program, *map(str, arguments))

    def make(path: Path) -> None:
        done = subprocess.run([*words, "-o", path], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    return made_once(name, words, make)


def shared_library(name: str, sources: Iterable[Path], flags: Iterable[str] = ()) -> Path:
    """These sources as a library for ctypes."""
    return compiled(compiler(), f"{name}.so", (*STRICT, *INCLUDES, "-O2", "-shared", "-fPIC", *flags, *sources))


def sanitized_program(name: str, sources: Iterable[Path], includes: Iterable[str] = INCLUDES) -> Path:
    """These sources as a program that stops at the first undefined behaviour."""
    return compiled(compiler(), name, (*STRICT, *includes, *SANITIZED, *sources))


def core(*names: str) -> list[Path]:
    """Sources of the core, by their names without ending."""
    return [FIRMWARE / "core" / f"{name}.c" for name in names]
