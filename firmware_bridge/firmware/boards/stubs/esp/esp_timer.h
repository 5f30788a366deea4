/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_TIMER_H
#define BL_STUB_ESP_TIMER_H

#include <stdint.h>

int64_t esp_timer_get_time(void);

#endif
