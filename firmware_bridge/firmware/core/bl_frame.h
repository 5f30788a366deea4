/*
 * Frames of the family betline: COBS(body) 00, where body is
 *   ver u8 | type u8 | seq u16 | boot_id u32 | t_ms u32 | payload | crc32 u32      little-endian
 * See hardware_docs/firmware.md.
 */
#ifndef BL_FRAME_H
#define BL_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bl_cobs.h"

#define BL_WIRE_VERSION 1u
#define BL_HEADER_BYTES 12u
#define BL_MIN_BODY 16u   /* header and CRC */
#define BL_MAX_BODY 1600u /* 120 records of 13 bytes fit */
#define BL_MAX_PAYLOAD (BL_MAX_BODY - BL_MIN_BODY)
#define BL_MAX_ENCODED BL_COBS_MAX(BL_MAX_BODY)
#define BL_MAX_FRAME (BL_MAX_ENCODED + 1u)

typedef struct {
    uint8_t type;
    uint16_t seq;     /* rises by one with each frame of its sender */
    uint32_t boot_id; /* of the reader; the host says 0 */
    uint32_t t_ms;    /* the sender's clock; it only orders */
    const uint8_t *payload;
    size_t len;
} bl_frame;

/* Writes the frame with its 00. Gives its length, or 0 when payload or out do not fit. */
size_t bl_frame_encode(const bl_frame *frame, uint8_t *out, size_t cap);

/* What a decoder has seen since it began. */
typedef struct {
    uint32_t frames;
    uint32_t damaged;  /* delimited bytes in which no whole frame was found */
    uint32_t versions; /* whole frames of another version */
    uint32_t overruns; /* more bytes than the longest frame without a delimiter */
    uint32_t resyncs;  /* times that bytes were thrown away */
    uint32_t dropped;  /* bytes thrown away, without the delimiters */
} bl_decoder_counters;

/*
 * Bytes in, frames out. A frame is delivered with its own last byte, also when noise without a
 * delimiter came right before it: the beginning of a message is then searched for.
 */
typedef struct {
    uint8_t window[2 * BL_MAX_ENCODED]; /* the newest bytes since the last delimiter */
    size_t held;
    uint32_t passed; /* older ones, which fell out of the window */
    uint8_t body[BL_MAX_BODY];
    bl_decoder_counters counters;
} bl_decoder;

void bl_decoder_init(bl_decoder *decoder);

/* True when the byte ended a frame. Its payload stays valid until the next byte. */
bool bl_decoder_push(bl_decoder *decoder, uint8_t byte, bl_frame *frame);

#endif
