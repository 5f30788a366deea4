"""The bus: JSON messages over MQTT behind a small port, and its twin in memory."""

from betline.bus.memory import MemoryBus, MemoryHub
from betline.bus.mqtt import MqttBus
from betline.bus.port import Bus, BusCounters, Handler, Received

__all__ = ["Bus", "BusCounters", "Handler", "MemoryBus", "MemoryHub", "MqttBus", "Received"]
