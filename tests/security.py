"""Each security claim of the documents, the protection behind it, and the tests that fail without that protection.

`tests/security.toml` has the list. ``python -m tests.security`` copies the project, takes out one protection at a time
and runs its tests there: each of them must fail. With a word it does so for the claims that contain it, with
``--part K/N`` for every Nth, beginning with the Kth. ``--page`` writes `docs/security-tests.md` instead.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

from tests.nightly import read_part

ROOT: Final = Path(__file__).resolve().parent.parent
LIST: Final = ROOT / "tests" / "security.toml"
PAGE: Final = ROOT / "docs" / "security-tests.md"

_HEAD: Final = """\
# What each security claim is tested by

Every row was tried by `python -m tests.security`: it takes the protection out of a copy of the project, runs the tests
of that row there, and says where one of them does not fail. It takes a quarter of an hour and wants mosquitto and
systemd-analyze; a word after it tries only the claims that contain it, and `--part K/12` a twelfth of them, as CI does
for each commit. `tests/unit/project/test_security.py` keeps the rows true in every run: each claim still stands in its
document, each protection in its file, each test in its own.

Which words are taken out, and by what they are replaced, stands in `tests/security.toml`; this page is made from it by
`python -m tests.security --page`. What is not protected is in [SECURITY.md](../SECURITY.md).
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: words of a document, the text of a file that protects, what it is replaced by, the tests."""

    says: str
    document: str
    file: str
    out: str
    put: str
    tests: tuple[str, ...]

    def missing(self, root: Path = ROOT) -> Iterator[str]:
        """What of it is not there any more, in sentences."""
        if " ".join(self.says.split()) not in " ".join((root / self.document).read_text(encoding="utf-8").split()):
            yield f"{self.document} does not say: {self.says}"
        text = (root / self.file).read_text(encoding="utf-8")
        if text.count(self.out) != 1:
            yield f"{self.file} has {text.count(self.out)} times what protects here, not once: {self.out}"
        elif self.file.endswith(".py"):
            try:
                ast.parse(text.replace(self.out, self.put))
            except SyntaxError as error:
                yield f"{self.file} without the protection is no Python any more: {error}"
        for test in self.tests:
            path, _, name = test.partition("::")
            if name not in _functions(root / path):
                yield f"There is no test {test}."

    def without(self, root: Path) -> None:
        """Takes the protection out of the project at `root`."""
        path = root / self.file
        path.write_text(path.read_text(encoding="utf-8").replace(self.out, self.put), encoding="utf-8")


def claims() -> tuple[Claim, ...]:
    """The list, in its order."""
    found = tomllib.loads(LIST.read_text(encoding="utf-8"))["claim"]
    return tuple(
        Claim(one["says"], one["in"], one["file"], one["out"], one["put"], tuple(one["tests"])) for one in found
    )


def page() -> str:
    """The list for readers."""
    parts = [_HEAD]
    for document, there in groupby(claims(), key=lambda one: one.document):
        link = document.removeprefix("docs/") if document.startswith("docs/") else f"../{document}"
        # The site of documents has a first page of its own in place of the README.
        title = document if document == "README.md" else f"[{document}]({link})"
        rows = [
            f"| {one.says} | `{one.file}` | {'<br>'.join(_linked(test) for test in one.tests)} |".replace("\n", " ")
            for one in there
        ]
        parts.append(f"\n## {title}\n\n| it says | held by | tested by |\n| --- | --- | --- |\n")
        parts.append("\n".join(rows) + "\n")
    return "".join(parts)


def _linked(test: str) -> str:
    path, _, name = test.partition("::")
    return f"`{path.removeprefix('tests/unit/')}`: {name.removeprefix('test_').replace('_', ' ')}"


def _functions(path: Path) -> frozenset[str]:
    if not path.is_file():
        return frozenset()
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(one.name for one in nodes if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))


def _copied(to: Path) -> None:
    listed = subprocess.run(
        ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def survivors(claim: Claim, copy: Path) -> list[str]:
    """The tests of a claim that do not fail without its protection, in a copy of the project; empty: all of them do."""
    kept = (copy / claim.file).read_bytes()
    claim.without(copy)
    try:
        failed = _failed(claim.tests, copy)
    finally:
        (copy / claim.file).write_bytes(kept)
    return [test for test in claim.tests if test not in failed]


def _failed(tests: tuple[str, ...], copy: Path) -> frozenset[str]:
    """Those of the tests that ran and failed; one that ended in an error before it began proves nothing."""
    report = copy / "report.xml"
    report.unlink(missing_ok=True)
    subprocess.run(
        (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *tests),
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        check=False,
    )
    if not report.exists():
        return frozenset()
    cases = ET.parse(report).getroot().iter("testcase")
    return frozenset(
        f"{case.get('classname', '').replace('.', '/')}.py::{case.get('name', '').partition('[')[0]}"
        for case in cases
        if case.find("failure") is not None
    )


def main(words: list[str]) -> int:
    """Tries the claims; 0 where each test fails without its protection."""
    if words == ["--page"]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if words[:1] == ["--part"]:
        part = read_part(" ".join(words[1:]))
        chosen = [one for place, one in enumerate(claims()) if part.holds(place)]
    else:
        chosen = [one for one in claims() if all(word.casefold() in one.says.casefold() for word in words)]
    if not chosen:
        print(f"No claim says {' '.join(words)!r}.")
        return 1
    missed = 0
    with tempfile.TemporaryDirectory(prefix="betline-security-") as folder:
        copy = Path(folder)
        _copied(copy)
        for number, claim in enumerate(chosen, 1):
            left = survivors(claim, copy)
            missed += bool(left)
            said = "fails without it" if not left else f"DOES NOT FAIL WITHOUT IT: {', '.join(left)}"
            print(f"{number}/{len(chosen)} {' '.join(claim.says.split())}: {said}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} claims have tests that fail without their protection.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
