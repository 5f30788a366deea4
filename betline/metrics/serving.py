"""Serving a program's figures to Prometheus, where that is asked for; else nothing of it is even imported."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from betline.bus.port import BusCounters
from betline.metrics.family import Family, Timing
from betline.metrics.reading import Told, families
from betline.options import FAILED, Address, UserError
from betline.tally import Tally
from betline.topics import ROOT

if TYPE_CHECKING:
    from prometheus_client.core import Metric as Shown


class Counting(Protocol):
    """What is read of a bus."""

    @property
    def connected(self) -> bool: ...

    @property
    def counters(self) -> BusCounters: ...

    def kept(self) -> Told:
        """The retained messages of this program as it sent them last."""
        ...


@contextmanager
def served(
    where: Address | None,
    bus: Counting,
    timings: Callable[[], Iterable[Timing]] = tuple,
    own: Callable[[], Mapping[str, float]] = dict,
) -> Iterator[None]:
    """Serves `/metrics` there until the block is left; nowhere: does nothing.

    Raises UserError where the port is in use, or the extra `metrics` is not installed.
    """
    if where is None:
        yield
        return
    client = _client()
    registry = client.CollectorRegistry()
    registry.register(_Collector(bus, timings, own))
    client.ProcessCollector(registry=registry)
    try:
        server, thread = client.start_http_server(where.port, where.host, registry)
    except OSError as error:
        raise UserError(
            f"The figures cannot be served at {where} ({error.strerror}): name another port with --metrics, or in "
            "[metrics] of the table file.",
            FAILED,
        ) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _client() -> Any:
    try:
        import prometheus_client  # noqa: PLC0415 - an extra, and 60 ms that only this costs
    except ImportError:
        raise UserError("Figures need the package prometheus-client: pip install 'betline[metrics]'.") from None
    return prometheus_client


class _Collector:
    """Reads a program's figures whenever Prometheus asks."""

    def __init__(
        self, bus: Counting, timings: Callable[[], Iterable[Timing]], own: Callable[[], Mapping[str, float]]
    ) -> None:
        self._bus, self._timings, self._own = bus, timings, own
        self._versions = {"version": importlib.metadata.version("betline"), "schema": ROOT.rpartition("/")[2]}

    def collect(self) -> Iterator[Shown]:
        """All metrics as they are now."""
        bus = self._bus
        for family in families(
            self._versions,
            connected=bus.connected,
            counters=bus.counters,
            told=bus.kept(),
            timings=self._timings(),
            own=self._own(),
        ):
            yield _shown(family)


def _shown(family: Family) -> Shown:
    from prometheus_client import core  # noqa: PLC0415

    metric = family.metric
    labels = [name for name, _ in family.samples[0].labels]
    made: Any = {
        "counter": core.CounterMetricFamily,
        "gauge": core.GaugeMetricFamily,
        "histogram": core.HistogramMetricFamily,
    }[metric.kind](metric.name, metric.help, labels=labels)
    for sample in family.samples:
        values = [value for _, value in sample.labels]
        if isinstance(sample.value, Tally):
            buckets = [(_bound(bound_s), count) for bound_s, count in sample.value.up_to()]
            made.add_metric(values, buckets, sum_value=sample.value.total_s)
        else:
            made.add_metric(values, sample.value)
    return made  # type: ignore[no-any-return]


def _bound(bound_s: float) -> str:
    """A bucket's bound as the text format writes it."""
    return "+Inf" if bound_s == float("inf") else str(bound_s)
