"""Builds the site of documents, strictly: `./run docs [FOLDER]`, into `site` unless another folder is named.

The pages stay where they are in the repository; what this does is bring them together, with all that they show or link
to, under the paths they have there, so that the same links work in the repository and on the site, without a server.
A page that is in no navigation, a link or an anchor that leads nowhere, and anything that a browser would load from
another host end the build.
"""

from __future__ import annotations

import html.parser
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[2]
CONFIG = Path(__file__).with_name("zensical.toml")
HOME = PurePosixPath("docs/index.md")
"""Stands at the root of the site, and there in place of the README, which is the first page of the repository."""
README = PurePosixPath("README.md")
PAGES = ("*.md", "docs/**/*.md", "hardware_docs/**/*.md")
ASSETS = ("docs/**/*.svg", "docs/**/*.png", "docs/**/*.css", "hardware_docs/**/*.svg")

LINK = re.compile(r"(\]\(\s*<?)([^)\s>#]+)((?:#[^)\s>]*)?>?(?:\s+\"[^\"]*\")?\s*\))")
FENCE = re.compile(r"^ *(```+|~~~+)")
ITEM = re.compile(r"^( *)(?:[-*+]|\d+\.) +")
SHIM_ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
"""What lets the search run from the file system. Zensical loads it from there; we ship npm's iframe-worker 1.0.4."""
SHIM = PurePosixPath("docs/site/iframe-worker/shim.js")
SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)


class SiteError(Exception):
    """The site cannot be built; each line says what is wrong and where."""


def build(out: Path) -> None:
    """Builds the site into a folder, which is made anew."""
    with tempfile.TemporaryDirectory(prefix="betline-site-") as scratch:
        work = Path(scratch)
        gather(work / "pages")
        settings = CONFIG.read_text(encoding="utf-8")
        faults = orphans(settings, {path.relative_to(work / "pages").as_posix() for path in _markdown(work / "pages")})
        if faults:
            raise SiteError("\n".join(faults))
        (work / "zensical.toml").write_text(settings, encoding="utf-8")
        zensical = [str(Path(sys.executable).with_name("zensical")), "build", "--strict", "--clean"]
        run = subprocess.run(zensical, cwd=work, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            raise SiteError(run.stdout + run.stderr)
        ship_shim(work / "site")
        faults = [*foreign(work / "site"), *dead(work / "site")]
        if faults:
            raise SiteError("\n".join(faults))
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree(work / "site", out)


def gather(pages: Path) -> None:
    """Brings pages, pictures and every file that a page links to under their paths from the root of the repository."""
    for asset in _files(ASSETS):
        _copy(asset, pages)
    for page in _files(PAGES):
        text = page.read_text(encoding="utf-8")
        path = PurePosixPath(page.relative_to(ROOT).as_posix())
        if path == README:
            continue
        for link in _links(text):
            target = (page.parent / link).resolve()
            if target.suffix != ".md" and target.is_file():
                _copy(target, pages)
        if path == HOME:
            path, text = PurePosixPath("index.md"), moved(text, HOME.parent)
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        (pages / path).write_text(spaced(text), encoding="utf-8")


def ship_shim(site: Path) -> None:
    """Lets each built page load the shim of the search from the site itself."""
    (site / SHIM).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / SHIM, site / SHIM)
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        local = Path(os.path.relpath(site / SHIM, page.parent)).as_posix()
        page.write_text(text.replace(SHIM_ELSEWHERE, local), encoding="utf-8")


def moved(text: str, folder: PurePosixPath) -> str:
    """A page's text with its links as they are from the root, where it lay in a folder."""

    def from_root(found: re.Match[str]) -> str:
        if SCHEME.match(found[2]):
            return found[0]
        return found[1] + PurePosixPath(os.path.normpath(folder / found[2])).as_posix() + found[3]

    return LINK.sub(from_root, text)


