/* SPDX-License-Identifier: MIT */
/*
 * monitor=profil: profiles that tasks keep in memory of their own (kernel/abi/profil.h), as 4.4BSD does it
 * (McCanne and Torek, "Code Profiling").  The tick increments the counter itself, through the direct map, where
 * its page is mapped and the task could write it.  Where it is not, a trap is due at the return from the tick: an
 * interrupt that the local APIC sends to itself, from which the page is mapped where it is one of those that are
 * mapped at their first touch.  Anything else ends the profile, and nothing else.  A tick in a system call is
 * counted at the exit of the call, for its caller.  The same for ticks that are NMIs: they interrupt no one who
 * changes the tables of a task at ring 3.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "kernel/monitor/software_monitors.h"
#include "kernel/sched/task_monitor.h"

/*
 * The running task asks for a profile at this address; false where what is there is none, or there is no local
 * APIC to trap by.  In a system call.
 */
bool profil_ask(uint64_t address);
