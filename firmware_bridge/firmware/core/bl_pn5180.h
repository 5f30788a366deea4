/*
 * NXP PN5180 as a bl_radio for ISO 15693, over an abstract SPI bus. Not yet run on hardware.
 *
 * Facts: PN5180A0xx data sheet (host interface commands, SPI mode 0 up to 7 Mbit/s, BUSY
 * handshake, register and EEPROM addresses, RF configuration 0D/8D = ISO 15693 ASK 100 %,
 * 26 kbit/s), NXP's register map phhalHw_Pn5180_Reg.h (bits) and application note AN12650
 * (the next slot is an empty SEND_DATA with start symbol and data switched off in TX_CONFIG).
 */
#ifndef BL_PN5180_H
#define BL_PN5180_H

#include "bl_iso15693.h"

#define BL_PN5180_SPI_HZ 5000000u /* of at most 7 MHz */

/* How the chip is wired. Levels are those of the chip: the board inverts if its wiring does. */
typedef struct bl_pn5180_bus {
    void *ctx;
    void (*select)(void *ctx, bool on); /* NSS low is on */
    /* Full duplex; out NULL sends FF, in NULL drops what comes. */
    void (*transfer)(void *ctx, const uint8_t *out, uint8_t *in, size_t len);
    bool (*busy)(void *ctx);            /* BUSY is high */
    void (*reset)(void *ctx, bool on);  /* RST low is on */
    bool (*irq)(void *ctx);             /* the IRQ pin is high; NULL when it is not wired */
    /* Connects one antenna, from 1; NULL when there is only one. The field is off meanwhile. */
    bool (*antenna)(void *ctx, uint8_t antenna);
    uint32_t (*now_ms)(void *ctx);
    uint32_t (*now_us)(void *ctx);
    void (*wait_us)(void *ctx, uint32_t us);
} bl_pn5180_bus;

/* Why the last thing failed. */
typedef enum {
    BL_PN5180_OK,
    BL_PN5180_BUSY_STUCK,  /* BUSY did not move */
    BL_PN5180_NO_BOOT,     /* no IDLE after reset */
    BL_PN5180_NO_CHIP,     /* the version reads as 00 or FF: nobody drives MISO */
    BL_PN5180_NO_FIELD,    /* RF on was not confirmed */
    BL_PN5180_REFUSED,     /* the chip raised a general error, or was not ready to send */
} bl_pn5180_fault;

typedef struct {
    bl_pn5180_bus bus;
    uint32_t tx_config; /* as loaded for ISO 15693: a request with start, data and end */
    uint32_t heard_us;  /* end of the last answer or silence */
    uint8_t firmware_major;
    uint8_t firmware_minor;
    bool ready;
    bool field_on;
    bool irq_trusted; /* the IRQ pin moved as it should after the reset; else it polls */
    bl_pn5180_fault fault;
    uint32_t faults;    /* since the start */
    uint32_t collisions; /* with the collision bit */
    uint32_t rx_errors;  /* answers that were no whole frame without that bit, or had no end */
} bl_pn5180;

/* Resets the chip, reads its version and loads ISO 15693. False leaves the reason in fault. */
bool bl_pn5180_init(bl_pn5180 *chip, const bl_pn5180_bus *bus);

/*
 * The radio of the inventory; chip must outlive it. A chip that failed is reset and loaded again
 * at the next field on. rssi is 0: the chip gives no strength of one answer.
 */
bl_radio bl_pn5180_radio(bl_pn5180 *chip);

bool bl_pn5180_read_register(bl_pn5180 *chip, uint8_t address, uint32_t *value);
bool bl_pn5180_write_register(bl_pn5180 *chip, uint8_t address, uint32_t value);

/* len bytes of the EEPROM; address and end at most 254. */
bool bl_pn5180_read_eeprom(bl_pn5180 *chip, uint8_t address, uint8_t *out, uint8_t len);

#endif
