"""Figures for Prometheus, where the table file asks for them: whether they can be served, and which parts answer."""

from __future__ import annotations

import importlib.util
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Final

from betline.doctor.answer import Answer, Visit, fault, ok, skipped
from betline.metrics.places import PARTS, SITE_PARTS, address_of
from betline.options import Address

WAIT_S: Final = 2.0
OURS: Final = b"betline_info{"
_MOST_BYTES: Final = 1_000_000
_OPENER: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def examine(visit: Visit) -> Iterator[Answer]:
    """Nothing is said of a table that serves no figures."""
    if visit.table.metrics is None:
        return
    if importlib.util.find_spec("prometheus_client") is None:
        yield fault("figures", "prometheus-client is not installed here", "pip install 'betline[metrics]'.")
        return
    answers = []
    for part in PARTS:
        where = None if part in SITE_PARTS else address_of(part, None, visit.table)
        page = None if where is None else _page(where)
        if page is None or where is None:
            continue
        if OURS not in page:
            yield fault(
                "figures",
                f"another program answers at {where}, where the {part} is to serve",
                "Stop it, or name another port under [metrics] in the table file.",
            )
        else:
            answers.append(f"{part} ({where.port})")
    if answers:
        yield ok("figures", f"answered by {', '.join(answers)}")
    else:
        yield skipped("figures", "no part answers: none runs now")


def _page(where: Address) -> bytes | None:
    """What answers there; None where nothing does."""
    try:
        with _OPENER.open(f"http://{where}/metrics", timeout=WAIT_S) as answer:
            page: bytes = answer.read(_MOST_BYTES)
            return page
    except urllib.error.HTTPError:
        return b""
    except urllib.error.URLError:
        return None
    except (OSError, ValueError):
        return b""
