/* Stub: see README.md of the stubs. */
#ifndef BL_STUB_HARDWARE_SPI_H
#define BL_STUB_HARDWARE_SPI_H

#include "pico/types.h"

typedef struct spi_inst spi_inst_t;
extern spi_inst_t *const spi0;
typedef enum { SPI_CPHA_0 = 0 } spi_cpha_t;
typedef enum { SPI_CPOL_0 = 0 } spi_cpol_t;
typedef enum { SPI_MSB_FIRST = 1 } spi_order_t;
uint spi_init(spi_inst_t *spi, uint baudrate);
void spi_set_format(spi_inst_t *spi, uint data_bits, spi_cpol_t cpol, spi_cpha_t cpha,
                    spi_order_t order);
int spi_write_read_blocking(spi_inst_t *spi, const uint8_t *src, uint8_t *dst, size_t len);
int spi_write_blocking(spi_inst_t *spi, const uint8_t *src, size_t len);
int spi_read_blocking(spi_inst_t *spi, uint8_t repeated_tx_data, uint8_t *dst, size_t len);

#endif
