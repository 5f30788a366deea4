/*
 * What every board wires and drives the same way, by the names in its pins.h: control lines of the
 * PN5180, antenna switch, seat straps, LED. Not yet run on hardware.
 */
#ifndef BL_WIRING_H
#define BL_WIRING_H

#include <stdbool.h>
#include <stdint.h>

/* Antennas behind an RF switch on three address pins; 1 when the chip drives its own antenna. */
#ifndef BL_ANTENNAS
#define BL_ANTENNAS 1
#endif

/* The board's own: one digital pin. An output has its level before it drives. */
void bl_pin_output(unsigned pin, bool level);
void bl_pin_input(unsigned pin, bool pull_up);
void bl_pin_put(unsigned pin, bool level);
bool bl_pin_get(unsigned pin);

/* All pins but those of SPI and of the host's line: the chip is not selected and not in reset. */
void bl_wiring_start(void);

/* The seat by the straps: in binary, lowest bit first, to ground is 1. */
uint8_t bl_wiring_seat(void);

/* For bl_pn5180_bus. */
void bl_wiring_select(void *ctx, bool on);
bool bl_wiring_busy(void *ctx);
void bl_wiring_reset(void *ctx, bool on);
bool bl_wiring_irq(void *ctx);
bool bl_wiring_antenna(void *ctx, uint8_t antenna);

/* For bl_board: each colour is on or off. */
void bl_wiring_led(void *ctx, uint8_t red, uint8_t green, uint8_t blue);

#endif
