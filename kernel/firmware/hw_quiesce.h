/* SPDX-License-Identifier: MIT */
/*
 * What firmware, or the system before, left at work and what could write into memory that is ours now: bus masters of
 * storage and network controllers, other processors.
 */
#pragma once

#include <stdbool.h>

#include "drivers/pci.h"

struct hw_quiesced {
    struct pci_masters masters; /* that were switched off */
    bool others_stopped;        /* INIT was sent to all other processors */
};

/* Stop all of it.  Once, interrupts off, before a page of memory is taken. */
void hw_quiesce(void);

/* What was stopped.  After hw_quiesce(), any context. */
const struct hw_quiesced *hw_quiesced(void);
