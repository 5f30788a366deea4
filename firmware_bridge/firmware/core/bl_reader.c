#include "bl_reader.h"

#include <string.h>

#include "bl_bytes.h"

/* Times wrap after 49 days: only their differences mean something. */
static bool is_due(uint32_t now_ms, uint32_t due_ms)
{
    return (int32_t)(now_ms - due_ms) >= 0;
}

static uint32_t now_of(const bl_reader *reader)
{
    return reader->radio->now_ms(reader->radio->ctx);
}

static void send(bl_reader *reader, uint32_t now_ms)
{
    size_t len = bl_message_encode(&reader->message, reader->payload, sizeof reader->payload);
    bl_frame frame = {
        .type = reader->message.type,
        .seq = reader->seq++,
        .boot_id = reader->identity.boot_id,
        .t_ms = now_ms,
        .payload = reader->payload,
        .len = len,
    };
    size_t framed = bl_frame_encode(&frame, reader->frame, sizeof reader->frame);
    reader->board->write(reader->board->ctx, reader->frame, framed);
}

static void send_hello(bl_reader *reader)
{
    const bl_identity *identity = &reader->identity;
    bl_hello *hello = &reader->message.as.hello;
    reader->message.type = BL_HELLO;
    hello->fw_major = BL_FW_MAJOR;
    hello->fw_minor = BL_FW_MINOR;
    hello->board = identity->board;
    hello->seat = identity->seat;
    hello->antennas = identity->antennas;
    hello->max_tags = BL_MAX_TAGS < UINT8_MAX ? BL_MAX_TAGS : UINT8_MAX;
    hello->capabilities = identity->capabilities;
    size_t len = strlen(identity->serial);
    hello->serial_len = (uint8_t)(len < BL_SERIAL_BYTES ? len : BL_SERIAL_BYTES);
    memcpy(hello->serial, identity->serial, hello->serial_len);
    send(reader, now_of(reader));
}

static void send_health(bl_reader *reader, uint32_t now_ms)
{
    const bl_decoder_counters *line = &reader->decoder.counters;
    const bl_board *board = reader->board;
    bl_health *health = &reader->message.as.health;
    reader->message.type = BL_HEALTH;
    health->uptime_ms = now_ms - reader->boot_ms;
    health->cycles = reader->cycles;
    health->rf_errors = reader->rf_errors;
    health->collisions = reader->collisions;
    health->crc_errors = line->damaged + line->versions + reader->malformed;
    health->overruns = line->overruns;
    health->watchdog_resets = reader->identity.watchdog_resets;
    health->temperature = board->temperature != NULL ? board->temperature(board->ctx)
                                                     : (int16_t)BL_TEMPERATURE_UNKNOWN;
    send(reader, now_ms);
    reader->health_due_ms = now_ms + BL_HEALTH_MS;
}

static void send_ack(bl_reader *reader, uint16_t command_id, uint8_t result)
{
    reader->message.type = BL_ACK;
    reader->message.as.ack.command_id = command_id;
    reader->message.as.ack.result = result;
    send(reader, now_of(reader));
}

/* Answers a command for good: if it is repeated it is answered again, and not done again. */
static void conclude(bl_reader *reader, uint16_t command_id, uint8_t result)
{
    if (reader->done_count == BL_COMMANDS_KEPT) {
        memmove(reader->done, reader->done + 1, sizeof reader->done - sizeof reader->done[0]);
        reader->done_count--;
    }
    reader->done[reader->done_count].id = command_id;
    reader->done[reader->done_count].result = result;
    reader->done_count++;
    send_ack(reader, command_id, result);
}

static uint8_t hits_of(const bl_known *known)
{
    uint8_t hits = 0;
    for (uint8_t rest = known->cycles; rest != 0; rest &= (uint8_t)(rest - 1)) {
        hits++;
    }
    return hits;
}

/* A tag that answered in this cycle has the age 0, and no other. */
static uint16_t age_of(const bl_known *known, uint32_t now_ms)
{
    uint32_t age_ms = now_ms - known->heard_ms;
    if ((known->cycles & 1u) != 0) {
        return 0;
    }
    return (uint16_t)(age_ms == 0 ? 1 : age_ms < UINT16_MAX ? age_ms : UINT16_MAX);
}

