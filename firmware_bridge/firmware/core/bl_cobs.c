#include "bl_cobs.h"

#include <string.h>

static void append(bl_cobs_writer *writer, uint8_t byte)
{
    if (writer->len == writer->cap) {
        writer->full = true;
    } else {
        writer->out[writer->len++] = byte;
    }
}

static void open_block(bl_cobs_writer *writer)
{
    writer->code_at = writer->len;
    writer->code = 1;
    writer->open = true;
    append(writer, 0);
}

static void close_block(bl_cobs_writer *writer)
{
    if (!writer->full) {
        writer->out[writer->code_at] = writer->code;
    }
    writer->open = false;
}

void bl_cobs_begin(bl_cobs_writer *writer, uint8_t *out, size_t cap)
{
    memset(writer, 0, sizeof *writer);
    writer->out = out;
    writer->cap = cap;
    open_block(writer);
}

void bl_cobs_put(bl_cobs_writer *writer, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!writer->open) {
            open_block(writer);
        }
        if (data[i] == 0) {
            close_block(writer);
            open_block(writer);
            continue;
        }
        append(writer, data[i]);
        writer->code++;
        if (writer->code == 0xFF) {
            close_block(writer);
        }
    }
}

size_t bl_cobs_end(bl_cobs_writer *writer)
{
    if (writer->open) {
        close_block(writer);
    }
    append(writer, 0);
    return writer->full ? 0 : writer->len;
}

bool bl_cobs_decode(const uint8_t *in, size_t len, uint8_t *out, size_t cap, size_t *out_len)
{
    size_t at = 0;
    size_t made = 0;
    while (at < len) {
        uint8_t code = in[at++];
        size_t run = code - 1u;
        bool zero_follows = code != 0xFF && at + run < len;
        if (code == 0 || run > len - at || run + (zero_follows ? 1u : 0u) > cap - made) {
            return false;
        }
        memcpy(out + made, in + at, run);
        made += run;
        at += run;
        if (zero_follows) {
            out[made++] = 0;
        }
    }
    *out_len = made;
    return len > 0;
}
