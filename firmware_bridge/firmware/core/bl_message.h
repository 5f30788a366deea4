/*
 * What frames of the family betline say, both ways. Payloads are read strictly: a wrong length or
 * a value out of its range is no message.
 */
#ifndef BL_MESSAGE_H
#define BL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bl_iso15693.h"

#define BL_RECORDS_PER_FRAME 120u
#define BL_SERIAL_BYTES 32u
#define BL_TEMPERATURE_UNKNOWN 0x7FFF
#define BL_PACE_OFF 0xFFFFu

typedef enum {
    BL_HELLO = 0x01,
    BL_SNAPSHOT = 0x02,
    BL_HEALTH = 0x03,
    BL_ACK = 0x04,
    BL_IDENTIFY = 0x81,
    BL_READ = 0x82,
    BL_PACE = 0x83,
    BL_FIELD = 0x84,
    BL_LED = 0x85,
    BL_REBOOT = 0x86,
} bl_message_type;

enum { /* hello.board */
    BL_BOARD_HOST = 0,
    BL_BOARD_RP2040 = 1,
    BL_BOARD_ESP32 = 2,
};

enum { /* hello.capabilities */
    BL_CAN_ISO15693 = 0x0001,
    BL_CAN_RSSI = 0x0002,
    BL_CAN_LED = 0x0004,
};

enum { /* snapshot.flags */
    BL_SNAPSHOT_MORE = 0x01,
    BL_SNAPSHOT_RF_WARNING = 0x02,
    BL_SNAPSHOT_OVERFLOW = 0x04,
    BL_SNAPSHOT_FIELD_OFF = 0x08,
    BL_SNAPSHOT_READ = 0x10,
};

typedef enum {
    BL_OK = 0,
    BL_UNKNOWN_COMMAND = 1,
    BL_BAD_PARAMETER = 2,
    BL_BUSY = 3,
    BL_HARDWARE_FAULT = 4,
} bl_result;

typedef struct {
    uint8_t fw_major;
    uint8_t fw_minor;
    uint8_t board;
    uint8_t seat; /* 0 none */
    uint8_t antennas;
    uint8_t max_tags;
    uint16_t capabilities;
    uint8_t serial_len;
    uint8_t serial[BL_SERIAL_BYTES]; /* ASCII */
} bl_hello;

typedef struct {
    uint8_t uid[BL_ISO15693_UID_BYTES]; /* most significant byte first */
    uint8_t rssi;
    uint8_t hits;    /* cycles of the last eight in which it answered */
    uint16_t age_ms; /* since it last answered: 0 in this cycle */
} bl_record;

typedef struct {
    uint32_t number;
    uint8_t antenna;
    uint8_t flags;
    uint16_t cycle_ms;
    uint8_t count;
    bl_record records[BL_RECORDS_PER_FRAME];
} bl_snapshot;

typedef struct {
    uint32_t uptime_ms;
    uint32_t cycles;
    uint32_t rf_errors;
    uint32_t collisions;
    uint32_t crc_errors; /* frames from the host that were dropped */
    uint32_t overruns;
    uint16_t watchdog_resets;
    int16_t temperature; /* 0.1 degrees Celsius */
} bl_health;

typedef struct {
    uint16_t command_id;
    uint8_t result;
} bl_ack;

typedef struct {
    uint16_t command_id;
    uint8_t antenna;  /* READ, PACE; 0 all */
    uint16_t cycle_ms; /* PACE; 0 as fast as it can, BL_PACE_OFF not at all */
    uint8_t on;       /* FIELD */
    uint8_t rgb[3];   /* LED */
} bl_command;

typedef struct {
    uint8_t type;
    union {
        bl_hello hello;
        bl_snapshot snapshot;
        bl_health health;
        bl_ack ack;
        bl_command command;
    } as;
} bl_message;

/* Whether a message of this type can have a payload of len bytes. */
bool bl_message_fits(uint8_t type, size_t len);

/* False when the payload is no message of this type, or the type is unknown. */
bool bl_message_decode(uint8_t type, const uint8_t *payload, size_t len, bl_message *message);

/* The length of the payload; 0 for an unknown type, a count that is too large or a short out. */
size_t bl_message_encode(const bl_message *message, uint8_t *out, size_t cap);

#endif
