/* SPDX-License-Identifier: MIT */
/*
 * The word serial=: where the UART of the stream is, and its rate.
 *   com1 .. com4, 0xPORT, pci, mmio:0xADDRESS:STRIDE, each perhaps with ,BAUD
 */
#pragma once

#include <stdint.h>

struct span;
struct text_buf; /* probe/text/text_span.h */

#define SERIAL_SPEC_ALLOWED "com1 com2 com3 com4 0xPORT pci mmio:0xADDRESS:STRIDE, ,BAUD after it"

enum serial_place {
    SERIAL_COM1, SERIAL_COM2, SERIAL_COM3, SERIAL_COM4, /* the PC's usual ports */
    SERIAL_PORT, /* an I/O port */
    SERIAL_PCI,  /* the first serial controller on the PCI bus */
    SERIAL_MMIO, /* memory-mapped registers */
};

struct serial_spec {
    uint64_t place;   /* enum serial_place */
    uint64_t address; /* port or physical address; SERIAL_PORT, SERIAL_MMIO */
    uint64_t stride;  /* bytes from one register to the next: 1, 2, 4, 8 */
    uint64_t baud;    /* bit/s */
};

enum serial_spec_result {
    SERIAL_SPEC_OK,
    SERIAL_SPEC_UNKNOWN,    /* not of the form above, or an address out of range */
    SERIAL_SPEC_NO_DIVISOR, /* no divisor of the UART comes within 2 % of the rate */
};

/* Read a value; *line changes only if it is SERIAL_SPEC_OK.  Any context. */
enum serial_spec_result serial_spec_parse(struct serial_spec *line, struct span value);

/*
 * The divisor of a 16550 with a clock of 1.8432 MHz for a rate in bit/s; 0 if none comes within 2 %.
 * Any context.
 */
uint32_t serial_spec_divisor(uint64_t baud);

/* Append it in the form that is read. */
void serial_spec_put(struct text_buf *out, const struct serial_spec *line);

/* Append the rates of the divisors on both sides of the rate in this value. */
void serial_spec_put_nearest(struct text_buf *out, struct span value);
