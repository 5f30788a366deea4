"""Spans to whatever takes OpenTelemetry's protocol over HTTP: a collector, Jaeger, Tempo."""

from __future__ import annotations

import importlib.metadata
import random
import time
from typing import TYPE_CHECKING, Any, Final, cast

from betline.options import UserError
from table_controller.tracing.acts import ActSpans

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.id_generator import IdGenerator

SERVICE: Final = "betline-"
"""What a program is called there, before the name of its part."""
_TIMEOUT_S: Final = 5


class SpanExport:
    """Sends acts in the background; what cannot be sent is dropped, and no table waits. Raises UserError."""

    def __init__(self, endpoint: str) -> None:
        self._otel = _library()
        self._ids = random.Random()
        self._endpoint = endpoint
        self._providers: dict[str, TracerProvider] = {}
        self._trace_id = 0
        self.sent = 0

    def act(self, spans: ActSpans) -> None:
        """Hands one act over."""
        otel = self._otel
        wall_ns = time.time_ns() - time.monotonic_ns()
        self._trace_id = spans.trace_id
        whole = spans.whole
        root = self._tracer(whole.part).start_span(
            whole.name, otel.Context(), start_time=wall_ns + whole.begin_ns, attributes=spans.attributes
        )
        inside = otel.set_span_in_context(root)
        for part in spans.parts:
            span = self._tracer(part.part).start_span(part.name, inside, start_time=wall_ns + part.begin_ns)
            span.end(wall_ns + part.end_ns)
        root.end(wall_ns + whole.end_ns)
        self.sent += 1

    def close(self) -> None:
        """Sends what waits, and ends."""
        for provider in self._providers.values():
            provider.shutdown()

    def generate_trace_id(self) -> int:
        """The id of the act that is being handed over."""
        return self._trace_id

    def generate_span_id(self) -> int:
        """An id of chance."""
        return self._ids.randrange(1, 1 << 64)

    def is_trace_id_random(self) -> bool:
        """Ids of traces are made of entries' numbers by a hash."""
        return False

    def _tracer(self, part: str) -> Any:
        if part not in self._providers:
            otel = self._otel
            version = importlib.metadata.version("betline")
            about = {"service.name": SERVICE + part, "service.namespace": "betline", "service.version": version}
            provider = otel.TracerProvider(resource=otel.Resource.create(about), id_generator=cast("IdGenerator", self))
            exporter = otel.OTLPSpanExporter(endpoint=self._endpoint, timeout=_TIMEOUT_S)
            provider.add_span_processor(otel.BatchSpanProcessor(exporter, schedule_delay_millis=500))
            self._providers[part] = provider
        return self._providers[part].get_tracer("betline")


class _Library:
    """What is used of the extra `traces`."""

    def __init__(self) -> None:
        from opentelemetry.context import Context  # noqa: PLC0415 - an extra
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
        from opentelemetry.trace import set_span_in_context  # noqa: PLC0415

        self.Context, self.OTLPSpanExporter, self.Resource = Context, OTLPSpanExporter, Resource
        self.TracerProvider, self.BatchSpanProcessor = TracerProvider, BatchSpanProcessor
        self.set_span_in_context = set_span_in_context


def _library() -> _Library:
    try:
        return _Library()
    except ImportError:
        raise UserError("Traces need OpenTelemetry's packages: pip install 'betline[traces]'.") from None
