/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_ROM_SYS_H
#define BL_STUB_ESP_ROM_SYS_H

#include <stdint.h>

void esp_rom_delay_us(uint32_t us);

#endif
