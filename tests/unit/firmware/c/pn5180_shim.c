/* One inventory through the PN5180 driver and its model for ctypes. */
#include "pn5180_model.h"

#include <string.h>

typedef struct {
    uint64_t seed;
    uint32_t fault, irq_pin, damaged, missed, antenna;
    uint32_t broken_from; /* the fault begins after the start, not with it */
    uint64_t clock_ns;
} pn5180_setting;

typedef struct {
    uint32_t started, fault, faults, recovered, count, collisions, rx_errors, unsettled, stats_fault, errors;
    uint32_t handshakes_broken, too_early, general_errors, elapsed_us, spi_bytes;
    uint32_t firmware_major, firmware_minor, irq_trusted;
} pn5180_figures;

void pn5180_run(const pn5180_setting *setting, const uint8_t *uids, size_t n, bl_tag *tags,
                size_t cap, pn5180_figures *out);

void pn5180_run(const pn5180_setting *setting, const uint8_t *uids, size_t n, bl_tag *tags,
                size_t cap, pn5180_figures *out)
{
    static pn5180_model model;
    bl_pn5180 chip;
    bl_inventory_stats stats;
    memset(out, 0, sizeof *out);
    pn5180_model_init(&model, setting->seed);
    model.now_ns = setting->clock_ns;
    model.air.damaged = (uint16_t)setting->damaged;
    model.air.missed = (uint16_t)setting->missed;
    model.irq_pin = setting->irq_pin;
    model.use_antennas = setting->antenna > 1;
    model.fault = setting->broken_from == 0 ? (model_fault)setting->fault : MODEL_SOUND;
    if (!sim_radio_set_tags(&model.air, (uint8_t)setting->antenna, uids, n)) {
        return;
    }
    bl_pn5180_bus bus = pn5180_model_bus(&model);
    out->started = bl_pn5180_init(&chip, &bus);
    model.fault = (model_fault)setting->fault;
    bl_radio radio = bl_pn5180_radio(&chip);
    uint64_t before_ns = model.now_ns;
    if (radio.select(radio.ctx, (uint8_t)setting->antenna)) {
        out->count = (uint32_t)bl_iso15693_inventory(&radio, tags, cap, &stats);
        out->unsettled = stats.unsettled;
        out->errors = stats.errors;
        out->stats_fault = stats.fault;
    }
    out->elapsed_us = (uint32_t)((model.now_ns - before_ns) / 1000);
    out->fault = (uint32_t)chip.fault;
    out->faults = chip.faults;
    out->collisions = chip.collisions;
    out->rx_errors = chip.rx_errors;
    out->irq_trusted = chip.irq_trusted;
    out->firmware_major = chip.firmware_major;
    out->firmware_minor = chip.firmware_minor;
    out->handshakes_broken = model.handshakes_broken;
    out->too_early = model.too_early;
    out->general_errors = model.general_errors;
    out->spi_bytes = (uint32_t)model.spi_bytes;
    model.fault = MODEL_SOUND;
    bl_tag again[120];
    out->recovered = radio.select(radio.ctx, (uint8_t)setting->antenna) &&
                     bl_iso15693_inventory(&radio, again, 120, &stats) == n && !stats.fault;
}
