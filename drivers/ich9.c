/* SPDX-License-Identifier: MIT */
/* SMIs of the ICH9.  Intel I/O Controller Hub 9 data sheet, 316972, 13.1, 13.7 and 13.8. */
#include "drivers/ich9.h"

#include <stdbool.h>
#include <stdint.h>

#include "drivers/io.h"
#include "drivers/lpc_regs.h"
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
