/* Wiring of a Raspberry Pi Pico; the table is hardware_docs/wiring.md. */
#ifndef BL_RP2040_PINS_H
#define BL_RP2040_PINS_H

enum {
    PIN_MISO = 16, /* SPI0 RX */
    PIN_NSS = 17,
    PIN_SCK = 18,
    PIN_MOSI = 19,
    PIN_BUSY = 20,
    PIN_RST = 21,
    PIN_IRQ = 22,
    PIN_RED = 10,
    PIN_GREEN = 11,
    PIN_BLUE = 12,
    ADC_TEMPERATURE = 4,
};

/* Seat in binary, lowest bit first, to ground is 1; antenna - 1 in binary, lowest bit first. */
#define PINS_STRAP {2, 3, 4, 5}
#define PINS_ANTENNA {6, 7, 8}

#endif
