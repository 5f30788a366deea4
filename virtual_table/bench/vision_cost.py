"""What the detector costs on a film, measured in a process of its own, beside OpenCV's MOG2 on the whole picture.

Run as a module: `python -m virtual_table.bench.vision_cost FILM TABLE` prints one JSON object.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path
from typing import Any

import cv2

from betline.settings import load_table
from virtual_table.bench.scoring import quantile
from vision.detect.detector import make_detector
from vision.imaging.sources import recording


def cost(film: Path, table_name: str) -> dict[str, Any]:
    """Runs the film twice: with the detector alone as it works at a table, then in turns with MOG2.

    Milliseconds are processor time of all threads; a frame is its decoding and the detector's work.
    """
    cv2.setNumThreads(1)
    table = load_table(table_name)
    detector, source = make_detector(table), recording(film, paced=False)
    frames_ms, walls_ms, detector_ms = [], [], []
    while not source.ended:
        wall, began = time.perf_counter(), time.process_time()
        frame = source.read(0.0)
        if frame is None:
            continue
        read = time.process_time()
        detector.process(frame.picture, frame.t_ns, frame.number)
        done = time.process_time()
        frames_ms.append((done - began) * 1e3)
        detector_ms.append((done - read) * 1e3)
        walls_ms.append((time.perf_counter() - wall) * 1e3)
    source.close()
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    ours_ms, mog2_ms = _beside_mog2(film, table_name)
    return {
        "frames": len(frames_ms),
        "frame_ms": {"p50": quantile(frames_ms, 0.5), "p99": quantile(frames_ms, 0.99)},
        "wall_ms": {"p50": quantile(walls_ms, 0.5), "p99": quantile(walls_ms, 0.99)},
        "detector_ms": {"p50": quantile(detector_ms, 0.5), "p99": quantile(detector_ms, 0.99)},
        "core_share": sum(frames_ms) / 1e3 / (len(frames_ms) / source.fps),
        "rss_mb": rss_mb,
        "mog2_ratio": mog2_ms / ours_ms,
        "mog2_frame_ms": mog2_ms / len(frames_ms),
    }


def _beside_mog2(film: Path, table_name: str) -> tuple[float, float]:
    """Milliseconds over the film: the detector, and MOG2 as OpenCV configures it by default; decoding in neither."""
    detector, source = make_detector(load_table(table_name)), recording(film, paced=False)
    mog2 = cv2.createBackgroundSubtractorMOG2()
    ours = theirs = 0.0
    while not source.ended:
        frame = source.read(0.0)
        if frame is None:
            continue
        began = time.process_time()
        detector.process(frame.picture, frame.t_ns, frame.number)
        between = time.process_time()
        mog2.apply(frame.picture)
        ours += between - began
        theirs += time.process_time() - between
    source.close()
    return ours * 1e3, theirs * 1e3


if __name__ == "__main__":
    print(json.dumps(cost(Path(sys.argv[1]), sys.argv[2])))
