/* SPDX-License-Identifier: MIT */
/* An NMI that the image asks for itself, through its local APIC: for images that are struck on purpose. */
#pragma once

#include <stdint.h>

#include "kernel/boot_info.h"

#define OWN_NMI_LAPIC 0xfee00000u
#define OWN_NMI_ICR   0x300
#define OWN_NMI       (4u << 8 | 1u << 14) /* asserted */

static inline volatile uint32_t *own_nmi_register(uint32_t reg)
{
    return (volatile uint32_t *)(DIRECT_BASE + OWN_NMI_LAPIC + reg);
}

/* An NMI to this processor itself. */
static inline void own_nmi_ask(void)
{
    *own_nmi_register(OWN_NMI_ICR + 0x10) = *own_nmi_register(0x20); /* its id, in its place */
    *own_nmi_register(OWN_NMI_ICR) = OWN_NMI;
}
