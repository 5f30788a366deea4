/*
 * A whole reader in simulation: the core over simulated tags, in a time that the caller makes
 * pass. It is the virtual reader of the family betline, as a library and in the host program.
 *
 * Times are microseconds of one clock that never goes back. Its own clock runs ahead of the
 * caller's while it is on the air: what it says then has a time in the future.
 */
#ifndef BL_DEVICE_H
#define BL_DEVICE_H

#include "bl_reader.h"
#include "sim_radio.h"

#define BL_DEVICE_BOOT_US 300000u /* from REBOOT to HELLO */

/*
 * The tags that answer on the antenna in the inventory that begins: UIDs of 8 bytes, most
 * significant first, and their strengths; at most cap. Sets disturbed when the radio shall hear
 * nothing but noise.
 */
typedef size_t (*bl_device_tags)(void *ctx, uint8_t antenna, uint8_t *uids, uint8_t *rssi,
                                 size_t cap, bool *disturbed);

/* A frame for the host, said at at_us. */
typedef void (*bl_device_said)(void *ctx, uint64_t at_us, const uint8_t *data, size_t len);

typedef struct {
    uint8_t antennas;
    uint8_t seat;
    uint16_t air_permille; /* air time compared with that of sim_radio */
    const char *serial;    /* must outlive the device */
    void *ctx;
    bl_device_tags tags;
    bl_device_said said;
} bl_device_setup;

typedef struct {
    bl_device_setup setup;
    bl_identity identity;
    bl_board board;
    bl_radio radio;
    bl_radio air;
    sim_radio sim;
    bl_reader reader;
    bool disturbed;
    uint64_t reboots_at_us;
} bl_device;

/* How much memory a device takes, for callers that do not know its layout. */
size_t bl_device_size(void);

/* Begins anew, as after the supply came back; it says HELLO. device must not move afterwards. */
void bl_device_power_on(bl_device *device, const bl_device_setup *setup, uint32_t boot_id,
                        uint64_t now_us);

/* Takes what the host sent. */
void bl_device_receive(bl_device *device, const uint8_t *data, size_t len, uint64_t now_us);

/* When it has something to do by itself. */
uint64_t bl_device_next_us(const bl_device *device);

/* Does what is due until now_us; afterwards bl_device_next_us is later. */
void bl_device_speak(bl_device *device, uint64_t now_us);

#endif
