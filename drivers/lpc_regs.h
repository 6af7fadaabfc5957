/* SPDX-License-Identifier: MIT */
/*
 * The LPC bridge of Intel's south bridges: where its power management ports are.  Intel ICH9 data sheet, 316972,
 * 13.1.
 */
#pragma once

#include "drivers/pci.h"

#define LPC_BRIDGE      PCI_FUNCTION(0, 31, 0)
#define LPC_PMBASE      0x40        /* register: ports of power management */
#define LPC_PMBASE_MASK 0xff80u
#define LPC_ACPI_CNTL   0x44        /* register */
#define LPC_ACPI_ENABLE (1u << 7)   /* PMBASE is decoded */
