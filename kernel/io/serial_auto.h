/* SPDX-License-Identifier: MIT */
/* serial=auto: the UART that the machine names, or that answers. */
#pragma once

#include <stdbool.h>

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
