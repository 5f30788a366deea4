#include "sim_radio.h"

#include <string.h>

/* Air time of hardware_docs/readers.md in microseconds: 1-of-4 coding down, 26.48 kbit/s up. */
enum {
    BYTE_US = 302,
    FRAME_US = 113, /* start and end of a request */
    T1_US = 321,
    SLOT_REPLY_US = 4600,
    SLOT_EMPTY_US = 510,
    SETTLE_US = 10000,
};

enum {
    FLAG_INVENTORY = 0x04,
    FLAG_SELECTED = 0x10, /* of a request that is no inventory */
    FLAG_ADDRESSED = 0x20,
    FLAGS_INVENTORY_16 = 0x06,
    COMMAND_INVENTORY = 0x01,
    COMMAND_STAY_QUIET = 0x02,
    COMMAND_SELECT = 0x25,
    COMMAND_RESET_TO_READY = 0x26,
    MAX_MASK = 60,
};

/* Splitmix64 of Steele, Lea and Flood (2014). */
static uint64_t next_random(sim_radio *sim)
{
    uint64_t z = sim->random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static bool happens(sim_radio *sim, uint16_t thousandths)
{
    return thousandths != 0 && next_random(sim) % 1000u < thousandths;
}

static void spend(sim_radio *sim, uint64_t us, uint64_t *account)
{
    sim->clock_us += us;
    *account += us;
}

static uint8_t uid_bit(const sim_tag *tag, unsigned bit)
{
    unsigned byte = tag->uid[BL_ISO15693_UID_BYTES - 1 - bit / 8];
    return (uint8_t)(byte >> bit % 8 & 1u);
}

static bool hears(const sim_radio *sim, const sim_tag *tag)
{
    return tag->antenna == sim->antenna && tag->state != SIM_TAG_OFF;
}

static bool addressed(const sim_tag *tag, const uint8_t *uid_on_air)
{
    for (size_t i = 0; i < BL_ISO15693_UID_BYTES; i++) {
        if (tag->uid[BL_ISO15693_UID_BYTES - 1 - i] != uid_on_air[i]) {
            return false;
        }
    }
    return true;
}

static size_t answer_of(const sim_tag *tag, uint8_t *out)
{
    out[0] = 0;
    out[1] = tag->dsfid;
    for (size_t i = 0; i < BL_ISO15693_UID_BYTES; i++) {
        out[2 + i] = tag->uid[BL_ISO15693_UID_BYTES - 1 - i];
    }
    uint16_t crc = bl_iso15693_crc(out, 2 + BL_ISO15693_UID_BYTES);
    out[10] = (uint8_t)crc;
    out[11] = (uint8_t)(crc >> 8);
    return BL_ISO15693_REPLY_BYTES;
}

static bl_slot deliver(sim_radio *sim, uint8_t *answer, size_t len, bool damaged, uint8_t strength,
                       uint8_t *reply, size_t cap, size_t *reply_len, uint8_t *rssi)
{
    if (damaged) {
        uint64_t bit = next_random(sim) % (len * 8);
        answer[bit / 8] = (uint8_t)(answer[bit / 8] ^ 1u << bit % 8);
    }
    *reply_len = len < cap ? len : cap;
    memcpy(reply, answer, *reply_len);
    *rssi = strength;
    return BL_SLOT_REPLY;
}

/* Tags whose answers are the same to the bit are heard as one. */
static bl_slot listen(sim_radio *sim, uint8_t *reply, size_t cap, size_t *reply_len, uint8_t *rssi)
{
    const sim_tag *strongest = NULL;
    bool differ = false;
    for (size_t i = 0; i < sim->count; i++) {
        const sim_tag *tag = &sim->tags[i];
        if (!hears(sim, tag) || !tag->inventoried || tag->slot != sim->slot ||
            happens(sim, sim->missed)) {
            continue;
        }
        sim->air.answers++;
        if (strongest == NULL) {
            strongest = tag;
            continue;
        }
        differ = differ || memcmp(tag->uid, strongest->uid, sizeof tag->uid) != 0;
        if (tag->rssi > strongest->rssi) {
            strongest = tag;
        }
    }
    *reply_len = 0;
    *rssi = 0;
    spend(sim, strongest == NULL ? SLOT_EMPTY_US : SLOT_REPLY_US, &sim->air.inventory_us);
    if (strongest == NULL) {
        return BL_SLOT_EMPTY;
    }
    bool garbled = differ && happens(sim, sim->garbled);
    if (differ && !garbled && !happens(sim, sim->captured)) {
        return BL_SLOT_COLLISION;
    }
    uint8_t answer[BL_ISO15693_REPLY_BYTES];
    size_t len = answer_of(strongest, answer);
    bool damaged = garbled || happens(sim, sim->damaged);
    return deliver(sim, answer, len, damaged, strongest->rssi, reply, cap, reply_len, rssi);
}

static void open_round(sim_radio *sim, const uint8_t *frame, size_t len)
{
    unsigned mask_bits = frame[2];
    sim->round_open = mask_bits <= MAX_MASK && len == 5 + (mask_bits + 7) / 8;
    sim->slot = 0;
    sim->air.rounds++;
    for (size_t i = 0; i < sim->count; i++) {
        sim_tag *tag = &sim->tags[i];
        tag->inventoried = sim->round_open && hears(sim, tag) && tag->state != SIM_TAG_QUIET;
        for (unsigned bit = 0; tag->inventoried && bit < mask_bits; bit++) {
            tag->inventoried = uid_bit(tag, bit) == ((unsigned)frame[3 + bit / 8] >> bit % 8 & 1u);
        }
        tag->slot = 0;
        for (unsigned bit = 0; tag->inventoried && bit < 4; bit++) {
            tag->slot = (uint8_t)(tag->slot | uid_bit(tag, mask_bits + bit) << bit);
        }
    }
}

/* Moves one tag by a request that is no inventory. True when it answers. */
static bool obey(sim_radio *sim, sim_tag *tag, const uint8_t *frame, size_t len)
{
    bool has_address = (frame[0] & FLAG_ADDRESSED) != 0;
    if (!hears(sim, tag) || len != (has_address ? 12u : 4u)) {
        return false;
    }
    bool meant = has_address                         ? addressed(tag, frame + 2)
                 : (frame[0] & FLAG_SELECTED) != 0 ? tag->state == SIM_TAG_SELECTED
                                                     : tag->state != SIM_TAG_QUIET;
    switch (frame[1]) {
    case COMMAND_STAY_QUIET:
        if (meant && has_address && !happens(sim, sim->deaf)) {
            tag->state = SIM_TAG_QUIET;
        }
        return false;
    case COMMAND_SELECT:
        if (!has_address) {
            return false;
        }
        if (!meant && tag->state == SIM_TAG_SELECTED) {
            tag->state = SIM_TAG_READY;
        } else if (meant) {
            tag->state = SIM_TAG_SELECTED;
        }
        return meant;
    case COMMAND_RESET_TO_READY:
        if (meant) {
            tag->state = SIM_TAG_READY;
        }
        return meant;
    default:
        return false;
    }
}

static bl_slot command(sim_radio *sim, const uint8_t *frame, size_t len, uint8_t *reply, size_t cap,
                       size_t *reply_len, uint8_t *rssi)
{
    uint8_t answer[3] = {0};
    const sim_tag *answering = NULL;
    sim->round_open = false;
    *reply_len = 0;
    *rssi = 0;
    for (size_t i = 0; i < sim->count; i++) {
        if (obey(sim, &sim->tags[i], frame, len)) {
            answering = &sim->tags[i];
        }
    }
    spend(sim, T1_US, &sim->air.quiet_us);
    if (answering == NULL) {
        return BL_SLOT_EMPTY;
    }
    uint16_t crc = bl_iso15693_crc(answer, 1);
    answer[1] = (uint8_t)crc;
    answer[2] = (uint8_t)(crc >> 8);
    bool damaged = happens(sim, sim->damaged);
    return deliver(sim, answer, sizeof answer, damaged, answering->rssi, reply, cap, reply_len,
                   rssi);
}

static bl_slot sim_request(void *ctx, const uint8_t *frame, size_t len, uint8_t *reply, size_t cap,
                           size_t *reply_len, uint8_t *rssi)
{
    sim_radio *sim = ctx;
    bool inventory = len >= 5 && frame[0] == FLAGS_INVENTORY_16 && frame[1] == COMMAND_INVENTORY;
    uint16_t crc = len >= 4 ? bl_iso15693_crc(frame, len - 2) : 0;
    bool sound = len >= 4 && frame[len - 2] == (uint8_t)crc && frame[len - 1] == crc >> 8;
    spend(sim, FRAME_US + BYTE_US * (uint64_t)len,
          inventory ? &sim->air.inventory_us : &sim->air.quiet_us);
    *reply_len = 0;
    *rssi = 0;
    if (!sim->field_on || !sound) {
        sim->round_open = false;
        spend(sim, SLOT_EMPTY_US, &sim->air.inventory_us);
        return BL_SLOT_EMPTY;
    }
    if (inventory) {
        open_round(sim, frame, len);
        return listen(sim, reply, cap, reply_len, rssi);
    }
    if ((frame[0] & FLAG_INVENTORY) != 0) {
        return BL_SLOT_EMPTY;
    }
    return command(sim, frame, len, reply, cap, reply_len, rssi);
}

static bl_slot sim_next_slot(void *ctx, uint8_t *reply, size_t cap, size_t *reply_len,
                             uint8_t *rssi)
{
    sim_radio *sim = ctx;
    if (!sim->round_open || sim->slot == BL_ISO15693_SLOTS - 1) {
        *reply_len = 0;
        *rssi = 0;
        spend(sim, SLOT_EMPTY_US, &sim->air.inventory_us);
        return BL_SLOT_EMPTY;
    }
    sim->slot++;
    return listen(sim, reply, cap, reply_len, rssi);
}

static bool sim_field(void *ctx, bool on)
{
    sim_radio *sim = ctx;
    if (on && sim->broken) {
        return false;
    }
    sim->round_open = false;
    if (on == sim->field_on) {
        return true;
    }
    sim->field_on = on;
    for (size_t i = 0; i < sim->count; i++) {
        sim_tag *tag = &sim->tags[i];
        tag->inventoried = false;
        tag->state = !on || happens(sim, sim->detuned) ? SIM_TAG_OFF : SIM_TAG_READY;
    }
    if (on) {
        spend(sim, sim->settle_us, &sim->air.settle_us);
    }
    return true;
}

static bool sim_select(void *ctx, uint8_t antenna)
{
    sim_radio *sim = ctx;
    if (antenna < 1 || antenna > SIM_MAX_ANTENNAS) {
        return false;
    }
    (void)sim_field(sim, false);
    sim->antenna = antenna;
    return true;
}

static uint32_t sim_now_ms(void *ctx)
{
    const sim_radio *sim = ctx;
    return (uint32_t)(sim->clock_us / 1000);
}

void sim_radio_init(sim_radio *sim, uint64_t seed)
{
    memset(sim, 0, sizeof *sim);
    sim->antenna = 1;
    sim->random = seed;
    sim->settle_us = SETTLE_US;
}

static bool listed(const sim_tag *tag, const uint8_t *uids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (memcmp(tag->uid, uids + i * BL_ISO15693_UID_BYTES, BL_ISO15693_UID_BYTES) == 0) {
            return true;
        }
    }
    return false;
}

