/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_PICO_STDLIB_H
#define BL_STUB_PICO_STDLIB_H

#include "pico/types.h"

bool stdio_init_all(void);
int getchar_timeout_us(uint32_t timeout_us);
absolute_time_t get_absolute_time(void);
uint32_t to_ms_since_boot(absolute_time_t time);
uint32_t time_us_32(void);
void sleep_us(uint64_t us);
void sleep_ms(uint32_t ms);

#endif
