/* SPDX-License-Identifier: MIT */
/* serial=auto: the UART that the machine names, or that answers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_info.h"
#include "probe/config/serial_spec.h"

struct serial_choice {
    struct serial_spec line; /* as asked for; of auto with the rate and the clock of the UART that is used */
    const char *named_by;    /* what named it, as the end of a sentence */
    char passed[400];        /* what named none that is used, and why: sentences without an end */
    bool tell;               /* one of those is a fault that somebody may want to mend */
};

/*
 * Find a UART and make it the stream's (stream_uart_init()): those that SPCR, DBG2 and the BIOS data area name, in
 * this order, then COM1 to COM4; the first that answers.  `baud` is the rate, 0: that of SPCR, or 115200.  False
 * where none answers.  Once; interrupts off.
 */
bool serial_auto_find(const struct boot_info *boot, uint64_t baud, struct serial_choice *choice);

/*
 * The UARTs that firmware names: SPCR and DBG2 of ACPI (Microsoft, "Serial Port Console Redirection Table", revision
 * 4, and "Debug Port Table 2"), and the BIOS data area.  All of it is only read here, and none of it is believed:
 * what cannot be is refused with a sentence.  Any context.
 */

/* A UART by a table.  Of `line` no divisor was looked for; its rate is 0 where the table tells none. */
struct serial_named {
    struct serial_spec line;
    bool pci;                /* it is this function of the PCI bus: PCI_FUNCTION() of drivers/pci.h */
    uint32_t function;
    uint16_t vendor, device; /* which must be there */
};

/* Read a whole SPCR: NULL, or why it names no UART that can be used. */
const char *serial_spcr_read(const uint8_t *table, uint64_t length, struct serial_named *named);

/* How many devices a DBG2 has, 32 at most. */
unsigned serial_dbg2_devices(const uint8_t *table, uint64_t length);

/* Read device number `i` of a whole DBG2: NULL, or why it is no UART that can be used. */
const char *serial_dbg2_read(const uint8_t *table, uint64_t length, unsigned i, struct serial_named *named);

#define SERIAL_BDA        0x400u /* physical address of what the next one reads, */
#define SERIAL_BDA_LENGTH 0x12u  /* and its bytes */

/*
 * The ports that the BIOS has found, 4 at most, into named[]: how many.  None where their number is not the one in
 * the BIOS's list of equipment, or a port cannot be.
 */
unsigned serial_bda_read(const uint8_t *bda, struct serial_named named[4]);
