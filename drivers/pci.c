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
#define COMMAND_MASTER (1u << 2)
#define CLASS_STORAGE  0x01
#define CLASS_NETWORK  0x02
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

/* The first function from this one on that is there; FUNCTIONS: none is.  Without function 0 there is no device. */
static uint32_t present_from(uint32_t function)
{
    while (function < FUNCTIONS && (pci_config_read(function, REG_VENDOR) & 0xffff) == NO_DEVICE)
        function += function % 8 == 0 ? 8 : 1;
    return function < FUNCTIONS ? function : FUNCTIONS;
}

static uint32_t present_behind(uint32_t function)
{
    const bool only = function % 8 == 0 && !(pci_config_read(function, REG_HEADER) & MULTIFUNCTION);

    return present_from(function + (only ? 8 : 1));
}

bool pci_find(uint16_t class_code, struct pci_bar *window)
{
    for (uint32_t function = present_from(0); function < FUNCTIONS; function = present_behind(function))
        if (pci_config_read(function, REG_CLASS) >> 16 == class_code && open_window(function, window))
            return true;
    return false;
}

/* Mechanism 1 reads its address back (3.2.2.3.2). */
static bool is_there(void)
{
    outl(CONFIG_ADDRESS, CONFIG_ENABLE);
    return inl(CONFIG_ADDRESS) == CONFIG_ENABLE;
}

/* The status bits in the upper half are cleared by ones: write none. */
static bool stop_master(uint32_t function)
{
    const uint32_t command = pci_config_read(function, REG_COMMAND) & 0xffff;

    if (!(command & COMMAND_MASTER))
        return false;
    pci_config_write(function, REG_COMMAND, command & ~COMMAND_MASTER);
    return true;
}

struct pci_masters pci_stop_masters(void)
{
    struct pci_masters stopped = { 0, 0 };

    if (!is_there())
        return stopped;
    for (uint32_t function = present_from(0); function < FUNCTIONS; function = present_behind(function)) {
        const uint32_t base_class = pci_config_read(function, REG_CLASS) >> 24;

        if (base_class == CLASS_STORAGE)
            stopped.storage += stop_master(function);
        else if (base_class == CLASS_NETWORK)
            stopped.network += stop_master(function);
    }
    return stopped;
}
