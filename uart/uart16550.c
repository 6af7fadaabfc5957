/* SPDX-License-Identifier: MIT */
/* The 16550 UART at an I/O port.  National Semiconductor PC16550D data sheet. */
#include "uart/uart16550.h"

#include "drivers/io.h"
#include "uart/uart_regs.h"

#define TRIES 200000 /* polls of a wait: 20 character times at 1200 bit/s and 1 us each */

uint16_t uart_divisor(uint32_t baud)
{
    const uint32_t base = UART_CLOCK / 16;
    uint32_t divisor, made;

    if (baud == 0 || baud > base + base / 50)
        return 0;
    divisor = (base + baud / 2) / baud;
    if (divisor > 0xffff)
        return 0;
    made = base / divisor;
    return (made > baud ? made - baud : baud - made) * 50 <= baud ? (uint16_t)divisor : 0;
}

bool uart_present(uint16_t port)
{
    static const uint8_t patterns[] = { 0x55, 0xaa };
    uint8_t mcr, lcr;
    bool back = false;

    for (unsigned i = 0; i < sizeof patterns; i++) {
        outb(port + UART_SCR, patterns[i]);
        if (inb(port + UART_SCR) != patterns[i])
            return false;
    }
    lcr = inb(port + UART_LCR);
    outb(port + UART_LCR, lcr & (uint8_t)~UART_LCR_DLAB);
    mcr = inb(port + UART_MCR);
    outb(port + UART_MCR, UART_MCR_LOOP);
    uart_discard(port);
    outb(port + UART_THR, patterns[0]);
    for (int i = 0; i < TRIES && !back; i++)
        back = inb(port + UART_LSR) & UART_LSR_DR;
    back = back && inb(port + UART_RBR) == patterns[0];
    outb(port + UART_MCR, mcr & (uint8_t)~UART_MCR_LOOP);
    outb(port + UART_LCR, lcr);
    return back;
}

void uart_init(uint16_t port, uint16_t divisor)
{
    outb(port + UART_LCR, UART_LCR_8N1);
    outb(port + UART_IER, 0);
    outb(port + UART_MCR, UART_MCR_DTR | UART_MCR_RTS | UART_MCR_OUT2);
    outb(port + UART_LCR, UART_LCR_8N1 | UART_LCR_DLAB);
    outb(port + UART_DLL, (uint8_t)divisor);
    outb(port + UART_DLM, (uint8_t)(divisor >> 8));
    outb(port + UART_LCR, UART_LCR_8N1);
    outb(port + UART_FCR, UART_FCR_ENABLE | UART_FCR_CLEAR_RX | UART_FCR_CLEAR_TX);
    inb(port + UART_LSR); /* reading clears what was pending */
    uart_discard(port);
    inb(port + UART_IIR);
    inb(port + UART_MSR);
}

static bool wait_for(uint16_t port, uint8_t bits)
{
    for (int i = 0; i < TRIES; i++)
        if ((inb(port + UART_LSR) & bits) == bits)
            return true;
    return false;
}

bool uart_send(uint16_t port, uint8_t byte)
{
    if (!wait_for(port, UART_LSR_THRE))
        return false;
    outb(port + UART_THR, byte);
    return true;
}

bool uart_drained(uint16_t port)
{
    return wait_for(port, UART_LSR_THRE | UART_LSR_TEMT);
}

void uart_transmit_interrupt(uint16_t port, bool on)
{
    outb(port + UART_IER, on ? UART_IER_THRI : 0);
}

uint8_t uart_cause(uint16_t port)
{
    const uint8_t iir = inb(port + UART_IIR);

    return iir & UART_IIR_NONE ? UART_IIR_NONE : iir & UART_IIR_ID;
}

void uart_put(uint16_t port, uint8_t byte)
{
    outb(port + UART_THR, byte);
}

unsigned uart_discard(uint16_t port)
{
    unsigned n = 0;

    while (n < UART_FIFO_DEPTH && inb(port + UART_LSR) & UART_LSR_DR) {
        inb(port + UART_RBR);
        n++;
    }
    return n;
}