def spaced(text: str) -> str:
    """A page's text with the blank lines and indents that Python's Markdown wants of lists, and GitHub's does not."""
    lines: list[str] = []
    fence = ""
    items: list[int] = []
    for line in text.splitlines():
        found = FENCE.match(line)
        if fence or found:
            lines.append(_deeper(line, items))
            if found and (not fence or line.strip().startswith(fence)):
                fence = "" if fence else found[1]
            continue
        item = ITEM.match(line)
        if item:
            while items and len(item[1]) < items[-1]:
                items.pop()
            if not items and lines and lines[-1].strip() and not ITEM.match(lines[-1]):
                lines.append("")
            lines.append(" " * (4 * len(items)) + line[len(item[1]) :])
            items.append(len(item[0]))
            continue
        if line.strip():
            indent = len(line) - len(line.lstrip())
            if lines and not lines[-1].strip():
                while items and indent < items[-1]:
                    items.pop()
        lines.append(_deeper(line, items))
    return "\n".join(lines) + "\n"


def _deeper(line: str, items: list[int]) -> str:
    """A line of an item, at the depth that the item has now."""
    if not items or not line.strip():
        return line
    return " " * (4 * len(items)) + line[min(items[-1], len(line) - len(line.lstrip())) :]


def orphans(settings: str, pages: set[str]) -> list[str]:
    """The pages that the navigation does not name, and those that it names and are not there."""
    named = set(_named(tomllib.loads(settings)["project"]["nav"]))
    return [
        *[f"{page}: in no navigation: name it in docs/site/zensical.toml" for page in sorted(pages - named)],
        *[f"{page}: named in docs/site/zensical.toml, but not there" for page in sorted(named - pages)],
    ]


class _Page(html.parser.HTMLParser):
    """What a built page loads, where it leads, and the anchors it has."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.leads: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag in ("script", "img", "iframe", "source", "video", "audio"):
            self.loads.append(given.get("src", ""))
        if tag == "link" and given.get("rel") not in ("canonical", "prev", "next", "alternate"):
            self.loads.append(given.get("href", ""))
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])


def foreign(site: Path) -> list[str]:
    """What pages and style sheets would load from another host."""
    faults = []
    for page in sorted(site.rglob("*.html")):
        faults += [
            f"{page.relative_to(site)}: loads {one}"
            for one in _read(page).loads
            if (SCHEME.match(one) and not one.startswith("data:")) or one.startswith("//")
        ]
    for sheet in sorted(site.rglob("*.css")):
        text = sheet.read_text(encoding="utf-8")
        found = re.findall(r"url\(\s*[\"']?((?:https?:)?//[^)\"']+)", text)
        faults += [f"{sheet.relative_to(site)}: loads {one}" for one in found]
    return faults


def dead(site: Path) -> list[str]:
    """The links of the built pages whose file or anchor is not there; a folder opens on a server only."""
    read = {page: _read(page) for page in site.rglob("*.html")}
    faults = []
    for page, found in sorted(read.items()):
        if page.name == "404.html":
            continue
        for link in [*found.leads, *found.loads]:
            name, _, anchor = link.partition("#")
            if SCHEME.match(link) or link.startswith("//"):
                continue
            target = page if not name else Path(os.path.normpath(page.parent / name.partition("?")[0]))
            there = target.is_file()
            if not there or (anchor and target in read and anchor not in read[target].anchors | {"__top", ""}):
                faults.append(f"{page.relative_to(site)}: {link} leads nowhere")
    return faults


def _read(page: Path) -> _Page:
    found = _Page()
    found.feed(page.read_text(encoding="utf-8"))
    return found


def _named(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, dict):
        for one in nav.values():
            yield from _named(one)
    elif isinstance(nav, list):
        for one in nav:
            yield from _named(one)


def _links(text: str) -> Iterator[str]:
    for found in LINK.finditer(text):
        if not SCHEME.match(found[2]):
            yield found[2]


def _files(patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        yield from sorted(ROOT.glob(pattern))


def _markdown(folder: Path) -> Iterator[Path]:
    yield from folder.rglob("*.md")


def _copy(file: Path, pages: Path) -> None:
    target = pages / file.relative_to(ROOT)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, target)


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"
    try:
        build(folder)
    except SiteError as error:
        sys.exit(f"run docs: the documents have faults.\n{error}")
    print(f"the site is in {folder}: open {folder / 'index.html'} in a browser")
