/* SPDX-License-Identifier: MIT */
/* Which ready task runs first; tasks of one priority take turns.  Regular, 0, is the rule. */
#pragma once

enum task_priority { PRIORITY_IDLE = -1, PRIORITY_REGULAR, PRIORITY_TIME_CRITICAL };
