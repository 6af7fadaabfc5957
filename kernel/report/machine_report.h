/* SPDX-License-Identifier: MIT */
/*
 * A description of the machine, collected during the start: sent in frames always (record
 * HEALTH), printed as text on request (health=on, the command `health`).  It is for
 * information only; nothing acts on it.
 */
#pragma once

#include <stdbool.h>

/*
 * Collect it.  Once, after the clocks were measured and the tick source was chosen, before
 * stream_uart_start(); interrupts off.  It takes a twentieth of a second.  The tick
 * sources were examined before (kernel/tick/tick_survey.h).
 */
void machine_report_collect(void);

/* Log it, where health=on and output=text.  Before tasks run. */
void machine_report_log(void);

/* Print it, a line a row.  Task context. */
void machine_report_print(void (*line)(void *context, const char *text), void *context);

/* Send it.  Task PROBE. */
void machine_report_send(void);
