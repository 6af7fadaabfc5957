/* SPDX-License-Identifier: MIT */
/*
 * Loads of Thurner, "Performance Measurement Using System Monitors": tasks that tell a monitor what they do, and
 * his example of its classes.
 */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define PLAIN { .name = "PLAIN", .program = "nested" } /* only computes: known work by function */

/* What user events cost a task that only computes, by each way to record them (Thurner, section 5). */
WORKLOAD(workload_hybrid, "hybrid",
         "a task that records user events by each way there is, and reports what they cost",
         { .name = "MARKER", .program = "marker", .grants = GRANTS_MONITOR | GRANTS_REPORT | GRANT_CALL(SYS_EVENT) });

/* A task that records user events of known values, beside one that keeps the processor busy. */
WORKLOAD(workload_talk, "talk", "a task that records user events in a page of its own, beside one that computes",
         { .name = "TALK", .program = "talker", .grants = GRANTS_MONITOR | GRANTS_REPORT | GRANTS_SLEEP },
         PLAIN);

/*
 * One program of known work by function, as it is and with the compiler's instrumentation: what
 * that costs, and how it bends the profile.  In scribbled a task beside them writes garbage into
 * the pages that it shares with the kernel.
 */
#define TRACED { .name = "TRACED", .program = "nested-traced", .grants = GRANTS_MONITOR }

WORKLOAD(workload_nested, "nested", "a program of known work, with and without calls counted by function",
         PLAIN, TRACED);
WORKLOAD(workload_scribbled, "scribbled",
         "the same beside a task that writes garbage where it shares pages with the kernel",
         PLAIN, TRACED, { .name = "SCRIB", .program = "scribbler", .grants = GRANTS_MONITOR },
         /* it has no such pages, and ends at its first access */
         { .name = "BARRED", .program = "marker" });

/*
 * A message-passing protocol of two tasks, after Thurner's figure 6, with a rare fault: one transfer in 1000,
 * drawn from seed=, lacks its end.  The same without the fault.
 */
#define FAULTS 1 /* of 1000 transfers */

#define SENDER(faults)                                                                       \
    { .name = "SENDER", .program = "sender", .seeded = true, .argument = (faults),           \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_SEND) | GRANT_CALL(SYS_EVENT) }
#define RECEIVER                                                                             \
    { .name = "RECEIV", .program = "receiver",                                               \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_RECEIVE) | GRANT_CALL(SYS_EVENT) }

WORKLOAD(workload_messages, "messages", "two tasks that pass messages, with a rare fault", SENDER(FAULTS), RECEIVER);
WORKLOAD(workload_messages_faultless, "messages-faultless", "the same without the fault", SENDER(0), RECEIVER);

/*
 * Thurner's figure 4: in each cycle of 6 ticks a long stretch lies between two ticks, where an equidistant sampler
 * misses it, and a short one over a tick, which such a sampler takes for a whole interval.
 */
#define STRETCH(task, begin, length)                                                                  \
    { .name = (task), .program = "stretch", .grants = GRANTS_CLOCK | GRANTS_SLEEP,                    \
      .argument = (begin) | (uint64_t)(length) << STRETCH_LENGTH | 6ull << STRETCH_CYCLE }

WORKLOAD(workload_stretches, "stretches", "a long stretch between the clock's ticks, a short one over a tick",
         STRETCH("LONG", 3100, 800), STRETCH("SHORT", 4950, 100));
