/*
 * Board layer of the RP2040 (Raspberry Pi Pico) with a PN5180: pico-sdk, USB-CDC.
 * Not yet run on hardware: compiled against stub headers and run over a model of the chip.
 */
#include "bl_seat.h"
#include "bl_wiring.h"
#include "hardware/adc.h"
#include "hardware/gpio.h"
#include "hardware/spi.h"
#include "hardware/watchdog.h"
#include "pico/rand.h"
#include "pico/stdio/driver.h"
#include "pico/stdio_usb.h"
#include "pico/stdlib.h"
#include "pico/unique_id.h"
#include "pins.h"

enum { KEPT_WORD = 0, REBOOT_MS = 50, NAP_MS = 1 };

static bl_seat seat;
static char serial[2 * PICO_UNIQUE_BOARD_ID_SIZE_BYTES + 1];

void bl_pin_output(unsigned pin, bool level)
{
    gpio_init(pin);
    gpio_put(pin, level);
    gpio_set_dir(pin, GPIO_OUT);
}

void bl_pin_input(unsigned pin, bool pull_up)
{
    gpio_init(pin);
    gpio_set_dir(pin, GPIO_IN);
    if (pull_up) {
        gpio_pull_up(pin);
    }
}

void bl_pin_put(unsigned pin, bool level)
{
    gpio_put(pin, level);
}

bool bl_pin_get(unsigned pin)
{
    return gpio_get(pin);
}

static void chip_transfer(void *ctx, const uint8_t *out, uint8_t *in, size_t len)
{
    (void)ctx;
    if (out == NULL) {
        (void)spi_read_blocking(spi0, 0xFF, in, len);
    } else if (in == NULL) {
        (void)spi_write_blocking(spi0, out, len);
    } else {
        (void)spi_write_read_blocking(spi0, out, in, len);
    }
}

static uint32_t chip_now_ms(void *ctx)
{
    (void)ctx;
    return to_ms_since_boot(get_absolute_time());
}

static uint32_t chip_now_us(void *ctx)
{
    (void)ctx;
    return time_us_32();
}

static void chip_wait_us(void *ctx, uint32_t us)
{
    (void)ctx;
    sleep_us(us);
}

static void board_write(void *ctx, const uint8_t *data, size_t len)
{
    (void)ctx;
    /* In one piece: putchar would make a USB packet of every byte. */
    stdio_usb.out_chars((const char *)data, (int)len);
}

static void board_reboot(void *ctx)
{
    (void)ctx;
    watchdog_reboot(0, 0, REBOOT_MS);
}

/* RP2040 data sheet 4.9.5: 27 degrees at 0.706 V, 1.721 mV less for each degree more. */
static int16_t board_temperature(void *ctx)
{
    (void)ctx;
    adc_select_input(ADC_TEMPERATURE);
    int32_t microvolts = (int32_t)((uint32_t)adc_read() * 3300000u / 4096u);
    return (int16_t)(270 - (microvolts - 706000) * 10 / 1721);
}

static void board_kick(void *ctx)
{
    (void)ctx;
    watchdog_update();
}

static void start_spi(void)
{
    (void)spi_init(spi0, BL_PN5180_SPI_HZ);
    spi_set_format(spi0, 8, SPI_CPOL_0, SPI_CPHA_0, SPI_MSB_FIRST);
    gpio_set_function(PIN_MISO, GPIO_FUNC_SPI);
    gpio_set_function(PIN_SCK, GPIO_FUNC_SPI);
    gpio_set_function(PIN_MOSI, GPIO_FUNC_SPI);
}

static uint16_t watchdog_resets(void)
{
    uint32_t keep;
    uint16_t count = bl_seat_watchdog_resets(watchdog_hw->scratch[KEPT_WORD],
                                             watchdog_enable_caused_reboot(), &keep);
    watchdog_hw->scratch[KEPT_WORD] = keep;
    return count;
}

static size_t take_input(uint8_t *in, size_t cap)
{
    size_t len = 0;
    while (len < cap) {
        int byte = getchar_timeout_us(0);
        if (byte < 0) {
            break;
        }
        in[len++] = (uint8_t)byte;
    }
    return len;
}

int main(void)
{
    static const bl_board board = {
        .write = board_write,
        .reboot = board_reboot,
        .led = bl_wiring_led,
        .temperature = board_temperature,
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
    (void)stdio_init_all();
    bl_wiring_start();
    start_spi();
    adc_init();
    adc_set_temp_sensor_enabled(true);
    pico_get_unique_board_id_string(serial, sizeof serial);
    bl_identity identity = {
        .board = BL_BOARD_RP2040,
        .seat = bl_wiring_seat(),
        .antennas = BL_ANTENNAS,
        .capabilities = BL_CAN_ISO15693 | BL_CAN_LED,
        .watchdog_resets = watchdog_resets(),
        .boot_id = get_rand_32(),
        .serial = serial,
    };
    watchdog_enable(BL_WATCHDOG_MS, true);
    bl_seat_start(&seat, &identity, &board, &bus);
    bool connected = false;
    for (;;) {
        uint8_t in[64];
        size_t len = take_input(in, sizeof in);
        bool was_connected = connected;
        connected = stdio_usb_connected();
        if (connected && !was_connected) {
            bl_reader_start(&seat.reader);
        }
        bl_reader_receive(&seat.reader, in, len);
        bl_reader_poll(&seat.reader);
        if (len == 0 && bl_reader_wait_ms(&seat.reader) > 0) {
            sleep_ms(NAP_MS);
        }
    }
}
