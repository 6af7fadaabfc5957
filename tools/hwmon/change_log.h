/* SPDX-License-Identifier: MIT */
/* The changes of cell since the last close, as TRANSITIONS tells them (account=log). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct change {
    uint64_t cell; /* that ended, as in TRANSITIONS */
    uint64_t time; /* ns that it had */
};

struct change_log {
    bool on;
    struct change *kept; /* since the last close */
    size_t count;
    uint64_t since;      /* ns since the last change */
};

/* The cell ends that had the time since the last change; nothing where it had none. */
void change_log_end(struct change_log *log, uint64_t cell);
