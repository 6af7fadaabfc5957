/* SPDX-License-Identifier: MIT */
/* What the common entry of interrupts and exceptions calls. */
#pragma once

#include "kernel/cpu/frame.h"

/* Settle the account, call the handler that is registered, charge it.  Interrupts off. */
void interrupt_dispatch(struct frame *f);

/* Where the entry stub finds that; a monitor may put itself before it (kernel/monitor/intercept.h).  Interrupts off. */
extern void (*interrupt_way)(struct frame *f);

/* Where the stubs that take events find the dispatch of system calls (kernel/tick/trace_rules.h).  Interrupts off. */
extern void (*syscall_way)(struct frame *f);
