/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_PICO_RAND_H
#define BL_STUB_PICO_RAND_H

#include <stdint.h>

uint32_t get_rand_32(void);

#endif
