"""The virtual camera: it draws the world as the table's overhead camera would see it, and serves or records the
pictures.
"""

from virtual_table.camera.mjpeg import MjpegServer
from virtual_table.camera.recording import record
from virtual_table.camera.renderer import Renderer, Room
from virtual_table.camera.sensor import Light

__all__ = ["Light", "MjpegServer", "Renderer", "Room", "record"]
