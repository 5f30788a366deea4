/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_ERR_H
#define BL_STUB_ESP_ERR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h> /* abort */

typedef int esp_err_t;
#define ESP_OK 0
#define ESP_ERR_INVALID_STATE 0x103
#define ESP_ERROR_CHECK(x)   \
    do {                     \
        if ((x) != ESP_OK) { \
            abort();         \
        }                    \
    } while (0)

#endif
