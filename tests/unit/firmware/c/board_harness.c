#include "board_harness.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

board_harness harness;

static jmp_buf over;
static uint8_t host[65536];
static uint32_t host_ms[65536];
static size_t host_len, host_next;
static uint32_t end_ms = 1000;
static bool light[128];

uint32_t harness_ms(void)
{
    return harness.chip.now_ms(harness.chip.ctx);
}

static void option(const char *text)
{
    char key[32];
    unsigned value;
    if (sscanf(text, "%31[a-z_]=%u", key, &value) != 2) {
        fprintf(stderr, "no option: %s\n", text);
        exit(2);
    }
    if (strcmp(key, "seat") == 0) {
        harness.straps = value;
    } else if (strcmp(key, "ms") == 0) {
        end_ms = value;
    } else if (strcmp(key, "fault") == 0) {
        harness.model.fault = (model_fault)value;
    } else if (strcmp(key, "kept") == 0) {
        harness.kept = value;
    } else if (strcmp(key, "watchdog") == 0) {
        harness.by_watchdog = value != 0;
    } else if (strcmp(key, "boot_id") == 0) {
        harness.boot_id = value;
    } else if (strcmp(key, "connected") == 0) {
        harness.connected_ms = value;
    } else if (strncmp(key, "tags_", 5) == 0) {
        uint8_t antenna = (uint8_t)(key[5] - 'a' + 1);
        uint8_t uids[120 * BL_ISO15693_UID_BYTES];
        for (unsigned i = 0; i < value * BL_ISO15693_UID_BYTES; i++) {
            static const uint8_t head[6] = {0xE0, 0x04, 0x01, 0x50, 0x00, 0x00};
            unsigned at = i % BL_ISO15693_UID_BYTES;
            uids[i] = at < 6 ? head[at] : at == 6 ? antenna : (uint8_t)(i / BL_ISO15693_UID_BYTES);
        }
        if (value > 120 || !sim_radio_set_tags(&harness.model.air, antenna, uids, value)) {
            exit(2);
        }
    } else {
        exit(2);
    }
}

static void read_host(void)
{
    char hex[8192];
    unsigned at_ms;
    while (scanf("%u %8191s", &at_ms, hex) == 2) {
        for (size_t i = 0; hex[i] != '\0' && hex[i + 1] != '\0' && host_len < sizeof host; i += 2) {
            unsigned byte;
            if (sscanf(hex + i, "%2x", &byte) == 1) {
                host_ms[host_len] = at_ms;
                host[host_len++] = (uint8_t)byte;
            }
        }
    }
}

int harness_run(int argc, char **argv, void (*layer)(void))
{
    pn5180_model_init(&harness.model, 1);
    harness.model.irq_pin = 1;
    harness.model.use_antennas = true;
    harness.chip = pn5180_model_bus(&harness.model);
    harness.boot_id = 0x12345678;
    for (int i = 1; i < argc; i++) {
        option(argv[i]);
    }
    read_host();
    if (setjmp(over) == 0) {
        layer();
    }
    printf("end %u handshakes %u too_early %u errors %u longest_kick %u\n", harness_ms(),
           harness.model.handshakes_broken, harness.model.too_early, harness.model.general_errors,
           (unsigned)(harness.longest_kick_ns / 1000000));
    return 0;
}

size_t harness_input(uint8_t *in, size_t cap)
{
    size_t len = 0;
    if (harness_ms() >= end_ms) {
        longjmp(over, 1);
    }
    while (len < cap && host_next < host_len && host_ms[host_next] <= harness_ms()) {
        in[len++] = host[host_next++];
    }
    return len;
}

void harness_output(const uint8_t *data, size_t len)
{
    printf("said %u ", harness_ms());
    for (size_t i = 0; i < len; i++) {
        printf("%02x", data[i]);
    }
    printf("\n");
}

void harness_antenna_pin(unsigned bit, bool level)
{
    harness.antenna_pins = (harness.antenna_pins & ~(1u << bit)) | (unsigned)level << bit;
    (void)harness.chip.antenna(harness.chip.ctx, (uint8_t)(harness.antenna_pins + 1));
}

bool harness_strap(unsigned bit)
{
    return (harness.straps >> bit & 1u) == 0;
}

void harness_led(char colour, bool level)
{
    if (light[(unsigned char)colour] != level) {
        light[(unsigned char)colour] = level;
        printf("led %c %d\n", colour, level);
    }
}

void harness_kick(void)
{
    uint64_t gap_ns = harness.model.now_ns - harness.kicked_ns;
    harness.longest_kick_ns = gap_ns > harness.longest_kick_ns ? gap_ns : harness.longest_kick_ns;
    harness.kicked_ns = harness.model.now_ns;
    if (harness.watchdog_ms != 0 && gap_ns > harness.watchdog_ms * 1000000ull) {
        printf("bitten %u\n", harness_ms());
        longjmp(over, 1);
    }
}

_Noreturn void harness_reboot(void)
{
    printf("reboot %u kept %08x\n", harness_ms(), harness.kept);
    longjmp(over, 1);
}
