/* pico-sdk, as far as the board layer uses it, over the harness. The layer's main is layer_main. */
#include "board_harness.h"

#include <stdio.h>
#include <stdlib.h>

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

int layer_main(void);

static const uint8_t straps[] = PINS_STRAP;
static const uint8_t antennas[] = PINS_ANTENNA;
static bool outputs[32], pulled_up[32], spi_pins[32];
static uint8_t waiting[64];
static size_t waiting_len, waiting_next;

struct spi_inst { uint baud; };
static struct spi_inst first;
spi_inst_t *const spi0 = &first;
static watchdog_hw_t registers;
watchdog_hw_t *const watchdog_hw = &registers;

static void demand(bool truth, const char *what)
{
    if (!truth) {
        printf("misuse %s\n", what);
        exit(1);
    }
}

bool stdio_init_all(void) { return true; }
bool stdio_usb_connected(void) { return harness_ms() >= harness.connected_ms; }
static void out_chars(const char *buf, int len)
{
    if (stdio_usb_connected()) {
        harness_output((const uint8_t *)buf, (size_t)len);
    }
}
stdio_driver_t stdio_usb = {out_chars};

/* The layer asks byte by byte until there is none: then its turn begins. */
int getchar_timeout_us(uint32_t timeout_us)
{
    demand(timeout_us == 0, "waits for the host");
    if (waiting_next == waiting_len) {
        waiting_next = 0;
        waiting_len = harness_input(waiting, sizeof waiting);
        if (waiting_len == 0) {
            return -1;
        }
    }
    return waiting[waiting_next++];
}

absolute_time_t get_absolute_time(void) { return harness.model.now_ns / 1000; }
uint32_t to_ms_since_boot(absolute_time_t time) { return (uint32_t)(time / 1000); }
uint32_t time_us_32(void) { return harness.chip.now_us(harness.chip.ctx); }
void sleep_us(uint64_t us) { harness.chip.wait_us(harness.chip.ctx, (uint32_t)us); }
void sleep_ms(uint32_t ms) { sleep_us(ms * 1000ull); }
uint32_t get_rand_32(void) { return harness.boot_id; }
void pico_get_unique_board_id_string(char *id_out, uint len) { (void)snprintf(id_out, len, "E6614103E7452D2F"); }

void adc_init(void) {}
void adc_set_temp_sensor_enabled(bool enable) { demand(enable, "the sensor is off"); }
void adc_select_input(uint input) { demand(input == 4, "another ADC input"); }
uint16_t adc_read(void) { return 854; } /* 0.688 V */

void gpio_init(uint gpio) { demand(gpio < 30, "no such pin"); }
void gpio_set_dir(uint gpio, bool out) { outputs[gpio] = out; }
void gpio_pull_up(uint gpio) { pulled_up[gpio] = true; }
void gpio_set_function(uint gpio, enum gpio_function fn) { spi_pins[gpio] = fn == GPIO_FUNC_SPI; }

void gpio_put(uint gpio, bool value)
{
    if (gpio == PIN_NSS && outputs[gpio]) {
        harness.chip.select(harness.chip.ctx, !value);
    } else if (gpio == PIN_RST && outputs[gpio]) {
        harness.chip.reset(harness.chip.ctx, !value);
    } else if (gpio >= PIN_RED && gpio <= PIN_BLUE) {
        harness_led("rgb"[gpio - PIN_RED], value);
    }
    for (unsigned i = 0; i < sizeof antennas; i++) {
        if (gpio == antennas[i]) {
            harness_antenna_pin(i, value);
        }
    }
}

bool gpio_get(uint gpio)
{
    demand(!outputs[gpio], "reads an output");
    for (unsigned i = 0; i < sizeof straps; i++) {
        if (gpio == straps[i]) {
            demand(pulled_up[gpio], "a strap without pull-up");
            return harness_strap(i);
        }
    }
    return gpio == PIN_BUSY ? harness.chip.busy(harness.chip.ctx) : harness.chip.irq(harness.chip.ctx);
}

uint spi_init(spi_inst_t *spi, uint baudrate)
{
    demand(baudrate <= 7000000, "SPI faster than the chip");
    spi->baud = baudrate;
    return baudrate;
}

void spi_set_format(spi_inst_t *spi, uint data_bits, spi_cpol_t cpol, spi_cpha_t cpha, spi_order_t order)
{
    demand(spi->baud != 0 && data_bits == 8 && cpol == 0 && cpha == 0 && order == SPI_MSB_FIRST, "another SPI mode");
}

int spi_write_read_blocking(spi_inst_t *spi, const uint8_t *src, uint8_t *dst, size_t len)
{
    demand(spi->baud != 0 && spi_pins[PIN_SCK] && spi_pins[PIN_MISO] && spi_pins[PIN_MOSI], "SPI is not set up");
    harness.chip.transfer(harness.chip.ctx, src, dst, len);
    return (int)len;
}

int spi_write_blocking(spi_inst_t *spi, const uint8_t *src, size_t len)
{
    return spi_write_read_blocking(spi, src, NULL, len);
}

int spi_read_blocking(spi_inst_t *spi, uint8_t repeated_tx_data, uint8_t *dst, size_t len)
{
    demand(repeated_tx_data == 0xFF, "reads with other bytes than FF");
    return spi_write_read_blocking(spi, NULL, dst, len);
}

void watchdog_enable(uint32_t delay_ms, bool pause_on_debug)
{
    demand(delay_ms <= 8388 && pause_on_debug, "the watchdog's time");
    harness.watchdog_ms = delay_ms;
    harness.kicked_ns = harness.model.now_ns;
}

void watchdog_update(void) { harness_kick(); }
bool watchdog_enable_caused_reboot(void) { return harness.by_watchdog; }
void watchdog_reboot(uint32_t pc, uint32_t sp, uint32_t delay_ms)
{
    demand(pc == 0 && sp == 0 && delay_ms > 0, "no standard boot");
    harness.kept = registers.scratch[0];
    harness_reboot();
}

static void layer(void)
{
    registers.scratch[0] = harness.kept;
    (void)layer_main();
}

int main(int argc, char **argv)
{
    return harness_run(argc, argv, layer);
}
