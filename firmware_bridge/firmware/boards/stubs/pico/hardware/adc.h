/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_HARDWARE_ADC_H
#define BL_STUB_HARDWARE_ADC_H

#include "pico/types.h"

void adc_init(void);
void adc_set_temp_sensor_enabled(bool enable);
void adc_select_input(uint input);
uint16_t adc_read(void);

#endif
