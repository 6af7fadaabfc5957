/* SPDX-License-Identifier: MIT */
/* Finds the UART that serial= names: its registers and its IRQ. */
#pragma once

#include <stdbool.h>

#include "kernel/cpu/cpu.h"
#include "probe/config/serial_spec.h"
#include "uart/uart16550.h"

#define NO_IRQ 0xffu

struct serial_device {
    struct uart uart;
    unsigned irq; /* of the 8259; NO_IRQ: it has none, or none that is known to work */
    /* its place, e.g. "COM1 (port 0x3f8)"; of none of the four COM ports until another is looked for */
    const char *name;
};

/*
 * Find it: NULL, or why no UART can be there; its name is set in any case.  Registers in memory are mapped, in place
 * of those that were mapped before.  The start; interrupts off.
 */
const char *serial_device_find(const struct serial_spec *line, struct serial_device *device);

/*
 * Switch a UART's interrupts off.  A request that the 8259 holds already must be delivered before: where the UART
 * takes it back, the CPU gets a spurious IRQ 7 in its place.  So interrupts are on around the access, and the handler
 * of the port must not send.  Interrupts off.
 */
static inline void serial_device_silence(const struct serial_device *d)
{
    cpu_interrupts_on();
    __asm__ volatile("nop"); /* the instruction after STI is not interrupted */
    uart_interrupts(&d->uart, false, false);
    __asm__ volatile("nop");
    cpu_interrupts_off();
}
