/*
 * What every board does the same way: the PN5180 under the reader. Not yet run on hardware.
 */
#ifndef BL_SEAT_H
#define BL_SEAT_H

#include "bl_pn5180.h"
#include "bl_reader.h"
#include "bl_wiring.h"

#define BL_WATCHDOG_MS 4000u /* a turn takes well under one second, a dead chip included */

_Static_assert(BL_ANTENNAS >= 1 && BL_ANTENNAS <= BL_MAX_ANTENNAS, "BL_ANTENNAS is 1 to 8");

typedef struct {
    bl_pn5180 chip;
    bl_radio radio;
    bl_reader reader;
} bl_seat;

/*
 * Starts chip and reader and says HELLO. A chip that does not start is tried again at every cycle;
 * the host sees it as RF errors. board must outlive the seat, which must not move.
 */
void bl_seat_start(bl_seat *seat, const bl_identity *identity, const bl_board *board,
                   const bl_pn5180_bus *bus);

/* Resets by the watchdog since the supply came on, kept in a word that survives a reset. */
uint16_t bl_seat_watchdog_resets(uint32_t kept, bool by_watchdog, uint32_t *keep);

/* bytes as upper-case hexadecimal digits; out holds 2 * len + 1. */
void bl_seat_hex(const uint8_t *bytes, size_t len, char *out);

#endif
