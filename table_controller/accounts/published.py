"""The head of a journal that the table's controller has published last and the broker keeps."""

from __future__ import annotations

import queue

from betline import topics
from betline.bus import Received
from betline.joining import VISIT_S, join
from betline.messages.table import TableState
from betline.options import FAILED, Address, UserError
from betline.topics import Namespace
from table_controller.journal.anchors import Anchor, published

PATIENCE_S = 3.0


def published_anchor(address: Address, namespace: Namespace) -> Anchor:
    """What stands on the bus; raises UserError where no broker answers or no sealed state stands there."""
    states: queue.SimpleQueue[Received] = queue.SimpleQueue()
    bus = join(address, namespace, "journal-verify", patience_s=VISIT_S)
    try:
        bus.subscribe(topics.STATE, states.put)
        received = states.get(timeout=PATIENCE_S)
    except queue.Empty:
        raise UserError(
            f"No state of table {namespace.site}/{namespace.table} stands on the broker {address}; "
            "name the broker of the table, or leave --broker out.",
            FAILED,
        ) from None
    finally:
        bus.close()
    assert isinstance(received.body, TableState)
    found = published(received.body)
    if found is None:
        raise UserError(
            f"The state of table {namespace.site}/{namespace.table} on the broker {address} has no seal; "
            "start a controller of this version first, or leave --broker out.",
            FAILED,
        )
    return found
