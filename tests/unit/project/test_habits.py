"""What a project promises its readers: changelog, decisions, addresses, standards, and a first change that works."""

import datetime
import importlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from betline.cases import parse_cases
from tests.unit.project.imports import ROOMS, ROOT
from tests.unit.project.pages import blocks

CHANGES = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
RELEASE = re.compile(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})")
DECISIONS = ROOT / "docs" / "adr"
PARTS_OF_A_DECISION = ["Status", "Context", "Decision", "Consequences"]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def headings(text: str, level: int) -> list[str]:
    return re.findall(rf"^#{{{level}}} (.+)$", text, re.MULTILINE)


# --- changelog --------------------------------------------------------------------------------------------------------


def changelog_faults(text: str) -> list[str]:
    """Where a changelog leaves the form of Keep a Changelog."""
    first, *released = headings(text, 2) or [""]
    matches = [RELEASE.fullmatch(heading) for heading in released]
    faults = [] if first == "[Unreleased]" else ["its first section is not [Unreleased]"]
    faults += [
        f"{heading} is no version and date" for heading, match in zip(released, matches, strict=True) if not match
    ]
    faults += [f"{kind} is no kind of change" for kind in headings(text, 3) if kind not in CHANGES]
    names = ["Unreleased", *(match[1] for match in matches if match)]
    faults += [f"{name} has no address" for name in names if f"\n[{name}]: https://" not in text]
    dates = [datetime.date.fromisoformat(match[2]) for match in matches if match]
    return faults + (["the versions are not newest first"] if dates != sorted(dates, reverse=True) else [])


def test_the_changelog_keeps_its_form() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")

    assert changelog_faults(text) == []
    assert f"\n## [{project()['version']}] - " in text


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("## [Unreleased]", "## Soon", "its first section is not [Unreleased]"),
        ("2026-01-02", "January", "[0.2.0] - January is no version and date"),
        ("### Fixed", "### Mended", "Mended is no kind of change"),
        ("[0.2.0]: https", "[0.2.0]: ftp", "0.2.0 has no address"),
        ("2026-01-02", "2025-01-02", "the versions are not newest first"),
    ],
)
def test_a_changelog_of_another_form_is_found(old: str, new: str, fault: str) -> None:
    text = (
        "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-01-02\n\n### Fixed\n\n- A fault.\n\n"
        "## [0.1.0] - 2026-01-01\n\n### Added\n\n- All.\n\n"
        "[Unreleased]: https://example.org/\n[0.2.0]: https://example.org/2\n[0.1.0]: https://example.org/1\n"
    )

    assert changelog_faults(text) == []
    assert fault in changelog_faults(text.replace(old, new))


# --- decisions --------------------------------------------------------------------------------------------------------


def test_every_decision_is_in_the_index_with_its_title_and_date() -> None:
    index = (DECISIONS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\d{4})\]\((\S+)\) \| (.+) \| accepted (\S+) \|$", index, re.MULTILINE)
    expected = []
    for path in sorted(DECISIONS.glob("[0-9]*.md")):
        text = path.read_text(encoding="utf-8")
        title = headings(text, 1)[0].removeprefix(f"{int(path.name[:4])}. ")
        date = re.search(r"^Date: (\S+)$", text, re.MULTILINE)
        assert date is not None
        expected.append((path.name[:4], path.name, title, date[1]))

    assert rows == expected
    assert [int(number) for number, *_ in rows] == list(range(1, len(rows) + 1))


@pytest.mark.parametrize("name", [path.name for path in sorted(DECISIONS.glob("[0-9]*.md"))])
def test_a_decision_has_status_context_decision_and_consequences(name: str) -> None:
    text = (DECISIONS / name).read_text(encoding="utf-8")

    assert headings(text, 2) == PARTS_OF_A_DECISION
    assert re.search(r"^## Status\n\n(Proposed|Accepted|Superseded|Deprecated)\b", text, re.MULTILINE)


# --- addresses --------------------------------------------------------------------------------------------------------


def test_the_project_names_its_addresses_and_they_are_one_repository() -> None:
    urls = project()["urls"]
    home = urls["Repository"]

    assert set(urls) == {"Repository", "Documentation", "Issues", "Changelog"}
    assert all(url.startswith(home) for url in urls.values())
    for name in ("SECURITY.md", "CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff", ".github/ISSUE_TEMPLATE/config.yml"):
        assert home in (ROOT / name).read_text(encoding="utf-8"), name


def test_the_citation_names_the_version_and_licence_of_the_project() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))

    assert (citation["version"], citation["license"]) == (project()["version"], project()["license"])
    assert citation["repository-code"] == project()["urls"]["Repository"]


