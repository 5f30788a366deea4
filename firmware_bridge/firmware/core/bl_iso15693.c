#include "bl_iso15693.h"

#include <string.h>

enum {
    FLAGS_INVENTORY_16 = 0x06, /* high rate, inventory, 16 slots */
    FLAGS_ADDRESSED = 0x22,    /* high rate, addressed */
    COMMAND_INVENTORY = 0x01,
    COMMAND_STAY_QUIET = 0x02,
    REPLY_ERROR_FLAG = 0x01,
    LAST_LEVEL = 15, /* nibbles of the longest mask */
};

uint16_t bl_iso15693_crc(const uint8_t *data, size_t len)
{
    uint16_t crc = 0xFFFFu;
    for (size_t i = 0; i < len; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = (uint16_t)((crc & 1u) ? (crc >> 1) ^ 0x8408u : crc >> 1);
        }
    }
    return (uint16_t)~crc;
}

static size_t with_crc(uint8_t *frame, size_t len)
{
    uint16_t crc = bl_iso15693_crc(frame, len);
    frame[len] = (uint8_t)crc;
    frame[len + 1] = (uint8_t)(crc >> 8);
    return len + 2;
}

size_t bl_iso15693_inventory_request(const uint8_t *prefix, size_t nibbles, uint8_t *out)
{
    size_t len = 3;
    if (nibbles > LAST_LEVEL) {
        nibbles = LAST_LEVEL;
    }
    out[0] = FLAGS_INVENTORY_16;
    out[1] = COMMAND_INVENTORY;
    out[2] = (uint8_t)(nibbles * 4);
    for (size_t i = 0; i < nibbles; i++) {
        if (i % 2 == 0) {
            out[len++] = prefix[i] & 0x0Fu;
        } else {
            out[len - 1] = (uint8_t)(out[len - 1] | (prefix[i] & 0x0Fu) << 4);
        }
    }
    return with_crc(out, len);
}

size_t bl_iso15693_stay_quiet_request(const uint8_t uid[BL_ISO15693_UID_BYTES], uint8_t *out)
{
    out[0] = FLAGS_ADDRESSED;
    out[1] = COMMAND_STAY_QUIET;
    for (size_t i = 0; i < BL_ISO15693_UID_BYTES; i++) {
        out[2 + i] = uid[BL_ISO15693_UID_BYTES - 1 - i];
    }
    return with_crc(out, 2 + BL_ISO15693_UID_BYTES);
}

bool bl_iso15693_read_reply(const uint8_t *reply, size_t len, bl_tag *tag)
{
    if (len != BL_ISO15693_REPLY_BYTES || (reply[0] & REPLY_ERROR_FLAG) != 0) {
        return false;
    }
    uint16_t crc = bl_iso15693_crc(reply, len - 2);
    if (reply[len - 2] != (uint8_t)crc || reply[len - 1] != (uint8_t)(crc >> 8)) {
        return false;
    }
    tag->dsfid = reply[1];
    for (size_t i = 0; i < BL_ISO15693_UID_BYTES; i++) {
        tag->uid[i] = reply[2 + BL_ISO15693_UID_BYTES - 1 - i];
    }
    return true;
}

static uint8_t nibble_of(const uint8_t uid[BL_ISO15693_UID_BYTES], size_t nibble)
{
    uint8_t byte = uid[BL_ISO15693_UID_BYTES - 1 - nibble / 2];
    return (uint8_t)(nibble % 2 == 0 ? byte & 0x0Fu : byte >> 4);
}

/* A tag answers only to its own mask and slot: any other answer is a stray. */
static bool belongs(const bl_inventory *inventory, const bl_tag *tag, uint8_t slot)
{
    for (size_t i = 0; i < inventory->level; i++) {
        if (nibble_of(tag->uid, i) != inventory->prefix[i]) {
            return false;
        }
    }
    return nibble_of(tag->uid, inventory->level) == slot;
}

static bool is_known(const bl_inventory *inventory, const bl_tag *tag)
{
    for (size_t i = 0; i < inventory->count; i++) {
        if (memcmp(inventory->tags[i].uid, tag->uid, BL_ISO15693_UID_BYTES) == 0) {
            return true;
        }
    }
    return false;
}

static void keep(bl_inventory *inventory, const bl_tag *tag)
{
    if (is_known(inventory, tag)) {
        return;
    }
    inventory->pass_was_quiet = false;
    if (inventory->count == inventory->cap) {
        inventory->stats.overflow = true;
        return;
    }
    inventory->tags[inventory->count++] = *tag;
}

static void finish(bl_inventory *inventory, bool settled)
{
    inventory->done = true;
    inventory->stats.unsettled = !settled;
}

static void silence(const bl_radio *radio, const bl_tag *heard, size_t count)
{
    uint8_t frame[BL_ISO15693_REQUEST_BYTES];
    uint8_t reply[BL_ISO15693_REPLY_BYTES];
    size_t reply_len;
    uint8_t rssi;
    for (size_t i = 0; i < count; i++) {
        size_t len = bl_iso15693_stay_quiet_request(heard[i].uid, frame);
        (void)radio->request(radio->ctx, frame, len, reply, sizeof reply, &reply_len, &rssi);
    }
}

