/*
 * The reader: bytes from the host and time in, bytes to the host out, over an abstract radio and
 * an abstract board. No allocation; it returns within one round on the air (about 140 ms).
 *
 *   bl_reader_init(...); bl_reader_start(...);
 *   for (;;) { bl_reader_receive(what came in); bl_reader_poll(); sleep up to bl_reader_wait_ms(); }
 *
 * It tells state, not events: a snapshot of an antenna when what it hears has changed and at least
 * every BL_TOLD_MS, its health every BL_HEALTH_MS, and one ACK for each command.
 */
#ifndef BL_READER_H
#define BL_READER_H

#include "bl_frame.h"
#include "bl_iso15693.h"
#include "bl_message.h"

#define BL_FW_MAJOR 1
#define BL_FW_MINOR 0
#define BL_MAX_ANTENNAS 8u
#define BL_MAX_TAGS 400u /* told apart in one cycle */
#define BL_KNOWN_TAGS 800u /* remembered over all antennas */
#define BL_COMMANDS_KEPT 8u
#define BL_HEALTH_MS 500u
#define BL_TOLD_MS 500u
#define BL_USUAL_PACE_MS 250u

/* What the board does for the reader. led, temperature and kick may be NULL. */
typedef struct {
    void *ctx;
    void (*write)(void *ctx, const uint8_t *data, size_t len);
    void (*reboot)(void *ctx);
    void (*led)(void *ctx, uint8_t red, uint8_t green, uint8_t blue);
    int16_t (*temperature)(void *ctx); /* 0.1 degrees Celsius */
    void (*kick)(void *ctx);           /* the watchdog; called while work goes on */
} bl_board;

/* Who the reader is. The host knows it by serial number and seat, never by a port's name. */
typedef struct {
    uint8_t board;
    uint8_t seat; /* from straps or EEPROM, 0 none */
    uint8_t antennas;
    uint16_t capabilities;
    uint16_t watchdog_resets;
    uint32_t boot_id; /* random at each boot */
    const char *serial;
} bl_identity;

/* A tag that answered on an antenna in one of the last eight cycles. */
typedef struct {
    uint8_t uid[BL_ISO15693_UID_BYTES];
    uint8_t antenna;
    uint8_t rssi;
    uint8_t cycles; /* bit 0 the newest cycle: did it answer? */
    bool told;      /* it answered in the cycle that the host was told last */
    uint32_t heard_ms;
} bl_known;

typedef struct {
    uint16_t pace_ms;
    uint32_t due_ms;
    uint32_t told_ms;
    bool ever_told;
} bl_antenna;

typedef struct {
    bl_identity identity;
    const bl_board *board;
    const bl_radio *radio;
    bl_decoder decoder;
    bl_message message;
    uint8_t payload[BL_MAX_PAYLOAD];
    uint8_t frame[BL_MAX_FRAME];

    uint16_t seq;
    uint32_t boot_ms;
    uint32_t health_due_ms;
    uint32_t snapshots;
    uint32_t cycles;
    uint32_t rf_errors;
    uint32_t collisions;
    uint32_t malformed; /* whole frames from the host that said nothing understandable */
    bool field_on;
    bool rebooting;

    bl_antenna antennas[BL_MAX_ANTENNAS];
    bl_known known[BL_KNOWN_TAGS];
    size_t known_count;

    bl_inventory inventory;
    bl_tag heard[BL_MAX_TAGS];
    uint8_t cycle_antenna; /* 0 while none is being read */
    uint32_t cycle_began_ms;

    bool reading; /* a READ is being carried out */
    uint16_t read_id;
    uint8_t read_antenna; /* the next one for it */
    uint8_t read_last;

    struct {
        uint16_t id;
        uint8_t result;
    } done[BL_COMMANDS_KEPT];
    size_t done_count;
} bl_reader;

/* board and radio must outlive the reader. antennas is 1 to BL_MAX_ANTENNAS. */
void bl_reader_init(bl_reader *reader, const bl_identity *identity, const bl_board *board,
                    const bl_radio *radio);

/* Says HELLO. */
void bl_reader_start(bl_reader *reader);

/* Takes what the host sent; commands are answered at once, READ when it is done. */
void bl_reader_receive(bl_reader *reader, const uint8_t *data, size_t len);

/* Does what is due, one round on the air at most. */
void bl_reader_poll(bl_reader *reader);

/* For how long bl_reader_poll has nothing to do if the host says nothing. */
uint32_t bl_reader_wait_ms(const bl_reader *reader);

#endif
