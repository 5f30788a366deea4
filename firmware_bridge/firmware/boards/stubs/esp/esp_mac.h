/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_MAC_H
#define BL_STUB_ESP_MAC_H

#include "esp_err.h"

esp_err_t esp_efuse_mac_get_default(uint8_t *mac);

#endif
