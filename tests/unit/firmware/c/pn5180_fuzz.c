/*
 * The driver against a chip that answers anything on BUSY and MISO, and against every fault that
 * begins in the middle, under sanitizers. argv: seed, runs. Prints the bytes sent over SPI.
 */
#include "pn5180_model.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static pn5180_model model;
    unsigned long sent = 0;
    if (argc != 3) {
        return 2;
    }
    uint64_t seed = strtoull(argv[1], NULL, 10);
    long runs = strtol(argv[2], NULL, 10);
    for (long run = 0; run < runs; run++) {
        uint8_t uids[6 * BL_ISO15693_UID_BYTES];
        bl_tag tags[4];
        bl_pn5180 chip;
        bl_inventory inventory;
        pn5180_model_init(&model, seed + (uint64_t)run);
        model.irq_pin = run % 2 == 1;
        for (size_t i = 0; i < sizeof uids; i++) {
            uids[i] = (uint8_t)(seed * 7 + i * 31 + (size_t)run);
        }
        if (!sim_radio_set_tags(&model.air, 1, uids, 6)) {
            return 3;
        }
        bl_pn5180_bus bus = pn5180_model_bus(&model);
        model.fault = run % 3 == 0 ? MODEL_NOISE : MODEL_SOUND;
        bool started = bl_pn5180_init(&chip, &bus);
        model.fault = (model_fault)(run % (MODEL_NOISE + 1));
        bl_radio radio = bl_pn5180_radio(&chip);
        uint64_t before_ns = model.now_ns;
        bl_iso15693_begin(&inventory, &radio, tags, 4);
        for (int step = 0; step < 700 && bl_iso15693_step(&inventory); step++) {
        }
        if (!inventory.done || inventory.count > 4 || (started && !chip.ready && chip.fault == BL_PN5180_OK) ||
            model.now_ns - before_ns > (BL_ISO15693_MAX_MS + 1000u) * 1000000ull) {
            fprintf(stderr, "run %ld: done %d, %zu tags, fault %d, %llu ms\n", run, inventory.done,
                    inventory.count, chip.fault,
                    (unsigned long long)((model.now_ns - before_ns) / 1000000u));
            return 1;
        }
        sent += model.spi_bytes;
    }
    printf("%lu\n", sent);
    return 0;
}