static bool lies_on(const sim_radio *sim, uint8_t antenna, const uint8_t *uid)
{
    for (size_t i = 0; i < sim->count; i++) {
        if (sim->tags[i].antenna == antenna && listed(&sim->tags[i], uid, 1)) {
            return true;
        }
    }
    return false;
}

bool sim_radio_set_tags(sim_radio *sim, uint8_t antenna, const uint8_t *uids, size_t n)
{
    size_t others = 0;
    for (size_t i = 0; i < sim->count; i++) {
        others += sim->tags[i].antenna != antenna;
    }
    if (antenna < 1 || antenna > SIM_MAX_ANTENNAS || n > SIM_MAX_TAGS - others) {
        return false;
    }
    size_t kept = 0;
    for (size_t i = 0; i < sim->count; i++) {
        if (sim->tags[i].antenna != antenna || listed(&sim->tags[i], uids, n)) {
            sim->tags[kept++] = sim->tags[i];
        }
    }
    sim->count = kept;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *uid = uids + i * BL_ISO15693_UID_BYTES;
        if (lies_on(sim, antenna, uid)) {
            continue;
        }
        sim_tag *tag = &sim->tags[sim->count++];
        memset(tag, 0, sizeof *tag);
        memcpy(tag->uid, uid, BL_ISO15693_UID_BYTES);
        tag->antenna = antenna;
        tag->rssi = (uint8_t)(60 + next_random(sim) % 120);
        tag->state = sim->field_on ? SIM_TAG_READY : SIM_TAG_OFF;
    }
    return true;
}

void sim_radio_advance(sim_radio *sim, uint64_t us)
{
    sim->clock_us += us;
}

bl_radio sim_radio_interface(sim_radio *sim)
{
    bl_radio radio = {sim, sim_field, sim_select, sim_request, sim_next_slot, sim_now_ms};
    return radio;
}
