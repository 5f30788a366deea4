#include "bl_message.h"

#include <string.h>

#include "bl_bytes.h"

enum {
    HELLO_BYTES = 9, /* without the serial number */
    SNAPSHOT_BYTES = 9,
    RECORD_BYTES = 13,
    HEALTH_BYTES = 28,
    ACK_BYTES = 3,
};

/* The payload of a command; 0 for what is none. */
static size_t command_bytes(uint8_t type)
{
    switch (type) {
    case BL_IDENTIFY:
    case BL_REBOOT:
        return 2;
    case BL_READ:
    case BL_FIELD:
        return 3;
    case BL_PACE:
    case BL_LED:
        return 5;
    default:
        return 0;
    }
}

bool bl_message_fits(uint8_t type, size_t len)
{
    switch (type) {
    case BL_HELLO:
        return len >= HELLO_BYTES && len <= HELLO_BYTES + BL_SERIAL_BYTES;
    case BL_SNAPSHOT:
        return len >= SNAPSHOT_BYTES && (len - SNAPSHOT_BYTES) % RECORD_BYTES == 0 &&
               (len - SNAPSHOT_BYTES) / RECORD_BYTES <= BL_RECORDS_PER_FRAME;
    case BL_HEALTH:
        return len == HEALTH_BYTES;
    case BL_ACK:
        return len == ACK_BYTES;
    default:
        return len != 0 && len == command_bytes(type);
    }
}

static bool decode_hello(const uint8_t *in, size_t len, bl_hello *hello)
{
    if (len != (size_t)HELLO_BYTES + in[8]) {
        return false;
    }
    hello->fw_major = in[0];
    hello->fw_minor = in[1];
    hello->board = in[2];
    hello->seat = in[3];
    hello->antennas = in[4];
    hello->max_tags = in[5];
    hello->capabilities = bl_get16(in + 6);
    hello->serial_len = in[8];
    memcpy(hello->serial, in + HELLO_BYTES, in[8]);
    for (size_t i = 0; i < in[8]; i++) {
        if (hello->serial[i] < 0x20 || hello->serial[i] > 0x7E) {
            return false;
        }
    }
    return true;
}

static size_t encode_hello(const bl_hello *hello, uint8_t *out, size_t cap)
{
    size_t len = (size_t)HELLO_BYTES + hello->serial_len;
    if (hello->serial_len > BL_SERIAL_BYTES || len > cap) {
        return 0;
    }
    out[0] = hello->fw_major;
    out[1] = hello->fw_minor;
    out[2] = hello->board;
    out[3] = hello->seat;
    out[4] = hello->antennas;
    out[5] = hello->max_tags;
    bl_put16(out + 6, hello->capabilities);
    out[8] = hello->serial_len;
    memcpy(out + HELLO_BYTES, hello->serial, hello->serial_len);
    return len;
}

static bool decode_snapshot(const uint8_t *in, size_t len, bl_snapshot *snapshot)
{
    if (len != SNAPSHOT_BYTES + (size_t)RECORD_BYTES * in[8]) {
        return false;
    }
    snapshot->number = bl_get32(in);
    snapshot->antenna = in[4];
    snapshot->flags = in[5];
    snapshot->cycle_ms = bl_get16(in + 6);
    snapshot->count = in[8];
    for (size_t i = 0; i < snapshot->count; i++) {
        const uint8_t *at = in + SNAPSHOT_BYTES + i * RECORD_BYTES;
        bl_record *record = &snapshot->records[i];
        if (at[0] != BL_ISO15693_UID_BYTES) {
            return false;
        }
        memcpy(record->uid, at + 1, BL_ISO15693_UID_BYTES);
        record->rssi = at[9];
        record->hits = at[10];
        record->age_ms = bl_get16(at + 11);
    }
    return true;
}

static size_t encode_snapshot(const bl_snapshot *snapshot, uint8_t *out, size_t cap)
{
    size_t len = SNAPSHOT_BYTES + (size_t)RECORD_BYTES * snapshot->count;
    if (snapshot->count > BL_RECORDS_PER_FRAME || len > cap) {
        return 0;
    }
    bl_put32(out, snapshot->number);
    out[4] = snapshot->antenna;
    out[5] = snapshot->flags;
    bl_put16(out + 6, snapshot->cycle_ms);
    out[8] = snapshot->count;
    for (size_t i = 0; i < snapshot->count; i++) {
        uint8_t *at = out + SNAPSHOT_BYTES + i * RECORD_BYTES;
        const bl_record *record = &snapshot->records[i];
        at[0] = BL_ISO15693_UID_BYTES;
        memcpy(at + 1, record->uid, BL_ISO15693_UID_BYTES);
        at[9] = record->rssi;
        at[10] = record->hits;
        bl_put16(at + 11, record->age_ms);
    }
    return len;
}

