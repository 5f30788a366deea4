"""A receiver of OTLP over HTTP for tests: it decodes what comes, as a collector would."""

from __future__ import annotations

import gzip
import http.server
import threading
from dataclasses import dataclass, field

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass(frozen=True)
class Got:
    """One span that came."""

    service: str
    trace_id: bytes
    span_id: bytes
    parent_id: bytes
    name: str
    begin_ns: int
    end_ns: int
    attributes: dict[str, str | int]


@dataclass
class Receiver:
    """A server on a free port of this machine until the block is left."""

    spans: list[Got] = field(default_factory=list)

    def __enter__(self) -> Receiver:
        spans = self.spans

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                assert self.headers["Content-Type"] == "application/x-protobuf"
                spans.extend(decoded(body))
                answer = ExportTraceServiceResponse().SerializeToString()
                self.send_response(200)
                self.send_header("Content-Type", "application/x-protobuf")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}/v1/traces"

    def trees(self) -> dict[bytes, tuple[Got, list[Got]]]:
        """By trace the whole and its parts, in the order of their beginnings."""
        found = {}
        for whole in [span for span in self.spans if not span.parent_id]:
            parts = [one for one in self.spans if one.parent_id == whole.span_id and one.trace_id == whole.trace_id]
            found[whole.trace_id] = (whole, sorted(parts, key=lambda one: (one.begin_ns, one.end_ns)))
        return found


def decoded(body: bytes) -> list[Got]:
    request = ExportTraceServiceRequest.FromString(body)
    return [
        Got(
            next(one.value.string_value for one in resource.resource.attributes if one.key == "service.name"),
            span.trace_id,
            span.span_id,
            span.parent_span_id,
            span.name,
            span.start_time_unix_nano,
            span.end_time_unix_nano,
            {one.key: one.value.string_value or one.value.int_value for one in span.attributes},
        )
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
