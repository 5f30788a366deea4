"""Which figure of a health message is which metric. What stands here twice would be counted twice.

Names follow prometheus.io/docs/practices/naming: base units, `_total` of counters, bounded labels. No label ever holds
a tag, a person or an amount.
"""

from __future__ import annotations

from typing import Final

from betline.metrics.family import Metric

DEVICE: Final = "device"


def _counter(name: str, help: str, label: str = "") -> Metric:
    return Metric(f"betline_{name}", "counter", help, label)


def _gauge(name: str, help: str, label: str = "", per: float = 1.0) -> Metric:
    return Metric(f"betline_{name}", "gauge", help, label, per)


def _histogram(name: str, help: str) -> Metric:
    return Metric(f"betline_{name}", "histogram", help)


INFO: Final = _gauge("info", "1, with the versions of the program and of the schema of its messages", "version")
CONNECTED: Final = _gauge("bus_connected", "1 while the broker lets this program in")
CONNECTS: Final = _counter("bus_connects", "Connections to the broker")
CONNECTION_FAILURES: Final = _counter("bus_connection_failures", "Connections lost or refused", "reason")
PUBLISHED: Final = _counter("bus_messages_published", "Messages sent")
RECEIVED: Final = _counter("bus_messages_received", "Messages taken")
DROPPED: Final = _counter("bus_messages_dropped", "Messages dropped before anybody read them, by reason", "reason")
DROPPED_BY: Final = _counter("bus_messages_dropped_by_sender", "Messages dropped, by who sent them", "sender")
STATE: Final = _gauge("device_state", "1 for the state that a device of this program is in", "state")
SENSOR_UP: Final = _gauge("sensor_up", "1 for a sensor that the controller can rely on now", "sensor")
SENSORS_STALE: Final = _gauge("sensors_stale", "Sensors and programs that are stale or gone, as the controller sees it")
HANDS: Final = _counter("hands", "Number of the present hand in the journal; its growth is hands dealt")
ALERTS: Final = _gauge("alerts", "Alerts that stand, by severity", "severity")
QUESTIONS: Final = _gauge("questions", "Questions that wait for dealer or floor")

HEALTH: Final[dict[str, Metric]] = {
    "inputs": _counter("inputs", "Inputs that the controller took: zones, events, commands"),
    "commands": _counter("commands", "Commands that the controller took"),
    "commands_again": _counter("commands_repeated", "Commands sent again and answered as before"),
    "denied": _counter("commands_denied", "Commands beyond the rights of who asked"),
    "faults": _counter("inputs_faulty", "Inputs dropped for a fault of the program"),
    "intake_waiting": _gauge("intake_waiting", "Messages that wait for the controller's loop"),
    "journal_seq": _counter("journal_entries", "Number of the journal's newest entry"),
    "journal_failures": _counter("journal_failures", "Writes of the journal that failed"),
    "journal_anchor_failures": _counter("journal_anchor_failures", "Anchors of the journal that could not be written"),
    "bridge_fault": _counter("bridge_faults", "Messages that the bridge says to have dropped for a fault of its own"),
    "camera_fault": _counter("camera_faults", "Messages that the camera's program says to have dropped for a fault"),
    "cycles": _counter("reader_rounds", "Complete inventory rounds"),
    "crc_errors": _counter("reader_crc_errors", "Frames with a wrong checksum"),
    "resyncs": _counter("reader_resyncs", "Times that a frame's start was looked for anew"),
    "dropped_bytes": _counter("reader_dropped_bytes", "Bytes that belonged to no frame"),
    "late_replies": _counter("reader_late_replies", "Replies that came after their time"),
    "timeouts": _counter("reader_timeouts", "Requests without a reply in time"),
    "refusals": _counter("reader_refusals", "Requests that the reader refused"),
    "reboots": _counter("reader_reboots", "Times that the reader started anew"),
    "reconnects": _counter("reader_reconnects", "Times that the port was opened again"),
    "partial_rounds": _counter("reader_rounds_partial", "Rounds in which the reader told only a part of the chips"),
    "warned_rounds": _counter("reader_rounds_warned", "Whole rounds in which the reader warned of its field"),
    "unknown_chips": _gauge("reader_unknown_chips", "Chips in its zones that the register does not know"),
    "unpublishable_tags": _counter("reader_unreadable_tags", "Tags whose number is none"),
    "parity_refused": _gauge("reader_parity_refused", "1 where the port does not do the parity that the reader wants"),
    "frames": _counter("camera_frames", "Pictures that were looked at"),
    "dropped": _counter("camera_frames_dropped", "Pictures that came too fast to be looked at"),
    "frozen_frames": _counter("camera_frames_frozen", "Pictures looked at while the detector stood still"),
    "seats_looked_at": _counter("camera_seats_looked_at", "Seats that were looked at closely"),
    "events": _counter("camera_events", "Events that the camera told"),
    "unreported_events": _counter("camera_events_unreported", "Events that were not told, being too many at once"),
    "fps": _gauge("camera_frames_per_second", "Pictures a second"),
    "calibration_rms_mm": _gauge("camera_calibration_error_meters", "Error of the calibration (RMS)", per=0.001),
    "rings": _counter("camera_rings", "Pictures of acts that were kept"),
    "rings_dropped": _counter("camera_rings_dropped", "Pictures of acts that could not be kept"),
    "site_rows": _counter("site_entries_recorded", "Entries of journals that the recorder put into the database"),
    "site_refused": _counter("site_batches_refused", "Answers of tables that did not follow, and were asked for again"),
    "site_incidents": _counter("site_incidents", "What the recorder found wrong with journals"),
    "site_outages": _counter("site_database_outages", "Times that the database went away"),
    "site_dropped": _counter("site_answers_dropped", "Messages of tables that came faster than they were taken in"),
    "site_database_up": _gauge("site_database_up", "1 while the recorder has its database"),
    "site_tables": _gauge("site_tables", "Tables that the recorder has heard of"),
    "site_unanswered": _gauge("site_tables_unanswered", "Tables that do not answer the recorder"),
    "site_stuck": _gauge("site_journals_stuck", "Journals that cannot be recorded on: betline site incidents"),
    "site_behind": _gauge("site_entries_behind", "Entries that tables have told of and that are not recorded"),
    "site_lag_s": _gauge("site_lag_seconds", "How long the table that waits longest has had entries to record"),
    "floor_ruling_waits_s": _gauge("floor_ruling_waits_seconds", "How long the oldest ruling waits for the floor"),
    "floor_redraws": _counter("floor_redraws", "Times that the floor's screen was drawn"),
    "room_tables": _gauge("room_tables", "Tables on the bus that the room leads"),
    "room_cut_off": _gauge("room_tables_cut_off", "Of these, tables whose pit is cut off from the site"),
    "room_unanswered": _gauge("room_tables_unanswered", "Of these, tables that do not answer and are not cut off"),
    "room_off_clock": _gauge("room_tables_off_clock", "Of these, tables that do not follow the room's clock"),
    "room_hands_together": _counter("room_hands_together", "Hands that tables have ended hand for hand"),
    "room_journal_busy": _counter("room_journal_busy", "Times that another program kept the room's journal for long"),
}
"""By the name of the figure."""

