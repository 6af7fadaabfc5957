/* SPDX-License-Identifier: MIT */
/*
 * A message-passing protocol of two tasks, after Thurner's figure 6, with a rare fault: one transfer in 1000,
 * drawn from seed=, lacks its end.  The same without the fault.
 */
#include "kernel/abi/message_protocol.h"
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

#define FAULTS 1 /* of 1000 transfers */

#define SENDER(faults)                                                                       \
    { .name = "SENDER", .program = "sender", .seeded = true, .argument = (faults),           \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANTS_REPORT | GRANT_CALL(SYS_SEND) | GRANT_CALL(SYS_EVENT) }
#define RECEIVER                                                                             \
    { .name = "RECEIV", .program = "receiver",                                               \
      .grants = GRANTS_CLOCK | GRANTS_SLEEP | GRANT_CALL(SYS_RECEIVE) | GRANT_CALL(SYS_EVENT) }

static const struct workload_task tasks[] = { SENDER(FAULTS), RECEIVER };
static const struct workload_task faultless[] = { SENDER(0), RECEIVER };

WORKLOAD(workload_messages, "messages", "two tasks that pass messages, with a rare fault", tasks);
WORKLOAD(workload_messages_faultless, "messages-faultless", "the same without the fault", faultless);
