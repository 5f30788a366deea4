/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_SYSTEM_H
#define BL_STUB_ESP_SYSTEM_H

typedef enum {
    ESP_RST_POWERON = 1,
    ESP_RST_SW = 3,
    ESP_RST_INT_WDT = 5,
    ESP_RST_TASK_WDT = 6,
    ESP_RST_WDT = 7,
} esp_reset_reason_t;
esp_reset_reason_t esp_reset_reason(void);
void esp_restart(void) __attribute__((noreturn));

#endif
