/* SPDX-License-Identifier: MIT */
/* Each kind of fault by a task of its own: those that end the task, and those that end the image. */
#include "kernel/abi/syscall_numbers.h"
#include "kernel/workload/workload.h"

/* Its argument tells the fault and the ring, which is 0 only where a row grants SYS_FAULT. */
#define CULPRIT(task, wrong, more) \
    { .name = (task), .program = "culprit", .argument = (wrong), .grants = GRANTS_SLEEP | (more) }
#define USER(task, wrong)       CULPRIT(task, wrong, GRANT_SERVICE(SVC_FAULT))
#define SUPERVISOR(task, wrong) CULPRIT(task, CULPRIT_RING1 | (wrong), GRANT_SERVICE(SVC_FAULT))
#define KERNEL(task, wrong)     CULPRIT(task, CULPRIT_RING0 | (wrong), GRANT_CALL(SYS_FAULT))

/* Each kind of fault at ring 3 and at ring 1, one task each, beside two correct tasks that must go on. */
WORKLOAD(workload_faults, "faults", "every fault at ring 3 and ring 1",
         WORKER("GOOD1", 20000, 20000, 20000),
         USER("UREAD", FAULT_BAD_READ),
         USER("UWRITE", FAULT_BAD_WRITE),
         USER("UEXEC", FAULT_EXECUTE_DATA),
         USER("UKERN", FAULT_KERNEL_READ),
         USER("UPRIV", FAULT_PRIVILEGED),
         USER("UPORT", FAULT_PORT),
         USER("UDIV", FAULT_DIVIDE),
         USER("UUD", FAULT_OPCODE),
         USER("URECUR", FAULT_RECURSION),
         USER("USTACK", FAULT_STACK),
         USER("UUMIP", FAULT_DESCRIPTOR),
         USER("USCALL", FAULT_SYSCALL),
         USER("USENTER", FAULT_SYSENTER),
         USER("UGATE", FAULT_CALL_GATE),
         USER("UXGETBV", FAULT_XGETBV),
         SUPERVISOR("SREAD", FAULT_BAD_READ),
         SUPERVISOR("SWRITE", FAULT_BAD_WRITE),
         SUPERVISOR("SEXEC", FAULT_EXECUTE_DATA),
         SUPERVISOR("SPRIV", FAULT_PRIVILEGED),
         SUPERVISOR("SPORT", FAULT_PORT),
         SUPERVISOR("SDIV", FAULT_DIVIDE),
         SUPERVISOR("SUD", FAULT_OPCODE),
         SUPERVISOR("SRECUR", FAULT_RECURSION),
         SUPERVISOR("SSTACK", FAULT_STACK),
         SUPERVISOR("SUSER", FAULT_USER_READ),
         SUPERVISOR("SACUSER", CULPRIT_AC | FAULT_USER_READ),
         SUPERVISOR("SUEXEC", FAULT_USER_EXECUTE),
         WORKER("GOOD2", 20000, 20000, 20000));

/*
 * Faults that end the image: a bad address in the kernel, an overflow of its stack, and
 * a fault during the dump of a fault.  One task each, for the tests of the dump.
 */
WORKLOAD(workload_panic, "panic", "the kernel reads a bad address", KERNEL("KREAD", FAULT_BAD_READ));
WORKLOAD(workload_overflow, "overflow", "the kernel's stack overflows", KERNEL("KRECUR", FAULT_RECURSION));
WORKLOAD(workload_panic2, "panic2", "the dump of a fault faults", KERNEL("KLOST", FAULT_LOST_TASK));