static uint16_t cycle_time(uint32_t now_ms, uint32_t began_ms)
{
    uint32_t cycle_ms = now_ms - began_ms;
    return (uint16_t)(cycle_ms < UINT16_MAX ? cycle_ms : UINT16_MAX);
}

/* Sends the tags of an antenna in as many parts as they need; with the field off it knows none. */
static void send_snapshot(bl_reader *reader, uint8_t antenna, uint8_t flags, uint32_t now_ms)
{
    bl_snapshot *snapshot = &reader->message.as.snapshot;
    size_t next = (flags & BL_SNAPSHOT_FIELD_OFF) != 0 ? reader->known_count : 0;
    uint32_t number = reader->snapshots++;
    bool more = true;
    while (more) {
        reader->message.type = BL_SNAPSHOT;
        snapshot->number = number;
        snapshot->antenna = antenna;
        snapshot->cycle_ms = cycle_time(now_ms, reader->cycle_began_ms);
        snapshot->count = 0;
        more = false;
        for (; next < reader->known_count; next++) {
            bl_known *known = &reader->known[next];
            if (known->antenna != antenna) {
                continue;
            }
            if (snapshot->count == BL_RECORDS_PER_FRAME) {
                more = true;
                break;
            }
            bl_record *record = &snapshot->records[snapshot->count++];
            memcpy(record->uid, known->uid, BL_ISO15693_UID_BYTES);
            record->rssi = known->rssi;
            record->hits = hits_of(known);
            record->age_ms = age_of(known, now_ms);
            known->told = (known->cycles & 1u) != 0;
        }
        snapshot->flags = (uint8_t)(flags | (more ? BL_SNAPSHOT_MORE : 0));
        send(reader, now_ms);
    }
    reader->antennas[antenna - 1].told_ms = now_ms;
    reader->antennas[antenna - 1].ever_told = true;
}

static bl_known *find(bl_reader *reader, uint8_t antenna, const uint8_t *uid)
{
    for (size_t i = 0; i < reader->known_count; i++) {
        bl_known *known = &reader->known[i];
        if (known->antenna == antenna && memcmp(known->uid, uid, BL_ISO15693_UID_BYTES) == 0) {
            return known;
        }
    }
    return NULL;
}

/* Room for one more: in place of the tag that was heard longest ago, if all places are taken. */
static bl_known *make_room(bl_reader *reader)
{
    if (reader->known_count < BL_KNOWN_TAGS) {
        return &reader->known[reader->known_count++];
    }
    size_t oldest = BL_KNOWN_TAGS;
    for (size_t i = 0; i < BL_KNOWN_TAGS; i++) {
        bool missed = (reader->known[i].cycles & 1u) == 0;
        if (missed && (oldest == BL_KNOWN_TAGS ||
                       (int32_t)(reader->known[i].heard_ms - reader->known[oldest].heard_ms) < 0)) {
            oldest = i;
        }
    }
    if (oldest == BL_KNOWN_TAGS) {
        return NULL;
    }
    memmove(&reader->known[oldest], &reader->known[oldest + 1],
            (BL_KNOWN_TAGS - oldest - 1) * sizeof reader->known[0]);
    return &reader->known[BL_KNOWN_TAGS - 1];
}

