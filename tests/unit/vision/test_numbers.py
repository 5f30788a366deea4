"""The numbers of the detection modules: each is a threshold, or a named constant with its reason beside it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import vision

ROOT = Path(vision.__file__).parent
MODULES = sorted(path for room in ("frame", "seats", "places", "detect") for path in (ROOT / room).glob("*.py"))
PLAIN = frozenset({-1, 0, 1, 2, 3, 4, 8, 16, 127, 255, 256, 0.5})
"""Counts, halves and squares, channels, neighbours, sixteenths of a pixel, and what a byte holds."""


def is_number(node: ast.expr | None) -> bool:
    if isinstance(node, ast.Tuple):
        return all(is_number(one) for one in node.elts)
    if isinstance(node, ast.UnaryOp):
        return is_number(node.operand)
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def constants(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """The numbers of a module that have a name, and whether a reason stands below them or below the next one."""
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and is_number(node.value):
            below = tree.body[at + 1 : at + 3]
            texts = [isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in below]
            together = len(below) > 0 and isinstance(below[0], ast.Assign | ast.AnnAssign)
            name = ast.unparse(node.target if isinstance(node, ast.AnnAssign) else node.targets[0])
            yield name, texts[:1] == [True] or (together and texts[1:] == [True])


def literals(tree: ast.Module) -> Iterator[tuple[int, float]]:
    """Numbers in the midst of functions, by line."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Constant) and type(node.value) in (int, float) and node.value not in PLAIN:
                    yield node.lineno, float(node.value)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_a_number_has_a_name_and_a_reason(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))

    assert [name for name, reason in constants(tree) if not reason and not name.startswith("_")] == []
    assert list(literals(tree)) == []
