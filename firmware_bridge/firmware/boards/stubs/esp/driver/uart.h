/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_DRIVER_UART_H
#define BL_STUB_DRIVER_UART_H

#include "esp_err.h"
#include "freertos/FreeRTOS.h"

typedef enum { UART_NUM_0 = 0 } uart_port_t;
typedef enum { UART_DATA_8_BITS = 3 } uart_word_length_t;
typedef enum { UART_PARITY_DISABLE = 0 } uart_parity_t;
typedef enum { UART_STOP_BITS_1 = 1 } uart_stop_bits_t;
typedef enum { UART_HW_FLOWCTRL_DISABLE = 0 } uart_hw_flowcontrol_t;
typedef enum { UART_SCLK_DEFAULT = 4 } uart_sclk_t;
#define UART_PIN_NO_CHANGE (-1)
typedef struct {
    int baud_rate;
    uart_word_length_t data_bits;
    uart_parity_t parity;
    uart_stop_bits_t stop_bits;
    uart_hw_flowcontrol_t flow_ctrl;
    uart_sclk_t source_clk;
} uart_config_t;
esp_err_t uart_driver_install(uart_port_t port, int rx_buffer_size, int tx_buffer_size,
                              int queue_size, void *uart_queue, int intr_alloc_flags);
esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config);
esp_err_t uart_set_pin(uart_port_t port, int tx, int rx, int rts, int cts);
int uart_read_bytes(uart_port_t port, void *buf, uint32_t length, TickType_t ticks_to_wait);
int uart_write_bytes(uart_port_t port, const void *src, size_t size);
esp_err_t uart_wait_tx_done(uart_port_t port, TickType_t ticks_to_wait);

#endif
