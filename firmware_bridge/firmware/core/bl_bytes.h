/* Numbers in the wire's byte order, little-endian. */
#ifndef BL_BYTES_H
#define BL_BYTES_H

#include <stdint.h>

static inline uint8_t *bl_put16(uint8_t *at, uint16_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
    return at + 2;
}

static inline uint8_t *bl_put32(uint8_t *at, uint32_t value)
{
    return bl_put16(bl_put16(at, (uint16_t)value), (uint16_t)(value >> 16));
}

static inline uint16_t bl_get16(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static inline uint32_t bl_get32(const uint8_t *at)
{
    return bl_get16(at) | (uint32_t)bl_get16(at + 2) << 16;
}

#endif
