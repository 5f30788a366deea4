/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_PICO_TYPES_H
#define BL_STUB_PICO_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned int uint;
typedef uint64_t absolute_time_t;

#endif
