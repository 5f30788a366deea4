/*
 * Fuzz of the inventory: radios that answer anything. argv: seed, runs. Prints the slots asked.
 * Each run ends within the bounds, tells every tag once and invents none.
 */
#include "bl_iso15693.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TAGS = 40, KNOWN = 60 };

typedef struct {
    uint64_t random;
    uint32_t clock_ms;
    uint32_t tick_ms;
    unsigned kind;
    unsigned slot; /* of the round under way */
    uint8_t uids[KNOWN][BL_ISO15693_UID_BYTES];
    unsigned long asked;
} wild;

static uint64_t draw(wild *w)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return w->random;
}

static void demand(bool truth, const char *what)
{
    if (!truth) {
        fprintf(stderr, "%s\n", what);
        exit(1);
    }
}

static bool wild_field(void *ctx, bool on)
{
    wild *w = ctx;
    return !on || w->kind != 5;
}

static bool wild_select(void *ctx, uint8_t antenna)
{
    (void)ctx;
    return antenna == 1;
}

/* A reply with a sound CRC, of a UID of the pool, whatever the mask asked. */
static bl_slot sound(wild *w, uint8_t *reply, size_t *reply_len)
{
    const uint8_t *uid = w->uids[draw(w) % KNOWN];
    reply[0] = 0;
    reply[1] = (uint8_t)draw(w);
    for (size_t i = 0; i < BL_ISO15693_UID_BYTES; i++) {
        reply[2 + i] = uid[BL_ISO15693_UID_BYTES - 1 - i];
    }
    uint16_t crc = bl_iso15693_crc(reply, 10);
    reply[10] = (uint8_t)crc;
    reply[11] = (uint8_t)(crc >> 8);
    *reply_len = 12;
    return BL_SLOT_REPLY;
}

static bl_slot wild_slot(wild *w, uint8_t *reply, size_t cap, size_t *reply_len, uint8_t *rssi)
{
    demand(cap == BL_ISO15693_REPLY_BYTES, "the room for a reply is that of a reply");
    w->asked++;
    w->clock_ms += w->tick_ms;
    *rssi = (uint8_t)draw(w);
    if (w->kind == 0) {
        return BL_SLOT_COLLISION;
    }
    if (w->kind == 1 || (w->kind == 2 && draw(w) % 4 == 0)) {
        return sound(w, reply, reply_len);
    }
    if (w->kind == 4 || w->kind == 6) {
        return w->kind == 4 || w->slot == 0 ? BL_SLOT_ERROR : BL_SLOT_EMPTY;
    }
    if (w->kind == 3 && draw(w) % 8 != 0) {
        return BL_SLOT_EMPTY;
    }
    *reply_len = draw(w) % (cap + 1);
    for (size_t i = 0; i < *reply_len; i++) {
        reply[i] = (uint8_t)draw(w);
    }
    return (bl_slot)(draw(w) % 4);
}

static bl_slot wild_request(void *ctx, const uint8_t *frame, size_t len, uint8_t *reply, size_t cap,
                            size_t *reply_len, uint8_t *rssi)
{
    demand(len >= 5 && len <= BL_ISO15693_REQUEST_BYTES, "a request has 5 to 13 bytes");
    uint16_t crc = bl_iso15693_crc(frame, len - 2);
    demand(frame[len - 2] == (crc & 0xFF) && frame[len - 1] == crc >> 8, "a request has its CRC");
    demand(frame[1] == 2 || (frame[0] == 6 && frame[1] == 1 && frame[2] <= 60), "a known request");
    ((wild *)ctx)->slot = 0;
    return wild_slot(ctx, reply, cap, reply_len, rssi);
}

static bl_slot wild_next(void *ctx, uint8_t *reply, size_t cap, size_t *reply_len, uint8_t *rssi)
{
    ((wild *)ctx)->slot++;
    return wild_slot(ctx, reply, cap, reply_len, rssi);
}

static uint32_t wild_now(void *ctx)
{
    return ((wild *)ctx)->clock_ms;
}

int main(int argc, char **argv)
{
    demand(argc == 3, "seed and runs");
    static wild w;
    w.random = strtoull(argv[1], NULL, 10) * 2 + 1;
    long runs = strtol(argv[2], NULL, 10);
    bl_radio radio = {&w, wild_field, wild_select, wild_request, wild_next, wild_now};
    for (long run = 0; run < runs; run++) {
        w.kind = (unsigned)(draw(&w) % 7);
        w.tick_ms = (uint32_t)(draw(&w) % 6);
        w.clock_ms = UINT32_MAX - (uint32_t)(draw(&w) % 4000);
        for (size_t i = 0; i < sizeof w.uids; i++) {
            ((uint8_t *)w.uids)[i] = (uint8_t)draw(&w);
        }
        size_t cap = draw(&w) % MAX_TAGS;
        bl_tag *tags = malloc((cap + 1) * sizeof *tags);
        demand(tags != NULL, "memory");
        bl_inventory_stats stats;
        uint32_t before_ms = w.clock_ms;
        size_t found = bl_iso15693_inventory(&radio, tags, cap, &stats);
        demand(found <= cap, "no more tags than there is room for");
        demand(stats.rounds <= BL_ISO15693_MAX_ROUNDS, "bounded in rounds");
        demand(w.clock_ms - before_ms < BL_ISO15693_MAX_MS + 32 * 6, "bounded in time");
        demand(w.kind != 0 || stats.unsettled, "endless collisions are told");
        demand(w.kind != 6 || (stats.rounds <= 12 * 16 && stats.unsettled), "passes are bounded");
        demand(w.kind != 4 || (stats.rounds == 1 && stats.errors == 16 && stats.unsettled && !stats.fault),
               "noise everywhere ends it at once");
        demand(w.kind != 5 || (stats.fault && stats.unsettled && found == 0), "a fault is told");
        for (size_t i = 0; i < found; i++) {
            bool known = false;
            for (size_t j = 0; j < KNOWN; j++) {
                known = known || memcmp(tags[i].uid, w.uids[j], BL_ISO15693_UID_BYTES) == 0;
            }
            demand(known, "no tag is invented");
            for (size_t j = 0; j < i; j++) {
                demand(memcmp(tags[i].uid, tags[j].uid, BL_ISO15693_UID_BYTES) != 0, "told once");
            }
        }
        free(tags);
    }
    printf("%lu\n", w.asked);
    return 0;
}
