/* SPDX-License-Identifier: MIT */
/* The command ps: the tasks, and what each has used of the time since it was asked last. */
#pragma once

#include "kernel/shell/commands.h"

/* Task PROBE. */
void command_ps(const struct command_asker *asker);
