#include "pn5180_model.h"

#include <string.h>

enum {
    SYSTEM_CONFIG = 0x00, IRQ_ENABLE = 0x01, IRQ_STATUS = 0x02, IRQ_CLEAR = 0x03,
    CRC_RX_CONFIG = 0x12, RX_STATUS = 0x13, TX_CONFIG = 0x18, CRC_TX_CONFIG = 0x19, RF_STATUS = 0x1D,
};

enum { SPI_BYTE_NS = 1600, BUSY_RISE_NS = 1000, OBEY_NS = 15000, LOOK_NS = 200 };

#define US 1000ull

static uint64_t draw(pn5180_model *m)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 7;
    m->random ^= m->random << 17;
    return m->random;
}

static void happen(pn5180_model *m, uint64_t *at, unsigned bit)
{
    if (*at != 0 && m->now_ns >= *at) {
        m->registers[IRQ_STATUS] |= 1u << bit;
        *at = 0;
    }
}

static void tick(pn5180_model *m, uint64_t ns)
{
    m->now_ns += ns;
    happen(m, &m->idle_at, 2);
    happen(m, &m->tx_at, 1);
    happen(m, &m->sof_at, 14);
    if (m->rx_at != 0 && m->now_ns >= m->rx_at) {
        m->registers[RX_STATUS] = m->rx_status;
        m->answer_end_ns = m->rx_at;
    }
    happen(m, &m->rx_at, 0);
    if (m->rf_on_at != 0 && m->now_ns >= m->rf_on_at && m->fault != MODEL_FALSE_FIELD) {
        m->registers[RF_STATUS] |= 1u << 17;
    }
    happen(m, &m->rf_on_at, 9);
    if (m->rf_off_at != 0 && m->now_ns >= m->rf_off_at) {
        m->registers[RF_STATUS] &= ~(1u << 17);
    }
    happen(m, &m->rf_off_at, 8);
}

static void general_error(pn5180_model *m)
{
    m->general_errors++;
    m->registers[IRQ_STATUS] |= 1u << 17;
}

static void set_state(pn5180_model *m, uint32_t state)
{
    m->registers[RF_STATUS] = (m->registers[RF_STATUS] & ~(7u << 24)) | state << 24;
}

static void write_register(pn5180_model *m, uint8_t address, uint32_t value)
{
    if (address == IRQ_CLEAR) {
        m->registers[IRQ_STATUS] &= ~value;
        return;
    }
    if (address == IRQ_STATUS || address == RX_STATUS || address == RF_STATUS) {
        return;
    }
    m->registers[address] = value;
    if (address == SYSTEM_CONFIG) {
        set_state(m, (value & 7u) == 3u && m->fault != MODEL_NOT_IN_TRANSMIT ? 1 : 0);
    }
}

/* What the antenna hears becomes register bits: some collisions look like broken frames. */
static void hear(pn5180_model *m, bl_slot slot, const uint8_t *reply, size_t len, uint64_t sent_ns)
{
    bool crc_checked = (m->registers[CRC_RX_CONFIG] & 1u) != 0;
    m->tx_at = sent_ns;
    m->sof_at = m->rx_at = 0;
    if (slot == BL_SLOT_EMPTY) {
        return;
    }
    m->sof_at = sent_ns + 472 * US;
    m->rx_at = m->fault == MODEL_ENDLESS ? 0 : sent_ns + 4251 * US;
    m->received_len = len;
    memcpy(m->received, reply, len);
    if (slot == BL_SLOT_COLLISION) {
        m->rx_status = draw(m) % 10 < 7 ? 1u << 18 | 3u << 19 | 2u : 1u << 17 | 5u;
        return;
    }
    m->rx_status = (uint32_t)(crc_checked ? len - 2 : len);
    if (m->fault == MODEL_ODD_BITS) {
        m->rx_status |= 5u << 13;
    }
}

