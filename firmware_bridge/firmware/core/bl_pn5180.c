#include "bl_pn5180.h"

#include <string.h>

enum {
    WRITE_REGISTER = 0x00,
    WRITE_REGISTER_OR_MASK = 0x01,
    WRITE_REGISTER_AND_MASK = 0x02,
    READ_REGISTER = 0x04,
    READ_EEPROM = 0x07,
    SEND_DATA = 0x09,
    READ_DATA = 0x0A,
    LOAD_RF_CONFIG = 0x11,
    RF_ON = 0x16,
    RF_OFF = 0x17,
};

enum {
    SYSTEM_CONFIG = 0x00,
    IRQ_ENABLE = 0x01,
    IRQ_STATUS = 0x02,
    IRQ_CLEAR = 0x03,
    CRC_RX_CONFIG = 0x12,
    RX_STATUS = 0x13,
    TX_CONFIG = 0x18,
    CRC_TX_CONFIG = 0x19,
    RF_STATUS = 0x1D,
};

enum { EEPROM_FIRMWARE_VERSION = 0x12, EEPROM_END = 254 };

#define IRQ_RX (1u << 0)
#define IRQ_TX (1u << 1)
#define IRQ_IDLE (1u << 2)
#define IRQ_TX_RFOFF (1u << 8)
#define IRQ_TX_RFON (1u << 9)
#define IRQ_RX_SOF (1u << 14)
#define IRQ_GENERAL_ERROR (1u << 17)
#define IRQ_ALL 0x000FFFFFu

#define COMMAND_MASK 0xFFFFFFF8u /* of SYSTEM_CONFIG: idle */
#define COMMAND_TRANSCEIVE 0x00000003u
#define CRC_OFF_MASK 0xFFFFFFFEu
#define EOF_ONLY_MASK 0xFFFFFB3Fu /* of TX_CONFIG: no start symbol, no data */

#define RX_BYTES_MASK 0x000001FFu
#define RX_LAST_BITS_MASK 0x0000E000u
#define RX_INTEGRITY_ERROR (1u << 16)
#define RX_PROTOCOL_ERROR (1u << 17)
#define RX_COLLISION (1u << 18)

#define RF_STATE_SHIFT 24
#define RF_STATE_WAIT_TRANSMIT 1u
#define RF_TX_ON (1u << 17)

enum { TX_ISO15693_ASK100_26 = 0x0D, RX_ISO15693_26 = 0x8D };

enum {
    BUSY_US = 20000,
    BOOT_US = 50000,
    RESET_US = 100,
    START_US = 5000,
    FIELD_US = 20000,
    FIELD_OFF_US = 10000, /* tags forget that they were silenced */
    FIELD_ON_US = 5000,   /* tags are powered and ready */
    SENT_US = 10000,      /* the longest request takes 4.1 ms */
    SILENCE_US = 700,     /* t1 at most 324 us, start of frame 151 us, and what polling takes */
    ANSWER_US = 6000,     /* an answer takes 3.9 ms */
    T2_US = 310,          /* between an answer and the next word of the reader */
};

static bool fail(bl_pn5180 *chip, bl_pn5180_fault fault)
{
    chip->fault = fault;
    chip->faults++;
    chip->ready = false;
    chip->field_on = false;
    return false;
}

static bool wait_busy(bl_pn5180 *chip, bool level)
{
    const bl_pn5180_bus *bus = &chip->bus;
    uint32_t start_us = bus->now_us(bus->ctx);
    while (bus->busy(bus->ctx) != level) {
        if (bus->now_us(bus->ctx) - start_us > BUSY_US) {
            return fail(chip, BL_PN5180_BUSY_STUCK);
        }
    }
    return true;
}

/* One SPI frame: it ends when BUSY has risen; the next one waits until BUSY has fallen. */
static bool frame(bl_pn5180 *chip, const uint8_t *out, uint8_t *in, size_t len)
{
    const bl_pn5180_bus *bus = &chip->bus;
    if (!wait_busy(chip, false)) {
        return false;
    }
    bus->select(bus->ctx, true);
    bus->transfer(bus->ctx, out, in, len);
    bool risen = wait_busy(chip, true);
    bus->select(bus->ctx, false);
    return risen;
}

