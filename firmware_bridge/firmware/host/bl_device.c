#include "bl_device.h"

#include <string.h>

size_t bl_device_size(void)
{
    return sizeof(bl_device);
}

static void write_frame(void *ctx, const uint8_t *data, size_t len)
{
    bl_device *device = ctx;
    device->setup.said(device->setup.ctx, device->sim.clock_us, data, len);
}

static void light(void *ctx, uint8_t red, uint8_t green, uint8_t blue)
{
    (void)ctx;
    (void)red;
    (void)green;
    (void)blue;
}

static void reboot(void *ctx)
{
    bl_device *device = ctx;
    device->reboots_at_us = device->sim.clock_us + BL_DEVICE_BOOT_US;
}

static bool field(void *ctx, bool on)
{
    bl_device *device = ctx;
    return device->air.field(device->air.ctx, on);
}

/* An inventory begins: the tags that will answer in it are put on the antenna. */
static bool select_antenna(void *ctx, uint8_t antenna)
{
    bl_device *device = ctx;
    uint8_t uids[SIM_MAX_TAGS * BL_ISO15693_UID_BYTES];
    uint8_t rssi[SIM_MAX_TAGS];
    sim_radio *sim = &device->sim;
    device->disturbed = false;
    size_t count = device->setup.tags(device->setup.ctx, antenna, uids, rssi, SIM_MAX_TAGS,
                                      &device->disturbed);
    sim->count = 0;
    if (!sim_radio_set_tags(sim, antenna, uids, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t tag = 0; tag < sim->count; tag++) {
            if (memcmp(sim->tags[tag].uid, uids + i * BL_ISO15693_UID_BYTES,
                       BL_ISO15693_UID_BYTES) == 0) {
                sim->tags[tag].rssi = rssi[i];
            }
        }
    }
    return device->air.select(device->air.ctx, antenna);
}

static void stretch(bl_device *device, uint64_t began_us)
{
    uint64_t took_us = device->sim.clock_us - began_us;
    device->sim.clock_us = began_us + took_us * device->setup.air_permille / 1000;
}

static bl_slot request(void *ctx, const uint8_t *frame, size_t len, uint8_t *reply, size_t cap,
                       size_t *reply_len, uint8_t *rssi)
{
    bl_device *device = ctx;
    uint64_t began_us = device->sim.clock_us;
    bl_slot slot = device->air.request(device->air.ctx, frame, len, reply, cap, reply_len, rssi);
    stretch(device, began_us);
    return device->disturbed ? BL_SLOT_ERROR : slot;
}

static bl_slot next_slot(void *ctx, uint8_t *reply, size_t cap, size_t *reply_len, uint8_t *rssi)
{
    bl_device *device = ctx;
    uint64_t began_us = device->sim.clock_us;
    bl_slot slot = device->air.next_slot(device->air.ctx, reply, cap, reply_len, rssi);
    stretch(device, began_us);
    return device->disturbed ? BL_SLOT_ERROR : slot;
}

static uint32_t now_ms(void *ctx)
{
    const bl_device *device = ctx;
    return (uint32_t)(device->sim.clock_us / 1000);
}

static void boot(bl_device *device)
{
    device->disturbed = false;
    device->reboots_at_us = 0;
    bl_reader_init(&device->reader, &device->identity, &device->board, &device->radio);
    bl_reader_start(&device->reader);
}

void bl_device_power_on(bl_device *device, const bl_device_setup *setup, uint32_t boot_id,
                        uint64_t now_us)
{
    memset(device, 0, sizeof *device);
    device->setup = *setup;
    sim_radio_init(&device->sim, 0);
    device->sim.clock_us = now_us;
    device->air = sim_radio_interface(&device->sim);
    device->radio = (bl_radio){device, field, select_antenna, request, next_slot, now_ms};
    device->board = (bl_board){.ctx = device, .write = write_frame, .reboot = reboot, .led = light};
    device->identity = (bl_identity){
        .board = BL_BOARD_HOST,
        .seat = setup->seat,
        .antennas = setup->antennas,
        .capabilities = BL_CAN_ISO15693 | BL_CAN_RSSI | BL_CAN_LED,
        .boot_id = boot_id,
        .serial = setup->serial,
    };
    boot(device);
}

static void catch_up(bl_device *device, uint64_t now_us)
{
    if (device->sim.clock_us < now_us) {
        device->sim.clock_us = now_us;
    }
}

void bl_device_receive(bl_device *device, const uint8_t *data, size_t len, uint64_t now_us)
{
    catch_up(device, now_us);
    bl_reader_receive(&device->reader, data, len);
}

uint64_t bl_device_next_us(const bl_device *device)
{
    if (device->reader.rebooting) {
        return device->reboots_at_us;
    }
    uint32_t wait_ms = bl_reader_wait_ms(&device->reader);
    return wait_ms == 0 ? device->sim.clock_us
                        : (device->sim.clock_us / 1000 + wait_ms) * 1000;
}

void bl_device_speak(bl_device *device, uint64_t now_us)
{
    while (bl_device_next_us(device) <= now_us) {
        catch_up(device, bl_device_next_us(device));
        if (device->reader.rebooting) {
            device->identity.boot_id = device->identity.boot_id * 2654435761u + 1u;
            boot(device);
        } else {
            bl_reader_poll(&device->reader);
        }
    }
}
