/*
 * A simulated ISO 15693 field for tests and for the host program: tags that follow the states
 * of the standard, share an air interface and collide. Its clock moves by air time only
 * (hardware_docs/readers.md) and by sim_radio_advance. The same seed gives the same run.
 */
#ifndef SIM_RADIO_H
#define SIM_RADIO_H

#include "bl_iso15693.h"

#define SIM_MAX_TAGS 512u
#define SIM_MAX_ANTENNAS 8u

typedef enum { SIM_TAG_OFF, SIM_TAG_READY, SIM_TAG_QUIET, SIM_TAG_SELECTED } sim_tag_state;

typedef struct {
    uint8_t uid[BL_ISO15693_UID_BYTES]; /* most significant byte first */
    uint8_t antenna;                    /* from 1 */
    uint8_t rssi;
    uint8_t dsfid;
    sim_tag_state state;
    bool inventoried; /* takes part in the round under way */
    uint8_t slot;     /* of that round */
} sim_tag;

typedef struct {
    uint64_t inventory_us; /* requests and slots */
    uint64_t quiet_us;     /* Stay Quiet */
    uint64_t settle_us;    /* field off and on */
    uint32_t rounds;
    uint32_t answers;
} sim_air;

typedef struct {
    /* Behaviour, in thousandths; set after sim_radio_init, 0 is a clean field. */
    uint16_t missed;   /* an answer that nobody hears */
    uint16_t detuned;  /* a tag that gets no power until the next field on */
    uint16_t damaged;  /* an answer with a flipped bit */
    uint16_t captured; /* a collision in which the strongest answer is read as if alone */
    uint16_t garbled;  /* a collision that is heard as one damaged answer */
    uint16_t deaf;     /* a Stay Quiet that its tag does not hear */
    bool broken;       /* the field cannot be switched on */
    uint32_t settle_us; /* of each field on; 10 ms by sim_radio_init */

    sim_tag tags[SIM_MAX_TAGS];
    size_t count;
    uint8_t antenna;
    bool field_on;
    uint8_t slot;
    bool round_open;
    uint64_t clock_us;
    uint64_t random;
    sim_air air;
} sim_radio;

/* An empty field, antenna 1 selected, field off, clock at 0. */
void sim_radio_init(sim_radio *sim, uint64_t seed);

/*
 * Puts these n UIDs (8 bytes each, most significant first) on the antenna in place of those
 * there. A tag that stays keeps its state. False, with nothing changed, when they do not fit or
 * the antenna is not 1 to SIM_MAX_ANTENNAS.
 */
bool sim_radio_set_tags(sim_radio *sim, uint8_t antenna, const uint8_t *uids, size_t n);

/* Lets time pass without a word on the air. */
void sim_radio_advance(sim_radio *sim, uint64_t us);

/* The radio of this field; sim must outlive it. */
bl_radio sim_radio_interface(sim_radio *sim);

#endif
