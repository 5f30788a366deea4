"""Rules of udev for the USB adapters that readers are connected by.

No stable name is made here: systemd's own rules make /dev/serial/by-id and by-path, which table files use. The rules
keep other programs and power saving off the ports, and set the latency timer of FTDI adapters from 16 ms to 1 ms, which
a round of short commands would wait for again and again (hardware_docs/protocols/pn532.md).
"""

from __future__ import annotations

from typing import Final

ADAPTERS: Final = {
    "FTDI: FEIG, Chafon and ThingMagic carriers, RS-232 and RS-485 cables": ("0403", "6001|6010|6011|6014|6015"),
    "Silicon Labs CP210x: BB modules, ESP32 boards": ("10c4", "ea60|ea70|ea71"),
    "QinHeng CH340, CH341, CH343, CH9102: PN532 and Chafon boards": ("1a86", "5523|7522|7523|55d3|55d4"),
    "Prolific PL2303: RS-232 cables": ("067b", "2303|23a3|23c3"),
    "Raspberry Pi RP2040: our own firmware": ("2e8a", "0005|000a"),
    "Espressif ESP32 with USB of its own: our own firmware": ("303a", "1001"),
}
"""Adapters by what sits behind them: vendor and products.

FTDI, Silicon Labs, 1a86:5523, 7522 and 7523, and 067b:2303 and 23a3 are in usb.ids of 26 July 2025. 067b:23c3 is the
PL2303GT of Linux (drivers/usb/serial/pl2303.h), 1a86:55d3 the CH343 of Linux (drivers/usb/class/cdc-acm.c); 1a86:55d4
calls itself "USB-Enhanced-SERIAL CH9102". 2e8a:0005 and 000a are MicroPython and the serial port of the Pico SDK in
Raspberry Pi's list of product ids (github.com/raspberrypi/usb-pid). 303a:1001 is the port inside the chip, by which
ESP32-C3 and S3 boards are known. The boot loader of the RP2040 (2e8a:0003) is no serial port and not named here.
"""


def _rules() -> str:
    lines = ['ACTION=="remove", GOTO="betline_readers_end"']
    for what, (vendor, products) in ADAPTERS.items():
        usb = f'ATTR{{idVendor}}=="{vendor}", ATTR{{idProduct}}=="{products}"'
        tty = f'ATTRS{{idVendor}}=="{vendor}", ATTRS{{idProduct}}=="{products}"'
        lines += (
            f"# {what}",
            f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", {usb}, ENV{{ID_MM_DEVICE_IGNORE}}="1", '
            'TEST=="power/control", ATTR{power/control}="on"',
            f'SUBSYSTEM=="tty", {tty}, GROUP="dialout", MODE="0660", ENV{{ID_MM_PORT_IGNORE}}="1"',
        )
    lines += (
        "# A read waits 1 ms for more bytes, not 16",
        'SUBSYSTEM=="usb-serial", DRIVERS=="ftdi_sio", ATTR{latency_timer}="1"',
        'LABEL="betline_readers_end"',
    )
    return "\n".join(lines) + "\n"


RULES: Final = _rules()