static bool register_command(bl_pn5180 *chip, uint8_t command, uint8_t address, uint32_t value)
{
    uint8_t out[6] = {command, address, (uint8_t)value, (uint8_t)(value >> 8),
                      (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    return frame(chip, out, NULL, sizeof out);
}

bool bl_pn5180_write_register(bl_pn5180 *chip, uint8_t address, uint32_t value)
{
    return register_command(chip, WRITE_REGISTER, address, value);
}

bool bl_pn5180_read_register(bl_pn5180 *chip, uint8_t address, uint32_t *value)
{
    uint8_t out[2] = {READ_REGISTER, address};
    uint8_t in[4];
    if (!frame(chip, out, NULL, sizeof out) || !frame(chip, NULL, in, sizeof in)) {
        return false;
    }
    *value = (uint32_t)in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
    return true;
}

bool bl_pn5180_read_eeprom(bl_pn5180 *chip, uint8_t address, uint8_t *out, uint8_t len)
{
    uint8_t command[3] = {READ_EEPROM, address, len};
    if (len == 0 || address + len > EEPROM_END) {
        return false;
    }
    return frame(chip, command, NULL, sizeof command) && frame(chip, NULL, out, len);
}

/* Waits until one of these interrupts is raised. False when the time is over or the chip fails. */
static bool wait_irq(bl_pn5180 *chip, uint32_t wanted, uint32_t limit_us, uint32_t *raised)
{
    const bl_pn5180_bus *bus = &chip->bus;
    if (chip->irq_trusted && !bl_pn5180_write_register(chip, IRQ_ENABLE, wanted)) {
        return false;
    }
    uint32_t start_us = bus->now_us(bus->ctx);
    bool late;
    do {
        late = bus->now_us(bus->ctx) - start_us > limit_us;
        if (chip->irq_trusted && !late && !bus->irq(bus->ctx)) {
            continue;
        }
        if (!bl_pn5180_read_register(chip, IRQ_STATUS, raised)) {
            return false;
        }
        if ((*raised & wanted) != 0) {
            return true;
        }
    } while (!late);
    return false;
}

/*
 * Trusts the IRQ pin only when it rises with an interrupt that is enabled and falls when it is
 * cleared: a pin that is open or inverted by the EEPROM would make every wait a long one.
 */
static bool check_irq(bl_pn5180 *chip)
{
    const bl_pn5180_bus *bus = &chip->bus;
    if (bus->irq == NULL) {
        return true;
    }
    if (!bl_pn5180_write_register(chip, IRQ_ENABLE, IRQ_IDLE) || !wait_busy(chip, false)) {
        return false;
    }
    bool risen = bus->irq(bus->ctx);
    if (!bl_pn5180_write_register(chip, IRQ_CLEAR, IRQ_ALL) || !wait_busy(chip, false)) {
        return false;
    }
    chip->irq_trusted = risen && !bus->irq(bus->ctx);
    return true;
}

static bool load(bl_pn5180 *chip)
{
    const uint8_t protocol[3] = {LOAD_RF_CONFIG, TX_ISO15693_ASK100_26, RX_ISO15693_26};
    return frame(chip, protocol, NULL, sizeof protocol) &&
           register_command(chip, WRITE_REGISTER_AND_MASK, CRC_TX_CONFIG, CRC_OFF_MASK) &&
           register_command(chip, WRITE_REGISTER_AND_MASK, CRC_RX_CONFIG, CRC_OFF_MASK) &&
           bl_pn5180_read_register(chip, TX_CONFIG, &chip->tx_config);
}

static bool start(bl_pn5180 *chip)
{
    const bl_pn5180_bus *bus = &chip->bus;
    uint32_t raised;
    uint8_t version[2];
    chip->ready = false;
    chip->field_on = false;
    chip->irq_trusted = false;
    chip->fault = BL_PN5180_OK;
    bus->select(bus->ctx, false);
    bus->reset(bus->ctx, true);
    bus->wait_us(bus->ctx, RESET_US);
    bus->reset(bus->ctx, false);
    bus->wait_us(bus->ctx, START_US);
    if (!wait_irq(chip, IRQ_IDLE, BOOT_US, &raised)) {
        return chip->fault == BL_PN5180_OK ? fail(chip, BL_PN5180_NO_BOOT) : false;
    }
    if (!check_irq(chip) ||
        !bl_pn5180_read_eeprom(chip, EEPROM_FIRMWARE_VERSION, version, sizeof version)) {
        return false;
    }
    if ((version[0] == 0x00 && version[1] == 0x00) || (version[0] == 0xFF && version[1] == 0xFF)) {
        return fail(chip, BL_PN5180_NO_CHIP);
    }
    chip->firmware_minor = version[0];
    chip->firmware_major = version[1];
    chip->ready = load(chip) && bl_pn5180_write_register(chip, IRQ_CLEAR, IRQ_ALL);
    return chip->ready;
}

bool bl_pn5180_init(bl_pn5180 *chip, const bl_pn5180_bus *bus)
{
    memset(chip, 0, sizeof *chip);
    chip->bus = *bus;
    return start(chip);
}

static bool chip_field(void *ctx, bool on)
{
    bl_pn5180 *chip = ctx;
    const bl_pn5180_bus *bus = &chip->bus;
    uint32_t raised;
    uint32_t status;
    if (!chip->ready && (!on || !start(chip))) {
        return !on;
    }
    if (on == chip->field_on) {
        return true;
    }
    const uint8_t command[2] = {on ? RF_ON : RF_OFF, 0x00};
    if (!bl_pn5180_write_register(chip, IRQ_CLEAR, IRQ_ALL) ||
        !frame(chip, command, NULL, sizeof command)) {
        return false;
    }
    if (!wait_irq(chip, on ? IRQ_TX_RFON : IRQ_TX_RFOFF, FIELD_US, &raised) ||
        !bl_pn5180_read_register(chip, RF_STATUS, &status) || ((status & RF_TX_ON) != 0) != on) {
        return chip->fault == BL_PN5180_OK ? fail(chip, BL_PN5180_NO_FIELD) : false;
    }
    chip->field_on = on;
    bus->wait_us(bus->ctx, on ? FIELD_ON_US : FIELD_OFF_US);
    return true;
}

static bool chip_select(void *ctx, uint8_t antenna)
{
    bl_pn5180 *chip = ctx;
    const bl_pn5180_bus *bus = &chip->bus;
    if (!chip_field(chip, false)) {
        return false;
    }
    return bus->antenna == NULL ? antenna == 1 : bus->antenna(bus->ctx, antenna);
}

static bool send(bl_pn5180 *chip, const uint8_t *data, size_t len)
{
    const bl_pn5180_bus *bus = &chip->bus;
    uint8_t out[2 + BL_ISO15693_REQUEST_BYTES] = {SEND_DATA, 0};
    uint32_t status;
    if (len > BL_ISO15693_REQUEST_BYTES ||
        !bl_pn5180_write_register(chip, IRQ_CLEAR, IRQ_ALL) ||
        !register_command(chip, WRITE_REGISTER_AND_MASK, SYSTEM_CONFIG, COMMAND_MASK) ||
        !register_command(chip, WRITE_REGISTER_OR_MASK, SYSTEM_CONFIG, COMMAND_TRANSCEIVE) ||
        !bl_pn5180_read_register(chip, RF_STATUS, &status)) {
        return false;
    }
    if ((status >> RF_STATE_SHIFT & 7u) != RF_STATE_WAIT_TRANSMIT) {
        return fail(chip, BL_PN5180_REFUSED);
    }
    if (len > 0) {
        memcpy(out + 2, data, len);
    }
    while (bus->now_us(bus->ctx) - chip->heard_us < T2_US) {
    }
    return frame(chip, out, NULL, 2 + len);
}

/*
 * What the receiver heard, by its status register. Answers on top of one another do not always
 * raise the collision bit: one that is no whole frame counts as several. A whole frame with a
 * wrong CRC is for the core to see.
 */
static bl_slot received(bl_pn5180 *chip, uint8_t *reply, size_t cap, size_t *reply_len)
{
    const uint8_t command[2] = {READ_DATA, 0x00};
    uint32_t status;
    if (!bl_pn5180_read_register(chip, RX_STATUS, &status)) {
        return BL_SLOT_ERROR;
    }
    size_t len = status & RX_BYTES_MASK;
    bool broken = (status & (RX_INTEGRITY_ERROR | RX_PROTOCOL_ERROR | RX_LAST_BITS_MASK)) != 0 ||
                  len == 0 || len > cap;
    if ((status & RX_COLLISION) != 0 || broken) {
        chip->collisions += (status & RX_COLLISION) != 0;
        chip->rx_errors += (status & RX_COLLISION) == 0;
        return BL_SLOT_COLLISION;
    }
    if (!frame(chip, command, NULL, sizeof command) || !frame(chip, NULL, reply, len)) {
        return BL_SLOT_ERROR;
    }
    *reply_len = len;
    return BL_SLOT_REPLY;
}

static bl_slot listen(bl_pn5180 *chip, uint8_t *reply, size_t cap, size_t *reply_len)
{
    const bl_pn5180_bus *bus = &chip->bus;
    uint32_t raised;
    if (!wait_irq(chip, IRQ_TX | IRQ_GENERAL_ERROR, SENT_US, &raised) ||
        (raised & IRQ_GENERAL_ERROR) != 0) {
        (void)fail(chip, chip->fault == BL_PN5180_OK ? BL_PN5180_REFUSED : chip->fault);
        return BL_SLOT_ERROR;
    }
    bool heard = wait_irq(chip, IRQ_RX_SOF | IRQ_RX, SILENCE_US, &raised);
    if (heard && (raised & IRQ_RX) == 0) {
        heard = wait_irq(chip, IRQ_RX, ANSWER_US, &raised);
        if (!heard) {
            chip->rx_errors++;
        }
    } else if (!heard && chip->ready) {
        chip->heard_us = bus->now_us(bus->ctx);
        return BL_SLOT_EMPTY;
    }
    chip->heard_us = bus->now_us(bus->ctx);
    return heard ? received(chip, reply, cap, reply_len) : BL_SLOT_ERROR;
}

static bl_slot chip_request(void *ctx, const uint8_t *data, size_t len, uint8_t *reply, size_t cap,
                            size_t *reply_len, uint8_t *rssi)
{
    bl_pn5180 *chip = ctx;
    *reply_len = 0;
    *rssi = 0;
    if (!chip->ready || !bl_pn5180_write_register(chip, TX_CONFIG, chip->tx_config) ||
        !send(chip, data, len)) {
        return BL_SLOT_ERROR;
    }
    return listen(chip, reply, cap, reply_len);
}

static bl_slot chip_next_slot(void *ctx, uint8_t *reply, size_t cap, size_t *reply_len,
                              uint8_t *rssi)
{
    bl_pn5180 *chip = ctx;
    *reply_len = 0;
    *rssi = 0;
    if (!chip->ready ||
        !register_command(chip, WRITE_REGISTER_AND_MASK, TX_CONFIG, EOF_ONLY_MASK) ||
        !send(chip, NULL, 0)) {
        return BL_SLOT_ERROR;
    }
    return listen(chip, reply, cap, reply_len);
}

static uint32_t chip_now_ms(void *ctx)
{
    bl_pn5180 *chip = ctx;
    return chip->bus.now_ms(chip->bus.ctx);
}

bl_radio bl_pn5180_radio(bl_pn5180 *chip)
{
    bl_radio radio = {chip, chip_field, chip_select, chip_request, chip_next_slot, chip_now_ms};
    return radio;
}
