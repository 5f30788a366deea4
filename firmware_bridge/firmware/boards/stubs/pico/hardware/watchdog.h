/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_HARDWARE_WATCHDOG_H
#define BL_STUB_HARDWARE_WATCHDOG_H

#include "pico/types.h"

typedef struct {
    volatile uint32_t scratch[8];
} watchdog_hw_t;
extern watchdog_hw_t *const watchdog_hw;
void watchdog_enable(uint32_t delay_ms, bool pause_on_debug);
void watchdog_update(void);
void watchdog_reboot(uint32_t pc, uint32_t sp, uint32_t delay_ms);
bool watchdog_enable_caused_reboot(void);

#endif
