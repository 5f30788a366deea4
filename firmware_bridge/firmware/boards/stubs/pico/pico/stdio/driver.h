/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_PICO_STDIO_DRIVER_H
#define BL_STUB_PICO_STDIO_DRIVER_H

#include "pico/types.h"

typedef struct stdio_driver {
    void (*out_chars)(const char *buf, int len);
} stdio_driver_t;

#endif