static void send_data(pn5180_model *m)
{
    uint8_t reply[16];
    size_t reply_len = 0;
    uint8_t rssi;
    size_t len = m->in_len - 2;
    bool data = (m->registers[TX_CONFIG] & 1u << 10) != 0;
    bool start = (m->registers[TX_CONFIG] & 3u << 6) != 0;
    if ((m->registers[RF_STATUS] >> 24 & 7u) != 1 || data != (len > 0) || data != start ||
        m->fault == MODEL_TX_ERROR) {
        general_error(m);
        return;
    }
    set_state(m, 3);
    if (m->answer_end_ns != 0 && m->now_ns - m->answer_end_ns < 309 * US) {
        m->too_early++;
    }
    bool powered = (m->registers[RF_STATUS] & 1u << 17) != 0 && m->loaded_tx == 0x0D && m->loaded_rx == 0x8D;
    bl_slot slot = BL_SLOT_EMPTY;
    if (powered && len > 0) {
        uint8_t frame[300];
        memcpy(frame, m->in + 2, len);
        if ((m->registers[CRC_TX_CONFIG] & 1u) != 0) {
            uint16_t crc = bl_iso15693_crc(frame, len);
            frame[len++] = (uint8_t)crc;
            frame[len++] = (uint8_t)(crc >> 8);
        }
        slot = m->field.request(m->field.ctx, frame, len, reply, sizeof reply, &reply_len, &rssi);
    } else if (powered) {
        slot = m->field.next_slot(m->field.ctx, reply, sizeof reply, &reply_len, &rssi);
    }
    hear(m, slot, reply, reply_len, m->now_ns + (len > 0 ? 113 + 302 * (uint64_t)len : 38) * US);
}

static void reply_register(pn5180_model *m, uint32_t value)
{
    for (size_t i = 0; i < 4; i++) {
        m->out[i] = (uint8_t)(value >> 8 * i);
    }
    m->out_len = 4;
}

static void obey(pn5180_model *m)
{
    const uint8_t *in = m->in;
    size_t len = m->in_len;
    uint32_t value = len == 6 ? (uint32_t)in[2] | (uint32_t)in[3] << 8 | (uint32_t)in[4] << 16 | (uint32_t)in[5] << 24 : 0;
    bool addressed = len >= 2 && in[1] < 64;
    if (len == 6 && addressed && in[0] == 0x00) {
        write_register(m, in[1], value);
    } else if (len == 6 && addressed && in[0] == 0x01) {
        write_register(m, in[1], m->registers[in[1]] | value);
    } else if (len == 6 && addressed && in[0] == 0x02) {
        write_register(m, in[1], m->registers[in[1]] & value);
    } else if (len == 2 && addressed && in[0] == 0x04) {
        reply_register(m, m->registers[in[1]]);
    } else if (len == 3 && in[0] == 0x07 && in[1] + in[2] <= 255) {
        memcpy(m->out, m->eeprom + in[1], in[2]);
        m->out_len = in[2];
    } else if (len >= 2 && len <= 262 && in[0] == 0x09) {
        send_data(m);
    } else if (len == 2 && in[0] == 0x0A) {
        memcpy(m->out, m->received, m->received_len);
        m->out_len = m->received_len;
    } else if (len == 3 && in[0] == 0x11) {
        m->loaded_tx = in[1];
        m->loaded_rx = in[2];
        m->registers[TX_CONFIG] = 0x00000757;
        m->registers[CRC_TX_CONFIG] = m->registers[CRC_RX_CONFIG] = 0x0000001B;
    } else if (len == 2 && in[0] == 0x16) {
        m->rf_on_at = m->fault == MODEL_NO_FIELD ? 0 : m->now_ns + 300 * US;
        (void)m->field.field(m->field.ctx, m->fault != MODEL_NO_FIELD);
    } else if (len == 2 && in[0] == 0x17) {
        m->rf_off_at = m->now_ns + 300 * US;
        (void)m->field.field(m->field.ctx, false);
    } else {
        general_error(m);
    }
}

static bool busy_now(const pn5180_model *m)
{
    return m->now_ns >= m->busy_from_ns && m->now_ns < m->busy_until_ns;
}

