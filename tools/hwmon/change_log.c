/* SPDX-License-Identifier: MIT */
/* Appends changes of cell. */
#include "tools/hwmon/change_log.h"

#include "tools/base/alloc.h"

void change_log_end(struct change_log *log, uint64_t cell)
{
    if (!log->on || log->since == 0)
        return;
    GROW(log->kept, log->count);
    log->kept[log->count++] = (struct change){ cell, log->since };
    log->since = 0;
}
