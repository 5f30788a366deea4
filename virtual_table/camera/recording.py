"""Records the virtual camera: a film for `betline vision detect`, and beside it what really happened."""

from __future__ import annotations

import json
from pathlib import Path

import cv2

from virtual_table.camera.renderer import Renderer
from virtual_table.camera.sensor import Light
from virtual_table.table.things import TruthEvent, WorldError
from virtual_table.table.world import World


def record(
    world: World, seconds: float, path: Path, start_s: float = 0.0, seed: int = 0, light: Light | None = None
) -> Path:
    """Films the world from ``start_s`` on as MJPEG in an AVI file, and returns the path of its truth.

    The truth lies beside the film (``.truth.jsonl``), one object a line: ``t_ms`` and ``t_done_ms`` from the start of
    the film, ``seat``, ``event``, ``uids``, ``by_dealer``, ``judged`` (false for what may be reported or not). Raises
    WorldError if the table has no camera or the file cannot be written.
    """
    if not world.table.cameras:
        raise WorldError("no-camera", f"The table {world.table.name} has no camera: add one to its file.")
    camera = world.table.cameras[0]
    renderer = Renderer(world.table, world.chip_set, camera, seed, light)
    fps = camera.fps
    size = (renderer.width_px, renderer.height_px)
    writer = cv2.VideoWriter(str(path), cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), float(fps), size)
    if not writer.isOpened():
        raise WorldError("cannot-record", f"The film {path} cannot be written: give a path that ends in .avi.")
    try:
        for number in range(round(seconds * fps)):
            writer.write(renderer.frame(world.scene(start_s + number / fps)))
    finally:
        writer.release()
    truth_path = path.with_suffix(".truth.jsonl")
    events = world.truth(start_s, start_s + seconds)
    truth_path.write_text("".join(f"{json.dumps(_line(event, start_s))}\n" for event in events), encoding="utf-8")
    return truth_path


def _line(event: TruthEvent, start_s: float) -> dict[str, object]:
    return {
        "t_ms": round((event.t_first - start_s) * 1000),
        "t_done_ms": round((event.t_done - start_s) * 1000),
        "seat": event.seat,
        "event": event.type,
        "uids": list(event.uids),
        "by_dealer": event.by_dealer,
        "judged": event.judged,
    }
