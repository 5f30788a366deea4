"""One metric with its samples, as the text format of Prometheus knows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from betline.tally import Tally

Kind = Literal["counter", "gauge", "histogram"]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric's name, what kind it is, and what it means. A counter's name has no `_total`: the format adds it."""

    name: str
    kind: Kind
    help: str
    label: str = ""
    """What its samples differ in besides the device; empty where there is nothing."""
    per: float = 1.0
    """What a figure is multiplied by to be in the metric's unit: 0.001 for ms."""


@dataclass(frozen=True, slots=True)
class Timing:
    """How long something took, of one device of this program or of the program itself."""

    name: str
    device: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Sample:
    """One figure, with the values of its labels by name."""

    labels: tuple[tuple[str, str], ...]
    value: float | Tally


@dataclass(frozen=True, slots=True)
class Family:
    """A metric and its samples."""

    metric: Metric
    samples: tuple[Sample, ...]
