/* SPDX-License-Identifier: MIT */
/* A UART's interrupt as NMI: its route, and its requests. */
#include "kernel/slu/uart_tick.h"

#include "drivers/pic.h"
#include "uart/uart_regs.h"

#define REQUESTS_MAX 8u /* of one UART, which has four kinds */

static struct nmi_line line;      /* set by uart_tick_nmi_listen(), as the next two */
static struct uart_tick_nmi listening;
static uint64_t longest_wait;

static unsigned prove(void)
{
    const unsigned came = uart_tick_listen_nmi(listening.begin, line.shots, longest_wait);

    listening.stop();
    return came;
}

bool uart_tick_nmi_listen(const struct uart_tick *s, const struct uart_tick_nmi *source, uint64_t longest,
                          struct refusal *why)
{
    struct nmi_proof proof;

    listening = *source;
    longest_wait = longest;
    /* An ISA interrupt other than the PIT's ends at the pin of its own number. */
    line = (struct nmi_line){
        .irq = s->device.irq, .tries = 1, .tried = { s->device.irq }, .shots = s->heard,
        .prove = prove, .handler = source->handler,
    };
    if (!nmi_can_come(why))
        return false;
    return nmi_route(&line, &proof) ||
           REFUSE_WITH(why, "of %1 interrupts of %2 %3 came as NMI through pin %4 of the I/O APIC",
                       REFUSAL_NUMBER(line.shots), REFUSAL_STRING(s->device.name), REFUSAL_NUMBER(proof.arrived[0]),
                       REFUSAL_NUMBER(line.tried[0]));
}

void uart_tick_nmi_open(uint64_t (*handler)(const struct cpu_frame *f, uint64_t now))
{
    line.handler = handler;
    pic_mask(line.irq);
    nmi_open(&line);
}

void uart_tick_nmi_close(void)
{
    nmi_close(&line);
}

bool uart_tick_nmi_silence(const struct uart *u, unsigned *received,
                           void (*enable)(const struct uart *u, bool on))
{
    unsigned requests = 0;

    while (uart_interrupt_cause(u) != UART_IIR_NONE) {
        if (received != 0)
            *received += uart_flush_rx(u);
        if (++requests == REQUESTS_MAX) {
            enable(u, false);
            enable(u, true);
            break;
        }
    }
    return requests != 0;
}
