/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_RANDOM_H
#define BL_STUB_ESP_RANDOM_H

#include <stdint.h>

uint32_t esp_random(void);

#endif
