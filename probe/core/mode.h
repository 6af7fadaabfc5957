/* SPDX-License-Identifier: MIT */
/*
 * What a moment of CPU time is charged to: the four modes, and the rows that are
 * no task.  docs/ACCOUNTING.md defines them; Crowe, "System-wide CPU usage
 * monitoring", has the first three modes and the imaginary task IDLE.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum mode {
    MODE_USER,       /* CPL 3 */
    MODE_SUPERVISOR, /* CPL 1 */
    MODE_KERNEL,     /* CPL 0 on behalf of the task: system call, fault, switch */
    MODE_INTERRUPT,  /* CPL 0 in a device or clock handler that interrupted it */
    MODES
};

/*
 * Ids of rows that are no task.  A RADIX-50 name never has a half above
 * 0xf9ff, and numbers of tasks and programs are small: no task has these.
 */
#define ROW_IDLE   0xffff0001u /* halted: the paper's imaginary task */
#define ROW_MASKED 0xffff0002u /* late ticks that waited for interrupts to be on; exact: all masked time */
#define ROW_LOST   0xffff0003u /* taken and found no record in five probes */
#define ROW_STOLEN 0xffff0005u /* late ticks that nothing in the image masked: SMM or a hypervisor had that time */
#define ROW_ENDED  0xffff0006u /* tasks that ended, and whose records or slots were needed */
#define ROW_OTHERS 0xffff0007u /* of a code on a screen: the tasks with the least shares, for which it has no room */
#define ROW_ANY    0xffff0004u /* in a region: whatever task runs */

/* What delayed a tick: the row of its sample. */
enum delay {
    DELAY_NONE,   /* it was on time: the row of the interrupted code */
    DELAY_MASKED, /* interrupts were off, or may have been off: row MASKED */
    DELAY_STOLEN, /* nothing in the image delayed it: row STOLEN */
    DELAY_HANDLER, /* the point fell into a handler of a tick: no sample, and in no row */
};

/* Whether a row has modes, as tasks, IDLE and ENDED do; others count samples in their total only. */
static inline bool row_has_modes(uint32_t id)
{
    return id != ROW_MASKED && id != ROW_LOST && id != ROW_STOLEN;
}

/* "user" and so on, as words and tables spell it.  Any context. */
const char *mode_name(enum mode mode);

/* What one tick saw of the machine: the interrupt frame reduced to four facts. */
struct sample {
    uint64_t time; /* clock units (TSC) at the entry of the handler */
    uint64_t pc;   /* address of the instruction that was interrupted */
    uint32_t task; /* id of the running task, ROW_IDLE when halted */
    enum mode mode;
};
