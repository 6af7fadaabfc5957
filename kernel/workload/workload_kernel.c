/* SPDX-License-Identifier: MIT */
/*
 * Loads that spend their time in the kernel: the handler of a device beside a task that computes at ring 3, code
 * that runs under a lock, and tasks that do little but enter the kernel.
 */
#include "drivers/pic.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/account/exact_time.h"
#include "kernel/io/log.h"
#include "kernel/load/loads.h"
#include "kernel/monitor/intercept.h"
#include "kernel/sched/timer.h"
#include "kernel/source/sampler.h"
#include "kernel/workload/workload.h"
#include "probe/schedule/splitmix64.h"

#define HANDLER_NS 100000u /* of the 244141 between two interrupts of the RTC */
#define PATH_NS    400000u /* a tenth of it with interrupts off: far less than the mean interval between ticks */

#define GRANTS_STORM \
    (GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_STORM) | GRANT_CALL(SYS_CALM))

#define STORM(more) \
    { .name = "STORM", .program = "storm", .argument = HANDLER_NS | (more), .rtc = true, .grants = GRANTS_STORM }

WORKLOAD(workload_storm, "storm", "a device interrupts 4096 times a second, 4 s of each 8",
         STORM(0), SPINNER("BYSTND"));
WORKLOAD(workload_openstorm, "openstorm", "the same, and its handlers let interrupts in",
         STORM(STORM_OPEN), SPINNER("BYSTND"));

#define CALLSITES { .name = "WORKER", .program = "profiled", .grants = GRANT_CALL(SYS_WORK) }
#define PROFILED(task, buffer) \
    { .name = (task), .program = "profiled", .argument = (buffer), .grants = GRANT_CALL(SYS_WORK) | GRANTS_PROFIL }

WORKLOAD(workload_callsites, "callsites", "a program of known work, at ring 3 and in two system calls", CALLSITES);
WORKLOAD(workload_callstorm, "callstorm", "the same beside the device of storm", STORM(0), CALLSITES);

WORKLOAD(workload_profil, "profil", "programs that keep profiles as 4.4BSD: mapped, touched by ticks, a trap a tick",
         PROFILED("DIRECT", PROFILED_MAPPED), PROFILED("TOUCH", PROFILED_UNTOUCHED),
         PROFILED("TRAPS", PROFILED_UNTOUCHED | PROFILED_TRAP));

WORKLOAD(workload_profilwild, "profilwild", "programs whose profiles are in no memory of theirs, and two whose are",
         PROFILED("DIRECT", PROFILED_MAPPED), PROFILED("NOWHER", PROFILED_NOWHERE),
         PROFILED("KERNEL", PROFILED_KERNEL), PROFILED("CODE", PROFILED_CODE), PROFILED("EDGE", PROFILED_EDGE),
         PROFILED("ODD", PROFILED_NONCANONICAL), PROFILED("OWN", PROFILED_TOUCHED));

WORKLOAD(workload_shadow, "shadow", "a path through the kernel, a tenth of it masked",
         { .name = "SHADOW", .program = "shadow", .argument = PATH_NS,
           .grants = GRANTS_CLOCK | GRANT_CALL(SYS_SHADOW) });

/*
 * A task of ring 0 starts a storm of interrupts, whose handlers let others in, and then gives the intercepted gates
 * back and takes them again a thousand times, at moments drawn from seed=.  The device counts its interrupts too.
 */
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

WORKLOAD(workload_intercept, "intercept",
         "a storm of interrupts whose gates are redirected and given back a thousand times",
         { .name = "TURNER", .entry = turner, .tell = tell, .rtc = true },
         /* QEMU's RTC loses interrupts of a processor that halts */
         SPINNER("SPIN"));

/*
 * Tasks that do little but enter the kernel and the supervisor, and switch.  They test
 * that a tick may fall between any two instructions of entries and exits.
 */
#define CALLER(task, of) \
    { .name = (task), .program = "caller", .argument = (of), \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_PACE | GRANTS_REPORT | GRANT_SERVICE(SVC_SYNC) }

WORKLOAD(workload_calls, "calls", "tasks that enter the kernel as often as they can",
         CALLER("CALLER", 5), CALLER("DOZER", 20), CALLER("DOZER2", 70));

/*
 * A task whose supervisor service makes system calls, from ring 3 to 1 to 0 and back,
 * and a task that ends while the other goes on.
 */
WORKLOAD(workload_rings, "rings", "a service that makes system calls; a task that ends",
         { .name = "RINGS", .program = "worker", .user = 100000, .supervisor = 150000,
           .argument = 1, .grants = GRANTS_PACE | GRANT_SERVICE(SVC_SYNC) },
         { .name = "SHORT", .program = "culprit", .argument = FAULT_KINDS, .grants = GRANTS_SLEEP });
