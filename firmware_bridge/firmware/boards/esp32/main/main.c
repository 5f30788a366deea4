/*
 * Board layer of the ESP32 with a PN5180: ESP-IDF 5, UART0 behind the board's USB connector.
 * Not yet run on hardware: compiled against stub headers and run over a model of the chip.
 */
#include "bl_seat.h"
#include "bl_wiring.h"
#include "bootloader_random.h"
#include "driver/gpio.h"
#include "driver/spi_master.h"
#include "driver/uart.h"
#include "esp_attr.h"
#include "esp_mac.h"
#include "esp_random.h"
#include "esp_rom_sys.h"
#include "esp_system.h"
#include "esp_task_wdt.h"
#include "esp_timer.h"
#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "pins.h"

enum {
    BAUD = 115200,
    RX_BUFFER = 2048,
    TX_BUFFER = 8192, /* several full snapshots: writing must not hold the radio */
    MAC_BYTES = 6,
    NAP_MS = 1,
    LONG_WAIT_US = 2000, /* from here on other tasks may run meanwhile */
};

static RTC_NOINIT_ATTR uint32_t kept; /* survives a reset, not the supply */
static spi_device_handle_t spi;
static bl_seat seat;
static char serial[2 * MAC_BYTES + 1];

static void start_pin(unsigned pin, gpio_mode_t mode, gpio_pullup_t pull_up)
{
    const gpio_config_t config = {
        .pin_bit_mask = UINT64_C(1) << pin,
        .mode = mode,
        .pull_up_en = pull_up,
        .pull_down_en = GPIO_PULLDOWN_DISABLE,
        .intr_type = GPIO_INTR_DISABLE,
    };
    ESP_ERROR_CHECK(gpio_config(&config));
}

void bl_pin_output(unsigned pin, bool level)
{
    bl_pin_put(pin, level);
    start_pin(pin, GPIO_MODE_OUTPUT, GPIO_PULLUP_DISABLE);
}

void bl_pin_input(unsigned pin, bool pull_up)
{
    start_pin(pin, GPIO_MODE_INPUT, pull_up ? GPIO_PULLUP_ENABLE : GPIO_PULLUP_DISABLE);
}

void bl_pin_put(unsigned pin, bool level)
{
    ESP_ERROR_CHECK(gpio_set_level((gpio_num_t)pin, level));
}

bool bl_pin_get(unsigned pin)
{
    return gpio_get_level((gpio_num_t)pin) != 0;
}

static void exchange(const uint8_t *out, uint8_t *in, size_t len)
{
    spi_transaction_t transaction = {.length = len * 8, .tx_buffer = out, .rx_buffer = in};
    ESP_ERROR_CHECK(spi_device_polling_transmit(spi, &transaction));
}

static void chip_transfer(void *ctx, const uint8_t *out, uint8_t *in, size_t len)
{
    static const uint8_t idle[] = {0xFF, 0xFF, 0xFF, 0xFF};
    (void)ctx;
    if (out != NULL) {
        exchange(out, in, len);
        return;
    }
    for (size_t done = 0; done < len; done += sizeof idle) {
        size_t rest = len - done;
        exchange(idle, in + done, rest < sizeof idle ? rest : sizeof idle);
    }
}

static uint32_t chip_now_ms(void *ctx)
{
    (void)ctx;
    return (uint32_t)(esp_timer_get_time() / 1000);
}

static uint32_t chip_now_us(void *ctx)
{
    (void)ctx;
    return (uint32_t)esp_timer_get_time();
}

static void chip_wait_us(void *ctx, uint32_t us)
{
    (void)ctx;
    if (us >= LONG_WAIT_US) {
        vTaskDelay(pdMS_TO_TICKS(us / 1000 + 1));
    } else {
        esp_rom_delay_us(us);
    }
}

static void board_write(void *ctx, const uint8_t *data, size_t len)
{
    (void)ctx;
    (void)uart_write_bytes(UART_NUM_0, data, len);
}

static void board_reboot(void *ctx)
{
    (void)ctx;
    (void)uart_wait_tx_done(UART_NUM_0, pdMS_TO_TICKS(100));
    esp_restart();
}

static void board_kick(void *ctx)
{
    (void)ctx;
    ESP_ERROR_CHECK(esp_task_wdt_reset());
}

