"""The viewer: the console's table at the turn that was chosen, and keys that go from ruling to ruling and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from betline.table_recording.reading import Recording
from table_controller.recorder.about import terms_in
from table_controller.table_replay.track import Track
from table_controller.table_replay.viewer import ReplayViewer
from tests.unit.table_replay.recorded import RecordedRoom, a_hand

pytestmark = pytest.mark.nightly


async def test_keys_step_from_ruling_to_ruling_and_back(tmp_path: Path) -> None:
    room = RecordedRoom(tmp_path)
    a_hand(room)
    recording = Recording(room.recorded())
    track = Track(recording, terms_in(recording.about))
    app = ReplayViewer(track, "hand:1")

    async with app.run_test(size=(120, 40)) as pilot:
        while not app.is_read or app.turn == 0:
            await pilot.pause(0.05)
        began = app.turn
        await pilot.press("right")
        first = app.turn
        await pilot.press("right")
        second = app.turn
        await pilot.press("left")
        rulings = [one.turn for one in track.marks if one.kind == "ruling"]

        assert began < first < second
        assert [first, second] == rulings[:2]
        assert app.turn == first
        await pilot.press("full_stop")
        assert app.turn == first + 1
        await pilot.press("end")
        assert app.turn == track.turns
        await pilot.pause(0.2)
        assert "as recorded" in app._words()
