"""The locks name no host, agree with pyproject.toml and with each other, and hold one build of OpenCV at a time."""

import importlib.metadata
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[3]
LOCKS = {path.name: path for path in sorted((ROOT / "locks").glob("*.txt"))}

PIN = re.compile(r"([a-z0-9][a-z0-9-]*)==(\S+) \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")
NOTE = re.compile(r"    #( via)?( +(-[rc] )?[a-z0-9][a-z0-9._-]*)?")


def pins(lock: str) -> dict[str, Version]:
    found = [PIN.fullmatch(line) for line in LOCKS[lock].read_text(encoding="utf-8").splitlines()]
    return {match[1]: Version(match[2]) for match in found if match}


def settings() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def missing(ranges: list[str], pinned: dict[str, Version]) -> list[str]:
    """The ranges that no pin satisfies."""
    wanted = [Requirement(text) for text in ranges]
    return [
        str(range_)
        for range_ in wanted
        if (version := pinned.get(canonicalize_name(range_.name))) is None or version not in range_.specifier
    ]


def foreign_lines(text: str) -> list[str]:
    """The lines that are no pin, no hash and no note on who asked for the package: where a host could hide."""
    return [line for line in text.splitlines() if not any(form.fullmatch(line) for form in (PIN, HASH, NOTE))]


def test_there_is_a_lock_for_each_purpose() -> None:
    assert set(LOCKS) == {
        "base.txt",
        "opencv.txt",
        "opencv-headless.txt",
        "build.txt",
        "dev.txt",
        "docs.txt",
        "lab.txt",
        "site.txt",
        "metrics.txt",
        "traces.txt",
    }


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_packages_and_hashes_and_no_host(lock: str) -> None:
    assert foreign_lines(LOCKS[lock].read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "--index-url https://example.org/simple",
        "--find-links /opt/wheels",
        "numpy @ https://example.org/numpy.whl \\",
        "numpy>=2 \\",
        "    # from https://example.org/simple",
        "    --hash=md5:0123",
    ],
)
def test_a_line_that_names_a_host_or_leaves_a_version_open_is_found(line: str) -> None:
    assert foreign_lines(f"numpy==2.4.6 \\\n{line}\n") == [line]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_a_hash(lock: str) -> None:
    lines = LOCKS[lock].read_text(encoding="utf-8").splitlines()
    followers = [lines[index + 1] for index, line in enumerate(lines) if PIN.fullmatch(line)]

    assert followers
    assert all(HASH.fullmatch(line) for line in followers)


def test_the_locks_satisfy_every_range_of_the_project() -> None:
    project = settings()
    run_time = pins("base.txt") | pins("opencv.txt")

    assert missing(project["project"]["dependencies"], run_time) == []
    assert missing(project["build-system"]["requires"], pins("build.txt")) == []
    assert missing(project["dependency-groups"]["dev"], pins("dev.txt")) == []
    assert missing(project["dependency-groups"]["docs"], pins("docs.txt")) == []
    assert missing(project["project"]["optional-dependencies"]["lab"], pins("lab.txt")) == []
    assert missing(project["project"]["optional-dependencies"]["site"], pins("site.txt")) == []
    assert missing(project["project"]["optional-dependencies"]["metrics"], pins("metrics.txt")) == []
    assert missing(project["project"]["optional-dependencies"]["traces"], pins("traces.txt")) == []


def test_a_range_without_a_fitting_pin_is_found() -> None:
    pinned = {"numpy": Version("2.4.6")}

    assert missing(["numpy>=2", "numpy<2", "PyYAML>=6"], pinned) == ["numpy<2", "PyYAML>=6"]


def test_the_base_lock_holds_no_opencv_and_the_two_builds_have_one_version() -> None:
    full, headless = pins("opencv.txt"), pins("opencv-headless.txt")

    assert not [name for name in pins("base.txt") if name.startswith("opencv")]
    assert set(full) == {"opencv-python"}
    assert set(headless) == {"opencv-python-headless"}
    assert full["opencv-python"] == headless["opencv-python-headless"]


def test_a_package_in_two_locks_has_one_version() -> None:
    versions: dict[str, set[Version]] = {}
    for lock in LOCKS:
        for name, version in pins(lock).items():
            versions.setdefault(name, set()).add(version)

    assert {name: found for name, found in versions.items() if len(found) > 1} == {}


def test_one_build_of_opencv_is_installed_here() -> None:
    installed = {canonicalize_name(found.name) for found in importlib.metadata.distributions()}

    assert len({name for name in installed if name.startswith("opencv")}) == 1
