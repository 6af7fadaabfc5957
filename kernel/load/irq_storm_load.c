/* SPDX-License-Identifier: MIT */
/*
 * The storm of interrupts.  The RTC raises the next one only after its register C was
 * read, so that a handler that enables interrupts does not interrupt itself.  Other
 * interrupts during the handler switch no tasks: else the task that was interrupted
 * would have to finish the handler in its own time.
 */
#include "kernel/load/loads.h"

#include "drivers/pic.h"
#include "drivers/rtc.h"
#include "kernel/abi/spin_loop.h"
#include "kernel/account/exact_time.h"
#include "kernel/cpu/irq.h"
#include "kernel/sched/sched.h"

static struct {
    bool on, open;
    uint64_t units, count;
} storm; /* interrupts off */

/* The handler of a device that works with interrupts enabled. */
static __attribute__((noinline)) void work_open(void)
{
    sched_hold(true);
    account_sti();
    cpu_interrupts_on();
    spin(storm.units);
    cpu_interrupts_off();
    account_cli();
    sched_hold(false);
}

static void work(void)
{
    storm.count++;
    if (storm.open)
        work_open();
    else
        spin(storm.units);
}

static bool interrupt(uint64_t now)
{
    (void)now;
    pic_eoi(RTC_IRQ);
    if (storm.on)
        work();
    rtc_acknowledge_anywhere();
    return true;
}

void irq_storm_start(uint64_t units, bool open)
{
    irq_disable();
    storm.on = true;
    storm.open = open;
    storm.units = units;
    storm.count = 0;
    irq_register(PIC_SLAVE_VECTOR, interrupt);
    rtc_start_periodic(IRQ_STORM_HZ);
    pic_unmask(RTC_IRQ);
    irq_enable();
}

uint64_t irq_storm_count(void)
{
    return storm.count;
}

uint64_t irq_storm_stop(void)
{
    irq_disable();
    if (storm.on) /* else the RTC may be in other use */
        rtc_stop();
    storm.on = false;
    irq_enable();
    return storm.count;
}