/* One request with its 16 slots. Gives the nibbles that need a longer mask, one bit each. */
static uint16_t round_of_slots(bl_inventory *inventory, bool *deaf)
{
    const bl_radio *radio = inventory->radio;
    uint8_t frame[BL_ISO15693_REQUEST_BYTES];
    bl_tag heard[BL_ISO15693_SLOTS];
    size_t heard_count = 0;
    uint16_t again = 0;
    uint16_t errors_before = inventory->stats.errors;
    size_t len = bl_iso15693_inventory_request(inventory->prefix, inventory->level, frame);
    inventory->stats.rounds++;
    for (uint8_t slot = 0; slot < BL_ISO15693_SLOTS; slot++) {
        uint8_t reply[BL_ISO15693_REPLY_BYTES];
        size_t reply_len = 0;
        bl_tag tag = {{0}, 0, 0};
        bl_slot result =
            slot == 0
                ? radio->request(radio->ctx, frame, len, reply, sizeof reply, &reply_len, &tag.rssi)
                : radio->next_slot(radio->ctx, reply, sizeof reply, &reply_len, &tag.rssi);
        if (result == BL_SLOT_EMPTY) {
            continue;
        }
        if (result == BL_SLOT_REPLY && bl_iso15693_read_reply(reply, reply_len, &tag) &&
            belongs(inventory, &tag, slot)) {
            heard[heard_count++] = tag;
            keep(inventory, &tag);
            continue;
        }
        if (result == BL_SLOT_COLLISION) {
            inventory->stats.collisions++;
        } else {
            inventory->stats.errors++;
        }
        inventory->pass_was_quiet = false;
        /* Answers on top of one another may look like a damaged one: both need a longer mask. */
        again = (uint16_t)(again | 1u << slot);
    }
    silence(radio, heard, heard_count);
    *deaf = inventory->stats.errors - errors_before == (int)BL_ISO15693_SLOTS;
    return again;
}

/*
 * Chooses the mask of the next round: the deepest nibble still to be asked, or the empty mask of
 * a new pass. What collides under the longest mask cannot be told apart in this pass.
 */
static void advance(bl_inventory *inventory, uint16_t again)
{
    inventory->pending[inventory->level] = inventory->level < LAST_LEVEL ? again : 0;
    while (inventory->pending[inventory->level] == 0) {
        if (inventory->level > 0) {
            inventory->level--;
            continue;
        }
        inventory->passes++;
        if (inventory->pass_was_quiet) {
            finish(inventory, true);
        } else if (inventory->passes == BL_ISO15693_MAX_PASSES) {
            finish(inventory, false);
        }
        inventory->pass_was_quiet = true;
        return;
    }
    unsigned nibble = 0;
    while (((unsigned)inventory->pending[inventory->level] >> nibble & 1u) == 0) {
        nibble++;
    }
    inventory->pending[inventory->level] =
        (uint16_t)(inventory->pending[inventory->level] & ~(1u << nibble));
    inventory->prefix[inventory->level] = (uint8_t)nibble;
    inventory->level++;
}

void bl_iso15693_begin(bl_inventory *inventory, const bl_radio *radio, bl_tag *tags, size_t cap)
{
    memset(inventory, 0, sizeof *inventory);
    inventory->radio = radio;
    inventory->tags = tags;
    inventory->cap = cap;
    inventory->pass_was_quiet = true;
    inventory->started_ms = radio->now_ms(radio->ctx);
    if (!radio->field(radio->ctx, false) || !radio->field(radio->ctx, true)) {
        inventory->stats.fault = true;
        finish(inventory, false);
    }
}

bool bl_iso15693_step(bl_inventory *inventory)
{
    if (inventory->done) {
        return false;
    }
    bool deaf;
    uint16_t again = round_of_slots(inventory, &deaf);
    if (deaf) {
        finish(inventory, false);
        return false;
    }
    advance(inventory, again);
    if (inventory->done) {
        return false;
    }
    uint32_t elapsed_ms = inventory->radio->now_ms(inventory->radio->ctx) - inventory->started_ms;
    if (inventory->stats.rounds >= BL_ISO15693_MAX_ROUNDS || elapsed_ms >= BL_ISO15693_MAX_MS) {
        inventory->stats.overflow = true;
    }
    if (inventory->stats.overflow) {
        finish(inventory, false);
    }
    return !inventory->done;
}

size_t bl_iso15693_inventory(const bl_radio *radio, bl_tag *tags, size_t cap,
                             bl_inventory_stats *stats)
{
    bl_inventory inventory;
    bl_iso15693_begin(&inventory, radio, tags, cap);
    while (bl_iso15693_step(&inventory)) {
    }
    *stats = inventory.stats;
    return inventory.count;
}
