/* CRC-32 of IEEE 802.3 (reflected EDB88320, initial and final FFFFFFFF; check CBF43926). */
#ifndef BL_CRC32_H
#define BL_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from the CRC of what came before, which is 0 at the beginning. */
uint32_t bl_crc32(uint32_t before, const uint8_t *data, size_t len);

#endif
