#include "bl_wiring.h"

#include "pins.h"

static const uint8_t strap_pins[] = PINS_STRAP;
static const uint8_t antenna_pins[] = PINS_ANTENNA;

void bl_wiring_start(void)
{
    bl_pin_output(PIN_NSS, true);
    bl_pin_output(PIN_RST, true);
    bl_pin_input(PIN_BUSY, false);
    bl_pin_input(PIN_IRQ, false);
    for (unsigned i = 0; i < sizeof strap_pins; i++) {
        bl_pin_input(strap_pins[i], true);
    }
    for (unsigned i = 0; i < sizeof antenna_pins; i++) {
        bl_pin_output(antenna_pins[i], false);
    }
    bl_pin_output(PIN_RED, false);
    bl_pin_output(PIN_GREEN, false);
    bl_pin_output(PIN_BLUE, false);
}

uint8_t bl_wiring_seat(void)
{
    uint8_t number = 0;
    for (unsigned i = 0; i < sizeof strap_pins; i++) {
        number = (uint8_t)(number | (bl_pin_get(strap_pins[i]) ? 0 : 1) << i);
    }
    return number;
}

void bl_wiring_select(void *ctx, bool on)
{
    (void)ctx;
    bl_pin_put(PIN_NSS, !on);
}

bool bl_wiring_busy(void *ctx)
{
    (void)ctx;
    return bl_pin_get(PIN_BUSY);
}

void bl_wiring_reset(void *ctx, bool on)
{
    (void)ctx;
    bl_pin_put(PIN_RST, !on);
}

bool bl_wiring_irq(void *ctx)
{
    (void)ctx;
    return bl_pin_get(PIN_IRQ);
}

bool bl_wiring_antenna(void *ctx, uint8_t antenna)
{
    (void)ctx;
    if (antenna < 1 || antenna > BL_ANTENNAS) {
        return false;
    }
    for (unsigned i = 0; i < sizeof antenna_pins; i++) {
        bl_pin_put(antenna_pins[i], (antenna - 1) >> i & 1);
    }
    return true;
}

void bl_wiring_led(void *ctx, uint8_t red, uint8_t green, uint8_t blue)
{
    (void)ctx;
    bl_pin_put(PIN_RED, red != 0);
    bl_pin_put(PIN_GREEN, green != 0);
    bl_pin_put(PIN_BLUE, blue != 0);
}
