"""The firmware's C sources built for tests: as a shared library or as a program with sanitizers."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

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


def compile_c(program: str, arguments: Iterable[str | Path]) -> None:
    """One run of a compiler; its words are the test's failure."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def shared_library(folder: Path, name: str, sources: Iterable[Path], flags: Iterable[str] = ()) -> Path:
    """These sources as a library for ctypes."""
    library = folder / f"{name}.so"
    compile_c(compiler(), (*STRICT, *INCLUDES, "-O2", "-shared", "-fPIC", *flags, "-o", library, *sources))
    return library


def sanitized_program(folder: Path, name: str, sources: Iterable[Path]) -> Path:
    """These sources as a program that stops at the first undefined behaviour."""
    program = folder / name
    compile_c(compiler(), (*STRICT, *INCLUDES, *SANITIZED, "-o", program, *sources))
    return program


def core(*names: str) -> list[Path]:
    """Sources of the core, by their names without ending."""
    return [FIRMWARE / "core" / f"{name}.c" for name in names]
