/* SPDX-License-Identifier: MIT */
/* A raw sample as a line of blank-separated columns: tick, seconds, task, mode, late, pair, pc.  Host. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/model/stream_model.h"
#include "tools/samples/sample_reader.h"

#define SAMPLE_TEXT_NAMES 256u /* names of tasks that are remembered; a power of two */
#define SAMPLE_TEXT_LINE  256u

struct sample_text {
    const struct epoch *e;
    bool timed; /* print the times: all are known, and so is the rate of the clock */
    struct sample_text_name {
        uint32_t task;
        uint8_t length; /* 0: none yet */
        char text[NAME_SIZE];
    } name[SAMPLE_TEXT_NAMES];
};

void sample_text_begin(struct sample_text *t, const struct epoch *e);

/*
 * Write the line with its newline into `line` of SAMPLE_TEXT_LINE bytes; returns its length.  A dash is an unknown
 * value: no time in the stream, or a place that never arrived.
 */
size_t sample_text_line(struct sample_text *t, const struct resolved_sample *s, char *line);

/* "%.6f" of a number that is not below 0; `to` has room for 32 bytes.  Returns the end of the digits. */
char *sample_text_seconds(char *to, double seconds);
