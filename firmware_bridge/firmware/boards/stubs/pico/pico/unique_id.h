/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_PICO_UNIQUE_ID_H
#define BL_STUB_PICO_UNIQUE_ID_H

#include "pico/types.h"

#define PICO_UNIQUE_BOARD_ID_SIZE_BYTES 8
void pico_get_unique_board_id_string(char *id_out, uint len);

#endif
