"""What each module of the checkout imports, read from its syntax tree, so that nothing need run to be checked."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
ROOMS = ("betline", "firmware_bridge", "vision", "table_controller", "virtual_table", "cardroom")


@dataclass(frozen=True, slots=True)
class Module:
    """One module by its dotted name; `package` is what its relative imports start from."""

    name: str
    package: str
    source: str

    @property
    def imports(self) -> frozenset[str]:
        """All dotted names imported anywhere in it, also inside functions; `from a import b` counts as `a.b`."""
        return _read(self.source, self.package)[0]

    @property
    def calls(self) -> frozenset[str]:
        """The plain names it calls, such as `open` in `open(path)`."""
        return _read(self.source, self.package)[1]


@cache
def _read(source: str, package: str) -> tuple[frozenset[str], frozenset[str]]:
    """What a module imports and calls; every module is asked about by several tests."""
    imports: set[str] = set()
    calls: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            imports.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imports.update(f"{_origin(node, package)}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
    return frozenset(imports), frozenset(calls)


def _origin(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def modules(root: Path = ROOT) -> Iterator[Module]:
    """Every module of every room."""
    for room in ROOMS:
        for path in sorted((root / room).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            package = ".".join(parts[:-1])
            name = package if parts[-1] == "__init__" else ".".join(parts)
            yield Module(name, package, path.read_text(encoding="utf-8"))


def is_within(name: str, package: str) -> bool:
    """Whether a dotted name is the package or lies in it."""
    return name == package or name.startswith(f"{package}.")
