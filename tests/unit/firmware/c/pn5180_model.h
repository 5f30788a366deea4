/*
 * A PN5180 seen from its pins: SPI frames with BUSY, registers, EEPROM, interrupts in their time,
 * and a simulated field behind its antenna. It notes what a real chip would not forgive.
 */
#ifndef PN5180_MODEL_H
#define PN5180_MODEL_H

#include "bl_pn5180.h"
#include "sim_radio.h"

typedef enum {
    MODEL_SOUND,
    MODEL_BUSY_LOW,
    MODEL_BUSY_HIGH,
    MODEL_NO_BOOT,
    MODEL_NO_MISO,       /* reads as FF */
    MODEL_NO_FIELD,
    MODEL_FALSE_FIELD,   /* the interrupt comes, the field does not */
    MODEL_ENDLESS,       /* answers begin and do not end */
    MODEL_ODD_BITS,      /* answers end inside a byte */
    MODEL_NOT_IN_TRANSMIT, /* transceive does not reach WaitTransmit */
    MODEL_TX_ERROR,      /* sending raises a general error */
    MODEL_NOISE,         /* any level on BUSY and MISO */
} model_fault;

typedef struct {
    sim_radio air;
    bl_radio field;
    model_fault fault;
    uint64_t now_ns;
    uint64_t random;

    bool selected;
    bool exchanged;      /* a frame went over SPI while selected */
    uint64_t busy_from_ns, busy_until_ns;
    uint8_t in[300];
    size_t in_len;
    uint8_t out[300];
    size_t out_len;

    uint32_t registers[64];
    uint8_t eeprom[255];
    uint8_t loaded_tx, loaded_rx;
    uint64_t idle_at, tx_at, sof_at, rx_at, rf_on_at, rf_off_at; /* 0: not to come */
    uint64_t answer_end_ns;
    uint32_t rx_status;
    uint8_t received[16];
    size_t received_len;

    unsigned handshakes_broken; /* SPI while BUSY, NSS up before BUSY rose, SPI without NSS */
    unsigned too_early;         /* a word on the air within t2 of an answer */
    unsigned general_errors;
    unsigned long spi_bytes;
    unsigned antenna;
    bool use_antennas;
    unsigned irq_pin; /* 0 not wired, 1 active high, 2 active low, 3 open and low, 4 open and high */
} pn5180_model;

void pn5180_model_init(pn5180_model *model, uint64_t seed);
bl_pn5180_bus pn5180_model_bus(pn5180_model *model);

#endif
