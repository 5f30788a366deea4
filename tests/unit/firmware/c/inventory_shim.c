/* One inventory of a simulated field for ctypes: flat arguments in, flat figures out. */
#include "sim_radio.h"

#include <string.h>

typedef struct {
    uint64_t seed;
    uint16_t missed, detuned, damaged, captured, garbled, deaf, broken;
} shim_field;

typedef struct {
    uint32_t count, rounds, collisions, errors, overflow, unsettled, fault, passes;
    uint32_t first_pass_us, inventory_us, quiet_us, settle_us, elapsed_us, quiet_tags, longest_step_us;
} shim_figures;

void shim_inventory(const shim_field *field, const uint8_t *uids, size_t n, bl_tag *tags,
                    size_t cap, shim_figures *out);
size_t shim_two_antennas(const uint8_t *first, const uint8_t *second, size_t n, bl_tag *tags,
                         size_t cap);
void shim_begin_talk(const uint8_t *uids, size_t n);
size_t shim_talk(const uint8_t *frame, size_t len, uint8_t *reply, uint8_t *states);

void shim_inventory(const shim_field *field, const uint8_t *uids, size_t n, bl_tag *tags,
                    size_t cap, shim_figures *out)
{
    static sim_radio sim;
    sim_radio_init(&sim, field->seed);
    sim.missed = field->missed;
    sim.detuned = field->detuned;
    sim.damaged = field->damaged;
    sim.captured = field->captured;
    sim.garbled = field->garbled;
    sim.deaf = field->deaf;
    sim.broken = field->broken != 0;
    memset(out, 0, sizeof *out);
    if (!sim_radio_set_tags(&sim, 1, uids, n)) {
        out->fault = 2;
        return;
    }
    bl_radio radio = sim_radio_interface(&sim);
    bl_inventory inventory;
    bl_iso15693_begin(&inventory, &radio, tags, cap);
    bool more = !inventory.done;
    while (more) {
        uint64_t before_us = sim.clock_us;
        more = bl_iso15693_step(&inventory);
        if (sim.clock_us - before_us > out->longest_step_us) {
            out->longest_step_us = (uint32_t)(sim.clock_us - before_us);
        }
        if (inventory.passes == 1 && out->first_pass_us == 0) {
            out->first_pass_us = (uint32_t)sim.air.inventory_us;
        }
    }
    out->count = (uint32_t)inventory.count;
    out->rounds = inventory.stats.rounds;
    out->collisions = inventory.stats.collisions;
    out->errors = inventory.stats.errors;
    out->overflow = inventory.stats.overflow;
    out->unsettled = inventory.stats.unsettled;
    out->fault = inventory.stats.fault;
    out->passes = inventory.passes;
    out->inventory_us = (uint32_t)sim.air.inventory_us;
    out->quiet_us = (uint32_t)sim.air.quiet_us;
    out->settle_us = (uint32_t)sim.air.settle_us;
    out->elapsed_us = (uint32_t)sim.clock_us;
    for (size_t i = 0; i < sim.count; i++) {
        out->quiet_tags += sim.tags[i].state == SIM_TAG_QUIET;
    }
}

/* Reads antenna 1, 2 and 1, and 1 again without selecting it: the tags of the last reading. */
size_t shim_two_antennas(const uint8_t *first, const uint8_t *second, size_t n, bl_tag *tags,
                         size_t cap)
{
    static sim_radio sim;
    sim_radio_init(&sim, 1);
    if (!sim_radio_set_tags(&sim, 1, first, n) || !sim_radio_set_tags(&sim, 2, second, n)) {
        return 0;
    }
    bl_radio radio = sim_radio_interface(&sim);
    bl_inventory_stats stats;
    size_t found = 0;
    for (int i = 0; i < 4; i++) {
        if (i < 3 && !radio.select(radio.ctx, i == 1 ? 2 : 1)) {
            return 0;
        }
        found = bl_iso15693_inventory(&radio, tags, cap, &stats);
    }
    return found;
}

static sim_radio talk;

void shim_begin_talk(const uint8_t *uids, size_t n)
{
    sim_radio_init(&talk, 1);
    if (sim_radio_set_tags(&talk, 1, uids, n)) {
        bl_radio radio = sim_radio_interface(&talk);
        (void)radio.field(radio.ctx, true);
    }
}

/* Sends one frame. Gives the length of the answer, 0 for none, and the states of the tags. */
size_t shim_talk(const uint8_t *frame, size_t len, uint8_t *reply, uint8_t *states)
{
    bl_radio radio = sim_radio_interface(&talk);
    size_t reply_len = 0;
    uint8_t rssi;
    (void)radio.request(radio.ctx, frame, len, reply, BL_ISO15693_REPLY_BYTES, &reply_len, &rssi);
    for (size_t i = 0; i < talk.count; i++) {
        states[i] = (uint8_t)talk.tags[i].state;
    }
    return reply_len;
}
