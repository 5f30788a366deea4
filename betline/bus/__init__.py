"""The bus: JSON messages over MQTT behind a small port, and its twin in memory."""

from betline.bus.listener import Listener
from betline.bus.memory import MemoryBus, MemoryHub, SiteHub
from betline.bus.mqtt import MqttBus
from betline.bus.port import HOST_CLOCK, Bus, BusCounters, Handler, HostClock, Received

__all__ = [
    "HOST_CLOCK", "Bus", "BusCounters", "Handler", "HostClock", "Listener", "MemoryBus", "MemoryHub", "MqttBus",
    "Received", "SiteHub",
]  # fmt: skip
