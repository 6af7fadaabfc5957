/* SPDX-License-Identifier: MIT */
/* Waits until a UART's interrupts have come, each of which leaves a value. */
#include "kernel/tick/uart_tick_listen.h"

#include "drivers/io.h"
#include "drivers/pic.h"
#include "kernel/cpu/cpu.h"

static volatile uint64_t heard[SLU_HEARD]; /* ISR writes while slu_listen() waits */
static volatile unsigned count;            /* the same */
static unsigned wanted;                    /* of `heard`; set before each listening */

bool slu_heard(uint64_t value)
{
    if (count < wanted)
        heard[count++] = value;
    return count < wanted;
}

uint64_t slu_heard_at(unsigned index)
{
    return heard[index];
}

void slu_drain(void)
{
    cpu_interrupts_on();
    __asm__ volatile("nop\n\tnop");
    cpu_interrupts_off();
}

unsigned slu_listen_until(void (*begin)(void), unsigned number, uint64_t longest)
{
    const uint64_t start = rdtsc();

    count = 0;
    wanted = number;
    begin();
    while (count < wanted && rdtsc() - start < longest)
        continue;
    return count;
}

bool slu_listen(const struct slu_interrupts *i, struct source *source, void (*begin)(void), uint64_t longest)
{
    const uint64_t start = rdtsc();

    count = 0;
    wanted = i->number;
    source->vector = PIC_MASTER_VECTOR + i->irq;
    pic_unmask(i->irq);
    slu_drain();
    begin();
    cpu_interrupts_on();
    while (count < wanted && rdtsc() - start < longest)
        continue;
    cpu_interrupts_off();
    source->stop();
    return count == wanted;
}
