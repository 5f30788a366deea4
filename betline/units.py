"""Units of time: nanoseconds inside (`time.monotonic_ns`), milliseconds on the bus and for people."""

from typing import Final

NS_PER_MS: Final = 1_000_000
NS_PER_S: Final = 1_000_000_000
