/* SPDX-License-Identifier: MIT */
/* SMIs of the ICH9.  Intel I/O Controller Hub 9 data sheet, 316972, 13.1, 13.7 and 13.8. */
#include "drivers/ich9.h"

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "drivers/pci.h"

#define LPC_ID        0x29188086u /* register 0 */

#define REG_GEN_PMCON 0xa0
#define PMBASE        0x600u      /* used where firmware set none: no other device has these ports */
#define SMI_LOCK      (1u << 4)

#define SMI_EN        0x30        /* offset from PMBASE */
#define SMI_GLOBAL    (1u << 0)
#define SMI_APMC      (1u << 5)   /* a write to port 0xb2 raises an SMI */
#define APM_CONTROL   0xb2

static uint16_t open_ports(void)
{
    const uint32_t control = pci_config_read(LPC_BRIDGE, LPC_ACPI_CNTL);

    if (!(control & LPC_ACPI_ENABLE)) {
        pci_config_write(LPC_BRIDGE, LPC_PMBASE, PMBASE);
        pci_config_write(LPC_BRIDGE, LPC_ACPI_CNTL, control | LPC_ACPI_ENABLE);
    }
    return (uint16_t)(pci_config_read(LPC_BRIDGE, LPC_PMBASE) & LPC_PMBASE_MASK);
}

const char *ich9_smi_enable(void)
{
    uint32_t enabled;
    uint16_t ports;

    if (pci_config_read(LPC_BRIDGE, 0) != LPC_ID)
        return "SMIs, and there is no ICH9 to raise them (QEMU's q35 has one)";
    ports = open_ports();
    enabled = inl((uint16_t)(ports + SMI_EN));
    if (enabled & SMI_GLOBAL)
        return "SMIs, and the firmware has them";
    if (pci_config_read(LPC_BRIDGE, REG_GEN_PMCON) & SMI_LOCK)
        return "SMIs, and they are locked";
    outl((uint16_t)(ports + SMI_EN), enabled | SMI_GLOBAL | SMI_APMC);
    return 0;
}

void ich9_smi_raise(void)
{
    outb(APM_CONTROL, 0);
}

/* The watchdog of Intel's south bridges (drivers/ich9.h has the source). */

#define INTEL         0x8086u
#define CLASS_BRIDGE  0x0601u     /* to the ISA bus */

#define REG_ID        0x00
#define REG_CLASS     0x08
#define REG_RCBA      0xf0
#define RCBA_ENABLE   (1u << 0)
#define RCBA_MASK     0xffffc000u
#define GCS           0x3410      /* offset from RCBA */
#define GCS_NO_REBOOT (1u << 5)

#define TCO_PORTS     0x60        /* offset from PMBASE */
#define TCO_RLD       0x00        /* offsets from there: the count */
#define TCO1_CNT      0x08
#define TCO_TMR       0x12        /* what it begins with */
#define TCO1_HALT     (1u << 11)
#define TCO1_LOCK     (1u << 12)
#define COUNT_MASK    0x3ffu

static uint32_t control(const struct tco *t)
{
    return inw((uint16_t)(t->ports + TCO1_CNT));
}

static bool may_reset(uint64_t direct_map)
{
    const uint32_t rcba = pci_config_read(LPC_BRIDGE, REG_RCBA);

    return !(rcba & RCBA_ENABLE) || !(mmio_read32(direct_map + (rcba & RCBA_MASK) + GCS) & GCS_NO_REBOOT);
}

bool tco_find(struct tco *t, uint64_t direct_map)
{
    if ((pci_config_read(LPC_BRIDGE, REG_ID) & 0xffff) != INTEL ||
        pci_config_read(LPC_BRIDGE, REG_CLASS) >> 16 != CLASS_BRIDGE ||
        !(pci_config_read(LPC_BRIDGE, LPC_ACPI_CNTL) & LPC_ACPI_ENABLE))
        return false;
    t->ports = (uint16_t)((pci_config_read(LPC_BRIDGE, LPC_PMBASE) & LPC_PMBASE_MASK) + TCO_PORTS);
    t->reload = inw((uint16_t)(t->ports + TCO_TMR)) & COUNT_MASK;
    t->halted = control(t) & TCO1_HALT;
    t->locked = control(t) & TCO1_LOCK;
    t->resets = may_reset(direct_map);
    return true;
}

uint32_t tco_count(const struct tco *t)
{
    return inw((uint16_t)(t->ports + TCO_RLD)) & COUNT_MASK;
}

bool tco_halt(const struct tco *t)
{
    outw((uint16_t)(t->ports + TCO1_CNT), (uint16_t)(control(t) | TCO1_HALT));
    return control(t) & TCO1_HALT;
}
