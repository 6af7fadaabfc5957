/* SPDX-License-Identifier: MIT */
/*
 * The table of processes of SYS_PS, and monitor=proctable, which tells it with each snapshot (Yevtushenko,
 * "Measuring CPU Usage", the third method).  A task that has ended is in it no more.
 */
#pragma once

#include <stdbool.h>

#include "probe/stats/process_entry.h"
#include "kernel/monitor/software_monitors.h"

/* Count passes also where the monitor is off: a task asks for the table.  Before tasks run. */
void process_table_wanted(void);
