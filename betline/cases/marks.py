"""YAML as plain data that remembers its lines, so that every error can name one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

import yaml
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from betline.fields import Path

MAX_NODES = 1_000_000


class MarkedError(Exception):
    """The text is no YAML that the format allows; `line` counts from 1."""

    def __init__(self, line: int, sentence: str) -> None:
        super().__init__(sentence)
        self.line = line
        self.sentence = sentence


@dataclass(slots=True)
class Marked:
    """Data and the line of every key and item by its path."""

    data: Any = None
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int:
        """The line of a path, or of the nearest thing around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def load(text: str) -> Marked:
    """Reads one YAML document; raises MarkedError."""
    if yaml.__with_libyaml__:
        # What libyaml refuses is read again by PyYAML alone: the words of an error are the same without libyaml.
        with suppress(yaml.YAMLError, MarkedError, ValueError, RecursionError):
            return _read(_fast_loader()(text))
    try:
        return _read(yaml.SafeLoader(text))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise MarkedError(
            line, f"is not valid YAML: the character U+{ord(text[error.position]):04X} is in it."
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise MarkedError(mark.line + 1 if mark else 1, f"is not valid YAML: {error.problem}.") from None
    except RecursionError:
        raise MarkedError(1, "is not valid YAML: it is nested too deeply.") from None
    except (yaml.YAMLError, ValueError) as error:
        raise MarkedError(1, f"is not valid YAML: {' '.join(str(error).split())}.") from None


class _Loader(Protocol):
    """What both loaders can do."""

    def get_single_node(self) -> yaml.Node | None: ...
    def construct_object(self, node: yaml.Node) -> Any: ...
    def dispose(self) -> None: ...


@cache
def _fast_loader() -> Callable[[str], _Loader]:
    """The scanner of libyaml, five times as fast, under PyYAML's composer: libyaml's own crashes on deep nesting."""
    from yaml._yaml import CParser  # noqa: PLC0415 -- a PyYAML without libyaml has none

    class Fast(Composer, CParser, SafeConstructor, Resolver):
        def __init__(self, text: str) -> None:
            CParser.__init__(self, text)
            Composer.__init__(self)
            SafeConstructor.__init__(self)
            Resolver.__init__(self)

    return Fast


def _read(loader: _Loader) -> Marked:
    try:
        node = loader.get_single_node()
        marked = Marked()
        if node is not None:
            marked.data = _Reader(loader, marked).read(node, (), ())
        return marked
    finally:
        loader.dispose()


class _Reader:
    """Turns nodes into data and notes the lines on its way."""

    def __init__(self, loader: _Loader, marked: Marked) -> None:
        self._loader = loader
        self._marked = marked
        self._nodes = 0

    def read(self, node: yaml.Node, path: Path, within: tuple[int, ...]) -> Any:
        line = node.start_mark.line + 1
        self._marked.lines.setdefault(path, line)
        self._nodes += 1
        if id(node) in within or self._nodes > MAX_NODES:
            raise MarkedError(line, "repeats itself without end.")
        inside = (*within, id(node))
        if isinstance(node, yaml.SequenceNode):
            return [self.read(item, (*path, number), inside) for number, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            found: dict[Any, Any] = {}
            for key_node, value_node in node.value:
                key_line = key_node.start_mark.line + 1
                if not isinstance(key_node, yaml.ScalarNode):
                    raise MarkedError(key_line, "has a key that is no plain word or number.")
                key = self._loader.construct_object(key_node)
                if key in found:
                    raise MarkedError(key_line, f"{key} is there twice.")
                self._marked.lines[(*path, key)] = key_line
                found[key] = self.read(value_node, (*path, key), inside)
            return found
        return self._loader.construct_object(node)
