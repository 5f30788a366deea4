#include "bl_frame.h"

#include <string.h>

#include "bl_bytes.h"
#include "bl_crc32.h"
#include "bl_message.h"

enum { CRC_BYTES = 4 };

size_t bl_frame_encode(const bl_frame *frame, uint8_t *out, size_t cap)
{
    if (frame->len > BL_MAX_PAYLOAD) {
        return 0;
    }
    uint8_t header[BL_HEADER_BYTES] = {BL_WIRE_VERSION, frame->type};
    uint8_t crc[CRC_BYTES];
    bl_put32(bl_put32(bl_put16(header + 2, frame->seq), frame->boot_id), frame->t_ms);
    bl_put32(crc, bl_crc32(bl_crc32(0, header, sizeof header), frame->payload, frame->len));
    bl_cobs_writer writer;
    bl_cobs_begin(&writer, out, cap);
    bl_cobs_put(&writer, header, sizeof header);
    bl_cobs_put(&writer, frame->payload, frame->len);
    bl_cobs_put(&writer, crc, sizeof crc);
    return bl_cobs_end(&writer);
}

void bl_decoder_init(bl_decoder *decoder)
{
    memset(decoder, 0, sizeof *decoder);
}

/* Decodes one whole encoding into the decoder's body. */
static bool read_body(bl_decoder *decoder, const uint8_t *in, size_t len, size_t *body_len)
{
    uint8_t *body = decoder->body;
    if (!bl_cobs_decode(in, len, body, BL_MAX_BODY, body_len) || *body_len < BL_MIN_BODY) {
        return false;
    }
    size_t covered = *body_len - CRC_BYTES;
    return bl_crc32(0, body, covered) == bl_get32(body + covered);
}

/* Whether a message of this type can have an encoding of this length: COBS adds 1 to 1 + len / 254. */
static bool could_be(uint8_t type, size_t encoded)
{
    for (size_t added = 1; added <= 1 + encoded / 254; added++) {
        if (encoded >= BL_MIN_BODY + added &&
            bl_message_fits(type, encoded - BL_MIN_BODY - added)) {
            return true;
        }
    }
    return false;
}

/*
 * Looks for a message that begins behind noise: no message fills the window. Its second byte is the version and its third the
 * type; neither is 00, so its first code is at least 3.
 */
static bool search(bl_decoder *decoder, const uint8_t *in, size_t len, size_t *at,
                   size_t *body_len)
{
    for (*at = 1; *at + BL_MIN_BODY < len; (*at)++) {
        const uint8_t *start = in + *at;
        if (start[0] >= 3 && start[1] == BL_WIRE_VERSION && could_be(start[2], len - *at) &&
            read_body(decoder, start, len - *at, body_len)) {
            return true;
        }
    }
    return false;
}

static void lose(bl_decoder *decoder, uint32_t bytes)
{
    decoder->counters.resyncs++;
    decoder->counters.dropped += bytes;
}

static void deliver(bl_decoder *decoder, size_t body_len, bl_frame *frame)
{
    const uint8_t *body = decoder->body;
    decoder->counters.frames++;
    frame->type = body[1];
    frame->seq = bl_get16(body + 2);
    frame->boot_id = bl_get32(body + 4);
    frame->t_ms = bl_get32(body + 8);
    frame->payload = body + BL_HEADER_BYTES;
    frame->len = body_len - BL_MIN_BODY;
}

static bool end_of_frame(bl_decoder *decoder, bl_frame *frame)
{
    const uint8_t *in = decoder->window;
    size_t len = decoder->held;
    uint32_t total = decoder->passed + (uint32_t)len;
    bool overrun = total > BL_MAX_ENCODED;
    size_t at = 0;
    size_t body_len = 0;
    if (overrun) {
        decoder->counters.overruns++;
        in += len - BL_MAX_ENCODED;
        len = BL_MAX_ENCODED;
    } else if (read_body(decoder, in, len, &body_len)) {
        if (decoder->body[0] != BL_WIRE_VERSION) {
            decoder->counters.versions++;
            lose(decoder, total);
            return false;
        }
        deliver(decoder, body_len, frame);
        return true;
    }
    bool found = search(decoder, in, len, &at, &body_len);
    if (!found) {
        decoder->counters.damaged += !overrun;
        lose(decoder, total);
        return false;
    }
    lose(decoder, total - (uint32_t)(len - at));
    deliver(decoder, body_len, frame);
    return true;
}

bool bl_decoder_push(bl_decoder *decoder, uint8_t byte, bl_frame *frame)
{
    if (byte != 0) {
        if (decoder->held == sizeof decoder->window) {
            memcpy(decoder->window, decoder->window + BL_MAX_ENCODED, BL_MAX_ENCODED);
            decoder->held = BL_MAX_ENCODED;
            decoder->passed += BL_MAX_ENCODED;
        }
        decoder->window[decoder->held++] = byte;
        return false;
    }
    bool whole = decoder->held != 0 && end_of_frame(decoder, frame);
    decoder->held = 0;
    decoder->passed = 0;
    return whole;
}
