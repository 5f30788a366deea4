"""The codes of the alerts that the console may show, found in the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import get_args

from table_controller.sensing.observations import AlertCode
from tests.unit.docs.checkout import ROOT

ROOM = ROOT / "table_controller"
RAISING = frozenset({"Alert", "alert", "stands"})
TABLES = frozenset({"_ALERTS", "_SENTENCES"})
"""Tables of a module whose keys are codes."""


def alert_codes() -> set[str]:
    """Every code that stands in the source as a word, and those of programs and devices that are silent."""
    found = set(get_args(AlertCode)) | {f"{kind}-down" for kind in ("bridge", "camera", "reader")}
    for file in sorted(ROOM.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if any(word in source for word in ("Alert(", "alerts=", "stands(", *TABLES)):
            found |= set(codes_of(source))
    return found


def codes_of(source: str) -> Iterator[str]:
    """The codes of one module: those given to an alert or notice, those a ruling lists, and the keys of its tables."""
    tree = ast.parse(source)
    names = dict(_constants(tree))
    helpers = dict(_helpers(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in RAISING:
            given = [one.value for one in node.keywords if one.arg == "code"]
            if _called(node) == "stands":
                given = node.args[:1]
            yield from _texts(given, names)
        elif isinstance(node, ast.Call) and _called(node) in helpers:
            yield from _texts(node.args[helpers[_called(node)] :][:1], names)
        elif isinstance(node, ast.keyword) and node.arg == "alerts":
            yield from _texts(_choices(node.value), names)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if TABLES & {one.id for one in targets if isinstance(one, ast.Name)}:
                yield from _texts([key for key in node.value.keys if key is not None], names)


def _constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in tree.body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        value = getattr(node, "value", None)
        for target in targets:
            together = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            for name, one in zip(target.elts, value.elts, strict=True) if together else [(target, value)]:
                if isinstance(name, ast.Name) and isinstance(one, ast.Constant) and isinstance(one.value, str):
                    yield name.id, one.value


def _helpers(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """The functions of a module that raise an alert of the code they are given, and at which place they take it."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            taken = [one.arg for one in node.args.args]
            raises = any(isinstance(call, ast.Call) and _called(call) == "Alert" for call in ast.walk(node))
            if raises and "code" in taken:
                yield node.name, taken.index("code")


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _choices(value: ast.expr) -> list[ast.expr]:
    """The members of a tuple, of either tuple of a choice between two."""
    if isinstance(value, ast.IfExp):
        return [*_choices(value.body), *_choices(value.orelse)]
    return list(value.elts) if isinstance(value, ast.Tuple) else []


def _texts(values: list[ast.expr], names: dict[str, str]) -> Iterator[str]:
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
        elif isinstance(value, ast.Name) and value.id in names:
            yield names[value.id]
