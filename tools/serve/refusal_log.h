/* SPDX-License-Identifier: MIT */
/* Tells who is refused or dropped, in a few sentences a minute. */
#pragma once

#include <stdint.h>

/* All zeros at first. */
struct refusal_log {
    double begun;
    uint64_t count; /* since then */
};

void refusal_log_tell(struct refusal_log *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Tell how many were not told, when that is due. */
void refusal_log_serve(struct refusal_log *r);

/* The same at the end. */
void refusal_log_end(struct refusal_log *r);
