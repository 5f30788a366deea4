/* ESP-IDF, as far as the board layer uses it, over the harness. */
#include "board_harness.h"

#include <stdio.h>
#include <stdlib.h>

#include "bootloader_random.h"
#include "driver/gpio.h"
#include "driver/spi_master.h"
#include "driver/uart.h"
#include "esp_mac.h"
#include "esp_random.h"
#include "esp_rom_sys.h"
#include "esp_system.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "freertos/task.h"
#include "pins.h"

void app_main(void);

static const uint8_t straps[] = PINS_STRAP;
static const uint8_t antennas[] = PINS_ANTENNA;
static bool outputs[40], pulled_up[40];
static bool uart_ready, random_fed, watchdog_on;
static uint8_t frame_out[64];
static size_t frame_out_len;
static uint8_t frame_in[64];

struct spi_device_t { int hz; };
static struct spi_device_t device;

static void demand(bool truth, const char *what)
{
    if (!truth) {
        printf("misuse %s\n", what);
        exit(1);
    }
}

void bootloader_random_enable(void) { random_fed = true; }
void bootloader_random_disable(void) { random_fed = false; }
uint32_t esp_random(void)
{
    demand(random_fed, "a boot id that is not random");
    return harness.boot_id;
}

esp_err_t esp_efuse_mac_get_default(uint8_t *mac)
{
    static const uint8_t one[6] = {0x24, 0x0A, 0xC4, 0x00, 0xBE, 0xEF};
    for (size_t i = 0; i < sizeof one; i++) {
        mac[i] = one[i];
    }
    return ESP_OK;
}

void esp_rom_delay_us(uint32_t us) { harness.chip.wait_us(harness.chip.ctx, us); }
void vTaskDelay(const TickType_t ticks) { esp_rom_delay_us(ticks * 1000); }
int64_t esp_timer_get_time(void)
{
    (void)harness.chip.now_us(harness.chip.ctx);
    return (int64_t)(harness.model.now_ns / 1000);
}

/* The word in RTC memory cannot be reached from here: a test of its own reads it. */
esp_reset_reason_t esp_reset_reason(void) { return harness.by_watchdog ? ESP_RST_TASK_WDT : ESP_RST_POWERON; }
void esp_restart(void) { harness_reboot(); }

esp_err_t esp_task_wdt_init(const esp_task_wdt_config_t *config)
{
    (void)config;
    return ESP_ERR_INVALID_STATE;
}

esp_err_t esp_task_wdt_reconfigure(const esp_task_wdt_config_t *config)
{
    demand(config->trigger_panic && config->idle_core_mask == 0, "a watchdog that does not reset");
    harness.watchdog_ms = config->timeout_ms;
    return ESP_OK;
}

esp_err_t esp_task_wdt_add(TaskHandle_t task_handle)
{
    demand(task_handle == NULL && harness.watchdog_ms != 0, "a watchdog of nobody");
    watchdog_on = true;
    harness.kicked_ns = harness.model.now_ns;
    return ESP_OK;
}

esp_err_t esp_task_wdt_reset(void)
{
    demand(watchdog_on, "no watchdog");
    harness_kick();
    return ESP_OK;
}

esp_err_t gpio_config(const gpio_config_t *config)
{
    for (unsigned pin = 0; pin < 40; pin++) {
        if ((config->pin_bit_mask >> pin & 1) != 0) {
            demand(pin < 34, "a pin without output and pull-up");
            demand(pin < 6 || pin > 11, "a pin of the flash");
            outputs[pin] = config->mode == GPIO_MODE_OUTPUT;
            pulled_up[pin] = config->pull_up_en == GPIO_PULLUP_ENABLE;
        }
    }
    return ESP_OK;
}

esp_err_t gpio_set_level(gpio_num_t gpio_num, uint32_t level)
{
    bool high = level != 0;
    if (!outputs[gpio_num]) {
        return ESP_OK;
    }
    if (gpio_num == PIN_NSS) {
        harness.chip.select(harness.chip.ctx, !high);
    } else if (gpio_num == PIN_RST) {
        harness.chip.reset(harness.chip.ctx, !high);
    } else if (gpio_num == PIN_RED || gpio_num == PIN_GREEN || gpio_num == PIN_BLUE) {
        harness_led(gpio_num == PIN_RED ? 'r' : gpio_num == PIN_GREEN ? 'g' : 'b', high);
    }
    for (unsigned i = 0; i < sizeof antennas; i++) {
        if (gpio_num == antennas[i]) {
            harness_antenna_pin(i, high);
        }
    }
    return ESP_OK;
}

