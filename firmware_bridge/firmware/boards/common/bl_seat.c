#include "bl_seat.h"

#define KEPT_MAGIC 0xB1E70000u /* tells a kept count from what memory holds after power on */

void bl_seat_start(bl_seat *seat, const bl_identity *identity, const bl_board *board,
                   const bl_pn5180_bus *bus)
{
    (void)bl_pn5180_init(&seat->chip, bus);
    seat->radio = bl_pn5180_radio(&seat->chip);
    bl_reader_init(&seat->reader, identity, board, &seat->radio);
    bl_reader_start(&seat->reader);
}

uint16_t bl_seat_watchdog_resets(uint32_t kept, bool by_watchdog, uint32_t *keep)
{
    uint32_t count = (kept & 0xFFFF0000u) == KEPT_MAGIC ? kept & 0xFFFFu : 0;
    if (by_watchdog && count < UINT16_MAX) {
        count++;
    }
    *keep = KEPT_MAGIC | count;
    return (uint16_t)count;
}

void bl_seat_hex(const uint8_t *bytes, size_t len, char *out)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 0x0Fu];
    }
    *out = '\0';
}
