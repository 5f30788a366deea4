/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_BOOTLOADER_RANDOM_H
#define BL_STUB_BOOTLOADER_RANDOM_H

void bootloader_random_enable(void);
void bootloader_random_disable(void);

#endif