/* NSS is driven by hand: it must stay low until BUSY has risen. Without DMA 64 bytes fit. */
static void start_spi(void)
{
    const spi_bus_config_t bus = {
        .mosi_io_num = PIN_MOSI,
        .miso_io_num = PIN_MISO,
        .sclk_io_num = PIN_SCK,
        .quadwp_io_num = -1,
        .quadhd_io_num = -1,
    };
    const spi_device_interface_config_t device = {
        .mode = 0,
        .clock_speed_hz = BL_PN5180_SPI_HZ,
        .spics_io_num = -1,
        .queue_size = 1,
    };
    ESP_ERROR_CHECK(spi_bus_initialize(SPI3_HOST, &bus, SPI_DMA_DISABLED));
    ESP_ERROR_CHECK(spi_bus_add_device(SPI3_HOST, &device, &spi));
}

static void start_uart(void)
{
    const uart_config_t config = {
        .baud_rate = BAUD,
        .data_bits = UART_DATA_8_BITS,
        .parity = UART_PARITY_DISABLE,
        .stop_bits = UART_STOP_BITS_1,
        .flow_ctrl = UART_HW_FLOWCTRL_DISABLE,
        .source_clk = UART_SCLK_DEFAULT,
    };
    ESP_ERROR_CHECK(uart_driver_install(UART_NUM_0, RX_BUFFER, TX_BUFFER, 0, NULL, 0));
    ESP_ERROR_CHECK(uart_param_config(UART_NUM_0, &config));
    ESP_ERROR_CHECK(uart_set_pin(UART_NUM_0, PIN_TX, PIN_RX, UART_PIN_NO_CHANGE, UART_PIN_NO_CHANGE));
}

/* The task watchdog may have been started by the system with its own time. */
static void start_watchdog(void)
{
    const esp_task_wdt_config_t config = {.timeout_ms = BL_WATCHDOG_MS, .trigger_panic = true};
    if (esp_task_wdt_init(&config) == ESP_ERR_INVALID_STATE) {
        ESP_ERROR_CHECK(esp_task_wdt_reconfigure(&config));
    }
    ESP_ERROR_CHECK(esp_task_wdt_add(NULL));
}

static uint16_t watchdog_resets(void)
{
    esp_reset_reason_t reason = esp_reset_reason();
    bool by_watchdog =
        reason == ESP_RST_TASK_WDT || reason == ESP_RST_INT_WDT || reason == ESP_RST_WDT;
    return bl_seat_watchdog_resets(reason == ESP_RST_POWERON ? 0 : kept, by_watchdog, &kept);
}

/* Without WiFi and Bluetooth the generator is only random while this source feeds it. */
static uint32_t random_id(void)
{
    bootloader_random_enable();
    uint32_t id = esp_random();
    bootloader_random_disable();
    return id;
}

void app_main(void)
{
    static const bl_board board = {
        .write = board_write,
        .reboot = board_reboot,
        .led = bl_wiring_led,
        .kick = board_kick,
    };
    static const bl_pn5180_bus bus = {
        .select = bl_wiring_select,
        .transfer = chip_transfer,
        .busy = bl_wiring_busy,
        .reset = bl_wiring_reset,
        .irq = bl_wiring_irq,
        .antenna = bl_wiring_antenna,
        .now_ms = chip_now_ms,
        .now_us = chip_now_us,
        .wait_us = chip_wait_us,
    };
    uint8_t mac[MAC_BYTES];
    bl_wiring_start();
    start_spi();
    start_uart();
    ESP_ERROR_CHECK(esp_efuse_mac_get_default(mac));
    bl_seat_hex(mac, sizeof mac, serial);
    bl_identity identity = {
        .board = BL_BOARD_ESP32,
        .seat = bl_wiring_seat(),
        .antennas = BL_ANTENNAS,
        .capabilities = BL_CAN_ISO15693 | BL_CAN_LED,
        .watchdog_resets = watchdog_resets(),
        .boot_id = random_id(),
        .serial = serial,
    };
    start_watchdog();
    bl_seat_start(&seat, &identity, &board, &bus);
    for (;;) {
        uint8_t in[64];
        int len = uart_read_bytes(UART_NUM_0, in, sizeof in, 0);
        if (len > 0) {
            bl_reader_receive(&seat.reader, in, (size_t)len);
        }
        bl_reader_poll(&seat.reader);
        if (len <= 0 && bl_reader_wait_ms(&seat.reader) > 0) {
            vTaskDelay(pdMS_TO_TICKS(NAP_MS));
        }
    }
}
