"""The form that a step has in case files and in the journal: a plain mapping, by the ``CASE`` of its class."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast, get_args

from betline.fields import FieldError, Fields, Path, dotted, one_of, true
from betline.settings.model import nearest
from betline.steps.codec import Record, record
from betline.steps.kinds import CaseKey
from betline.steps.values import Step

STEPS: Final[tuple[type[Step], ...]] = get_args(Step)
_BY_KEY: Mapping[str, type[Step]] = {cls.CASE.key: cls for cls in STEPS}


class StepError(FieldError):
    """A step cannot be read; `path` leads to the key, `sentence` says what would be right."""

    @property
    def key(self) -> str:
        """The key that is at fault, dotted."""
        return dotted(self.path)


def parse_step(data: object, path: Path = ()) -> Step:
    """Reads a step from its mapping; raises StepError with the key and a sentence."""
    try:
        if not isinstance(data, Mapping):
            raise FieldError(path, "a step must be a mapping such as {seat: 3, action: call}.")
        cls = next((cls for key, cls in _BY_KEY.items() if key in data), None)
        if cls is None:
            first = next(iter(data), "")
            raise FieldError((*path, str(first)), f"is not a known step; {nearest(str(first), _BY_KEY)}")
        return _read(cls, data, path)
    except FieldError as error:
        raise StepError(error.path, error.sentence) from None


def step_to_mapping(step: Step) -> dict[str, Any]:
    """The written form of a step, fit for JSON and YAML; `parse_step` reads it back."""
    case = step.CASE
    found = _record(type(step), case).write(step)
    return found if case.value else {case.key: found or case.word or True}


def _read(cls: type[Step], data: Mapping[str, Any], path: Path) -> Step:
    case = cls.CASE
    form = _record(cls, case)
    if case.value:
        return form.read(data, path)
    fields = Fields(data, path)
    inner: object = fields.required(case.key, lambda value, _path: value)
    if not form.entries:
        fields.required(case.key, one_of(case.word) if case.word else true)
        inner = {}
    elif inner is True and form.all_optional:
        inner = {}
    step = form.read(inner, (*path, case.key))
    fields.done()
    return step


def _record(cls: type[Step], case: CaseKey) -> Record[Step]:
    return cast("Record[Step]", record(cls, "case", case.value, case.key))
