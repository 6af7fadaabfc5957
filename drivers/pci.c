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
#define REG_BARS       6u
#define REG_CAPABILITY 0x34

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
#define HEADER_TYPE    (0x7fu << 16) /* 0: a device with six base addresses */
#define HAS_CAPABILITIES (1u << 20)  /* of the status, above the command */
#define CAPABILITIES   48u           /* dwords from 0x40 to 0xff: no list without a circle is longer */
#define CAPABILITY_LOW 0x40u
#define CAPABILITY_PM  0x01u
#define PMCSR          4u            /* behind the capability's head */
#define PMCSR_STATE    0x3u          /* D0 to D3 */
#define PMCSR_PME      0x8000u       /* written as 1 it is cleared */
/* A function needs 10 ms from D3 to D0; each reading is two accesses of half a microsecond or more. */
#define SETTLE_READS   10000u

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

/* ---- power: PCI Bus Power Management Interface Specification 1.2, section 3.2 ---- */

/* The capability with this id; 0: none. */
static uint32_t capability(uint32_t function, uint32_t id)
{
    uint32_t at;

    if (!(pci_config_read(function, REG_COMMAND) & HAS_CAPABILITIES))
        return 0;
    at = pci_config_read(function, REG_CAPABILITY) & 0xfc;
    for (unsigned i = 0; i < CAPABILITIES && at >= CAPABILITY_LOW; i++) {
        const uint32_t head = pci_config_read(function, at);

        if ((head & 0xff) == id)
            return at;
        at = head >> 8 & 0xfc;
    }
    return 0;
}

/* The whole time is waited out: the state reads as D0 before the function is ready. */
static bool settle(uint32_t function, uint32_t pmcsr)
{
    uint32_t state = PMCSR_STATE;

    for (unsigned i = 0; i < SETTLE_READS; i++)
        state = pci_config_read(function, pmcsr) & PMCSR_STATE;
    return state == 0;
}

static bool power_on(uint32_t function)
{
    const uint32_t pm = capability(function, CAPABILITY_PM),
                   command = pci_config_read(function, REG_COMMAND) & 0xffff;
    uint32_t state, bar[REG_BARS];

    if (pm == 0)
        return true;
    state = pci_config_read(function, pm + PMCSR);
    if ((state & PMCSR_STATE) == 0)
        return true;
    for (unsigned i = 0; i < REG_BARS; i++)
        bar[i] = pci_config_read(function, REG_BAR0 + 4 * i);
    pci_config_write(function, pm + PMCSR, state & 0xffff & ~(PMCSR_STATE | PMCSR_PME));
    if (!settle(function, pm + PMCSR))
        return false;
    for (unsigned i = 0; i < REG_BARS; i++)
        if (pci_config_read(function, REG_BAR0 + 4 * i) != bar[i])
            pci_config_write(function, REG_BAR0 + 4 * i, bar[i]);
    pci_config_write(function, REG_COMMAND, command);
    return true;
}

/* ---- finding ---- */

static const char *open_window(uint32_t function, struct pci_bar *window)
{
    const uint32_t bar = pci_config_read(function, REG_BAR0);
    const uint32_t command = pci_config_read(function, REG_COMMAND);

    window->memory = !(bar & BAR_IO);
    window->base = bar & (window->memory ? ~0xfu : ~0x3u);
    if (window->memory && (bar & 6) == BAR_64)
        window->base |= (uint64_t)pci_config_read(function, REG_BAR0 + 4) << 32;
    if (window->base == 0)
        return "its first base address is not assigned";
    pci_config_write(function, REG_COMMAND,
                     (command & 0xffff) | (window->memory ? COMMAND_MEMORY : COMMAND_IO));
    return 0;
}

const char *pci_open(uint32_t function, struct pci_bar *window)
{
    if ((pci_config_read(function, REG_VENDOR) & 0xffff) == NO_DEVICE)
        return "no such function of the PCI bus is there";
    if (pci_config_read(function, REG_HEADER) & HEADER_TYPE)
        return "it is a bridge";
    if (!power_on(function))
        return "it does not leave its power state for D0";
    return open_window(function, window);
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
        if (pci_config_read(function, REG_CLASS) >> 16 == class_code && pci_open(function, window) == 0)
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
