/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_ESP_ATTR_H
#define BL_STUB_ESP_ATTR_H

#define RTC_NOINIT_ATTR

#endif