BY_PREFIX: Final[dict[str, Metric]] = {
    "dropped_": _counter("evidence_dropped", "Evidence and commands that were dropped once read, by reason", "reason"),
    "refused_": _counter("commands_refused", "Commands answered with a refusal, by its code", "code"),
    "rulings_": _counter("rulings", "Rulings, by what they followed from", "source"),
    "hook_": _counter("hook_messages", "Messages to the webhook, by what became of them", "outcome"),
    "floor_tables_": _gauge("floor_tables", "Tables on the floor's screen, by why they need a person", "need"),
    "room_held_": _gauge("room_tables_held", "Tables that are held between hands, by why", "why"),
    "site_link_up_": _gauge("site_link_up", "1 while the bridge of a pit to the site stands", "pit"),
    "clock_offset_ms_": _gauge("clock_offset_seconds", "What our clock is ahead of a sender's", "sender", per=0.001),
    "clock_uncertainty_ms_": _gauge("clock_uncertainty_seconds", "By how much that may be wrong", "sender", per=0.001),
}
"""By what the name of the figure begins with; the rest is the label. The first that fits."""

ELSEWHERE: Final = ("bus_", "dropped_by_", "handle_ms_", "journal_ms_", "frame_ms_", "lag_ms_", "cycle_ms", "reader_")
"""Figures of these names are none here: each is counted by the bus's client or timed in a histogram, or is a reader's
own word, whose names nobody bounds.
"""

TIMINGS: Final[dict[str, Metric]] = {
    "rest_to_ruling": _histogram(
        "rest_to_ruling_seconds",
        "From the round that last changed a seat's zone, or the beginning of its turn, to the ruling on its chips",
    ),
    "ready_to_ruling": _histogram(
        "ready_to_ruling_seconds", "The same from when the camera saw the hand leave too, where there is one"
    ),
    "input": _histogram("input_handling_seconds", "Working one input out"),
    "journal": _histogram("journal_write_seconds", "One transaction of the journal, synced to the disk"),
    "round": _histogram("reader_round_seconds", "One inventory round of a reader"),
    "to_row": _histogram("site_head_to_row_seconds", "From a table's word of an entry to its row in the database"),
    "frame": _histogram("camera_frame_seconds", "The work on one picture"),
    "lag": _histogram("camera_lag_seconds", "The age of a picture when its work was done"),
}
