"""The camera: which one, if any."""

from __future__ import annotations

import re

from betline.setup.question import AnswerError, Answers, Found, Question

NONE = "none"


def questions(_answers: Answers, found: Found) -> tuple[Question, ...]:
    """Its source."""
    seen = "; ".join(f"{camera.source} is {camera.name}" for camera in found.cameras)
    return (
        Question(
            "camera.source",
            "Which camera hangs over the table?",
            f"usb:0, the address of a stream (http, rtsp), or none. {f'Connected: {seen}.' if seen else ''}".rstrip(),
            usual=found.cameras[0].source if found.cameras else NONE,
            check=_source,
        ),
    )


def _source(text: str) -> str:
    if text != NONE and not re.fullmatch(r"usb:\d+|(?:https?|rtsp)://[^\s\"\\]+|/[^\"\\]+", text):
        raise AnswerError(f"camera.source cannot be {text!r}; write usb:0, http://..., rtsp://..., or none.")
    if re.search(r"//[^/@]*:[^/@]*@", text):
        raise AnswerError("camera.source must not hold a password; let the camera in without, on a network of its own.")
    return text
