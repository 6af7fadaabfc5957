/* SPDX-License-Identifier: MIT */
/*
 * Bus masters and other processors are stopped.  Intel SDM 3A, 8.4 and 11.6; PCI Local Bus Specification 3.0,
 * 6.2.2.
 */
#include "kernel/firmware/hw_quiesce.h"

#include "drivers/lapic.h"
#include "kernel/boot_info.h"

static struct hw_quiesced quiesced; /* set once, by hw_quiesce() */

void hw_quiesce(void)
{
    quiesced.others_stopped = lapic_present() && lapic_init_others(DIRECT_BASE);
    quiesced.masters = pci_stop_masters();
}

const struct hw_quiesced *hw_quiesced(void)
{
    return &quiesced;
}
