/* Wiring of an ESP32 DevKitC (WROOM); the table is hardware_docs/wiring.md. */
#ifndef BL_ESP32_PINS_H
#define BL_ESP32_PINS_H

enum {
    PIN_MISO = 19,
    PIN_NSS = 5,
    PIN_SCK = 18,
    PIN_MOSI = 23,
    PIN_BUSY = 21,
    PIN_RST = 22,
    PIN_IRQ = 4,
    PIN_RED = 16,
    PIN_GREEN = 17,
    PIN_BLUE = 2,
    PIN_TX = 1, /* UART0, behind the USB connector */
    PIN_RX = 3,
};

/* Seat in binary, lowest bit first, to ground is 1; antenna - 1 in binary, lowest bit first. */
#define PINS_STRAP {32, 33, 25, 26}
#define PINS_ANTENNA {27, 14, 13}

#endif
