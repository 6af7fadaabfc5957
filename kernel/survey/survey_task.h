/* SPDX-License-Identifier: MIT */
/*
 * The survey of this machine as a workload: what kind of machine it is for time.  What must not be disturbed is
 * measured before tasks run; then a task looks for stolen time and follows the clocks to the end of the run.
 */
#pragma once

#include <stdbool.h>

#include "probe/text/refusal.h"

/* The first part.  Before the first window; interrupts off, and on meanwhile. */
bool survey_prepare(struct refusal *why);

/* The same, and SMIs will be raised while the task looks (kernel/load/loads.h).  False where there are none. */
bool survey_prepare_smi(struct refusal *why);

/* The task: it does not return. */
void survey_run(void);

/* Send what was found, nothing where no survey ran.  Task PROBE, at the end of the run, as the next. */
void survey_send(void);

/* Print or send it, and tell the screen. */
void survey_tell(void);