@pytest.mark.parametrize("form", [path.name for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))])
def test_a_form_for_issues_can_be_read(form: str) -> None:
    content = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE" / form).read_text(encoding="utf-8"))
    if form == "config.yml":
        assert all({"name", "url", "about"} == set(link) for link in content["contact_links"])
        return
    fields = [field for field in content["body"] if field["type"] != "markdown"]

    assert {"name", "description", "body"} <= set(content)
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)


def test_the_form_for_a_wrong_ruling_holds_a_case_that_can_be_read() -> None:
    form = yaml.safe_load((ROOT / ".github/ISSUE_TEMPLATE/wrong-ruling.yml").read_text(encoding="utf-8"))
    (field,) = [field for field in form["body"] if field.get("id") == "case"]

    assert len(parse_cases(field["attributes"]["value"], Path("form"), lenient=True)) == 1


# --- commits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "is_refused"),
    [
        ("x" * 71, False),
        ("x" * 72, True),
        (f"Short\n\n{'x' * 100}\n", False),
        (f"Merge branch {'x' * 72}", False),
    ],
)
def test_the_hook_refuses_commit_subjects_of_72_characters_and_more(message: str, is_refused: bool) -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = {hook["id"]: hook for repo in config["repos"] for hook in repo["hooks"]}
    hook = hooks["commit-subject"]

    assert (hook["language"], hook["stages"], hook["args"]) == ("pygrep", ["commit-msg"], ["--multiline"])
    assert (re.search(hook["entry"], message, re.MULTILINE | re.DOTALL) is not None) is is_refused


def test_the_hooks_run_the_projects_own_tools() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    entries = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"] if hook["language"] == "system"]

    assert {repo["repo"] for repo in config["repos"]} == {"local"}
    assert [entry.split()[0] for entry in entries] == [".venv/bin/ruff", ".venv/bin/ruff", ".venv/bin/mypy"]


# --- standards --------------------------------------------------------------------------------------------------------

STANDARDS = [
    (standard, module)
    for standard, modules in re.findall(
        r"^\| ([^|]+) \| [^|]+ \| [^|]+ \| (`[^|]+`) \|$",
        (ROOT / "docs" / "standards.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    for module in re.findall(r"`([^`]+)`", modules)
]


@pytest.mark.parametrize(("standard", "module"), STANDARDS)
def test_a_module_that_implements_a_standard_cites_it(standard: str, module: str) -> None:
    assert module.partition(".")[0] in ROOMS
    assert standard in (importlib.import_module(module).__doc__ or "")


def test_every_standard_of_the_table_says_where_it_is_published() -> None:
    _, _, published = (
        (ROOT / "docs" / "standards.md").read_text(encoding="utf-8").partition("## Where they are published")
    )

    assert len(STANDARDS) >= 15
    assert [standard for standard, _ in STANDARDS if f"**{standard}**" not in published] == []


# --- the first change -------------------------------------------------------------------------------------------------


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what the worked example changes and runs."""
    for folder in ("betline", "config", "table_controller"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "tests" / "cases", tmp_path / "tests" / "cases")
    (tmp_path / "docs").mkdir()
    return tmp_path


def run(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(
        command, cwd=checkout, env={"PYTHONPATH": str(checkout)}, capture_output=True, text=True, check=False
    )


@pytest.mark.nightly
@pytest.mark.skipif(shutil.which("git") is None, reason="the example is applied with git")
def test_the_worked_example_for_a_first_change_works_as_written(checkout: Path) -> None:
    (case,) = blocks(CONTRIBUTING, "yaml")
    (diff,) = blocks(CONTRIBUTING, "diff")
    file = checkout / "tests" / "cases" / "my_first.yaml"
    file.write_text(case, encoding="utf-8")

    before = run(checkout, "betline", "cases", str(file))
    applied = subprocess.run(
        ["git", "apply"],
        cwd=checkout,
        env={"PATH": os.environ["PATH"]},
        input=diff,
        capture_output=True,
        text=True,
        check=False,
    )
    after = run(checkout, "betline", "cases", str(file))
    written = run(checkout, "table_controller.tools.rule.pages")

    assert "FAIL my-flat-is-a-call: step 3: ruling: expected call, got floor" in before.stdout
    assert applied.stderr == ""
    assert "PASS my-flat-is-a-call" in after.stdout
    assert written.stderr == ""
    page = (checkout / "docs" / "rules.md").read_text(encoding="utf-8")
    assert (
        '\nThe word "call", or "flat", commits to the full bet (TDA 51-A); with no bet it is a check (TDA 55).\n'
        in page
    )
