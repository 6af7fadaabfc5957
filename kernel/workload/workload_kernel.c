/* SPDX-License-Identifier: MIT */
/*
 * Loads that spend their time in the kernel: the handler of a device beside a task that
 * computes at ring 3, and code that runs under a lock.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define HANDLER_NS 100000u /* of the 244141 between two interrupts of the RTC */
#define PATH_NS    400000u /* a tenth of it with interrupts off: far less than the mean interval between ticks */

#define GRANTS_STORM \
    (GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_STORM) | GRANT_CALL(SYS_CALM))

#define BYSTANDER { .name = "BYSTND", .program = "spinner", .argument = 4000000, \
                    .grants = GRANTS_CLOCK | GRANTS_REPORT }

#define STORM { .name = "STORM", .program = "storm", .argument = HANDLER_NS, .rtc = true, .grants = GRANTS_STORM }
#define WORKER { .name = "WORKER", .program = "profiled", .grants = GRANT_CALL(SYS_WORK) }

static const struct workload_task masked[] = { STORM, BYSTANDER };

WORKLOAD(workload_storm, "storm", "a device interrupts 4096 times a second, 4 s of each 8", masked);

static const struct workload_task open[] = {
    { .name = "STORM", .program = "storm", .argument = STORM_OPEN | HANDLER_NS,
      .rtc = true, .grants = GRANTS_STORM },
    BYSTANDER,
};

WORKLOAD(workload_openstorm, "openstorm", "the same, and its handlers let interrupts in", open);

static const struct workload_task sites[] = { WORKER };

WORKLOAD(workload_callsites, "callsites", "a program of known work, at ring 3 and in two system calls", sites);

#define PROFILED(task, buffer) \
    { .name = (task), .program = "profiled", .argument = (buffer), .grants = GRANT_CALL(SYS_WORK) | GRANTS_PROFIL }

static const struct workload_task profiles[] = {
    PROFILED("DIRECT", PROFILED_MAPPED), PROFILED("TOUCH", PROFILED_UNTOUCHED),
    PROFILED("TRAPS", PROFILED_UNTOUCHED | PROFILED_TRAP),
};

WORKLOAD(workload_profil, "profil", "programs that keep profiles as 4.4BSD: mapped, touched by ticks, a trap a tick",
         profiles);

static const struct workload_task wild[] = {
    PROFILED("DIRECT", PROFILED_MAPPED), PROFILED("NOWHER", PROFILED_NOWHERE), PROFILED("KERNEL", PROFILED_KERNEL),
    PROFILED("CODE", PROFILED_CODE), PROFILED("EDGE", PROFILED_EDGE), PROFILED("ODD", PROFILED_NONCANONICAL),
    PROFILED("OWN", PROFILED_TOUCHED),
};

WORKLOAD(workload_profilwild, "profilwild", "programs whose profiles are in no memory of theirs, and two whose are",
         wild);

static const struct workload_task stormed[] = { STORM, WORKER };

WORKLOAD(workload_callstorm, "callstorm", "the same beside the device of storm", stormed);

static const struct workload_task path[] = {
    { .name = "SHADOW", .program = "shadow", .argument = PATH_NS, .grants = GRANTS_CLOCK | GRANT_CALL(SYS_SHADOW) },
};

WORKLOAD(workload_shadow, "shadow", "a path through the kernel, a tenth of it masked", path);