static void pin_select(void *ctx, bool on)
{
    pn5180_model *m = ctx;
    tick(m, LOOK_NS);
    if (on) {
        m->handshakes_broken += busy_now(m);
        m->exchanged = false;
        m->in_len = 0;
    } else if (m->selected && m->exchanged) {
        m->handshakes_broken += !busy_now(m);
        m->busy_until_ns = m->now_ns + OBEY_NS;
        if (m->in_len > 0) {
            obey(m);
        }
    }
    m->selected = on;
}

static void pin_transfer(void *ctx, const uint8_t *out, uint8_t *in, size_t len)
{
    pn5180_model *m = ctx;
    tick(m, len * SPI_BYTE_NS);
    m->spi_bytes += (unsigned long)len;
    m->handshakes_broken += !m->selected || busy_now(m) || m->exchanged;
    if (out != NULL && len <= sizeof m->in) {
        memcpy(m->in, out, len);
        m->in_len = len;
    }
    for (size_t i = 0; in != NULL && i < len; i++) {
        in[i] = m->fault == MODEL_NOISE ? (uint8_t)draw(m) : m->fault == MODEL_NO_MISO || i >= m->out_len ? 0xFF : m->out[i];
    }
    m->exchanged = true;
    m->busy_from_ns = m->now_ns + BUSY_RISE_NS;
    m->busy_until_ns = UINT64_MAX;
}

static bool pin_busy(void *ctx)
{
    pn5180_model *m = ctx;
    tick(m, LOOK_NS);
    switch (m->fault) {
    case MODEL_BUSY_LOW:
        return false;
    case MODEL_BUSY_HIGH:
        return true;
    case MODEL_NOISE:
        return draw(m) % 4 == 0;
    default:
        return busy_now(m);
    }
}

static void pin_reset(void *ctx, bool on)
{
    pn5180_model *m = ctx;
    tick(m, LOOK_NS);
    memset(m->registers, 0, sizeof m->registers);
    m->loaded_tx = m->loaded_rx = 0;
    m->tx_at = m->sof_at = m->rx_at = m->rf_on_at = m->rf_off_at = m->answer_end_ns = 0;
    m->busy_from_ns = m->busy_until_ns = 0;
    (void)m->field.field(m->field.ctx, false);
    m->idle_at = on || m->fault == MODEL_NO_BOOT ? 0 : m->now_ns + 2500 * US;
}

static bool pin_irq(void *ctx)
{
    pn5180_model *m = ctx;
    tick(m, LOOK_NS);
    bool active = (m->registers[IRQ_STATUS] & m->registers[IRQ_ENABLE]) != 0;
    return m->irq_pin == 1 ? active : m->irq_pin == 2 ? !active : m->irq_pin == 4;
}

static bool pin_antenna(void *ctx, uint8_t antenna)
{
    pn5180_model *m = ctx;
    if ((m->registers[RF_STATUS] & 1u << 17) != 0) {
        m->handshakes_broken++;
    }
    m->antenna = antenna;
    return m->field.select(m->field.ctx, antenna);
}

static uint32_t pin_now_us(void *ctx)
{
    pn5180_model *m = ctx;
    tick(m, LOOK_NS);
    return (uint32_t)(m->now_ns / US);
}

static uint32_t pin_now_ms(void *ctx)
{
    pn5180_model *m = ctx;
    return (uint32_t)(m->now_ns / US / 1000);
}

static void pin_wait_us(void *ctx, uint32_t us)
{
    tick(ctx, us * US);
}

void pn5180_model_init(pn5180_model *model, uint64_t seed)
{
    memset(model, 0, sizeof *model);
    sim_radio_init(&model->air, seed);
    model->air.settle_us = 0;
    model->field = sim_radio_interface(&model->air);
    model->random = seed * 2 + 1;
    model->eeprom[0x12] = 0x00;
    model->eeprom[0x13] = 0x04;
}

bl_pn5180_bus pn5180_model_bus(pn5180_model *model)
{
    bl_pn5180_bus bus = {
        model, pin_select, pin_transfer, pin_busy, pin_reset, model->irq_pin != 0 ? pin_irq : NULL,
        model->use_antennas ? pin_antenna : NULL, pin_now_ms, pin_now_us, pin_wait_us,
    };
    return bus;
}
