/* Consistent Overhead Byte Stuffing (Cheshire and Baker, 1999): no 00 within a frame, 00 ends it. */
#ifndef BL_COBS_H
#define BL_COBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest encoding of len bytes, without the 00. */
#define BL_COBS_MAX(len) ((len) + (len) / 254u + 1u)

/* An encoding under way: begin, put as often as needed, end. */
typedef struct {
    uint8_t *out;
    size_t cap;
    size_t len;
    size_t code_at;
    uint8_t code;
    bool open; /* a block has its code byte */
    bool full; /* out was too short */
} bl_cobs_writer;

void bl_cobs_begin(bl_cobs_writer *writer, uint8_t *out, size_t cap);
void bl_cobs_put(bl_cobs_writer *writer, const uint8_t *data, size_t len);

/* The length of the encoding with its closing 00, or 0 when it did not fit. */
size_t bl_cobs_end(bl_cobs_writer *writer);

/* Decodes len bytes that hold no 00. False when they are no encoding or out is too short. */
bool bl_cobs_decode(const uint8_t *in, size_t len, uint8_t *out, size_t cap, size_t *out_len);

#endif
