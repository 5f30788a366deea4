"""The command line of `betline rule`, where one flag takes several steps: ``--before STEP STEP``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from typer.core import TyperCommand

FLAG: Final = "--before"
MAPPING: Final = "{"
"""How a step in YAML begins, and no name of a file."""


class Repeating(TyperCommand):
    """A command whose `--before` takes all steps that follow it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the command line as if the flag stood before each step."""
        return super().parse_args(ctx, list(with_flag_repeated(args)))


def with_flag_repeated(arguments: Sequence[str]) -> Iterator[str]:
    """The words with `--before` before each of the steps that follow one."""
    before = taken = False
    for word in arguments:
        step = word.lstrip().startswith(MAPPING)
        if taken and step:
            yield FLAG
        yield word
        taken = step and (before or taken)
        before = word == FLAG
