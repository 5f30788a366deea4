/*
 * ISO 15693 inventory of many tags: 16 slots, mask extension, Stay Quiet.
 *
 * Portable C11: no allocation, no clock and no radio of its own. The board gives a bl_radio;
 * the tests give a simulated one. Bytes on the air follow ISO/IEC 15693-3: CRC low byte
 * first, UID least significant byte first.
 */
#ifndef BL_ISO15693_H
#define BL_ISO15693_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BL_ISO15693_UID_BYTES 8u
#define BL_ISO15693_REPLY_BYTES 12u  /* flags, DSFID, UID, CRC */
#define BL_ISO15693_REQUEST_BYTES 13u /* the longest request: inventory with a mask of 60 bits */
#define BL_ISO15693_SLOTS 16u
#define BL_ISO15693_MASK_LEVELS 16u   /* masks of 0, 4, 8 ... 60 bits */
#define BL_ISO15693_MAX_PASSES 12u    /* from the empty mask, until one pass hears nothing new */
#define BL_ISO15693_MAX_ROUNDS 600u   /* requests with 16 slots in one inventory */
#define BL_ISO15693_MAX_MS 9000u      /* of one inventory by bl_radio.now_ms */

/* One tag: UID with its most significant byte (E0) first; rssi as the radio gives it, 0 unknown. */
typedef struct {
    uint8_t uid[BL_ISO15693_UID_BYTES];
    uint8_t rssi;
    uint8_t dsfid;
} bl_tag;

/* What one slot held. ERROR is an answer that the radio could not read; its data is not used. */
typedef enum { BL_SLOT_EMPTY, BL_SLOT_REPLY, BL_SLOT_COLLISION, BL_SLOT_ERROR } bl_slot;

/*
 * The radio. Requests and replies carry their CRC: the core makes it and checks it.
 * Field off must last long enough that tags lose their state, field on must return when tags
 * are ready. Select leaves the field off. False means that the hardware did not obey.
 */
typedef struct bl_radio {
    void *ctx;
    bool (*field)(void *ctx, bool on);
    bool (*select)(void *ctx, uint8_t antenna);
    /* Sends the frame and listens in the first slot. */
    bl_slot (*request)(void *ctx, const uint8_t *frame, size_t len, uint8_t *reply, size_t cap,
                       size_t *reply_len, uint8_t *rssi);
    /* Sends an end of frame and listens in the next slot. */
    bl_slot (*next_slot)(void *ctx, uint8_t *reply, size_t cap, size_t *reply_len, uint8_t *rssi);
    uint32_t (*now_ms)(void *ctx);
} bl_radio;

typedef struct {
    uint16_t rounds;     /* requests with 16 slots */
    uint16_t collisions; /* slots with several answers */
    uint16_t errors;     /* slots with a damaged answer */
    bool overflow;       /* no room or no time for more tags: the same ones are left out again */
    /* It ended before a quiet pass, by a bound or in noise in every slot: tags may be missing. */
    bool unsettled;
    bool fault;          /* the radio refused the field */
} bl_inventory_stats;

/* An inventory under way. Callers read count and stats; the rest is its own. */
typedef struct {
    const bl_radio *radio;
    bl_tag *tags;
    size_t cap;
    size_t count;
    bl_inventory_stats stats;
    uint32_t started_ms;
    uint16_t pending[BL_ISO15693_MASK_LEVELS]; /* for each level: nibbles that must be asked again */
    uint8_t prefix[BL_ISO15693_MASK_LEVELS];   /* nibbles of the mask, lowest of the UID first */
    uint8_t level;                             /* nibbles in the mask of the next round */
    uint8_t passes;
    bool pass_was_quiet;
    bool done;
} bl_inventory;

/*
 * Takes the field off and on, so that every tag answers again, and makes the first round ready.
 * The antenna must have been selected. No tag is no error.
 */
void bl_iso15693_begin(bl_inventory *inventory, const bl_radio *radio, bl_tag *tags, size_t cap);

/*
 * One round of 16 slots and a Stay Quiet for each tag read in it: at most about 140 ms of air
 * time. True while there is more to do; a main loop does its other duties between two calls.
 */
bool bl_iso15693_step(bl_inventory *inventory);

/* A whole inventory at one call: the number of tags found, at most cap. The field stays on. */
size_t bl_iso15693_inventory(const bl_radio *radio, bl_tag *tags, size_t cap,
                             bl_inventory_stats *stats);

/* CRC of ISO 15693 (CRC-16/X-25: reflected 8408, initial FFFF, inverted; check 906E). */
uint16_t bl_iso15693_crc(const uint8_t *data, size_t len);

/*
 * An inventory request with 16 slots whose mask is nibbles nibbles (at most 15), lowest of the UID
 * first. Gives its length with the CRC. out holds BL_ISO15693_REQUEST_BYTES.
 */
size_t bl_iso15693_inventory_request(const uint8_t *prefix, size_t nibbles, uint8_t *out);

/* A Stay Quiet for one tag. Gives its length with the CRC. */
size_t bl_iso15693_stay_quiet_request(const uint8_t uid[BL_ISO15693_UID_BYTES], uint8_t *out);

/*
 * Reads an answer to an inventory. False when its length, flags or CRC are wrong, and tag is
 * then untouched.
 */
bool bl_iso15693_read_reply(const uint8_t *reply, size_t len, bl_tag *tag);

#endif
