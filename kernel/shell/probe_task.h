/* SPDX-License-Identifier: MIT */
/* The task PROBE, which reports what the probe counted, and suspends no other task. */
#pragma once

#include <stdbool.h>

/* Make the task.  False where it cannot be made.  Once, before tasks run. */
bool probe_task_start(void);
