"""The one error that the codecs of all families raise."""

from __future__ import annotations


class FrameError(ValueError):
    """Bytes that are no frame of a protocol, or a frame that cannot be sent; `code` says which rule it breaks."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