/* Takes a complete cycle in. False when a tag found no place. */
static bool remember(bl_reader *reader, uint8_t antenna, size_t count, uint32_t now_ms)
{
    bool all = true;
    for (size_t i = 0; i < reader->known_count; i++) {
        if (reader->known[i].antenna == antenna) {
            reader->known[i].cycles = (uint8_t)(reader->known[i].cycles << 1);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const bl_tag *tag = &reader->heard[i];
        bl_known *known = find(reader, antenna, tag->uid);
        if (known == NULL) {
            known = make_room(reader);
            if (known == NULL) {
                all = false;
                continue;
            }
            memset(known, 0, sizeof *known);
            memcpy(known->uid, tag->uid, BL_ISO15693_UID_BYTES);
            known->antenna = antenna;
        }
        known->cycles |= 1u;
        known->rssi = tag->rssi;
        known->heard_ms = now_ms;
    }
    size_t kept = 0;
    for (size_t i = 0; i < reader->known_count; i++) {
        if (reader->known[i].cycles != 0) {
            reader->known[kept++] = reader->known[i];
        }
    }
    reader->known_count = kept;
    return all;
}

static bool has_changed(const bl_reader *reader, uint8_t antenna)
{
    for (size_t i = 0; i < reader->known_count; i++) {
        const bl_known *known = &reader->known[i];
        if (known->antenna == antenna && known->told != ((known->cycles & 1u) != 0)) {
            return true;
        }
    }
    return false;
}

/* Whether waiting for the next cycle would leave the host without news for too long. */
static bool must_tell(const bl_antenna *antenna, uint32_t now_ms)
{
    uint32_t pace_ms = antenna->pace_ms == BL_PACE_OFF ? BL_TOLD_MS : antenna->pace_ms;
    return !antenna->ever_told || now_ms + pace_ms - antenna->told_ms > BL_TOLD_MS;
}

/* The antenna of this cycle rests until its pace says so; a READ goes on with its next one. */
static void end_cycle(bl_reader *reader, uint32_t pace_ms, uint32_t now_ms)
{
    bl_antenna *antenna = &reader->antennas[reader->cycle_antenna - 1];
    antenna->due_ms = reader->cycle_began_ms + pace_ms;
    if (!is_due(antenna->due_ms, now_ms)) {
        antenna->due_ms = now_ms;
    }
    reader->cycle_antenna = 0;
    if (!reader->reading) {
        return;
    }
    if (reader->read_antenna == reader->read_last) {
        reader->reading = false;
        conclude(reader, reader->read_id, BL_OK);
    } else {
        reader->read_antenna++;
    }
}

static uint32_t slow_pace(const bl_antenna *antenna)
{
    return antenna->pace_ms < BL_USUAL_PACE_MS ? BL_USUAL_PACE_MS : antenna->pace_ms;
}

static void finish_cycle(bl_reader *reader)
{
    uint8_t number = reader->cycle_antenna;
    const bl_antenna *antenna = &reader->antennas[number - 1];
    const bl_inventory_stats *stats = &reader->inventory.stats;
    uint32_t now_ms = now_of(reader);
    uint8_t flags = reader->reading ? BL_SNAPSHOT_READ : 0;
    reader->cycles++;
    reader->rf_errors += stats->errors;
    reader->collisions += stats->collisions;
    if (stats->unsettled) {
        flags |= BL_SNAPSHOT_RF_WARNING;
    }
    bool all = remember(reader, number, reader->inventory.count, now_ms);
    if (stats->overflow || !all) {
        flags |= BL_SNAPSHOT_OVERFLOW;
    }
    if (reader->reading || has_changed(reader, number) || must_tell(antenna, now_ms)) {
        send_snapshot(reader, number, flags, now_ms);
    }
    end_cycle(reader, antenna->pace_ms, now_ms);
}

/* The radio did not obey: this cycle told nothing. */
static void fail_cycle(bl_reader *reader)
{
    uint32_t now_ms = now_of(reader);
    reader->rf_errors++;
    if (reader->reading) {
        reader->reading = false;
        conclude(reader, reader->read_id, BL_HARDWARE_FAULT);
    }
    end_cycle(reader, slow_pace(&reader->antennas[reader->cycle_antenna - 1]), now_ms);
}

static void skip_cycle(bl_reader *reader)
{
    uint8_t number = reader->cycle_antenna;
    const bl_antenna *antenna = &reader->antennas[number - 1];
    uint32_t now_ms = now_of(reader);
    uint8_t flags = BL_SNAPSHOT_FIELD_OFF;
    if (reader->reading || must_tell(antenna, now_ms)) {
        flags |= reader->reading ? BL_SNAPSHOT_READ : 0;
        send_snapshot(reader, number, flags, now_ms);
    }
    end_cycle(reader, slow_pace(antenna), now_ms);
}

static void begin_cycle(bl_reader *reader, uint8_t antenna)
{
    const bl_radio *radio = reader->radio;
    reader->cycle_antenna = antenna;
    reader->cycle_began_ms = now_of(reader);
    if (!reader->field_on) {
        skip_cycle(reader);
    } else if (!radio->select(radio->ctx, antenna)) {
        fail_cycle(reader);
    } else {
        bl_iso15693_begin(&reader->inventory, radio, reader->heard, BL_MAX_TAGS);
        if (reader->inventory.stats.fault) {
            fail_cycle(reader);
        }
    }
}

/* The antenna whose cycle has been due for longest; 0 when none is. */
static uint8_t next_antenna(const bl_reader *reader, uint32_t now_ms)
{
    uint8_t chosen = 0;
    uint32_t most_ms = 0;
    for (uint8_t number = 1; number <= reader->identity.antennas; number++) {
        const bl_antenna *antenna = &reader->antennas[number - 1];
        uint32_t late_ms = now_ms - antenna->due_ms;
        if (antenna->pace_ms != BL_PACE_OFF && is_due(now_ms, antenna->due_ms) &&
            (chosen == 0 || late_ms > most_ms)) {
            chosen = number;
            most_ms = late_ms;
        }
    }
    return chosen;
}

void bl_reader_poll(bl_reader *reader)
{
    uint32_t now_ms = now_of(reader);
    if (reader->rebooting) {
        return;
    }
    if (reader->board->kick != NULL) {
        reader->board->kick(reader->board->ctx);
    }
    if (is_due(now_ms, reader->health_due_ms)) {
        send_health(reader, now_ms);
    }
    if (reader->cycle_antenna == 0) {
        uint8_t next = reader->reading ? reader->read_antenna : next_antenna(reader, now_ms);
        if (next != 0) {
            begin_cycle(reader, next);
        }
    }
    if (reader->cycle_antenna != 0 && !bl_iso15693_step(&reader->inventory)) {
        finish_cycle(reader);
    }
}

uint32_t bl_reader_wait_ms(const bl_reader *reader)
{
    uint32_t now_ms = now_of(reader);
    if (reader->rebooting) {
        return BL_HEALTH_MS;
    }
    if (reader->reading || reader->cycle_antenna != 0 || is_due(now_ms, reader->health_due_ms)) {
        return 0;
    }
    uint32_t wait_ms = reader->health_due_ms - now_ms;
    for (uint8_t number = 1; number <= reader->identity.antennas; number++) {
        const bl_antenna *antenna = &reader->antennas[number - 1];
        if (antenna->pace_ms == BL_PACE_OFF) {
            continue;
        }
        if (is_due(now_ms, antenna->due_ms)) {
            return 0;
        }
        if (antenna->due_ms - now_ms < wait_ms) {
            wait_ms = antenna->due_ms - now_ms;
        }
    }
    return wait_ms;
}

/* A READ goes before a cycle that nobody asked for, which is dropped. */
static void start_reading(bl_reader *reader, const bl_command *command)
{
    if (reader->reading) {
        if (command->command_id != reader->read_id) {
            send_ack(reader, command->command_id, BL_BUSY);
        }
        return;
    }
    if (command->antenna > reader->identity.antennas) {
        conclude(reader, command->command_id, BL_BAD_PARAMETER);
        return;
    }
    reader->cycle_antenna = 0;
    reader->reading = true;
    reader->read_id = command->command_id;
    reader->read_antenna = command->antenna == 0 ? 1 : command->antenna;
    reader->read_last = command->antenna == 0 ? reader->identity.antennas : command->antenna;
}

static uint8_t set_pace(bl_reader *reader, const bl_command *command)
{
    uint32_t now_ms = now_of(reader);
    bool sane = command->cycle_ms <= BL_TOLD_MS || command->cycle_ms == BL_PACE_OFF;
    if (command->antenna > reader->identity.antennas || !sane) {
        return BL_BAD_PARAMETER;
    }
    for (uint8_t number = 1; number <= reader->identity.antennas; number++) {
        if (command->antenna == 0 || command->antenna == number) {
            reader->antennas[number - 1].pace_ms = command->cycle_ms;
            reader->antennas[number - 1].due_ms = now_ms + command->cycle_ms;
        }
    }
    return BL_OK;
}

static uint8_t set_field(bl_reader *reader, const bl_command *command)
{
    const bl_radio *radio = reader->radio;
    uint32_t now_ms = now_of(reader);
    if (!radio->field(radio->ctx, command->on != 0)) {
        return BL_HARDWARE_FAULT;
    }
    reader->field_on = command->on != 0;
    reader->cycle_antenna = 0;
    for (uint8_t number = 1; number <= reader->identity.antennas; number++) {
        reader->antennas[number - 1].due_ms = now_ms;
        reader->antennas[number - 1].ever_told = false;
    }
    return BL_OK;
}

static uint8_t set_led(bl_reader *reader, const bl_command *command)
{
    const bl_board *board = reader->board;
    if (board->led == NULL) {
        return BL_UNKNOWN_COMMAND;
    }
    board->led(board->ctx, command->rgb[0], command->rgb[1], command->rgb[2]);
    return BL_OK;
}

/* An unknown command comes here too: of its parameters only the id is meant. */
static void obey(bl_reader *reader, uint8_t type, const bl_command *command)
{
    uint16_t id = command->command_id;
    switch (type) {
    case BL_READ:
        start_reading(reader, command);
        return;
    case BL_PACE:
        conclude(reader, id, set_pace(reader, command));
        return;
    case BL_FIELD:
        conclude(reader, id, set_field(reader, command));
        return;
    case BL_LED:
        conclude(reader, id, set_led(reader, command));
        return;
    case BL_REBOOT:
        conclude(reader, id, BL_OK);
        reader->rebooting = true;
        reader->board->reboot(reader->board->ctx);
        return;
    default:
        conclude(reader, id, BL_UNKNOWN_COMMAND);
        return;
    }
}

static bool repeated(bl_reader *reader, uint16_t command_id)
{
    for (size_t i = 0; i < reader->done_count; i++) {
        if (reader->done[i].id == command_id) {
            send_ack(reader, command_id, reader->done[i].result);
            return true;
        }
    }
    return false;
}

/* IDENTIFY begins the talk of a host, which may count its commands from 1 again. */
static void identify(bl_reader *reader, uint16_t command_id)
{
    reader->done_count = 0;
    send_hello(reader);
    conclude(reader, command_id, BL_OK);
}

static void take(bl_reader *reader, const bl_frame *frame)
{
    if (frame->type < BL_IDENTIFY || frame->len < 2) {
        reader->malformed++;
        return;
    }
    bool known = frame->type <= BL_REBOOT;
    bool sound = bl_message_decode(frame->type, frame->payload, frame->len, &reader->message);
    bl_command command = {.command_id = bl_get16(frame->payload)};
    if (sound) {
        command = reader->message.as.command;
    }
    if (sound && frame->type == BL_IDENTIFY) {
        identify(reader, command.command_id);
    } else if (repeated(reader, command.command_id)) {
        return;
    } else if (known && !sound) {
        conclude(reader, command.command_id, BL_BAD_PARAMETER);
    } else {
        obey(reader, frame->type, &command);
    }
}

void bl_reader_init(bl_reader *reader, const bl_identity *identity, const bl_board *board,
                    const bl_radio *radio)
{
    memset(reader, 0, sizeof *reader);
    reader->identity = *identity;
    reader->board = board;
    reader->radio = radio;
    reader->field_on = true;
    bl_decoder_init(&reader->decoder);
    uint32_t now_ms = now_of(reader);
    reader->boot_ms = now_ms;
    reader->health_due_ms = now_ms + BL_HEALTH_MS;
    for (size_t i = 0; i < BL_MAX_ANTENNAS; i++) {
        reader->antennas[i].pace_ms = BL_USUAL_PACE_MS;
        reader->antennas[i].due_ms = now_ms;
    }
}

void bl_reader_start(bl_reader *reader)
{
    send_hello(reader);
}

void bl_reader_receive(bl_reader *reader, const uint8_t *data, size_t len)
{
    bl_frame frame;
    for (size_t i = 0; i < len && !reader->rebooting; i++) {
        if (bl_decoder_push(&reader->decoder, data[i], &frame)) {
            take(reader, &frame);
        }
    }
}
