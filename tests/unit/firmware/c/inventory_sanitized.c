/* Inventories of every number of tags that fits and one more, under sanitizers; argv: seed. */
#include "sim_radio.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 121 };

int main(int argc, char **argv)
{
    static sim_radio sim;
    static uint8_t uids[MOST * BL_ISO15693_UID_BYTES];
    unsigned long found_in_all = 0;
    if (argc != 2) {
        return 2;
    }
    srand((unsigned)strtoul(argv[1], NULL, 10));
    for (size_t n = 0; n <= MOST; n++) {
        for (size_t i = 0; i < sizeof uids; i++) {
            uids[i] = (uint8_t)(rand() >> 7);
        }
        bl_tag *tags = malloc((MOST - 1) * sizeof *tags);
        bl_inventory_stats stats;
        if (tags == NULL) {
            return 3;
        }
        sim_radio_init(&sim, n);
        sim.missed = 20;
        sim.damaged = 20;
        sim.captured = 200;
        sim.deaf = 20;
        if (!sim_radio_set_tags(&sim, 1, uids, n)) {
            return 4;
        }
        bl_radio radio = sim_radio_interface(&sim);
        size_t found = bl_iso15693_inventory(&radio, tags, MOST - 1, &stats);
        if (found > n || stats.overflow != (n == MOST && found == MOST - 1 && stats.unsettled)) {
            fprintf(stderr, "%zu of %zu\n", found, n);
            return 1;
        }
        found_in_all += (unsigned long)found;
        free(tags);
    }
    printf("%lu\n", found_in_all);
    return 0;
}
