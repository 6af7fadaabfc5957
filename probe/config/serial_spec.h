/* SPDX-License-Identifier: MIT */
/*
 * The words serial= and slu=.  serial=: where the UART of the stream is, its rate and its clock.
 *   auto perhaps with ,BAUD after it;
 *   com1 .. com4, 0xPORT[:STRIDE[:WIDTH]], pci, pci:BUS:DEVICE.FUNCTION, mmio:0xADDRESS:STRIDE[:WIDTH],
 *   each perhaps with ,BAUD ,clock=HZ ,trust after it
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct span;
struct text_buf; /* probe/text/text_span.h */

#define SERIAL_SPEC_ALLOWED "auto[,BAUD] com1 com2 com3 com4 0xPORT[:STRIDE[:WIDTH]] pci pci:BUS:DEVICE.FUNCTION " \
    "mmio:0xADDRESS:STRIDE[:WIDTH], ,BAUD ,clock=HZ ,trust after it"

#define SERIAL_CLOCK     1843200u     /* Hz: the UART's of the PC */
#define SERIAL_CLOCK_MIN 1000000u
#define SERIAL_CLOCK_MAX 1000000000u
#define SERIAL_BAUD      115200u      /* where no rate is given */
#define SERIAL_BIT       16u          /* clocks a bit, by divisor 1 */
#define SERIAL_REGISTERS 8u
#define SERIAL_PORT_MIN  0x100u       /* lower ports belong to chips of the board: PIT, 8259, DMA, CMOS */
#define SERIAL_PORT_END  0x10000u
#define SERIAL_MMIO_END  (1ull << 52) /* what a page table can map; the processor's own limit may be lower */

enum serial_place {
    SERIAL_COM1, SERIAL_COM2, SERIAL_COM3, SERIAL_COM4, /* the PC's usual ports */
    SERIAL_PORT, /* an I/O port */
    SERIAL_PCI,  /* the first serial controller on the PCI bus */
    SERIAL_MMIO, /* memory-mapped registers */
    SERIAL_FUNCTION, /* a function of the PCI bus, by number */
    SERIAL_AUTO, /* the one that the machine names, or that answers */
};

struct serial_spec {
    uint64_t place;   /* enum serial_place */
    uint64_t address; /* port or physical address; of SERIAL_FUNCTION: bus << 8 | device << 3 | function */
    uint64_t stride;  /* bytes from one register to the next: 1, 2, 4, 8; SERIAL_PORT, SERIAL_MMIO, as the next */
    uint64_t width;   /* bytes of an access: 1, 2, 4, and no more than the stride */
    uint64_t baud;    /* bit/s; 0: that of the machine's tables (SERIAL_AUTO alone, until it is found) */
    uint64_t clock;   /* of the UART, Hz */
    bool trust;       /* it is used though no byte comes back in its loopback */
};

enum serial_spec_result {
    SERIAL_SPEC_OK,
    SERIAL_SPEC_UNKNOWN,    /* not of the form above, or an address out of range */
    SERIAL_SPEC_NO_DIVISOR, /* no divisor of the UART comes within 2 % of the rate */
};

/* The first port of SERIAL_COM1 to SERIAL_COM4.  Any context. */
uint16_t serial_spec_port(uint64_t place);

/* Read a value; *line changes only if it is SERIAL_SPEC_OK.  Any context. */
enum serial_spec_result serial_spec_parse(struct serial_spec *line, struct span value);

/*
 * Whether registers of this stride and width can be there: whole, in order, aligned, within the range of their
 * place, SERIAL_PORT or SERIAL_MMIO.  Any context.
 */
bool serial_spec_registers_ok(const struct serial_spec *line);

/*
 * The divisor of a UART with a clock of so many Hz for a rate in bit/s; 0 if none comes within 2 %.  A receiver
 * that looks at the middle of each bit, to a 16th, loses the stop bit, 9.5 bits after the edge that it counts from,
 * where both ends together are off by (1/2 - 1/16) / 9.5 = 4.6 %: each end may take less than half of that.
 * Any context.
 */
uint32_t serial_spec_divisor(uint64_t baud, uint64_t clock);

/* Append it in the form that is read. */
void serial_spec_put(struct text_buf *out, const struct serial_spec *line);

/* Append the rates of the divisors on both sides of the rate in this value. */
void serial_spec_put_nearest(struct text_buf *out, struct span value);

/*
 * The word slu=: which UART the ticks of tick=slu and tick=slu-timeout come from.
 *   auto, stream, or com1 .. com4 perhaps with ,BAUD
 */
#define SLU_SPEC_ALLOWED "auto stream com1 com2 com3 com4, ,BAUD after a port"

enum slu_port {
    SLU_COM1, SLU_COM2, SLU_COM3, SLU_COM4, /* as enum serial_place has them */
    SLU_AUTO,   /* COM2 or COM1, whichever answers and is not the stream's; else as SLU_STREAM */
    SLU_STREAM, /* the stream's own */
};

struct slu_spec {
    uint64_t port; /* enum slu_port */
    uint64_t baud; /* bit/s; 0: that of serial= */
};

/* Read a value; *word changes only if it is SERIAL_SPEC_OK.  Any context. */
enum serial_spec_result slu_spec_parse(struct slu_spec *word, struct span value);

/* Append it in the form that is read. */
void slu_spec_put(struct text_buf *out, const struct slu_spec *word);
