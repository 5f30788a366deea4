/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_FREERTOS_FREERTOS_H
#define BL_STUB_FREERTOS_FREERTOS_H

#include <stdint.h>

typedef uint32_t TickType_t;
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms)) /* at CONFIG_FREERTOS_HZ 1000 */

#endif
