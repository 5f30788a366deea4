/* The codec of the core for tests: what it makes of a stream of bytes, in bytes and in words. */
#include <stdio.h>
#include <string.h>

#include "bl_frame.h"
#include "bl_message.h"

static bl_decoder decoder;

void shim_begin(void)
{
    bl_decoder_init(&decoder);
}

void shim_counters(uint32_t *out)
{
    const bl_decoder_counters *counters = &decoder.counters;
    uint32_t all[] = {counters->frames,   counters->damaged, counters->versions,
                      counters->overruns, counters->resyncs, counters->dropped};
    memcpy(out, all, sizeof all);
}

static size_t describe_snapshot(const bl_snapshot *snapshot, char *out, size_t cap)
{
    size_t len = (size_t)snprintf(out, cap, "%u %u %u %u", (unsigned)snapshot->number,
                                  snapshot->antenna, snapshot->flags, snapshot->cycle_ms);
    for (size_t i = 0; i < snapshot->count; i++) {
        const bl_record *record = &snapshot->records[i];
        len += (size_t)snprintf(out + len, cap - len, " ");
        for (size_t byte = 0; byte < BL_ISO15693_UID_BYTES; byte++) {
            len += (size_t)snprintf(out + len, cap - len, "%02x", record->uid[byte]);
        }
        len += (size_t)snprintf(out + len, cap - len, " %u %u %u", record->rssi, record->hits,
                                record->age_ms);
    }
    return len;
}

static size_t describe(const bl_message *message, char *out, size_t cap)
{
    const bl_hello *hello = &message->as.hello;
    const bl_health *health = &message->as.health;
    const bl_command *command = &message->as.command;
    switch (message->type) {
    case BL_HELLO:
        return (size_t)snprintf(out, cap, "%u %u %u %u %u %u %u %.*s", hello->fw_major,
                                hello->fw_minor, hello->board, hello->seat, hello->antennas,
                                hello->max_tags, hello->capabilities, (int)hello->serial_len,
                                (const char *)hello->serial);
    case BL_SNAPSHOT:
        return describe_snapshot(&message->as.snapshot, out, cap);
    case BL_HEALTH:
        return (size_t)snprintf(out, cap, "%u %u %u %u %u %u %u %d", (unsigned)health->uptime_ms,
                                (unsigned)health->cycles, (unsigned)health->rf_errors,
                                (unsigned)health->collisions, (unsigned)health->crc_errors,
                                (unsigned)health->overruns, health->watchdog_resets,
                                health->temperature);
    case BL_ACK:
        return (size_t)snprintf(out, cap, "%u %u", message->as.ack.command_id,
                                message->as.ack.result);
    case BL_READ:
        return (size_t)snprintf(out, cap, "%u %u", command->command_id, command->antenna);
    case BL_PACE:
        return (size_t)snprintf(out, cap, "%u %u %u", command->command_id, command->antenna,
                                command->cycle_ms);
    case BL_FIELD:
        return (size_t)snprintf(out, cap, "%u %u", command->command_id, command->on);
    case BL_LED:
        return (size_t)snprintf(out, cap, "%u %u %u %u", command->command_id, command->rgb[0],
                                command->rgb[1], command->rgb[2]);
    default:
        return (size_t)snprintf(out, cap, "%u", command->command_id);
    }
}

/*
 * Feeds bytes. Each frame that they end is read, described in a line of words and written again
 * into out; a frame that is no message is described as such. Gives the length of what was
 * written; told is the length of the words.
 */
size_t shim_feed(const uint8_t *data, size_t len, uint8_t *out, size_t cap, char *words,
                 size_t words_cap, size_t *told)
{
    static bl_message message;
    uint8_t payload[BL_MAX_PAYLOAD];
    size_t made = 0;
    *told = 0;
    for (size_t i = 0; i < len; i++) {
        bl_frame frame;
        if (!bl_decoder_push(&decoder, data[i], &frame)) {
            continue;
        }
        char *line = words + *told;
        size_t room = words_cap - *told;
        size_t head = (size_t)snprintf(line, room, "%u %u %u %u: ", frame.type, frame.seq,
                                       (unsigned)frame.boot_id, (unsigned)frame.t_ms);
        *told += head;
        if (!bl_message_decode(frame.type, frame.payload, frame.len, &message)) {
            *told += (size_t)snprintf(line + head, room - head, "no message\n");
            continue;
        }
        *told += describe(&message, line + head, room - head);
        *told += (size_t)snprintf(words + *told, words_cap - *told, "\n");
        frame.payload = payload;
        frame.len = bl_message_encode(&message, payload, sizeof payload);
        made += bl_frame_encode(&frame, out + made, cap - made);
    }
    return made;
}

