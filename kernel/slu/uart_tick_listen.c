/* SPDX-License-Identifier: MIT */
/* Waits until a UART's interrupts have come; each leaves a value. */
#include "kernel/slu/uart_tick.h"

#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/cpu/cpu.h"
#include "kernel/cpu/irq.h"

static volatile uint64_t heard[UART_TICK_HEARD]; /* ISR writes while uart_tick_listen() waits */
static volatile unsigned count;            /* the same */
static unsigned wanted;                    /* of `heard`; set before each listening */

bool uart_tick_heard(uint64_t value)
{
    if (count < wanted)
        heard[count++] = value;
    return count < wanted;
}

uint64_t uart_tick_heard_at(unsigned index)
{
    return heard[index];
}

unsigned uart_tick_listen_nmi(void (*begin)(void), unsigned number, uint64_t longest)
{
    const uint64_t start = rdtsc();

    count = 0;
    wanted = number;
    begin();
    while (count < wanted && rdtsc() - start < longest)
        continue;
    return count;
}

bool uart_tick_listen(const struct uart_tick_irq *i, struct source *source, void (*begin)(void), uint64_t longest)
{
    const uint64_t start = rdtsc();

    count = 0;
    wanted = i->number;
    source->vector = PIC_MASTER_VECTOR + i->irq;
    irq_register_tick(source->vector, source->interrupt, false);
    pic_unmask(i->irq);
    cpu_take_pending();
    begin();
    cpu_interrupts_on();
    while (count < wanted && rdtsc() - start < longest)
        continue;
    cpu_interrupts_off();
    source->stop();
    return count == wanted;
}