static bool decode_health(const uint8_t *in, bl_health *health)
{
    health->uptime_ms = bl_get32(in);
    health->cycles = bl_get32(in + 4);
    health->rf_errors = bl_get32(in + 8);
    health->collisions = bl_get32(in + 12);
    health->crc_errors = bl_get32(in + 16);
    health->overruns = bl_get32(in + 20);
    health->watchdog_resets = bl_get16(in + 24);
    uint16_t temperature = bl_get16(in + 26);
    memcpy(&health->temperature, &temperature, sizeof temperature);
    return true;
}

static size_t encode_health(const bl_health *health, uint8_t *out, size_t cap)
{
    if (cap < HEALTH_BYTES) {
        return 0;
    }
    bl_put32(out, health->uptime_ms);
    bl_put32(out + 4, health->cycles);
    bl_put32(out + 8, health->rf_errors);
    bl_put32(out + 12, health->collisions);
    bl_put32(out + 16, health->crc_errors);
    bl_put32(out + 20, health->overruns);
    bl_put16(out + 24, health->watchdog_resets);
    bl_put16(out + 26, (uint16_t)health->temperature);
    return HEALTH_BYTES;
}

static bool decode_command(uint8_t type, const uint8_t *in, bl_command *command)
{
    memset(command, 0, sizeof *command);
    command->command_id = bl_get16(in);
    switch (type) {
    case BL_READ:
        command->antenna = in[2];
        return true;
    case BL_PACE:
        command->antenna = in[2];
        command->cycle_ms = bl_get16(in + 3);
        return true;
    case BL_FIELD:
        command->on = in[2];
        return in[2] <= 1;
    case BL_LED:
        memcpy(command->rgb, in + 2, sizeof command->rgb);
        return true;
    default:
        return true;
    }
}

static size_t encode_command(uint8_t type, const bl_command *command, uint8_t *out, size_t cap)
{
    size_t len = command_bytes(type);
    if (len == 0 || len > cap) {
        return 0;
    }
    bl_put16(out, command->command_id);
    switch (type) {
    case BL_READ:
        out[2] = command->antenna;
        break;
    case BL_PACE:
        out[2] = command->antenna;
        bl_put16(out + 3, command->cycle_ms);
        break;
    case BL_FIELD:
        out[2] = command->on;
        break;
    case BL_LED:
        memcpy(out + 2, command->rgb, sizeof command->rgb);
        break;
    default:
        break;
    }
    return len;
}

bool bl_message_decode(uint8_t type, const uint8_t *payload, size_t len, bl_message *message)
{
    if (!bl_message_fits(type, len)) {
        return false;
    }
    message->type = type;
    switch (type) {
    case BL_HELLO:
        return decode_hello(payload, len, &message->as.hello);
    case BL_SNAPSHOT:
        return decode_snapshot(payload, len, &message->as.snapshot);
    case BL_HEALTH:
        return decode_health(payload, &message->as.health);
    case BL_ACK:
        message->as.ack.command_id = bl_get16(payload);
        message->as.ack.result = payload[2];
        return true;
    default:
        return decode_command(type, payload, &message->as.command);
    }
}

size_t bl_message_encode(const bl_message *message, uint8_t *out, size_t cap)
{
    switch (message->type) {
    case BL_HELLO:
        return encode_hello(&message->as.hello, out, cap);
    case BL_SNAPSHOT:
        return encode_snapshot(&message->as.snapshot, out, cap);
    case BL_HEALTH:
        return encode_health(&message->as.health, out, cap);
    case BL_ACK:
        if (cap < ACK_BYTES) {
            return 0;
        }
        bl_put16(out, message->as.ack.command_id);
        out[2] = message->as.ack.result;
        return ACK_BYTES;
    default:
        return encode_command(message->type, &message->as.command, out, cap);
    }
}
