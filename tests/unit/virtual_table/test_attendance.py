"""When the virtual table begins its first hand."""

import threading

import pytest

from betline.bus import MemoryBus, MemoryHub
from betline.messages.common import Birth, Presence
from betline.messages.devices import CameraView, SeatView
from betline.settings import load_table
from betline.topics import DEVICE_BIRTH, DEVICE_STATUS, DEVICE_VIEW, STATUS, Namespace, topic
from virtual_table.run.world_process import Attendance, PartMissing

TABLE = load_table("home-six")
CAMERA = TABLE.cameras[0].id


def test_the_first_hand_waits_until_the_camera_has_learnt_the_felt() -> None:
    hub, names = MemoryHub(), Namespace("home", TABLE.name)
    attendance = Attendance(MemoryBus(hub, names, "world"), TABLE)
    controller = MemoryBus(hub, names, "controller")
    controller.publish(topic(STATUS), Presence(state="online"))
    for name, role in (("bridge", "bridge"), (CAMERA, "vision")):
        birth = Birth(role=role, version="1", table=TABLE.name, config_hash="0")  # type: ignore[arg-type]
        MemoryBus(hub, names, name).publish(topic(DEVICE_BIRTH, name), birth)
    camera = MemoryBus(hub, names, f"{CAMERA}-2")
    seats = tuple(
        SeatView(seat=one.number, occupied=False, hand=False, area_mm2=0, footprints=0, occluded_ms=0)
        for one in TABLE.seats
    )
    camera.publish(topic(DEVICE_STATUS, CAMERA), Presence(state="online"))
    camera.publish(topic(DEVICE_STATUS, CAMERA), Presence(state="starting", detail="Learning the felt."))
    camera.publish(topic(DEVICE_VIEW, CAMERA), CameraView(seats=seats, frame=1, fps=30))

    with pytest.raises(PartMissing, match="The camera's word that it is ready did not come online"):
        attendance.wait(threading.Event(), 0.0)

    camera.publish(topic(DEVICE_STATUS, CAMERA), Presence(state="online"))
    attendance.wait(threading.Event(), 0.0)
