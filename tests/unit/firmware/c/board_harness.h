/*
 * A board on the table: its layer runs over the model of the PN5180, with straps, a host that
 * speaks at given times and a watchdog that looks on. Options are key=value on the command line,
 * the host's words are lines "ms hex" on standard input. What happens goes to standard output.
 */
#ifndef BOARD_HARNESS_H
#define BOARD_HARNESS_H

#include "pn5180_model.h"

typedef struct {
    pn5180_model model;
    bl_pn5180_bus chip;
    unsigned straps;   /* the seat, as the straps are set */
    unsigned antenna_pins;
    uint32_t kept;
    bool by_watchdog;
    uint32_t boot_id;
    uint32_t connected_ms; /* when the host opens the port */
    uint32_t watchdog_ms;  /* 0 until it is started */
    uint64_t kicked_ns;
    uint64_t longest_kick_ns;
} board_harness;

extern board_harness harness;

/* Runs the layer until the time is over or it reboots; gives the exit status. */
int harness_run(int argc, char **argv, void (*layer)(void));

/* One turn of the main loop: the bytes that have come from the host; ends the run in its time. */
size_t harness_input(uint8_t *in, size_t cap);

void harness_output(const uint8_t *data, size_t len);
void harness_antenna_pin(unsigned bit, bool level);
bool harness_strap(unsigned bit);
void harness_led(char colour, bool level);
void harness_kick(void);
_Noreturn void harness_reboot(void);
uint32_t harness_ms(void);

#endif