int gpio_get_level(gpio_num_t gpio_num)
{
    demand(!outputs[gpio_num], "reads an output");
    for (unsigned i = 0; i < sizeof straps; i++) {
        if (gpio_num == straps[i]) {
            demand(pulled_up[gpio_num], "a strap without pull-up");
            return harness_strap(i);
        }
    }
    return gpio_num == PIN_BUSY ? harness.chip.busy(harness.chip.ctx) : harness.chip.irq(harness.chip.ctx);
}

esp_err_t spi_bus_initialize(spi_host_device_t host, const spi_bus_config_t *config, spi_dma_chan_t dma)
{
    demand(host == SPI3_HOST && dma == SPI_DMA_DISABLED, "another SPI host");
    demand(config->mosi_io_num == PIN_MOSI && config->miso_io_num == PIN_MISO && config->sclk_io_num == PIN_SCK, "SPI pins");
    demand(config->quadwp_io_num == -1 && config->quadhd_io_num == -1, "quad SPI pins");
    return ESP_OK;
}

esp_err_t spi_bus_add_device(spi_host_device_t host, const spi_device_interface_config_t *config, spi_device_handle_t *handle)
{
    demand(host == SPI3_HOST && config->mode == 0 && config->spics_io_num == -1, "SPI mode");
    demand(config->clock_speed_hz <= 7000000 && config->queue_size > 0, "SPI faster than the chip");
    device.hz = config->clock_speed_hz;
    *handle = &device;
    return ESP_OK;
}

/* A read comes in pieces while NSS stays low: the model sees it as one exchange. */
esp_err_t spi_device_polling_transmit(spi_device_handle_t handle, spi_transaction_t *transaction)
{
    size_t len = transaction->length / 8;
    const uint8_t *out = transaction->tx_buffer;
    demand(handle->hz != 0 && len > 0 && len <= sizeof frame_out, "a transaction without DMA has 1 to 64 bytes");
    if (transaction->rx_buffer == NULL) {
        harness.chip.transfer(harness.chip.ctx, out, NULL, len);
        frame_out_len = 0;
        return ESP_OK;
    }
    for (size_t i = 0; i < len; i++) {
        demand(out[i] == 0xFF, "reads with other bytes than FF");
    }
    uint8_t *in = transaction->rx_buffer;
    if (!harness.model.exchanged) {
        harness.chip.transfer(harness.chip.ctx, NULL, frame_in, sizeof frame_in / 4);
        frame_out_len = 0;
    }
    for (size_t i = 0; i < len; i++) {
        in[i] = frame_in[frame_out_len++];
    }
    return ESP_OK;
}

esp_err_t uart_driver_install(uart_port_t port, int rx_buffer_size, int tx_buffer_size, int queue_size, void *uart_queue, int intr_alloc_flags)
{
    demand(port == UART_NUM_0 && rx_buffer_size > 128 && tx_buffer_size > 128, "UART buffers");
    demand(queue_size == 0 && uart_queue == NULL && intr_alloc_flags == 0, "a UART queue");
    uart_ready = true;
    return ESP_OK;
}

esp_err_t uart_param_config(uart_port_t port, const uart_config_t *config)
{
    demand(port == UART_NUM_0 && config->baud_rate == 115200, "another baud rate");
    demand(config->data_bits == UART_DATA_8_BITS && config->parity == UART_PARITY_DISABLE && config->stop_bits == UART_STOP_BITS_1, "not 8N1");
    return ESP_OK;
}

esp_err_t uart_set_pin(uart_port_t port, int tx, int rx, int rts, int cts)
{
    demand(port == UART_NUM_0 && tx == 1 && rx == 3 && rts == -1 && cts == -1, "UART pins");
    return ESP_OK;
}

int uart_read_bytes(uart_port_t port, void *buf, uint32_t length, TickType_t ticks_to_wait)
{
    demand(port == UART_NUM_0 && uart_ready && ticks_to_wait == 0, "waits for the host");
    return (int)harness_input(buf, length);
}

int uart_write_bytes(uart_port_t port, const void *src, size_t size)
{
    demand(port == UART_NUM_0 && uart_ready, "UART is not set up");
    harness_output(src, size);
    return (int)size;
}

esp_err_t uart_wait_tx_done(uart_port_t port, TickType_t ticks_to_wait)
{
    demand(port == UART_NUM_0 && ticks_to_wait > 0, "does not wait for the last word");
    return ESP_OK;
}

int main(int argc, char **argv)
{
    return harness_run(argc, argv, app_main);
}
