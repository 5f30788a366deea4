/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_PICO_STDIO_USB_H
#define BL_STUB_PICO_STDIO_USB_H

#include "pico/stdio/driver.h"

extern stdio_driver_t stdio_usb;
bool stdio_usb_connected(void);

#endif
