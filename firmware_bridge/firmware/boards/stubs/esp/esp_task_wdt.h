/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_TASK_WDT_H
#define BL_STUB_ESP_TASK_WDT_H

#include "esp_err.h"
#include "freertos/task.h"

typedef struct {
    uint32_t timeout_ms;
    uint32_t idle_core_mask;
    bool trigger_panic;
} esp_task_wdt_config_t;
esp_err_t esp_task_wdt_init(const esp_task_wdt_config_t *config);
esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t *config);
esp_err_t esp_task_wdt_add(TaskHandle_t task_handle);
esp_err_t esp_task_wdt_reset(void);

#endif
