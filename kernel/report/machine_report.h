/* SPDX-License-Identifier: MIT */
/*
 * What the machine is like: found and measured at the start, and told, in frames
 * always (record HEALTH), as text where it is asked for (health=on, the command
 * `health`).  Nothing here is believed by anything else.
 */
#ifndef KERNEL_REPORT_MACHINE_REPORT_H
#define KERNEL_REPORT_MACHINE_REPORT_H

#include <stdbool.h>

/*
 * Look at the machine.  Once, clocks measured and the tick source chosen, before
 * stream_uart_start(); interrupts off.  Takes a twentieth of a second; what sources are
 * like was found before (kernel/tick/tick_survey.h).
 */
void machine_report_collect(void);

/* Say it, a note a line; where health=on and output=text.  Before the tasks run. */
void machine_report_log(void);

/* The same, a line a row.  Task context. */
void machine_report_print(void (*line)(void *context, const char *text), void *context);

/* Send it.  Task PROBE. */
void machine_report_send(void);

#endif
