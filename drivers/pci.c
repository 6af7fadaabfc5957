/* SPDX-License-Identifier: MIT */
/*
 * The PCI bus by configuration mechanism 1: address to 0xcf8, data at 0xcfc.
 * PCI Local Bus Specification 3.0, sections 3.2.2.3.2 and 6.1.
 */
#include "drivers/pci.h"

#include "drivers/io.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA    0xcfc
#define CONFIG_ENABLE  0x80000000u

#define REG_VENDOR     0x00
#define REG_COMMAND    0x04
#define REG_CLASS      0x08
#define REG_HEADER     0x0c
#define REG_BAR0       0x10

#define NO_DEVICE      0xffff
#define COMMAND_IO     (1u << 0)
#define COMMAND_MEMORY (1u << 1)
#define MULTIFUNCTION  (1u << 23)
#define BAR_IO         (1u << 0)
#define BAR_64         (2u << 1)
#define FUNCTIONS      (256u * 32u * 8u) /* bus, device, function */

uint32_t pci_config_read(uint32_t function, uint32_t reg)
{
    outl(CONFIG_ADDRESS, CONFIG_ENABLE | function << 8 | reg);
    return inl(CONFIG_DATA);
}

void pci_config_write(uint32_t function, uint32_t reg, uint32_t value)
{
    outl(CONFIG_ADDRESS, CONFIG_ENABLE | function << 8 | reg);
    outl(CONFIG_DATA, value);
}

static bool open_window(uint32_t function, struct pci_bar *window)
{
    const uint32_t bar = pci_config_read(function, REG_BAR0);
    const uint32_t command = pci_config_read(function, REG_COMMAND);

    window->memory = !(bar & BAR_IO);
    window->base = bar & (window->memory ? ~0xfu : ~0x3u);
    if (window->base == 0 || (window->memory && (bar & 6) == BAR_64 &&
                              pci_config_read(function, REG_BAR0 + 4) != 0))
        return false; /* not assigned, or above what the kernel maps */
    pci_config_write(function, REG_COMMAND,
                     (command & 0xffff) | (window->memory ? COMMAND_MEMORY : COMMAND_IO));
    return true;
}

bool pci_find(uint16_t class_code, struct pci_bar *window)
{
    for (uint32_t function = 0; function < FUNCTIONS; function++) {
        if ((pci_config_read(function, REG_VENDOR) & 0xffff) == NO_DEVICE) {
            if (function % 8 == 0)
                function += 7; /* without function 0 there is no device: skip its other functions */
            continue;
        }
        if (pci_config_read(function, REG_CLASS) >> 16 == class_code &&
            open_window(function, window))
            return true;
        if (function % 8 == 0 && !(pci_config_read(function, REG_HEADER) & MULTIFUNCTION))
            function += 7;
    }
    return false;
}
