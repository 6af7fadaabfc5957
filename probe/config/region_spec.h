/* SPDX-License-Identifier: MIT */
/*
 * The value of region=, TASK:MODE:LOW-HIGH: which task's code the region
 * monitor counts by address.  Any context.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "probe/core/mode.h"
#include "probe/text/text_span.h"

#define REGION_TASK_SIZE 15 /* a task's name and its end */
#define REGION_SPEC_ALLOWED                                                             \
    "none, or TASK:MODE:LOW-HIGH: * for any task, user supervisor kernel interrupt, "   \
    "0x.. 0octal or decimal, LOW below HIGH"

struct region_spec {
    char task[REGION_TASK_SIZE]; /* its name; "*": any task */
    uint8_t mode;                /* enum mode */
    bool octal;                  /* the addresses were given in octal and are shown so */
    uint64_t low, high;          /* [low, high), low < high */
};

/* Read a value; *r changes only if it is one. */
bool region_spec_parse(struct region_spec *r, struct span value);

/* Read a part of it, a task's name or a mode's; false if it is none. */
bool region_spec_task(char task[REGION_TASK_SIZE], struct span name);
bool region_spec_mode(uint8_t *mode, struct span name);

/* Whether two are written alike. */
bool region_spec_same(const struct region_spec *a, const struct region_spec *b);

/* Append it in the form that is read; addresses in octal or hexadecimal. */
void region_spec_put(struct text_buf *out, const struct region_spec *r);
