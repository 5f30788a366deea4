/*
 * The whole reader under a host that talks nonsense, half sense and sense, with tags that come and
 * go and time that jumps. Whatever it says must be an undamaged frame with a message, numbered
 * without a gap, at times that never go back.
 *
 *   reader_fuzz SEED BYTES: prints the frames said, by type, and the bytes heard
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bl_device.h"

static uint64_t state;
static bl_device device;
static bl_decoder decoder;
static uint32_t said_of_type[256];
static uint64_t last_us;
static uint16_t next_seq;
static uint32_t boot_id;
static unsigned tags_there;
static bl_frame latest;
static uint8_t latest_payload[BL_MAX_PAYLOAD];
static uint32_t snapshot_number;
static bool more_parts;

static uint32_t random_below(uint32_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % bound;
}

static void require(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "violated: %s\n", what);
        abort();
    }
}

static size_t tags_on(void *ctx, uint8_t antenna, uint8_t *uids, uint8_t *rssi, size_t cap,
                      bool *disturbed)
{
    (void)ctx;
    size_t count = 0;
    for (unsigned i = 0; i < tags_there && count < cap; i++) {
        if (random_below(20) == 0) {
            continue;
        }
        uint8_t *uid = uids + count * BL_ISO15693_UID_BYTES;
        memset(uid, 0, BL_ISO15693_UID_BYTES);
        uid[0] = 0xE0;
        uid[1] = antenna;
        uid[6] = (uint8_t)(i >> 8);
        uid[7] = (uint8_t)i;
        rssi[count++] = (uint8_t)random_below(256);
    }
    *disturbed = random_below(30) == 0;
    return count;
}

static void check_snapshot(const bl_snapshot *snapshot)
{
    require(snapshot->antenna >= 1 && snapshot->antenna <= device.setup.antennas, "an antenna");
    require(more_parts ? snapshot->number == snapshot_number : snapshot->number != snapshot_number,
            "parts of a snapshot share its number");
    for (size_t i = 0; i < snapshot->count; i++) {
        const bl_record *record = &snapshot->records[i];
        require(record->hits >= 1 && record->hits <= 8, "hits of eight cycles");
        require(record->uid[0] == 0xE0 && record->uid[1] == snapshot->antenna, "a UID that is there");
    }
    snapshot_number = snapshot->number;
    more_parts = (snapshot->flags & BL_SNAPSHOT_MORE) != 0;
}

static void said(void *ctx, uint64_t at_us, const uint8_t *data, size_t len)
{
    static bl_message message;
    (void)ctx;
    require(at_us >= last_us, "time does not go back");
    last_us = at_us;
    for (size_t i = 0; i < len; i++) {
        bl_frame frame;
        bool whole = bl_decoder_push(&decoder, data[i], &frame);
        require(whole == (i + 1 == len), "one frame at a time");
        if (!whole) {
            continue;
        }
        require(bl_message_decode(frame.type, frame.payload, frame.len, &message), "a message");
        require(frame.type < BL_IDENTIFY, "a message of a reader");
        if (frame.boot_id != boot_id) {
            require(frame.type == BL_HELLO, "HELLO first");
            boot_id = frame.boot_id;
            next_seq = 0;
            snapshot_number = UINT32_MAX;
            more_parts = false;
        }
        require(frame.seq == next_seq++, "numbers without a gap");
        require(frame.t_ms == (uint32_t)(at_us / 1000), "the time of the frame");
        require(!more_parts || frame.type == BL_SNAPSHOT, "parts follow one another");
        if (frame.type == BL_SNAPSHOT) {
            check_snapshot(&message.as.snapshot);
        }
        said_of_type[frame.type]++;
        memcpy(latest_payload, frame.payload, frame.len);
        latest = frame;
        latest.payload = latest_payload;
    }
}

static size_t sensible(uint8_t *out, size_t cap)
{
    uint8_t payload[8];
    for (size_t i = 0; i < sizeof payload; i++) {
        payload[i] = (uint8_t)random_below(4);
    }
    if (random_below(4) == 0) {
        payload[3] = payload[4] = 0xFF;
    }
    static const uint8_t LENGTHS[] = {2, 3, 5, 3, 5, 2};
    uint32_t type = random_below(random_below(8) == 0 ? 256 : 6);
    bool known = type < 6;
    bl_frame frame = {
        .type = (uint8_t)(known ? BL_IDENTIFY + type : type),
        .payload = payload,
        .len = known && random_below(10) != 0 ? LENGTHS[type] : random_below(8),
    };
    if (frame.type == BL_REBOOT && random_below(20) != 0) {
        frame.type = BL_READ;
        frame.len = 3;
    }
    return bl_frame_encode(&frame, out, cap);
}

/* What the host says next: a command, a damaged or echoed frame, or noise. */
static size_t talk(uint8_t *out, size_t cap)
{
    size_t len = sensible(out, cap);
    switch (random_below(8)) {
    case 0:
        out[random_below((uint32_t)len)] ^= (uint8_t)(1u << random_below(8));
        return len;
    case 1:
        return random_below((uint32_t)len);
    case 2:
        len = random_below((uint32_t)cap);
        for (size_t i = 0; i < len; i++) {
            out[i] = (uint8_t)random_below(256);
        }
        return len;
    case 3:
        memset(out, 1 + (int)random_below(4), cap);
        return cap;
    case 4:
        return latest.len == 0 ? len : bl_frame_encode(&latest, out, cap);
    default:
        return len;
    }
}

int main(int count, char **words)
{
    if (count != 3) {
        fputs("usage: reader_fuzz SEED BYTES\n", stderr);
        return 2;
    }
    static uint8_t burst[BL_MAX_FRAME + 400];
    uint64_t now_us = 0xFFFFF000ull * 1000u; /* the reader's clock wraps soon */
    uint64_t heard = 0;
    uint64_t most = strtoull(words[2], NULL, 10);
    state = strtoull(words[1], NULL, 10) * 0x9E3779B97F4A7C15u + 1;
    bl_device_setup setup = {
        .antennas = (uint8_t)(1 + random_below(BL_MAX_ANTENNAS)),
        .air_permille = 1000,
        .serial = "FUZZ",
        .tags = tags_on,
        .said = said,
    };
    bl_decoder_init(&decoder);
    boot_id = 0;
    bl_device_power_on(&device, &setup, 1, now_us);
    while (heard < most) {
        size_t len = talk(burst, sizeof burst);
        for (size_t at = 0; at < len;) {
            size_t piece = 1 + random_below((uint32_t)(len - at));
            bl_device_receive(&device, burst + at, piece, now_us);
            at += piece;
        }
        heard += len;
        now_us += random_below(4) == 0 ? random_below(900000) : random_below(3000);
        bl_device_speak(&device, now_us);
        require(bl_device_next_us(&device) > now_us, "what was due is done");
        if (random_below(10) == 0) {
            static const unsigned COUNTS[] = {0, 1, 2, 30, 60, 121, 250, 520};
            tags_there = COUNTS[random_below(8)];
        }
    }
    for (unsigned type = 0; type < 256; type++) {
        if (said_of_type[type] != 0) {
            printf("%u %u\n", type, said_of_type[type]);
        }
    }
    printf("heard %llu\n", (unsigned long long)heard);
    return 0;
}
