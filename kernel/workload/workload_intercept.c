/* SPDX-License-Identifier: MIT */
/*
 * A task of ring 0 starts a storm of interrupts, whose handlers let others in, and then gives the intercepted gates
 * back and takes them again a thousand times, at moments drawn from seed=.  The device counts its interrupts too.
 */
#include "drivers/pic.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/load/loads.h"
#include "kernel/monitor/intercept.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/workload/workload.h"
#include "probe/schedule/splitmix64.h"

#define TURNS    1000u
#define LEAST_US 300u
#define MORE_US  2000u
#define REST_US  1000000000u
#define HANDLER_US 20u

static uint64_t turns, told, counted; /* written by task TURNER, read by PROBE at the end */

/* The device's interrupts, as it and as the monitor counts them, while the gates are redirected. */
static void turn(uint64_t pause_us)
{
    uint64_t device, monitor;

    irq_disable();
    intercept_resume();
    device = irq_storm_count();
    monitor = intercept_count(PIC_SLAVE_VECTOR);
    irq_enable();
    timer_sleep_us(pause_us);
    irq_disable();
    told += irq_storm_count() - device;
    counted += intercept_count(PIC_SLAVE_VECTOR) - monitor;
    intercept_pause();
    irq_enable();
}

static void turner(void)
{
    irq_storm_start(work_pacer_units_of(timer_us_to_clocks(HANDLER_US)), true);
    for (turns = 0; turns < TURNS; turns++) {
        turn(LEAST_US + splitmix64_mix(sampler_seed() + turns) % MORE_US);
        timer_sleep_us(LEAST_US + splitmix64_mix(sampler_seed() - turns) % MORE_US);
    }
    irq_disable();
    intercept_resume();
    irq_enable();
    for (;;)
        timer_sleep_us(REST_US);
}

static void tell(void)
{
    log_line(LOG_NOTE, "intercept: ", DECIMAL(turns), " times on and off; while on, the device had ", DECIMAL(told),
             " interrupts, the monitor ", DECIMAL(counted), "; the device in all ", DECIMAL(irq_storm_count()));
}

static const struct workload_task rows[] = {
    { .name = "TURNER", .entry = turner, .tell = tell, .rtc = true },
    /* QEMU's RTC loses interrupts of a processor that halts */
    { .name = "SPIN", .program = "spinner", .argument = 4000000, .grants = GRANTS_CLOCK | GRANTS_REPORT },
};

WORKLOAD(workload_intercept, "intercept",
         "a storm of interrupts whose gates are redirected and given back a thousand times", rows);