static uint64_t state;

static uint32_t number(unsigned bits)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    uint32_t value = (uint32_t)(state >> 33) ^ (uint32_t)(state >> 11) << 16;
    uint32_t most = bits == 32 ? UINT32_MAX : (1u << bits) - 1u;
    switch (state >> 61) {
    case 0:
        return 0;
    case 1:
        return most;
    default:
        return value & most;
    }
}

/* A random message, made and written by C alone. */
size_t shim_random(uint64_t seed, uint8_t *out, size_t cap)
{
    static const uint8_t TYPES[] = {BL_HELLO, BL_SNAPSHOT, BL_HEALTH, BL_ACK,  BL_IDENTIFY,
                                    BL_READ,  BL_PACE,     BL_FIELD,  BL_LED,  BL_REBOOT};
    static bl_message message;
    uint8_t payload[BL_MAX_PAYLOAD];
    memset(&message, 0, sizeof message);
    state = seed * 0x9E3779B97F4A7C15u + 1;
    for (int i = 0; i < 4; i++) {
        (void)number(32);
    }
    message.type = TYPES[seed % sizeof TYPES];
    if (message.type == BL_HELLO) {
        bl_hello *hello = &message.as.hello;
        *hello = (bl_hello){(uint8_t)number(8), (uint8_t)number(8), (uint8_t)number(8),
                            (uint8_t)number(8), (uint8_t)number(8), (uint8_t)number(8),
                            (uint16_t)number(16), (uint8_t)(number(16) % 33), {0}};
        for (size_t i = 0; i < hello->serial_len; i++) {
            hello->serial[i] = (uint8_t)(0x20 + number(16) % 95);
        }
    } else if (message.type == BL_SNAPSHOT) {
        bl_snapshot *snapshot = &message.as.snapshot;
        snapshot->number = number(32);
        snapshot->antenna = (uint8_t)number(8);
        snapshot->flags = (uint8_t)number(8);
        snapshot->cycle_ms = (uint16_t)number(16);
        snapshot->count = (uint8_t)(number(16) % (BL_RECORDS_PER_FRAME + 1));
        for (size_t i = 0; i < snapshot->count; i++) {
            bl_record *record = &snapshot->records[i];
            for (size_t byte = 0; byte < BL_ISO15693_UID_BYTES; byte++) {
                record->uid[byte] = (uint8_t)number(8);
            }
            record->rssi = (uint8_t)number(8);
            record->hits = (uint8_t)number(8);
            record->age_ms = (uint16_t)number(16);
        }
    } else if (message.type == BL_HEALTH) {
        message.as.health = (bl_health){number(32), number(32), number(32),           number(32),
                                        number(32), number(32), (uint16_t)number(16), 0};
        uint16_t temperature = (uint16_t)number(16);
        memcpy(&message.as.health.temperature, &temperature, sizeof temperature);
    } else if (message.type == BL_ACK) {
        message.as.ack = (bl_ack){(uint16_t)number(16), (uint8_t)number(8)};
    } else {
        message.as.command = (bl_command){(uint16_t)number(16),
                                          (uint8_t)number(8),
                                          (uint16_t)number(16),
                                          (uint8_t)number(1),
                                          {(uint8_t)number(8), (uint8_t)number(8), (uint8_t)number(8)}};
    }
    bl_frame frame = {
        .type = message.type,
        .seq = (uint16_t)number(16),
        .boot_id = number(32),
        .t_ms = number(32),
        .payload = payload,
        .len = bl_message_encode(&message, payload, sizeof payload),
    };
    return bl_frame_encode(&frame, out, cap);
}
